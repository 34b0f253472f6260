"""What commands state about the past: where a piece was before it moved, its state before it changed.

A complete log is consistent: what a command states is what the commands before it have led to. If it is not,
players did something that is not in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.table.events import Contradicted, Event, Spot
from referee.table.states import LAYER, members_in, place_in
from referee.table.things import Deck, Piece, Stack, Thing, differing
from vassalgen.vassal import sequences, traits
from vassalgen.vassal.commands import MovePiece
from vassalgen.vassal.traits.movement_markable import MovementMarkable

if TYPE_CHECKING:
    from referee.table.table import Table

PLACE, MEMBERS = "place", "members"
"""What a statement can be about, besides the traits of a piece."""


def of_move(table: Table, thing: Thing, command: MovePiece) -> list[Event]:
    """Whether a piece or stack is where a move says it was.

    A piece whose stack was removed is temporarily on no map; its move says which map it was on. Old versions
    of VASSAL undid moves in this way.
    """
    map_, place = thing.map, (command.old_x, command.old_y)
    name = map_.name if map_ else None
    old_map = table.map_named(command.old_map)
    if place == thing.position and (old_map is map_ or map_ is None):
        return []
    stated = Spot(command.old_map, *place, table.location_at(old_map, *place))
    found = Spot(name, *thing.position, table.location_of(thing))
    return [Contradicted(piece=table.subject(thing), part=PLACE, stated=stated, found=found)]


def of_change(table: Table, piece: Piece, old: list[str]) -> list[Event]:
    """Whether a piece is as the old state in a change says.

    VASSAL's own bookkeeping, such as trails, and derived states, such as layers that follow a property, do
    not count. Neither does the map: old versions of VASSAL omit it for pieces in stacks, or write the map on
    which the piece was last alone.
    """
    found: list[Event] = []
    count = len(piece.states)
    for place in differing(old[:-1], piece.states):
        if place in piece.type.derived_places:
            continue
        code = traits.code_of(piece.type.parts[place]).rstrip(";")
        was, is_now = old[place], piece.states[place]
        found.append(Contradicted(piece=table.subject(piece), part=code, stated=was, found=is_now))
    if len(old) > count:
        x, y = place_in(sequences.decode(old[count], ";"))
        if (x, y) != piece.position:
            spot = Spot(piece.map.name if piece.map else None, x, y, table.location_at(piece.map, x, y))
            subject, actual = table.subject(piece), table.spot(piece)
            found.append(Contradicted(piece=subject, part=PLACE, stated=spot, found=actual))
    return found


def of_members(table: Table, stack: Stack, old_state: str) -> list[Event]:
    """Whether a stack or deck contains what the old state in a change says, from bottom to top."""
    if isinstance(stack, Deck):
        fields = sequences.decode(old_state, ";")
        stated = sequences.decode(fields[4], ",") if len(fields) > 4 else []
    else:
        stated = [member for member in members_in(old_state) if not member.startswith(LAYER)]
    found = [member.id for member in stack.members]
    if stated == found:
        return []
    was, is_now = ", ".join(stated), ", ".join(found)
    return [Contradicted(piece=table.subject(stack), part=MEMBERS, stated=was, found=is_now)]


class Contradictions:
    """Selects which contradictions to report while a log is replayed.

    Repeated ones are left out, as are "moved" marks, which VASSAL sets and clears itself, and pieces that are
    off the maps in both states.
    """

    def __init__(self) -> None:
        self._known: set[tuple[str, str, Spot | str, Spot | str]] = set()

    def new(self, happened: list[Event]) -> list[Event]:
        """The events of a step, or of a command in it, without those that need not be reported."""
        return [
            event
            for event in happened
            if not isinstance(event, Contradicted) or self._is_worth_showing(event)
        ]

    def _is_worth_showing(self, event: Contradicted) -> bool:
        if event.part == MovementMarkable.CODE.rstrip(";"):
            return False
        spots = [spot for spot in (event.stated, event.found) if isinstance(spot, Spot)]
        if spots and all(spot.map is None for spot in spots):
            return False
        key = (event.piece.id, event.part, event.stated, event.found)
        known = key in self._known
        self._known.add(key)
        return not known
