"""What changes in a log if drags that were put right across turns had been right at once."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from referee.engine.clock import Calendar, Clock
from referee.scribe import facts
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Fact, Shifted
from vassalgen.game.game import Game

Changes = Mapping[int, Fact | None]
"""By the identity of a fact what it is instead, None for nothing."""
SAID_NEAR = 8
"""How many steps before or after a drag players say what it is."""
EXCHANGED_NEAR = 3
"""How many steps before or after a drag another counter takes the place that the first one leaves."""


@frozen
class _Drag:
    """A drag; ``active`` is the side whose turn it is, empty for none; ``own`` counts the turns of its side.

    ``fights``: battles were declared before it in the phase, or their dice rolled; ``rolls``: or any dice.
    ``among_enemies``: they were in the hex to which it leads. ``said``: players named the counter, or the hex
    to which it leads, in the chat.
    """

    shifted: Shifted
    active: str
    own: int
    fights: bool
    rolls: bool
    among_enemies: bool
    said: bool


def put_right(
    log: LoggedFacts, game: Game, calendar: Calendar, names: Collection[str], accused: Collection[int]
) -> Changes:
    """Counters that were dragged to a wrong hex, and to another when the turn of their side was over, went
    there at once.

    Something was wrong with the first hex, and it was changed in the turn of the other side; or players said
    so in the chat when they changed it; or the counter was dragged back to where it had been before the next
    turn of its side, and perhaps another one there in its place. No attack in this turn may have led to the
    second. Reinforcements may have entered in the wrong hex.
    """
    changes: dict[int, Fact | None] = {}
    hexes = {*game.map.grid.names}
    for wrong, right in _pairs(log, game, calendar, names):
        first, last = wrong.shifted, right.shifted
        side = game.counters[first.counter].side
        was_wrong = any(first.step <= step < last.step for step in accused)
        is_seen = was_wrong and right.active not in ("", side) and not right.rolls
        is_said = right.said and right.active != side and not right.fights
        is_there = {first.target, last.target} <= hexes
        is_back = _is_back(wrong, right) and not right.rolls
        means_it = is_seen or is_said or is_back
        if means_it and is_there and wrong.active in ("", side) and id(first) not in changes:
            there = evolve(first, target=last.target)
            changes |= {id(first): there if there.origin != there.target else None, id(last): None}
            if is_back and (instead := _instead(log, right, names)):
                changes |= {id(first): evolve(first, counter=instead.counter), id(instead): None}
    return changes


def _is_back(wrong: _Drag, right: _Drag) -> bool:
    """Whether a counter was dragged back to where it had been, before the next turn of its side."""
    return wrong.shifted.origin == right.shifted.target and wrong.own == right.own


def _instead(log: LoggedFacts, right: _Drag, names: Collection[str]) -> Shifted | None:
    """The drag of another counter near that of one that is dragged back, between the same hexes."""
    back = right.shifted
    others = (fact for step in log.steps for fact in step.facts if isinstance(fact, Shifted))
    return next(
        (
            one
            for one in others
            if (one.origin, one.target) == (back.target, back.origin)
            and abs(one.step - back.step) <= EXCHANGED_NEAR
            and one.counter in names
            and one.counter != back.counter
        ),
        None,
    )


def put_aside(
    log: LoggedFacts, game: Game, calendar: Calendar, names: Collection[str], accused: Collection[int]
) -> Changes:
    """Counters that were dragged among enemies in the turn of the other side, where no move can lead,
    did not leave their places until they were dragged on.
    """
    changes: dict[int, Fact | None] = {}
    for wrong, right in _pairs(log, game, calendar, names):
        first, last = wrong.shifted, right.shifted
        side = game.counters[first.counter].side
        is_early = wrong.active not in ("", side) and right.active in ("", side)
        if is_early and wrong.among_enemies and not wrong.rolls and id(first) not in changes:
            there = evolve(last, origin=first.origin)
            changes |= {id(last): there if there.origin != there.target else None, id(first): None}
    return changes


def _pairs(
    log: LoggedFacts, game: Game, calendar: Calendar, names: Collection[str]
) -> Iterator[tuple[_Drag, _Drag]]:
    """Each drag of some counters with the next drag of the same counter."""
    active, fights, rolls = calendar.side(log.clock or Clock(calendar.first_turn)), False, False
    turns = Tally[str]((active,))
    mentions = [one for step in log.steps for one in step.facts if isinstance(one, facts.Mentioned)]
    places = {name: one.place for name, one in log.opening.items()}
    last: dict[str, _Drag] = {}
    for fact in (one for step in log.steps for one in step.facts):
        if isinstance(fact, facts.Turned):
            before, active, fights, rolls = active, calendar.side(fact.clock), False, False
            turns[active] += active != before
        elif isinstance(fact, facts.JoinedBattle) or facts.has_dice(fact):
            fights, rolls = fights or not facts.is_bare(fact), True
        elif isinstance(fact, Shifted):
            places[fact.counter] = fact.target
            if fact.counter in names:
                among_enemies, said = _is_among_enemies(game, places, fact), _is_said(fact, mentions)
                own = turns[game.counters[fact.counter].side]
                drag = _Drag(fact, active, own, fights, rolls, among_enemies, said)
                earlier = last.get(fact.counter)
                if earlier is not None and earlier.shifted.target == fact.origin:
                    yield earlier, drag
                last[fact.counter] = drag


def _is_among_enemies(game: Game, places: Mapping[str, str], fact: Shifted) -> bool:
    """Whether a counter was dragged to a hex with counters of another side."""
    sides = {game.counters[name].side for name, place in places.items() if place == fact.target}
    return fact.target in game.map.grid and bool(sides - {"", game.counters[fact.counter].side})


def _is_said(fact: Shifted, mentions: Sequence[facts.Mentioned]) -> bool:
    """Whether players name a counter, or no counter and the hex to which it is dragged, near that step."""
    near = (one for one in mentions if abs(one.step - fact.step) <= SAID_NEAR)
    return any(
        fact.counter in one.counters or (fact.target in one.hexes and not one.counters) for one in near
    )
