"""Logs in which counters left lying where they died were taken off."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import evolve

from referee.scribe import facts
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import NOWHERE, Shifted, Standing
from vassalgen.game.game import Game

USED = facts.Shifted | facts.Stepped | facts.Faced | facts.JoinedBattle | facts.Declared | facts.Rolled
"""What players do with a counter that is still in play."""


def called_dead(log: LoggedFacts, names: Collection[str]) -> Mapping[str, int]:
    """Counters that players name in the chat and never use again, with the steps in which they do so last.

    A counter named just before dice are rolled is named because it fights.
    """
    named: dict[str, int] = {}
    just_named: set[str] = set()
    for fact in (one for step in log.steps for one in step.facts):
        if isinstance(fact, facts.Mentioned):
            just_named |= {*fact.counters}
            named |= {name: fact.step for name in fact.counters if name in names}
            continue
        gone = just_named if isinstance(fact, facts.JoinedBattle) or facts.has_dice(fact) else set()
        if isinstance(fact, USED):
            gone = {*gone, fact.counter}
        named = {name: step for name, step in named.items() if name not in gone}
        just_named = set()
    return named


def without_dead(log: LoggedFacts, game: Game, dead: Mapping[str, int]) -> LoggedFacts | None:
    """The log in which counters were taken off in these steps, before anything else in them; None if all of
    them are used later.
    """
    places = {name: one.place for name, one in log.opening.items()}
    last: dict[str, int] = {}
    at: dict[str, str] = {}
    for step in log.steps:
        at |= {name: places.get(name, NOWHERE) for name, one in dead.items() if one == step.step}
        for fact in step.facts:
            if isinstance(fact, USED):
                last[fact.counter] = step.step
            if isinstance(fact, Shifted):
                places[fact.counter] = fact.target
    lying = {
        name: place for name, place in at.items() if place in game.map.grid and last.get(name, 0) < dead[name]
    }
    if not lying:
        return None
    return evolve(log, steps=tuple(_without(step, lying, dead) for step in log.steps))


def _without(step: StepFacts, lying: Mapping[str, str], dead: Mapping[str, int]) -> StepFacts:
    """A step before which some counters were taken off, or in which they are."""
    now = [name for name in lying if dead[name] == step.step]
    off = (Shifted(step=step.step, counter=name, origin=lying[name], target=NOWHERE) for name in now)
    gone = [name for name in lying if name in now or (name in step.after and step.step > dead[name])]
    after = {**step.after, **{name: evolve(step.after.get(name, Standing()), place=NOWHERE) for name in gone}}
    return evolve(step, facts=(*off, *step.facts), after=after) if gone else step
