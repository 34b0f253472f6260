"""Plain facts of a position: where pieces are, what is controlled, who owns towns and airfields."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import UNSEEN, Piece, Position, of_force, prepared_as
from referee.engine.zones import bits, indices
from referee.games.patton1943.field import Field
from referee.games.patton1943.notes import AXIS_SEEN, OWNER, PASSED, REBUILT, RECLAIMED

AXIS, ALLIES = "axis", "allied"
SIDES = (AXIS, ALLIES)
FLYING, LEFT_OUT = "flying", "left-out"
UNIT_KINDS = ("unit", "battlegroup")

the_field = prepared_as(Field)
"""The prepared map of a position, with the values of the counters."""


PHASES = {
    "movement": "in the Movement Phase",
    "battles": "in the Attack and Combat Phases",
    "return": "in the Return to Base Phase",
    "replacement": "in the Replacement Phase",
    "supply": "in the Supply Phase",
    "end": "at the end of the game turn",
}


def in_phase(position: Position) -> str:
    """Return a text for the phase: ``in the Supply Phase``."""
    return PHASES.get(position.phase, f"in the {position.phase} phase")


def adjective(position: Position, side: str) -> str:
    """Return the adjective of a side: ``Allied``."""
    return position.game.sides[side].adjective


def where_it_is(position: Position, piece: Piece) -> str:
    """Return a text for the place of a piece: ``in 8412``, ``in the dead pile``, ``off the map``."""
    if not piece.where:
        return "off the map"
    titles = {"returning": "in the Return to Base box", "dead": "in the dead pile", "out": "out of the game"}
    if is_on_map(position, piece):
        return f"in {piece.where}"
    return titles.get(piece.where.removeprefix(f"{piece.side}-"), "off the map, not in play")


def other(side: str) -> str:
    """Return the enemy of a side."""
    return ALLIES if side == AXIS else AXIS


def box(side: str, what: str) -> str:
    """Return a box of a side: ``returning``, ``dead``, ``pool``, ``out``."""
    return f"{side}-{what}"


def is_unit(piece: Piece) -> bool:
    """Return whether a piece is a unit, battlegroups included, and no asset [1a, 13d]."""
    return piece.counter.kind in UNIT_KINDS


def is_battlegroup(piece: Piece) -> bool:
    """Return whether a piece is a battlegroup."""
    return piece.counter.kind == "battlegroup"


def is_air(piece: Piece) -> bool:
    """Return whether a piece is an air asset [2c]."""
    return piece.counter.kind == "air"


def is_asset(piece: Piece) -> bool:
    """Return whether a piece is a ground asset."""
    return piece.counter.kind == "support"


def is_general(position: Position, piece: Piece) -> bool:
    """Return whether a piece is a general [15a]."""
    if not piece.counter.extra.flag("general", False):
        return False
    if position.game.adopted("generals") == "marked":
        return True
    return piece.id in (patton(position), rommel(position))


def is_reduced(piece: Piece) -> bool:
    """Return whether a piece of two sides shows its reduced side."""
    return piece.steps < piece.counter.steps


def escapes_to_the_box(position: Position, piece: Piece) -> bool:
    """Return whether an air asset of one step that loses goes to the box, in another interpretation."""
    return is_air(piece) and piece.steps == 1 and position.game.adopted("one-step-air") == "box"


def is_being_replaced(position: Position, action: Action) -> bool:
    """Return whether a replacement of this phase is taken back, or is placed reduced [7.7g]."""
    rebuilt = position.note(REBUILT, action.piece) is not None
    return (rebuilt and action.verb == "lose") or position.note(RECLAIMED, action.piece) is not None


def is_two_star(position: Position, piece: Piece) -> bool:
    """Return whether a piece comes in with Patton [5b, 16e]."""
    return piece.id in the_field(position).twins


def last_turn(position: Position) -> int:
    """Return the last game turn; in another interpretation the boxes of the turn track are
    player turns [4c].
    """
    boxes = position.world.calendar.last_turn
    return boxes // len(SIDES) if position.game.adopted("last-turn") == "player-turns" else boxes


def battlegroup_waits(position: Position, side: str) -> bool:
    """Return whether a side has a battlegroup left [13b]."""
    return any(is_battlegroup(piece) for piece in position.at(box(side, "pool")))


def stays_reduced(position: Position, piece: Piece) -> bool:
    """Return whether a hit does not affect a reduced unit because no battlegroup is left, in another
    interpretation.
    """
    if position.game.adopted("no-battlegroup") != "stays" or piece.counter.kind != "unit":
        return False
    return is_reduced(piece) and not battlegroup_waits(position, piece.side)


def patton(position: Position) -> str:
    """Return the id of Patton's counter."""
    return position.game.values["patton"].values.text("counter")


