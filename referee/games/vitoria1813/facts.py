"""Plain facts of a position: where units are, which are in contact, which general commands them."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from referee.engine.clock import Date
from referee.engine.position import Note, Piece, Position, of_force, prepared_as
from referee.games.vitoria1813.field import Field
from referee.games.vitoria1813.notes import CROSSED, DESTROYED, DISPLACED, MATE, RAN, WITHOUT_ZONE
from vassalgen.game.scenarios import Arrival

ALLIES, FRENCH = "allied", "french"
SIDES = (ALLIES, FRENCH)
ARMS = ("infantry", "cavalry", "artillery", "engineer")
DISORDERED, ROUTED, UNCONTROLLED, CHARGING, NEUTRALISED = (
    *("disordered", "routed", "uncontrolled", "charging", "neutralised"),
)
OUT_OF_ORDER = frozenset((DISORDERED, ROUTED, UNCONTROLLED))
HAS_FIRED, WORKING = "fired", "working"
SHAKEN_NOW: tuple[Note[Any], ...] = (DISPLACED, RAN, CROSSED, MATE)
"""The notes about units that became disordered or routed in this phase, marked or not."""

the_field = prepared_as(Field)
"""The prepared map of a position, with the values of the counters."""


def other(side: str) -> str:
    """Return the enemy of a side."""
    return FRENCH if side == ALLIES else ALLIES


def is_combat(piece: Piece) -> bool:
    """Return whether a piece is a combat unit: infantry, cavalry, artillery, engineers [3.1d, 10f]."""
    return piece.counter.kind in ARMS


def is_general(piece: Piece) -> bool:
    """Return whether a piece is a general."""
    return piece.counter.kind == "general"


def pillage_targets(position: Position) -> tuple[Piece, ...]:
    """Return the elements of the convoy that the Allies may pillage [11f]."""
    names = position.game.values["pillage"].values.words("elements")
    return tuple(position.pieces[name] for name in names)


def is_train(piece: Piece) -> bool:
    """Return whether a piece is an element of the convoy, but no artillery park [11e]."""
    return piece.counter.kind == "convoy"


def is_body(piece: Piece) -> bool:
    """Return whether a piece has steps: a combat unit, or the park."""
    return is_combat(piece) or piece.counter.kind == "park"


def is_engineer(piece: Piece) -> bool:
    """Return whether a piece is engineers."""
    return piece.counter.kind == "engineer"


def is_cavalry(piece: Piece) -> bool:
    """Return whether a piece is cavalry."""
    return piece.counter.kind == "cavalry"


def is_artillery(piece: Piece) -> bool:
    """Return whether a piece is artillery."""
    return piece.counter.kind == "artillery"


def is_ordered(piece: Piece) -> bool:
    """Return whether a unit is in order: not disordered, not routed [3.1c, 7.8e]."""
    return OUT_OF_ORDER.isdisjoint(piece.states)


def is_neutralised(position: Position, piece: Piece) -> bool:
    """Return whether a general is neutralised: until the end of the turn, marker or not [9.2c]."""
    mark = piece.states.get(NEUTRALISED)
    return mark is not None and (mark.since is None or mark.since.turn == position.turn)


def is_on_map(position: Position, piece: Piece) -> bool:
    """Return whether a piece is in a hex."""
    return piece.where in position.game.map.grid


def due(position: Position, name: str) -> Arrival | None:
    """Return when and where a counter is due."""
    return next((one for one in position.scenario.arrivals if name in one.counters), None)


def is_waiting(position: Position, piece: Piece) -> bool:
    """Return whether a counter waits in its box for its arrival."""
    arrival = due(position, piece.id)
    return arrival is not None and piece.where == arrival.waiting


def combat_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the combat units in a hex, of one side if one is named."""
    pieces = position.at(where)
    return (
        tuple(piece for piece in pieces if piece.counter.kind in ARMS and side in ("", piece.counter.side))
        if pieces
        else ()
    )


