"""The set-up with which a log begins: that of the compiled module, adapted to any position.

A log begins with everything on the table, as a save does, so it can begin in the middle of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
from attrs import frozen

from referee.engine.position import LAID, Position, World
from referee.table import ModulePlan, read_module
from tools.proof.logs.board import Board, LoggedPiece, Spot, board_of, stacks_of
from tools.proof.logs.writer import LogWriter, Seat
from vassalgen import announcements
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game
from vassalgen.parts.boxes import loss_box, place_of
from vassalgen.parts.ids import ids_of
from vassalgen.parts.names import BOXES, MAIN
from vassalgen.parts.pieces import counter_piece
from vassalgen.parts.setups import file_of
from vassalgen.vassal import streams
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.commands import AddPiece, AddPlayer, Command, SetTurn
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.savedgame import SavedGame, read_setup
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.stack import Stack

MAPS = {MAIN: "Map0", BOXES: "Map1"}
"""VASSAL's own ids of a module's maps, in their order."""
SOLO = (Seat("Ada", "not-a-secret-ada"),)
"""One player for all sides."""


@frozen(slots=False)
class Opening:
    """The set-up of one scenario in a compiled module."""

    module: ModulePlan
    moduledata: ModuleData
    commands: tuple[Command, ...]

    @cached_property
    def pieces(self) -> tuple[tuple[str, Piece], ...]:
        """The pieces on the table with their ids."""
        added = [command for command in self.commands if isinstance(command, AddPiece)]
        return tuple((one.id or "", Piece.decode(one.type, one.state)) for one in added)

    def spot(self, world: World, name: str, place: str) -> Spot:
        """The place of a counter in a hex or box."""
        game = world.game
        map_, title = (MAIN, place) if place in game.map.grid else (BOXES, place)
        title = place_of(game, place) if place in game.map.boxes else title
        facts = self.module.map(map_)
        assert facts is not None
        centre = facts.plan.centre(title)
        if centre is None:
            raise LookupError(f"the module has no place {title}")
        return Spot(map_, *centre, title, self._layer(world, name, map_))

    def _layer(self, world: World, name: str, map_: str) -> int:
        """The layer in which counters of a side stack on a map; without layers all stack in one."""
        facts, side = self.module.map(map_), world.game.counters[name].side
        if facts is None or facts.layer_property is None or not side:
            return 1
        return facts.layer_order.index(world.game.sides[side].title)

    def board(self, position: Position) -> Board:
        """The counters of a position."""
        pieces: dict[str, LoggedPiece] = {}
        for id_, piece in self.pieces:
            if (name := piece.marker(announcements.CID) or "") in position.pieces:
                pieces[name] = self._as_placed(position, name, id_, piece)
        board = board_of(dict(sorted(pieces.items(), key=lambda item: item[1].id)), MAPS)
        game = position.world.game
        known = position.world.rulebook.idiom.hex_markers
        ids = ids_of(game) if known else None
        board.marker_pieces = {name: counter_piece(game, game.counters[name], ids) for name in known if ids}
        return board

    def _as_placed(self, position: Position, name: str, id_: str, piece: Piece) -> LoggedPiece:
        """A counter where the position has it, or where the set-up has it if that is the same box.

        A counter that is nowhere in the position is in no hex of the table; if necessary it is put among the
        losses.
        """
        basic, wanted = piece.basic_state, position.pieces[name]
        world = position.world
        facts = self.module.map(basic.map or "")
        there = facts.plan.location_name(basic.x, basic.y) if facts is not None else ""
        spot = Spot(basic.map or "", basic.x, basic.y, there, self._layer(world, name, basic.map or ""))
        where = wanted.where
        if not where and spot.map == MAIN and wanted.side:
            where = loss_box(world.game, wanted.side).id
        if where:
            right = self.spot(world, name, where)
            if announcements.read_waiting(there)[0] != right.name:
                spot = right
        one = LoggedPiece.of(id_, piece, Spot(basic.map or "", basic.x, basic.y, there, spot.layer))
        one = one.moved_to(spot) if one.spot != spot else one
        one = one.with_values(_values(position, name))
        if not wanted.face or not wanted.side:
            return one
        return one.turned(world.game.sides[wanted.side].title if wanted.face == "down" else None)

    def writer(self, position: Position, seats: Sequence[Seat] = SOLO) -> LogWriter:
        """A log that begins with a position."""
        world = position.world
        board = self.board(position)

        @cache
        def spot(name: str, place: str) -> Spot:
            return self.spot(world, name, place)

        writer = LogWriter(
            world.game,
            world.calendar,
            board,
            spot,
            (),
            position.clock,
            seats,
        )
        markers = [
            board.lay_marker(name, spot(name, where))
            for where, names in position.noted(LAID).items()
            for name in names
        ]
        writer.setup = tuple(self.setup(board, writer, markers))
        return writer

    def setup(self, board: Board, writer: LogWriter, markers: Sequence[Command] = ()) -> Iterator[Node]:
        """The set-up as a log has it: all pieces in one branch, then players, everything else,
        and the end.
        """
        first, *others, last = self.commands
        ours = {id_ for id_, piece in self.pieces if piece.marker(announcements.CID) in writer.names}
        meaning = {*board.marker_pieces}
        laid = {id_ for id_, piece in self.pieces if piece.marker(announcements.CID) in meaning}
        added: list[Command] = []
        for command in others:
            theirs = isinstance(command, AddPiece) and command.id not in (*ours, *laid)
            if isinstance(command, AddPiece) and theirs and not _is_stack(command):
                added.append(command)
        added += markers
        for one in (*board.left.values(), *board.pieces.values()):
            type_text, state_text = one.piece.encode()
            added.append(AddPiece(id=one.id, type=type_text, state=state_text))
        added += stacks_of(board)
        yield Node(first.encode())
        yield Node("")
        yield Node("", tuple(Node(command.encode()) for command in added))
        for seat in writer.seats.values():
            yield Node(AddPlayer(password=seat.password, name=seat.name, side=seat.side).encode())
        for command in others:
            if isinstance(command, SetTurn):
                yield Node(attrs.evolve(command, state=writer.track()).encode())
            elif not isinstance(command, AddPiece):
                yield Node(command.encode())
        yield Node(last.encode())

    def to_bytes(self, writer: LogWriter, comments: str = "") -> bytes:
        """The whole file of a log."""
        savedata = SaveData(
            version=self.moduledata.version,
            vassal_version=self.moduledata.vassal_version,
            date_saved=self.moduledata.date_saved,
            description=comments,
        )
        return SavedGame.new(writer.log().stream.encode(), savedata, self.moduledata).to_bytes()


def _is_stack(command: AddPiece) -> bool:
    return command.type.startswith(Stack.CODE)


def _values(position: Position, name: str) -> Mapping[str, str]:
    """The properties that hold a counter's steps and states."""
    piece = position.pieces[name]
    values = {announcements.STEPS: str(piece.steps)}
    for state, mark in piece.states.items():
        values[announcements.state_property(state)] = str(mark.level)
        if mark.since is not None:
            values[announcements.date_property(state)] = _date(position, mark.since.turn, mark.since.side)
    return values


def _date(position: Position, turn: int, side: str) -> str:
    """A player turn as counters store it: by the name of its second phase, usually the one with combat."""
    world = position.world
    own = [stop for stop in world.calendar.stops if stop.side == side]
    stop = own[min(1, len(own) - 1)]
    adjective = f"{world.game.sides[side].adjective} " if side else ""
    return f"{turn} {adjective}{stop.phase.title}"


@cache
def opening_of(game: str, scenario: str = "") -> Opening:
    """The set-up of a scenario (the first if none is named) in the compiled module of a game."""
    known = open_game(game)
    compiled = compile_game(known)
    one = known.scenarios[scenario] if scenario else next(iter(known.scenarios.values()))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "module.vmod"
        path.write_bytes(compiled.to_bytes())
        plan = read_module(path)
        with Archive.open(path) as archive:
            save = read_setup(archive, file_of(one))
    moduledata = save.moduledata
    assert moduledata is not None
    nodes: Iterable[Node] = streams.decode(save.text).setup
    return Opening(plan, moduledata, tuple(node.command for node in nodes))
