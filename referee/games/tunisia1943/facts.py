"""Plain facts of a position: where units are, what is controlled, how far units may move."""

from __future__ import annotations

from fractions import Fraction

from referee.engine.actions import Action
from referee.engine.position import Piece, Position, of_force, prepared_as
from referee.engine.zones import bits
from referee.games.tunisia1943.field import Field
from referee.games.tunisia1943.notes import (
    ARTILLERY_USED,
    CAME_BACK,
    CHECKED,
    CUT_OFF,
    LOST_IN_ERROR,
    OVERRUN,
    STRUCK,
    TAKEN_OFF,
)
from vassalgen.game.values import Values

AXIS, ALLIES = "axis", "allied"
OUT_OF_SUPPLY, SUSTAINED, ZOC_LOST, ARTILLERY = "out-of-supply", "sustained", "zoc-lost", "artillery-left"
LOST = {AXIS: "axis-lost", ALLIES: "allied-lost"}
EXPLOITATION = "exploitation"
NO_VALUES = Values()

the_field = prepared_as(Field)
"""The prepared map of a position, with the values of the counters."""


def points_said(word: str) -> int:
    """Return the whole number, 0 or more, of a word; 0 for a word that is none."""
    return int(word) if word.isdecimal() else 0


def other(side: str) -> str:
    """Return the enemy of a side."""
    return ALLIES if side == AXIS else AXIS


def campaign(position: Position) -> str:
    """Return the prefix of the clauses of the current campaign: ``C1`` or ``C2``."""
    return f"C{position.scenario.rules.integer('campaign')}"


def is_unit(position: Position, piece: Piece) -> bool:
    """Return whether a piece is a combat unit, and no EM or garrison [0.1c]."""
    return piece.id in the_field(position).units


def is_em(piece: Piece) -> bool:
    """Return whether a piece is a divisional headquarters."""
    return piece.counter.kind == "em"


def is_armour(position: Position, piece: Piece) -> bool:
    """Return whether a piece has the symbol of armour [0.1g]."""
    return piece.id in the_field(position).armour


def is_tiger(position: Position, piece: Piece) -> bool:
    """Return whether a piece is one of the two Tigers [12a]."""
    return piece.id in the_field(position).tigers


def is_on_map(position: Position, piece: Piece) -> bool:
    """Return whether a piece is in a hex."""
    return piece.where in position.game.map.grid


def division_of(position: Position, piece: str) -> str:
    """Return the division of a unit or EM; empty for non-divisional units [0.1b, 0.1d]."""
    return the_field(position).division.get(piece, "")


def em_of(position: Position, unit: str) -> Piece | None:
    """Return the EM of a unit's division."""
    division = division_of(position, unit)
    return position.pieces[the_field(position).ems[division]] if division else None


def units_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the combat units in a hex, of one side if one is named."""
    pieces = position.at(where)
    if not pieces:
        return ()
    units = the_field(position).units
    return tuple(piece for piece in pieces if piece.counter.id in units and side in ("", piece.counter.side))


def ems_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the EMs in a hex, of one side if one is named."""
    return tuple(piece for piece in position.at(where) if is_em(piece) and (not side or piece.side == side))


def garrison_at(position: Position, where: str) -> Piece | None:
    """Return the living garrison of a harbour [G.1]."""
    return next((piece for piece in _garrisons_at(position, where) if lives(position, piece)), None)


def stray_garrison(position: Position, where: str) -> Piece | None:
    """Return a garrison whose counter is in a hex though it was destroyed or belongs elsewhere [G.1, G.4]."""
    return next((piece for piece in _garrisons_at(position, where) if not lives(position, piece)), None)


def _garrisons_at(position: Position, where: str) -> list[Piece]:
    return [piece for piece in position.at(where) if piece.counter.kind == "garrison"]


def lives(position: Position, garrison: Piece) -> bool:
    """Return whether a garrison on the map counts: it is in its harbour, and not back after
    being destroyed.
    """
    return garrison.where == harbour_of(position, garrison.id) and not position.note(CAME_BACK, garrison.id)


def harbour_of(position: Position, garrison: str) -> str:
    """Return the harbour of a garrison."""
    return next((one.at for one in position.scenario.setup if garrison in one.counters), "")


