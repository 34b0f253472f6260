"""Possible alternatives of a position: unmentioned bridges destroyed, or engineers without a zone of control.

A bridge is destroyed by an announcement and a marker placed by hand; nothing shows one that was destroyed
before. Whether engineers exert a zone of control is not clear from the rules: what depends on theirs alone is
unproven.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Note, Position
from referee.games.vitoria1813.facts import (
    DISORDERED,
    SIDES,
    destroyed,
    has_zone,
    in_ezoc,
    is_engineer,
    the_field,
    zones,
)
from referee.games.vitoria1813.notes import (
    CONTACT_IN,
    CONTACT_WITH,
    DESTROYED,
    FORGOTTEN,
    IN_CONTACT,
    LEFT_ZONE,
    STEPS_DUE,
    TRAIL,
    WITHOUT_ZONE,
    ZONES_MET,
    Trail,
)

Bridge = tuple[str, str]


def as_bridges_may_stand(position: Position, action: Action) -> Iterator[Position]:
    """Return possible alternatives of the position: with unmentioned bridges destroyed.

    First only those over which enemy zones of control extend, then all: the first allow what a zone forbids,
    the second make impossible what a player could have done.
    """
    known = position.noted(DESTROYED)
    unknown = [bridge for bridge in sorted(the_field(position).bridges) if _name(bridge) not in known]
    own = {position.pieces[name].side for name in action.pieces}
    near = tuple(bridge for bridge in unknown if _is_covered(position, bridge, own))
    for bridges in dict.fromkeys((near, tuple(unknown))):
        if bridges:
            yield _without(position, bridges)


def as_rules_may_be_read(position: Position, action: Action) -> Iterator[Position]:
    """Return possible alternatives of the position if the rules leave it open."""
    yield from as_engineers_may_be_read(position, action)
    yield from as_the_forgotten_may_be_read(position, action)


def as_engineers_may_be_read(position: Position, action: Action) -> Iterator[Position]:
    """Return the position with engineers that exert no zone of control, if any do [3.1d]."""
    key = ("engineers read otherwise",)
    if key not in position.memory:
        exert = any(is_engineer(piece) and has_zone(position, piece) for piece in position.pieces.values())
        without = position.with_note(WITHOUT_ZONE, "", True)
        position.memory[key] = (_met_with(position, without),) if exert else ()
    yield from position.memory[key]


def as_the_forgotten_may_be_read(position: Position, action: Action) -> Iterator[Position]:
    """Return the position with units in order that are disordered only by a forgotten marker [7.7d]."""
    after = position
    for name, mark in position.noted(FORGOTTEN).items():
        if position.pieces[name].states.get(DISORDERED) == mark:
            after = after.with_state(name, DISORDERED, None)
    if after is not position:
        yield after


def _name(bridge: Bridge) -> str:
    return "/".join(bridge)


def _is_covered(position: Position, bridge: Bridge, own: set[str]) -> bool:
    """Return whether a unit of another side extends its zone over a bridge."""
    return any(
        has_zone(position, piece) and (piece.side not in own or len(own) != 1)
        for end in bridge
        for piece in position.at(end)
    )


def _without(position: Position, bridges: Iterable[Bridge]) -> Position:
    """The position with bridges destroyed, and with it what counters have met with in zones so far."""
    gone = {(DESTROYED, _name(bridge)): True for bridge in bridges}
    return _met_with(position, evolve(position, notes={**position.notes, **gone}))


def _met_with(position: Position, after: Position) -> Position:
    """The second position, with what counters have met so far in its zones of control."""
    met: dict[tuple[Note[Any], str], Any] = {
        (TRAIL, name): _met(position, after, name, trail) for name, trail in position.noted(TRAIL).items()
    }
    for name, covering in position.noted(CONTACT_WITH).items():
        met[CONTACT_WITH, name] = _still_in_contact(position, after, name, covering)
    after = evolve(after, notes={**after.notes, **met})
    for side in SIDES:
        known = position.note(IN_CONTACT, side) or ()
        after = after.with_note(
            IN_CONTACT, side, tuple(one for one in known if after.note(CONTACT_WITH, one))
        )
    for name, start in position.noted(LEFT_ZONE).items():
        side = position.pieces[name].side
        if in_ezoc(position, start, side) and not in_ezoc(after, start, side):
            after = after.without_note(LEFT_ZONE, name)
    for name in position.noted(STEPS_DUE):
        entered = position.note(ZONES_MET, name) or ()
        if not any(_covered(after, *covering) for covering in entered):
            after = after.without_note(STEPS_DUE, name)
    return after


def _covered(after: Position, where: str, name: str, stood: str) -> bool:
    """Return whether the zone of a unit included a hex from where it was, if other bridges are intact."""
    if after.note(WITHOUT_ZONE) and is_engineer(after.pieces[name]):
        return False
    return not the_field(after).has_water(stood, where, destroyed(after))


def _still_in_contact(
    position: Position, after: Position, name: str, covering: tuple[str, ...]
) -> tuple[str, ...]:
    """The units in whose zones a counter was when the combat phase began, if other bridges are intact."""
    index, reaches = position.game.map.grid.index, zones(after)
    here = index[position.note(CONTACT_IN, name) or position.pieces[name].where]
    stood = {enemy: position.note(CONTACT_IN, enemy) or position.pieces[enemy].where for enemy in covering}
    return tuple(
        enemy for enemy, where in stood.items() if where in index and reaches[index[where]] >> here & 1
    )


def _met(position: Position, after: Position, name: str, trail: Trail) -> Trail:
    """What a counter has moved, if the zones are those of another position."""
    piece = position.pieces[name]
    price = position.game.values["zones"].values.integer("points") * the_field(position).scale
    left = in_ezoc(position, trail.start, piece.side) and not in_ezoc(after, trail.start, piece.side)
    spent = max(0, trail.spent - price) if left else trail.spent
    stopped = trail.stopped and in_ezoc(after, piece.where, piece.side)
    return evolve(trail, spent=spent, stopped=stopped)
