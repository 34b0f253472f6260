"""What changes in a log if counters left lying where they died had been taken off."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from referee.scribe import facts
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Fact, Shifted
from vassalgen.game.game import Game

USED = facts.Shifted | facts.Stepped | facts.Faced | facts.JoinedBattle | facts.Declared | facts.Rolled
"""What players do with a counter that is still in play."""


def left_lying(log: LoggedFacts, game: Game, names: Collection[str]) -> Mapping[int, Fact | None]:
    """Counters that players name in the chat and never use again were taken off when they were named last.

    A counter named just before dice are rolled is named because it fights.
    """
    places = {name: one.place for name, one in log.opening.items()}
    named: dict[str, tuple[facts.Mentioned, str]] = {}
    just_named: set[str] = set()
    for fact in (one for step in log.steps for one in step.facts):
        if isinstance(fact, facts.Mentioned):
            just_named |= {*fact.counters}
            named |= {name: (fact, places.get(name, "")) for name in fact.counters if name in names}
            continue
        if isinstance(fact, Shifted):
            places[fact.counter] = fact.target
        gone = just_named if isinstance(fact, facts.JoinedBattle) or facts.has_dice(fact) else set()
        if isinstance(fact, USED):
            gone = {*gone, fact.counter}
        named = {name: one for name, one in named.items() if name not in gone}
        just_named = set()
    return {
        id(said): Shifted(step=said.step, side=said.side, counter=name, origin=place, target=facts.NOWHERE)
        for name, (said, place) in named.items()
        if place in game.map.grid
    }