def rommel(position: Position) -> str:
    """Return the id of Rommel's counter."""
    return position.game.values["rommel"].values.text("counter")


def is_on_map(position: Position, piece: Piece) -> bool:
    """Return whether a piece is in a hex."""
    return piece.where in position.game.map.grid


def units_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the units in a hex, of one side if one is named."""
    return tuple(piece for piece in of_side(position, where, side) if is_unit(piece))


def assets_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the ground assets in a hex, of one side if one is named."""
    return tuple(piece for piece in of_side(position, where, side) if is_asset(piece))


def air_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the air assets in a hex, of one side if one is named."""
    return tuple(piece for piece in of_side(position, where, side) if is_air(piece))


def of_side(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the pieces in a hex that are not flying, of one side if one is named."""
    return tuple(
        piece
        for piece in position.at(where)
        if not piece.is_(FLYING) and (not side or piece.counter.side == side)
    )


@of_force()
def standing(position: Position, side: str, units_only: bool = False) -> int:
    """Return the hexes with pieces of a side, or with its units, as bits."""
    index = position.game.map.grid.index
    return bits(
        index[piece.where]
        for piece in position.of_side(side)
        if piece.where in index and not piece.is_(FLYING) and (is_unit(piece) or not units_only)
    )


def controlled(position: Position, side: str) -> int:
    """Return the hexes in the zones of control of the enemies of a side, as bits: its EZOC [9a, 9b]."""
    return _covered(position, other(side))


@of_force()
def _covered(position: Position, side: str) -> int:
    """The zones of control of a side, as bits."""
    prepared = the_field(position)
    reaches = prepared.around if position.game.adopted("zone-across") == "reaches" else prepared.links
    mask = 0
    for at in indices(standing(position, side, units_only=True)):
        mask |= reaches[at]
    return mask


def in_ezoc(position: Position, where: str, side: str) -> bool:
    """Return whether a hex is in an EZOC of a side."""
    return bool(controlled(position, side) >> position.game.map.grid.index[where] & 1)


def threats(position: Position, where: str, side: str) -> tuple[str, ...]:
    """Return the enemy units whose zones of control are in a hex."""
    grid = position.game.map.grid
    near = (*grid.neighbours(where), where)
    return tuple(piece.id for hex_ in near for piece in units_at(position, hex_, other(side)))


def in_zone(position: Position, where: str, zone: str) -> bool:
    """Return whether a hex belongs to a zone of the map."""
    return where in position.game.map.zones[zone].hexes


def is_friendly_airfield(position: Position, where: str, side: str) -> bool:
    """Whether a hex is certainly a friendly airfield: it has the side's silhouette, and no enemy in it
    [7.6a].
    """
    if position.game.adopted("own-airfield") == "last-unit":
        return is_airfield(position, where) and airfield_owner(position, where) == side
    return where in the_field(position).airfields[side] and not of_side(position, where, other(side))


def is_airfield(position: Position, where: str) -> bool:
    """Return whether a hex has an airfield of either side."""
    return any(where in hexes for hexes in the_field(position).airfields.values())