def generals_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the generals in a hex."""
    return tuple(
        piece for piece in position.at(where) if is_general(piece) and (not side or piece.side == side)
    )


def trains_at(position: Position, where: str) -> tuple[Piece, ...]:
    """Return the elements of the convoy in a hex, the park aside."""
    return tuple(piece for piece in position.at(where) if is_train(piece))


def bodies_at(position: Position, where: str, side: str) -> tuple[Piece, ...]:
    """Return what can be attacked in a hex: combat units and the artillery park [11d]."""
    return tuple(
        piece
        for piece in position.at(where)
        if piece.side == side and (is_combat(piece) or piece.counter.kind in ("park", "convoy"))
    )


def destroyed(position: Position) -> frozenset[tuple[str, str]]:
    """Return the hexsides whose bridges are destroyed."""
    known: frozenset[tuple[str, str]] | None = position.memory.get("destroyed")
    if known is None:
        found = set()
        for name, value in position.noted(DESTROYED).items():
            here, _, there = name.partition("/")
            if value:
                found.add((here, there))
        known = position.memory["destroyed"] = frozenset(found)
    return known


def zones(position: Position) -> tuple[int, ...]:
    """Return by hex the hexes that a zone of control reaches, with the bridges that are intact."""
    return the_field(position).zones(destroyed(position))


def has_zone(position: Position, piece: Piece) -> bool:
    """Return whether a piece exerts a zone of control [3.1a to 3.1d].

    A unit that was displaced or has routed has none any more, even if its marker is placed later [4.5e,
    7.8a].
    """
    if not is_combat(piece) or not is_ordered(piece) or not is_on_map(position, piece):
        return False
    noted, name = position.notes.of_kind, piece.counter.id
    for why in SHAKEN_NOW:
        if why in noted and name in noted[why]:
            return False
    if not is_engineer(piece):
        return True
    return position.game.adopted("engineers-zone") == "yes" and not position.note(WITHOUT_ZONE)


@frozen
class _Standing:
    """The hexes with combat units of a side, with its convoy, and with both and the park, as bits."""

    units: int
    trains: int
    both: int


@of_force()
def _standing(position: Position, side: str) -> _Standing:
    bits, units, trains, both = position.game.map.grid.bits, 0, 0, 0
    for piece in position.of_side(side):
        here, kind = bits.get(piece.where, 0), piece.counter.kind
        if here and kind != "general":
            both |= here
            if kind in ARMS:
                units |= here
            elif kind == "convoy":
                trains |= here
    return _Standing(units, trains, both)


def held(position: Position, side: str) -> int:
    """Return the hexes with combat units of a side, as bits."""
    return _standing(position, side).units


def with_trains(position: Position, side: str, but: str = "") -> int:
    """Return the hexes with elements of the convoy of a side, one and the park aside, as bits."""
    found, index = _standing(position, side).trains, position.game.map.grid.index
    piece = position.pieces[but] if but else None
    if piece is None or piece.where not in index:
        return found
    others = (train for train in trains_at(position, piece.where) if train.side == side)
    return found if any(train.id != but for train in others) else found & ~(1 << index[piece.where])


def occupied(position: Position, side: str) -> int:
    """Return the hexes with combat units or elements of the convoy of a side, as bits."""
    return _standing(position, side).both


def controlled(position: Position, side: str, arm: str = "", but: str = "") -> int:
    """Return the EZOC of a side as bits: the zones of its enemies, of one arm, or of all but one piece."""
    return _covered(position, other(side), arm, but)


@of_force(*SHAKEN_NOW, WITHOUT_ZONE, DESTROYED)
def _covered(position: Position, side: str, arm: str, but: str) -> int:
    """Return the zones of control of a side as bits: of one arm, or of all but one piece."""
    mask = 0
    for piece, zone in _exerted(position, side):
        if piece.id != but and arm in ("", piece.counter.kind):
            mask |= zone
    return mask


@of_force(*SHAKEN_NOW, WITHOUT_ZONE, DESTROYED)
def _exerted(position: Position, side: str) -> tuple[tuple[Piece, int], ...]:
    """Return the pieces of a side that exert zones of control, with these as bits."""
    reaches, index = zones(position), position.game.map.grid.index
    return tuple(
        (piece, reaches[index[piece.where]])
        for piece in position.of_side(side)
        if piece.where in index and has_zone(position, piece)
    )


def in_ezoc(position: Position, where: str, side: str) -> bool:
    """Return whether a hex is in an EZOC of a side."""
    index = position.game.map.grid.index
    return where in index and bool(controlled(position, side) >> index[where] & 1)


def threats(position: Position, where: str, side: str) -> tuple[str, ...]:
    """Return the enemy units whose zones of control include a hex."""
    grid, reaches = position.game.map.grid, zones(position)
    at = grid.index[where]
    return tuple(
        piece.id
        for near in grid.neighbours(where)
        for piece in combat_at(position, near, other(side))
        if has_zone(position, piece) and reaches[grid.index[near]] >> at & 1
    )


def coverings(position: Position, where: str, side: str) -> tuple[tuple[str, str, str], ...]:
    """Return a hex with each enemy unit whose zone of control includes it, and the hex of that unit."""
    return tuple((where, name, position.pieces[name].where) for name in threats(position, where, side))


def covers(position: Position, piece: Piece, where: str) -> bool:
    """Return whether a hex is in the zone of control of a piece."""
    grid = position.game.map.grid
    if not has_zone(position, piece) or where not in grid:
        return False
    return bool(zones(position)[grid.index[piece.where]] >> grid.index[where] & 1)


def corps_of(position: Position, name: str) -> str:
    """Return the army or wing of a counter."""
    return the_field(position).corps[name]


def phase_of(position: Position) -> str:
    """Return a text for the phase: ``rally phase``."""
    return "leader movement phase" if position.phase == "leaders" else f"{position.phase} phase"


def side_of(position: Position) -> str:
    """Return a text for the player turn: ``Allied``."""
    return position.game.sides[position.side].adjective


def rank(piece: Piece) -> str:
    """Return the rank of a general: ``chief``, ``staff`` or ``corps``."""
    return piece.counter.extra.text("rank", "")


def commands(position: Position, general: Piece, unit: Piece) -> bool:
    """Return whether a general may help a unit: his own corps; chiefs all units [9.1a, 9.1d, 9.1e]."""
    if general.side != unit.side:
        return False
    return rank(general) in ("chief", "staff") or corps_of(position, general.id) == corps_of(
        position, unit.id
    )


def is_before(position: Position, when: Date, other_: Date) -> bool:
    """Return whether a player turn comes before another."""
    order = position.world.calendar.order
    return (when.turn, order.index(when.side)) < (other_.turn, order.index(other_.side))
