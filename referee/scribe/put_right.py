"""What changes in a log if drags that were put right across turns had been right at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import evolve, frozen

from referee.engine.clock import Calendar, Clock
from referee.scribe import facts
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Fact, Shifted
from vassalgen.game.game import Game

Changes = Mapping[int, Fact | None]
"""By the identity of a fact what it is instead, None for nothing."""


@frozen
class _Drag:
    """A drag; ``active`` is the side whose turn it is, empty for none.

    ``fights``: dice were rolled or battles declared before it in the phase. ``among_enemies``: they were in
    the hex to which it leads.
    """

    shifted: Shifted
    active: str
    fights: bool
    among_enemies: bool


def put_right(
    log: LoggedFacts, game: Game, calendar: Calendar, names: Collection[str], accused: Collection[int]
) -> Changes:
    """Counters that were dragged to a wrong hex, and by the other side in its turn to another, went there at
    once.

    No attack in this turn may have led to it, and both drags are from hex to hex: with an entry other things
    than its hex may be wrong.
    """
    changes: dict[int, Fact | None] = {}
    for wrong, right in _pairs(log, game, calendar, names):
        first, last = wrong.shifted, right.shifted
        side = game.counters[first.counter].side
        was_wrong = any(first.step <= step < last.step for step in accused)
        is_late = wrong.active in ("", side) and right.active not in ("", side)
        is_moved = {first.origin, first.target, last.target} <= {*game.map.grid.names}
        if was_wrong and is_late and is_moved and not right.fights and id(first) not in changes:
            there = evolve(first, target=last.target)
            changes |= {id(first): there if there.origin != there.target else None, id(last): None}
    return changes


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
        if is_early and wrong.among_enemies and not wrong.fights and id(first) not in changes:
            there = evolve(last, origin=first.origin)
            changes |= {id(last): there if there.origin != there.target else None, id(first): None}
    return changes


def _pairs(
    log: LoggedFacts, game: Game, calendar: Calendar, names: Collection[str]
) -> Iterator[tuple[_Drag, _Drag]]:
    """Each drag of some counters with the next drag of the same counter."""
    active, fights = calendar.side(log.clock or Clock(calendar.first_turn)), False
    places = {name: one.place for name, one in log.opening.items()}
    last: dict[str, _Drag] = {}
    for fact in (one for step in log.steps for one in step.facts):
        if isinstance(fact, facts.Turned):
            active, fights = calendar.side(fact.clock), False
        elif isinstance(fact, facts.JoinedBattle) or facts.has_dice(fact):
            fights = True
        elif isinstance(fact, Shifted):
            places[fact.counter] = fact.target
            if fact.counter in names:
                drag = _Drag(fact, active, fights, _is_among_enemies(game, places, fact))
                before = last.get(fact.counter)
                if before is not None and before.shifted.target == fact.origin:
                    yield before, drag
                last[fact.counter] = drag


def _is_among_enemies(game: Game, places: Mapping[str, str], fact: Shifted) -> bool:
    """Whether a counter was dragged to a hex with counters of another side."""
    sides = {game.counters[name].side for name, place in places.items() if place == fact.target}
    return fact.target in game.map.grid and bool(sides - {"", game.counters[fact.counter].side})