def exit_box(position: Position) -> str:
    """Return the box of the units that have left the map, empty if none may in this campaign."""
    victory = position.scenario.victory
    return victory.text("exited_to") if "exited_to" in victory else ""


def is_unstated(position: Position, piece: Piece) -> bool:
    """Return whether nothing says where a piece of this campaign is, because the record does
    not mention it.
    """
    groups = [one.counters for one in position.scenario.setup]
    groups += [one.counters for one in position.scenario.arrivals]
    return not piece.where and any(piece.id in group for group in groups)


def unstated_garrison(position: Position, where: str) -> Piece | None:
    """Return the garrison of a harbour if nothing says whether it survives; an enemy in it has
    eliminated it.
    """
    for name in the_field(position).garrisons(position.scenario).get(where, ()):
        piece = position.pieces[name]
        if is_unstated(position, piece):
            taken = any(one.side == other(piece.side) for one in position.at(where))
            return None if taken else piece
    return None


def with_garrisons(position: Position) -> Position:
    """Return the position with all unmentioned garrisons present in their harbours."""
    after = position
    for placement in position.scenario.setup:
        garrison = unstated_garrison(position, placement.at)
        if garrison is not None and garrison.id in placement.counters:
            after = after.with_piece(garrison.id, where=placement.at)
    return after


def is_held(position: Position, where: str, side: str) -> bool:
    """Return whether combat units or a garrison of a side are in a hex [4.1f, G.1]."""
    garrison = garrison_at(position, where) if position.game.adopted("garrison-presence") != "none" else None
    return bool(units_at(position, where, side)) or (garrison is not None and garrison.side == side)


def lone_ems(position: Position, where: str, side: str) -> tuple[Piece, ...]:
    """Return the EMs of a side that are in a hex without any of its combat units or a garrison."""
    return () if is_held(position, where, side) else ems_at(position, where, side)


def taken_off_from(position: Position, piece: Piece) -> str:
    """Return the hex from which a piece was removed although nothing destroyed it; otherwise empty."""
    stood = position.note(TAKEN_OFF, piece.id)
    return stood[0] if stood is not None and piece.where == LOST[piece.side] else ""


def put_back(position: Position, action: Action) -> Position:
    """Return the position with such a piece on the map again."""
    _, steps = position.note(TAKEN_OFF, action.piece) or ("", 1)
    position = position.without_note(TAKEN_OFF, action.piece).without_note(LOST_IN_ERROR, action.piece)
    return position.with_piece(action.piece, where=action.target, steps=steps)


def on_map(position: Position, side: str) -> tuple[tuple[int, Piece], ...]:
    """Return a side's combat units on the map with the indices of their hexes."""
    return position.on_map(side, the_field(position).units)


def held(position: Position, side: str) -> int:
    """Return the hexes that combat units or garrisons of a side hold, as bits [4.1f, G.1]."""
    return _hexes(position, side, ("unit", "garrison"))


def held_by_units(position: Position, side: str) -> int:
    """Return the hexes with combat units of a side, as bits."""
    return _hexes(position, side, ("unit",))


def held_by_ems(position: Position, side: str) -> int:
    """Return the hexes with EMs of a side, as bits."""
    return _hexes(position, side, ("em",))


def with_friends(position: Position, side: str) -> int:
    """Return the hexes with units, EMs or garrisons of a side, as bits [7.5c, 9.1a-2]."""
    return held(position, side) | held_by_ems(position, side)


@of_force(CAME_BACK)
def _hexes(position: Position, side: str, kinds: tuple[str, ...]) -> int:
    index = position.game.map.grid.index
    return bits(
        index[piece.where]
        for piece in position.of_side(side)
        if piece.where in index
        and piece.counter.kind in kinds
        and (piece.counter.kind != "garrison" or lives(position, piece))
    )


def exerts_zoc(position: Position, piece: Piece) -> bool:
    """Return whether a combat unit exerts a zone of control: always, except in the step after a star.

    It lacks it during the exploitation step of the player phase only; in another interpretation from the
    result on [3a, 7.4g].
    """
    return not (_has_lost_zoc(position, piece) and _zoc_can_be_lost(position))


def _has_lost_zoc(position: Position, piece: Piece) -> bool:
    return piece.is_(ZOC_LOST) or piece.id in position.noted(STRUCK)