def airfield_owner(position: Position, where: str) -> str:
    """Return the side whose unit was last on an airfield; at the start the side of its silhouette."""
    printed = next((side for side in SIDES if where in the_field(position).airfields[side]), "")
    return holder(position, where) or position.note(OWNER, where) or printed


def is_captured_airfield(position: Position, where: str, side: str) -> bool:
    """Return whether a friendly unit is on an enemy airfield: whether it can be used is an open question
    [7.6a].
    """
    return where in the_field(position).airfields[other(side)] and bool(units_at(position, where, side))


def owner(position: Position, where: str) -> str:
    """Return the owner of a village or port [7.7i]."""
    reading = position.game.adopted("ownership")
    there = holder(position, where)
    if there or reading == "presence":
        return there
    if reading == "passed" and (last := position.note(PASSED, where)):
        return last
    return position.note(OWNER, where) or first_owner(position, where)


def holder(position: Position, where: str) -> str:
    """Return the side with a unit in a hex, empty if there is none."""
    return next((side for side in SIDES if units_at(position, where, side)), "")


def is_surely_not_of(position: Position, where: str, side: str) -> bool:
    """Return whether a hex certainly does not belong to a side.

    It may, if a unit of the side was the last to pass through and perhaps ended its move there, or if units
    have come and gone before the record begins.
    """
    if position.note(PASSED, where) == side:
        return False
    if position.game.adopted("ownership") == "presence" or holder(position, where):
        return True
    return position.note(OWNER, where) is not None or not has_gaps(position)


def has_gaps(position: Position) -> bool:
    """Return whether turns were passed over before the record began."""
    return position.note(UNSEEN) is not None


def first_owner(position: Position, where: str) -> str:
    """Return the owner of a hex at the start: Allied in Algeria and on the crests of both armies [7.7i]."""
    at_start = ("eighth-army", "second-corps", "algeria")
    return ALLIES if any(in_zone(position, where, zone) for zone in at_start) else AXIS


def passed(position: Position, piece: Piece, hexes: tuple[str, ...]) -> Position:
    """Note that a unit has been in hexes on its path [7.7i]."""
    for hex_ in hexes if is_unit(piece) else ():
        if hex_ in the_field(position).owned:
            position = position.with_note(PASSED, hex_, piece.side)
    return position


def occupied(position: Position, piece: Piece, where: str) -> Position:
    """Note that a piece has ended a move in a hex: who owns it now [7.7i, 17c]."""
    if not is_unit(piece):
        return position
    if where in the_field(position).owned:
        position = position.with_note(OWNER, where, piece.side).with_note(PASSED, where, piece.side)
    return seen(position, piece.side, (where,))


def seen(position: Position, side: str, hexes: tuple[str, ...]) -> Position:
    """Note where the Axis has been on the hexes that count for Rommel's recall [17c]."""
    for hex_ in hexes if side == AXIS else ():
        if hex_ in watched(position):
            position = position.with_note(AXIS_SEEN, hex_, position.turn)
    return position


def axis_seen(position: Position) -> tuple[str, ...]:
    """Return the hexes of the Eighth Army and its airbase where an Axis unit is or has been [17c]."""
    noted = position.noted(AXIS_SEEN)
    return tuple(where for where in watched(position) if where in noted or units_at(position, where, AXIS))


def watched(position: Position) -> tuple[str, ...]:
    """Return the hexes of the Eighth Army and its airbase [17c]."""
    values = position.game.values["rommel"].values
    zones = [position.game.map.zones[zone].hexes for zone in values.words("zones")]
    return (*(where for hexes in zones for where in hexes), values.text("airbase"))


def ports_held(position: Position) -> tuple[str, ...]:
    """Return the ports with an Allied unit in them [4d]."""
    ports = the_field(position).ports
    return tuple(name for name, where in ports.items() if units_at(position, where, ALLIES))
