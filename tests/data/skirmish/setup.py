"""The set-up "Dawn": a saved game that no VASSAL wrote, with the same pieces as the at-start stacks."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from tests.data.skirmish.module import Skirmish
from tests.data.skirmish.places import CAMPS, CAMPS_SIZE, FIELD, FIELD_SIZE, SIDES, TURNS
from vassalgen.vassal import buildfile, sequences, streams
from vassalgen.vassal.commands import (
    AddPiece,
    AtStartDone,
    BeginSave,
    Command,
    EndSave,
    Notes,
    PlacedBoard,
    PublicNotes,
    RestoreProperty,
    SetBoards,
    SetTurn,
)
from vassalgen.vassal.components import DrawPile, PieceSlot, PrototypeDefinition
from vassalgen.vassal.grids import MapPlan, plans_of
from vassalgen.vassal.pieces import Piece, expand, from_slot_text
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.basic_piece import BasicPiece
from vassalgen.vassal.traits.deck import BY_MENU, Deck, DeckState
from vassalgen.vassal.traits.immobilized import Immobilized
from vassalgen.vassal.traits.stack import Stack, StackState

NOTES = "The Thorns must be across the river by the end of the sixth turn.\nThe village is worth two points."
PUBLIC_NOTES = "No quarter at the fords."


def stream(game: Skirmish) -> str:
    """The text of the saved game: flat, which VASSAL reads as well as its own nesting."""
    commands = [BeginSave(), *_pieces(game), *_rest(), EndSave()]
    first, *others = (Node(command.encode()) for command in commands)
    return streams.encode(attrs.evolve(first, children=tuple(others)))


def _pieces(game: Skirmish) -> Iterator[Command]:
    """The pieces of every stack before the stack itself, then the deck likewise."""
    known = {
        found.component.name: from_slot_text(found.component.content)
        for found in buildfile.find_all(game.module, PrototypeDefinition)
    }
    sizes = {"field.png": FIELD_SIZE, "camps.svg": CAMPS_SIZE}
    plans = plans_of(game.module, image_size=sizes.get)
    for start in game.starts:
        place = plans[start.map].centre(start.location)
        assert place is not None, start.location
        pieces = [_piece(slot, known, start.map, place) for slot in start.slots]
        for slot, piece in zip(start.slots, pieces, strict=True):
            yield _add(f"slot-{slot.gpid}", piece)
        if pieces[0].find(Immobilized) is None:
            ids = tuple(f"slot-{slot.gpid}" for slot in start.slots)
            state = StackState(map=start.map, x=place[0], y=place[1], ids=ids)
            yield _add(f"stack-{start.location.replace(' ', '-')}", Piece.of((Stack(), state)))
    yield from _deck(game, known, plans[CAMPS])


def _deck(game: Skirmish, known: dict[str, Piece], plan: MapPlan) -> Iterator[Command]:
    pile = next(buildfile.find_all(game.module, DrawPile)).component
    where = plan.deck_of(pile)
    for slot in game.cards:
        yield _add(f"slot-{slot.gpid}", _piece(slot, known, CAMPS, (where.x, where.y)))
    definition = Deck(
        draw_outline=pile.draw,
        width=pile.width,
        height=pile.height,
        shuffle=BY_MENU,
        name=pile.name,
        shuffle_format=pile.shuffle_format,
        reverse_format=pile.reverse_format,
        max_stack=pile.max_stack,
    )
    ids = tuple(f"slot-{slot.gpid}" for slot in game.cards)
    state = DeckState(map=CAMPS, x=where.x, y=where.y, face_down=True, ids=ids)
    yield _add("deck-events", Piece.of((definition, state)))


def _piece(slot: PieceSlot, known: dict[str, Piece], map_name: str, place: tuple[int, int]) -> Piece:
    """The piece of a slot as placed on a map, with its prototypes resolved."""
    piece = expand(from_slot_text(slot.content), known, strict=True)
    state = attrs.evolve(piece.basic_state, map=map_name, x=place[0], y=place[1])
    return piece.replace_state(BasicPiece, state)


def _add(piece_id: str, piece: Piece) -> AddPiece:
    type_text, state_text = piece.encode()
    return AddPiece(id=piece_id, type=type_text, state=state_text)


def _rest() -> Iterator[Command]:
    """Everything but the pieces. Without ``AtStartDone`` VASSAL lays out the at-start stacks as well."""
    for side in SIDES:
        yield RestoreProperty(name=f"{side}VP", value="0", container="Module")
    for map_name in (FIELD, CAMPS):
        yield SetBoards(map=map_name, boards=(PlacedBoard(map_name),))
    yield AtStartDone()
    yield SetTurn(tracker="TurnTracker0", state=_first_turn())
    yield Notes(text=NOTES)
    yield PublicNotes(text=PUBLIC_NOTES)


def _first_turn() -> str:
    """Turn 1, first side, first phase: a level within a level. [build.module.turn]"""
    phase = sequences.encode(["0", "0", "0", "true,true"], ";")
    side = sequences.encode(["0", "0", "0", "true,true", phase], ";")
    turn = sequences.encode(["1", "0", "true", str(TURNS), side], ";")
    return sequences.encode(["0", turn], "|")
