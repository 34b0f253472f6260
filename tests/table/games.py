"""Small games written in commands, for tests of the table."""

from __future__ import annotations

from collections.abc import Sequence

from referee.table import EMPTY_MODULE, Log, ModulePlan, Replay, Table
from referee.table.events import Event, Step
from referee.table.module import MapFacts
from referee.table.states import stack_state
from referee.table.things import Piece as TablePiece
from referee.table.things import Stack
from vassalgen.vassal import grids, streams
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
    Chat,
    Command,
    EndSave,
    MovePiece,
    PlacedBoard,
)
from vassalgen.vassal.components import Board, BoardPicker, HexGrid, HexGridNumbering, Map, Zone, ZonedGrid
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.streams import LOG, Node
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.deck import Deck, DeckState

ALICE, BOB = "rosebud", "xanadu"
"""The passwords of the two players, Axis and Allied."""
SEATS = (
    AddPlayer(password=ALICE, name="Alice", side="Axis"),
    AddPlayer(password=BOB, name="Bob", side="Allied"),
)
FIELD, BOX = "Battlefield", "Box"
"""The maps of the module below; without a module any name will do."""
A, B, C = (100, 100), (200, 100), (300, 100)
"""Places far enough apart to be different hexes."""

Place = tuple[int, int]


def counter(
    piece_id: str, at: Place | None, *traits: Trait | tuple[Trait, State], name: str = "", on: str = FIELD
) -> AddPiece:
    """A piece, outermost trait first; without a place it is on no map."""
    x, y = at or (0, 0)
    where = BasicPieceState(map=on if at else None, x=x, y=y)
    basic = BasicPiece(image="", name=name or f"Unit {piece_id}")
    type_, state = Piece.of(*traits, (basic, where)).encode()
    return AddPiece(id=piece_id, type=type_, state=state)


def stack(stack_id: str, at: Place, *members: str, on: str = FIELD) -> AddPiece:
    """A stack, its members from the bottom up."""
    state = ";".join([on, str(at[0]), str(at[1]), *members, "@@-1"])
    return AddPiece(id=stack_id, type="stack", state=state)


def deck(deck_id: str, at: Place, *cards: str, name: str = "Draw", on: str = FIELD) -> AddPiece:
    """A face-down deck, the card to be drawn last in the list."""
    state = DeckState(map=on, x=at[0], y=at[1], face_down=True, ids=cards)
    return AddPiece(id=deck_id, type=Deck(name=name).encode(), state=state.encode())


def drag(
    thing_id: str,
    origin: Place,
    target: Place,
    under: str | None = None,
    *,
    on: str = FIELD,
    to: str | None = "",
    by: str = ALICE,
) -> MovePiece:
    """A move from one place to another, onto the piece ``under``; ``to`` is another map, None for none."""
    return MovePiece(
        id=thing_id,
        map=on if to == "" else to,
        x=target[0],
        y=target[1],
        under=under,
        old_map=on,
        old_x=origin[0],
        old_y=origin[1],
        old_under=None,
        player=by,
    )


def turned(before: AddPiece, after: AddPiece) -> ChangePiece:
    """The change that makes one state of a piece, stack or deck into another."""
    assert before.id is not None
    return ChangePiece(id=before.id, new_state=after.state, old_state=before.state)


def say(text: str, name: str = "Alice") -> Chat:
    """A line of chat."""
    return Chat(text=f"&lt;{name}&gt; - {text}")


def log_of(setup: Sequence[Command], *steps: Sequence[Command]) -> Log:
    """A log as VASSAL would write it, with both players seated."""
    children = [Node(command.encode()) for command in (*setup, *SEATS, EndSave())]
    for step in steps:
        first, *rest = (LOG + command.encode() for command in step)
        children.append(Node(first, tuple(map(Node, rest))))
    return Log("game.vlog", streams.decode(streams.encode(Node("begin_save", tuple(children)))))


class Played:
    """A game played to its end: the replay, its table, its steps."""

    def __init__(
        self,
        setup: Sequence[Command],
        *steps: Sequence[Command],
        module: ModulePlan = EMPTY_MODULE,
        viewer: str | None = None,
    ) -> None:
        self.replay = Replay(log_of(setup, *steps), module, viewer)
        self.table: Table = self.replay.table
        self.steps: list[Step] = list(self.replay.steps())

    def events(self, number: int = -1) -> list[str]:
        """What happened in a step, in words; in the last one if no number is given."""
        step = self.steps[number - 1 if number > 0 else number]
        return [str(event) for event in step.events]

    def events_of(self, kind: type[Event]) -> list[Event]:
        """All events of a kind."""
        return [event for step in self.steps for event in step.events if isinstance(event, kind)]

    def piece(self, piece_id: str) -> TablePiece:
        """A piece on the table."""
        piece = self.table.things[piece_id]
        assert isinstance(piece, TablePiece)
        return piece

    def name(self, piece_id: str) -> str:
        """The name of a piece as it shows."""
        return self.table.sight.name(self.piece(piece_id))

    def where(self, piece_id: str) -> tuple[str | None, int, int]:
        """The map and place of a piece."""
        piece = self.piece(piece_id)
        return (piece.map.name if piece.map else None, *piece.position)

    def lying(self, at: Place, on: str = FIELD) -> list[list[str]]:
        """The contents of a place: each stack from bottom to top, single pieces as lists of one."""
        map_ = self.table.map_named(on)
        assert map_ is not None
        return sorted(
            [member.id for member in thing.members] if isinstance(thing, Stack) else [thing.id]
            for thing in map_.at(*at)
        )

    def stack_of(self, piece_id: str) -> str | None:
        """The state of the stack that contains a piece, as VASSAL would write it; None for a single piece."""
        parent = self.piece(piece_id).parent
        return stack_state(parent) if parent else None


def battlefield(*, stacking: bool = True, layers: tuple[str, tuple[str, ...]] | None = None) -> ModulePlan:
    """A module of two maps: a field of hexes with the zone Front at its left, and a box without a grid."""
    hexes = HexGrid(x0=30, y0=35, dx=60.0, dy=69.28, children=(HexGridNumbering(stagger=False),))
    zone = Zone(
        name="Front",
        location_format="$gridLocation$",
        path=((0, 0), (400, 0), (400, 600), (0, 600)),
        use_parent_grid=True,
    )
    board = Board(name="Ridge", width=800, height=600, children=(ZonedGrid(children=(zone, hexes)),))
    empty = Board(name="Holding", width=200, height=200)
    facts = tuple(_facts(name, one, stacking, layers) for name, one in ((FIELD, board), (BOX, empty)))
    return ModulePlan(known=True, name="Ridge", version="1.0", maps=facts)


def _facts(name: str, board: Board, stacking: bool, layers: tuple[str, tuple[str, ...]] | None) -> MapFacts:
    component = Map(name=name, edge_width=0, edge_height=0, children=(BoardPicker(children=(board,)),))

    def plan_for(boards: tuple[PlacedBoard, ...] | None) -> grids.MapPlan:
        return grids.plan_of(component, boards)

    layer_property, layer_order = layers or (None, ())
    return MapFacts(
        name,
        plan_for,
        plan_for(None),
        stacking=stacking,
        layer_property=layer_property,
        layer_order=layer_order,
    )
