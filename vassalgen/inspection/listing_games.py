"""A saved game or log written out, command by command; passwords are replaced by players' names."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.inspection.games import STORED
from vassalgen.inspection.listing_pieces import change_lines, piece_lines
from vassalgen.inspection.reading import wrong
from vassalgen.inspection.values import INDENT, fields, lines, nameless, quoted
from vassalgen.problems import FormatError
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
    MovePiece,
    Null,
    RemovePiece,
    Unknown,
)
from vassalgen.vassal.pieces import Piece, decode_type
from vassalgen.vassal.savedgame import SavedGame
from vassalgen.vassal.secrets import Redactor
from vassalgen.vassal.streams import Node, is_step
from vassalgen.vassal.streams import decode as decode_stream


def game_listing(game: SavedGame, indent: str = "") -> Iterator[str]:
    """The stream of a saved game or log: its set-up as it is nested, then step after step.

    Raises :exc:`FormatError` only for excessively nested streams.
    """
    stream = decode_stream(game.text)
    writer = _Writer(stream.root)
    yield f"{indent}stream stored as {STORED[game.envelope.form]}"
    yield from writer.node(stream.root, indent + INDENT)
    number = 0
    for entry in stream.root.children:
        if is_step(entry):
            number += 1
            yield f"{indent}{INDENT}step {number}"
        yield from writer.tree(entry, indent + INDENT * 2)


def _spot(on: str | None, x: int, y: int, under: str | None) -> str:
    """A place on a map, and the piece under it."""
    above = f" above {quoted(under)}" if under is not None else ""
    return f"{quoted(on) if on is not None else 'no map'} {x}, {y}{above}"


def _nothing(indent: str, times: int) -> str:
    return f"{indent}nothing" + (f" × {times}" if times > 1 else "")


class _Writer:
    """Writes commands; it remembers the types of pieces, without which changes cannot be read."""

    def __init__(self, root: Node) -> None:
        self._redactor = Redactor(root.walk())
        self._types: dict[str, str] = {}

    def tree(self, root: Node, indent: str) -> Iterator[str]:
        """A node and all below it, in the order in which VASSAL executes them.

        Commands side by side that do nothing are only counted.
        """
        waiting = [(root, indent)]
        idle, idle_at = 0, ""
        while waiting:
            node, here = waiting.pop()
            does_nothing = not node.children and node.says_nothing
            if idle and not (does_nothing and here == idle_at):
                yield _nothing(idle_at, idle)
                idle = 0
            if does_nothing:
                idle, idle_at = idle + 1, here
                continue
            yield from self.node(node, here)
            waiting.extend((child, here + INDENT) for child in reversed(node.children))
        if idle:
            yield _nothing(idle_at, idle)

    def node(self, node: Node, indent: str) -> Iterator[str]:
        """One command, without those below it."""
        try:
            command = self._redactor.clean(node.command)
        except FormatError as error:
            length = len(node.bare)
            yield f"{indent}(broken: {wrong(error.problem)}; {length} characters)"
            return
        match command:
            case Null():
                yield _nothing(indent, 1)
            case Unknown(text=text):
                yield f"{indent}Unknown {quoted(text)}"
            case AddPiece():
                yield from self._add(command, indent)
            case ChangePiece():
                yield from self._change(command, indent)
            case MovePiece():
                yield indent + self._move(command)
            case RemovePiece():
                yield f"{indent}RemovePiece {self._called(command.id)}"
            case AddPlayer():
                parts = [("name", quoted(command.name)), ("side", quoted(command.side))]
                yield from lines("AddPlayer", parts, indent)
            case _:
                yield from lines(type(command).__name__, list(fields(command)), indent)

    def _move(self, command: MovePiece) -> str:
        """A move, always on one line."""
        start = _spot(command.old_map, command.old_x, command.old_y, command.old_under)
        end = _spot(command.map, command.x, command.y, command.under)
        return f"MovePiece {self._called(command.id)} {start} → {end} by {nameless(command.player)}"

    def _called(self, piece_id: str) -> str:
        """A piece by its id, and by its name if that is known."""
        text = self._types.get(piece_id, "")
        try:
            innermost = decode_type(text)[-1] if text else None
        except FormatError:
            innermost = None
        name = getattr(innermost, "name", "")
        return f"{quoted(piece_id)} {quoted(name)}" if name else quoted(piece_id)

    def _add(self, command: AddPiece, indent: str) -> Iterator[str]:
        if command.id is not None:
            self._types[command.id] = command.type
        yield f"{indent}AddPiece {quoted(command.id) if command.id is not None else 'null'}"
        try:
            piece = Piece.decode(command.type, command.state)
        except FormatError as error:
            yield f"{indent}{INDENT}(broken: {wrong(error.problem)})"
            yield f"{indent}{INDENT}type {quoted(self._clean(command.type))}"
            yield f"{indent}{INDENT}state {quoted(self._clean(command.state))}"
            return
        yield from piece_lines(piece, indent + INDENT, self._clean)

    def _change(self, command: ChangePiece, indent: str) -> Iterator[str]:
        yield f"{indent}ChangePiece {self._called(command.id)}"
        inside = indent + INDENT
        of_type = self._types.get(command.id)
        try:
            if of_type is None:
                raise FormatError("the piece is unknown")
            new = Piece.decode(of_type, command.new_state)
            if command.old_state is None:
                yield f"{inside}whatever it was before"
                yield from piece_lines(new, inside, self._clean)
            else:
                yield from change_lines(new, Piece.decode(of_type, command.old_state), inside, self._clean)
        except FormatError as error:
            yield f"{inside}({wrong(error.problem)})"
            yield f"{inside}new {quoted(self._clean(command.new_state))}"
            if command.old_state is not None:
                yield f"{inside}old {quoted(self._clean(command.old_state))}"

    def _clean(self, text: str) -> str:
        """A text without passwords that occur in it as words."""
        cleaned = self._redactor.clean(Unknown(text))
        return cleaned.text if isinstance(cleaned, Unknown) else ""
