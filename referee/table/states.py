"""Applies states, as VASSAL writes them, to things on the table. [counters.Decorator.setState and mergeState,
BasicPiece, Stack, Deck]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.table.placing import resettle
from referee.table.things import Deck, Piece, Stack, differing
from vassalgen.vassal import sequences
from vassalgen.vassal.commands import ChangePiece
from vassalgen.vassal.expressions.values import java_int

if TYPE_CHECKING:
    from referee.table.table import Table

TAB = "\t"
DYNAMIC_PROPERTY = "PROP;"
NO_MAP = "null"
LAYER = "@@"
"""The prefix of the token in a stack's state that is not a member but its layer."""


def set_piece(table: Table, piece: Piece, state: str) -> bool:
    """Set the whole state of a piece; False if it has fewer parts than the definition, and therefore no
    place.
    """
    parts = sequences.unnest(state, TAB)
    count = len(piece.states)
    if len(parts) <= count:
        for place, text in enumerate(parts):
            piece.set_state(place, text)
        return False
    for place in range(count):
        piece.set_state(place, parts[place])
    for _ in piece.type.places_of(DYNAMIC_PROPERTY):
        resettle(table, piece)
    _set_basic(table, piece, parts[count])
    return True


def parts_of(piece: Piece, state: str) -> list[str]:
    """The parts of a state; those of traits are not parsed again if they are unchanged."""
    outer, _, innermost = state.rpartition(TAB)
    if outer == piece.written and sequences.QUOTE not in innermost:
        return [*piece.states, innermost]
    return sequences.unnest(state, TAB)


def remember(piece: Piece, state: str, parts: list[str]) -> None:
    """Remember the text of a piece's current states, if it is in the plain form."""
    outer, _, _ = state.rpartition(TAB)
    plain = sequences.QUOTE not in outer and outer.count(TAB) == len(parts) - 2
    piece.written = outer if plain and parts[:-1] == piece.states else None


def merge_piece(table: Table, piece: Piece, new: list[str], old: list[str]) -> dict[int, str]:
    """Apply the parts in which two states differ; return the previous values of those that changed."""
    count = len(piece.states)
    before: dict[int, str] = {}
    for place in differing(new[:-1], old[:-1]):
        if place < count:
            if piece.states[place] != new[place]:
                before[place] = piece.states[place]
            piece.set_state(place, new[place])
            if piece.type.parts[place].startswith(DYNAMIC_PROPERTY):
                resettle(table, piece)
    if len(new) > count and len(old) > count and new[count] != old[count]:
        _set_basic(table, piece, new[count])
    return before


def _set_basic(table: Table, piece: Piece, state: str) -> None:
    fields = sequences.decode(state, ";")
    new_map = table.map_named(fields[0])
    piece.gpid = fields[3] if len(fields) > 3 else ""
    piece.kept = tuple(fields[5:])
    old_map = piece.map
    piece.put_at(*place_in(fields))
    if new_map is old_map:
        return
    if new_map is not None:
        new_map.add(piece)
    elif old_map is not None:
        old_map.remove(piece)
        piece.set_map(None)


def set_stack(table: Table, stack: Stack, state: str) -> None:
    """Set the members of a stack."""
    fields = sequences.decode(state, ";")
    stack.put_at(*((0, 0) if fields[0] == NO_MAP else place_in(fields)))
    stack.clear()
    for token in members_in(state):
        member = table.things.get(token)
        if isinstance(member, Piece):
            stack.adopt(member, len(stack.members))
        elif token.startswith(LAYER):
            stack.layer = _integer([token.removeprefix(LAYER)], 0, stack.layer)
    _set_map(table, stack, fields[0])


def members_in(state: str) -> list[str]:
    """The list after the place in a stack's state: ids from bottom to top, optionally its layer."""
    fields = sequences.decode(state, ";")
    return fields[1:] if fields[0] == NO_MAP else fields[3:]


def set_deck(table: Table, deck: Deck, state: str) -> None:
    """Set the cards of a deck."""
    fields = sequences.decode(state, ";")
    deck.put_at(*place_in(fields))
    _set_map(table, deck, fields[0])
    deck.changes += 1
    deck.face_down = fields[3:4] == ["true"]
    ids = sequences.decode(fields[4], ",") if len(fields) > 4 else []
    cards = [card for card in map(table.things.get, ids) if isinstance(card, Piece)]
    deck.clear()
    for card in cards:
        deck.adopt(card, len(deck.members))


def _set_map(table: Table, stack: Stack, name: str) -> None:
    new_map = table.map_named(name)
    if new_map is stack.own_map:
        return
    if new_map is not None:
        new_map.add(stack)
    else:
        stack.set_map(None)


def merged_stack_state(stack: Stack, command: ChangePiece) -> str:
    """The state that a change gives a stack: with the members that have joined since the old state."""
    if command.old_state is None or command.old_state == stack_state(stack):
        return command.new_state
    new, old = (sequences.decode(text, ";") for text in (command.new_state, command.old_state))
    head, members = new[:3], new[3:]
    known = set(old[3:])
    for place, member in enumerate(stack.members):
        if member.id not in members and member.id not in known:
            below = stack.members[place - 1].id if place else None
            members.insert(members.index(below) + 1 if below in members else 0, member.id)
    return sequences.encode([*head, *members], ";")


def stack_state(stack: Stack) -> str:
    """A stack's state as VASSAL writes it."""
    name = stack.own_map.name if stack.own_map else NO_MAP
    ids = [member.id for member in stack.members]
    return sequences.encode([name, str(stack.own_x), str(stack.own_y), *ids, f"{LAYER}{stack.layer}"], ";")


def place_in(fields: list[str]) -> tuple[int, int]:
    """The coordinates in the state of a piece, stack or deck; as in VASSAL, 0 if they are not numbers."""
    return _integer(fields, 1), _integer(fields, 2)


def _integer(fields: list[str], place: int, default: int = 0) -> int:
    number = java_int(fields[place]) if place < len(fields) else None
    return default if number is None else number