def _zoc_can_be_lost(position: Position) -> bool:
    at_once = position.phase == "combat" and position.game.adopted("when-zoc-is-lost") == "at-once"
    return position.phase == EXPLOITATION or at_once


def controlled(position: Position, side: str) -> int:
    """Return the hexes in the zones of control of the enemies of a side, as bits: its EZOC [3a]."""
    key = ("controlled", side)
    if key not in position.memory:
        mask = _covered(position, other(side), _zoc_can_be_lost(position))
        if position.game.adopted("zoc-under-enemies") == "no":
            mask &= ~held_by_units(position, side)
        position.memory[key] = mask
    found: int = position.memory[key]
    return found


@of_force(STRUCK)
def _covered(position: Position, side: str, can_be_lost: bool) -> int:
    """The zones of control of a side as bits; units that have lost their zones may have none now."""
    zones, mask = the_field(position).zones, 0
    for at, piece in on_map(position, side):
        if not (can_be_lost and _has_lost_zoc(position, piece)):
            mask |= zones[at]
    return mask


def controllers(position: Position, side: str, where: str) -> tuple[str, ...]:
    """Return the enemies of a side whose zones of control include a hex [4.3f]."""
    at, zones = position.game.map.grid.index[where], the_field(position).zones
    return tuple(
        piece.id
        for stands, piece in on_map(position, other(side))
        if exerts_zoc(position, piece) and zones[stands] >> at & 1
    )


def is_em_destroyed(position: Position, division: str) -> bool:
    """Return whether the EM of a division was destroyed and has not returned [6.3e, 6.3h]."""
    em = position.pieces[the_field(position).ems[division]]
    return em.where == LOST[em.side]


def is_out_of_supply(position: Position, piece: Piece) -> bool:
    """Return whether a unit or EM is out of supply: it is marked, or its EM is destroyed [9.2g, 6.3h]."""
    return _is_marked(position, piece) or lacks_em(position, piece)


def lacks_em(position: Position, piece: Piece) -> bool:
    """Return whether a unit has an EM that is destroyed, which leaves it without supply at once [6.3h]."""
    division = division_of(position, piece.id)
    return bool(division) and not is_em(piece) and is_em_destroyed(position, division)


def is_late(position: Position, piece: Piece, cut_off: bool) -> bool:
    """Return whether a marker placed or removed should have been at a unit's last check [9.3a, 9.3c]."""
    checked = position.note(CHECKED, piece.side) is not None
    return checked and (position.note(CUT_OFF, piece.id) is not None) == cut_off


def _is_marked(position: Position, piece: Piece) -> bool:
    """Whether a piece is marked; with printed data the position at its last check decides [9.2g]."""
    certain = position.game.map.provenance.kind == "printed"
    if certain and position.note(CHECKED, piece.side):
        by_position = position.game.adopted("markers-or-positions") == "position"
        return position.note(CUT_OFF, piece.id) is not None if by_position else piece.is_(OUT_OF_SUPPLY)
    return piece.is_(OUT_OF_SUPPLY)


def movement(position: Position, piece: Piece) -> int:
    """Return the printed movement points of the visible face [0.1e]."""
    full = position.game.adopted("values-of-the-back") == "front-movement"
    return piece.counter.factor("movement") if full else piece.factor("movement")


def caps(position: Position, piece: Piece) -> dict[str, int]:
    """Return everything that reduces a unit's movement points below the printed number, by clause."""
    found: dict[str, int] = {}
    if is_out_of_supply(position, piece):
        values = position.game.values["out-of-supply"].values
        if is_em(piece):
            both = position.game.adopted("ems-out-of-supply") == "one"
            found["9.2i"] = values.integer("movement_unit" if both else "movement_em")
        else:
            clause = "9.2e" if piece.is_(OUT_OF_SUPPLY) else "6.3h"
            found[clause] = values.integer("movement_unit")
    fuel = fuel_limit(position, piece.side)
    if fuel is not None and (piece.counter.nation == "de" or position.game.adopted("fuel") == "all"):
        found["C2.4"] = fuel
    return found


def allowance(position: Position, piece: Piece, waived: frozenset[str] = frozenset()) -> Fraction:
    """Return the movement points that a unit may spend in a step [4.1a, 9.2e, 9.2i, C2.4]."""
    return Fraction(points(position, piece, waived))


def points(position: Position, piece: Piece, waived: frozenset[str] = frozenset()) -> int:
    """Return the same as a whole number, which it is."""
    limits = [most for clause, most in caps(position, piece).items() if clause not in waived]
    return min([movement(position, piece), *limits])


def fuel_limit(position: Position, side: str) -> int | None:
    """Return the movement points to which lack of fuel limits a side this turn [C2.4]."""
    values = this_turn(position)
    if "movement_limit" not in values or side not in values.group("movement_limit"):
        return None
    return values.group("movement_limit").integer(side)


def is_flooded(position: Position) -> bool:
    """Return whether wadis are in flood this turn [2.1b]."""
    return this_turn(position).text("wadis", "dry") == "flooded"


def this_turn(position: Position) -> Values:
    """Return the turn track's entries for the turn: wadis, aviation, limits; none after the last turn."""
    return the_field(position).turns(position.scenario).get(position.turn, NO_VALUES)


def stacking_limit(position: Position, side: str, *, ending: bool = False) -> int:
    """Return how many combat units of a side may be in a hex this turn [5.1a, C1.5].

    ``ending``: at the end of movement; in another interpretation the campaign's limit holds only then.
    """
    limits = position.game.stacking
    if ending or position.game.adopted("allied-limit") == "everywhere":
        limits = (*limits, *position.scenario.stacking)
    return min(
        limit.limit
        for limit in limits
        if limit.side in ("", side) and (not limit.turns or position.turn in limit.turns)
    )


def stack_weight(position: Position, units: tuple[Piece, ...]) -> int:
    """Return how much combat units count for stacking: one Tiger does not count [5.1e, 12b]."""
    tigers = sum(is_tiger(position, piece) for piece in units)
    return len(units) - min(tigers, 1)


def has_room(position: Position, where: str, side: str, *more: Piece, limit: int | None = None) -> bool:
    """Whether a hex can take more pieces of a side within a limit, the one in force if none is given."""
    there = [piece for piece in units_at(position, where, side) if piece not in more]
    units = (*there, *(piece for piece in more if is_unit(position, piece)))
    most = stacking_limit(position, side) if limit is None else limit
    return stack_weight(position, units) <= most


def is_turned_down_without_supply(position: Position) -> bool:
    """Return whether in another interpretation an EM out of supply is turned face down [9.2h]."""
    return position.game.adopted("em-face-out-of-supply") == "yes"


def artillery_left(position: Position, em: Piece) -> int:
    """Return the artillery points that an EM has left this turn, none if it was overrun [6.2b, 4.2c].

    They are neither used nor shown as used: an EM that is face down has none [0.1l].
    """
    if position.note(OVERRUN, em.id):
        return 0
    at = position.game.map.grid.index.get(em.where)
    if (
        position.game.adopted("inactive-em") == "zoc"
        and at is not None
        and controlled(position, em.side) >> at & 1
    ):
        return 0
    left = em.factor("artillery") - sum((position.note(ARTILLERY_USED, em.id) or {}).values())
    mark = em.states.get(ARTILLERY)
    return max(min(left, mark.level) if mark else left, 0)


def units_left(position: Position, em: Piece) -> tuple[str, ...]:
    """Return the units of an EM's division that are not destroyed [6.3g].

    Including those that have not arrived yet and those that have left the map [6.3f].
    """
    gone = {*LOST.values(), ""}
    if position.game.adopted("units-to-come") == "yes":
        gone |= {arrival.waiting for arrival in position.scenario.arrivals}
    if position.game.adopted("units-gone-west") == "yes" and exit_box(position):
        gone.add(exit_box(position))
    organic = the_field(position).organic[em.counter.formation]
    return tuple(name for name in organic if position.pieces[name].where not in gone)


def is_last(position: Position, em: Piece) -> bool:
    """Whether no unit of an EM's division is left: some were destroyed, and not just never placed."""
    return em.id in left_alone(position, em.side)


@of_force()
def left_alone(position: Position, side: str) -> frozenset[str]:
    """Return the EMs of a side of whose divisions no unit is left."""
    prepared, pieces, lost = the_field(position), position.pieces, {*LOST.values()}
    return frozenset(
        name
        for division, name in prepared.ems.items()
        if pieces[name].side == side
        and any(pieces[unit].where in lost for unit in prepared.organic[division])
        and not units_left(position, pieces[name])
    )
