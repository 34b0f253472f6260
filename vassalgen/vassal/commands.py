r"""The commands of VASSAL's streams, each a frozen class with its own text form.

``decode(text)`` gives the command, ``command.encode()`` the text, byte for byte; commands without a class
here become :class:`Unknown`. In all texts ⇥ stands for a TAB. VASSAL uses players' passwords as their ids;
fields that contain one are left out of the ``repr``. [build.module.BasicCommandEncoder and the encoders named
below]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, ClassVar

from attrs import field, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records, scalars, sequences
from vassalgen.vassal.records import Record
from vassalgen.vassal.scalars import LINES, Codec


def _secret() -> Any:
    """A field with a password."""
    return records.of(scalars.TEXT, "", private=True)


def _state() -> Any:
    """A field with a piece's state, which may include its owner's password."""
    return records.of(scalars.TEXT, required=True, private=True)


def _decode_pixels(text: str) -> int:
    try:
        return scalars.INTEGER.decode(text)
    except ValueError:
        raise ValueError(
            "this is not a whole number"
        ) from None  # what stands there instead may be a password


PIXELS = Codec(_decode_pixels, str)
"""A coordinate that a command cannot do without."""


@frozen(kw_only=True)
class Command(Record):
    """A command. ``PREFIX`` is the text it begins with; the fields follow as a list."""

    PREFIX: ClassVar[str] = ""
    DELIMITER: ClassVar[str] = "\t"

    @classmethod
    def from_text(cls, text: str) -> Command:
        return cls.from_body(text[len(cls.PREFIX) :])

    def to_text(self) -> str:
        try:
            return self.PREFIX + self.to_body()
        except FormatError:  # whose message shows the field, which may be a password
            raise FormatError(
                "a field ends with a backslash and more follows",
                "a name, path or value must not end with a backslash",
                place=f"command {type(self).__name__}",
            ) from None

    @classmethod
    def from_body(cls, body: str) -> Command:
        """Read what follows the prefix."""
        return cls.from_tokens(sequences.decode(body, cls.DELIMITER))

    def to_body(self) -> str:
        """Write what follows the prefix."""
        return sequences.encode(self.to_tokens(), self.DELIMITER)


@frozen(kw_only=True)
class Unknown(Command):
    """A command of a module's own classes, or of a very old version: kept to the byte."""

    text: str = field(kw_only=False, repr=False)

    @classmethod
    def from_body(cls, body: str) -> Unknown:
        return cls(body)

    def to_body(self) -> str:
        return self.text


@frozen(kw_only=True)
class Null(Unknown):
    """Does nothing: an empty text, which groups its children, or the word ``null`` in a log."""

    text: str = field(default="", kw_only=False)


@frozen(kw_only=True)
class _Word(Command):
    """A command that is one word."""

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> _Word:
        return cls()

    def to_tokens(self) -> list[str]:
        return []


@frozen(kw_only=True)
class BeginSave(_Word):
    """The root of every save: it closes the running game. [build.module.GameState.SetupCommand]"""

    PREFIX: ClassVar[str] = "begin_save"


@frozen(kw_only=True)
class EndSave(_Word):
    """Starts the game; the contents of a log follow it. [build.module.GameState]"""

    PREFIX: ClassVar[str] = "end_save"


@frozen(kw_only=True)
class AtStartDone(_Word):
    """Keeps VASSAL from placing the module's at-start stacks again. [build.module.NewGameIndicator]"""

    PREFIX: ClassVar[str] = "SETUP_STACK\t"


@frozen(kw_only=True)
class AddPiece(Command):
    """Creates a piece, stack or deck. ``type`` and ``state`` are read by :mod:`~vassalgen.vassal.pieces`.

    In a module's slots the id is ``null``. [command.AddPiece]
    """

    PREFIX: ClassVar[str] = "+/"
    DELIMITER: ClassVar[str] = "/"
    id: str | None = records.nullable()
    type: str = records.text(required=True)
    state: str = _state()


@frozen(kw_only=True)
class RemovePiece(Command):
    """Removes a piece, stack or deck. [command.RemovePiece]"""

    PREFIX: ClassVar[str] = "-/"
    id: str

    @classmethod
    def from_body(cls, body: str) -> RemovePiece:
        return cls(id=body)

    def to_body(self) -> str:
        return self.id


@frozen(kw_only=True)
class ChangePiece(Command):
    """Gives a piece a new state; if the old state is given as well, only the parts in which the two differ.
    [command.ChangePiece, counters.Decorator.mergeState]
    """

    PREFIX: ClassVar[str] = "D/"
    DELIMITER: ClassVar[str] = "/"
    id: str = records.text(required=True)
    new_state: str = _state()
    old_state: str | None = records.of(scalars.TEXT, None, private=True)

    def to_tokens(self) -> list[str]:
        tokens = [self.id, self.new_state]
        return tokens if self.old_state is None else [*tokens, self.old_state]


@frozen(kw_only=True)
class MovePiece(Command):
    """Moves a piece or stack; coordinates in pixels of the map at 100%. [command.MovePiece]"""

    PREFIX: ClassVar[str] = "M/"
    DELIMITER: ClassVar[str] = "/"
    id: str = records.text(required=True)
    map: str | None = records.of(scalars.NULLABLE, required=True)
    x: int = records.of(PIXELS, required=True)
    y: int = records.of(PIXELS, required=True)
    under: str | None = records.of(scalars.NULLABLE, required=True)
    old_map: str | None = records.of(scalars.NULLABLE, required=True)
    old_x: int = records.of(PIXELS, required=True)
    old_y: int = records.of(PIXELS, required=True)
    old_under: str | None = records.of(scalars.NULLABLE, required=True)
    player: str = _secret()


@frozen(kw_only=True)
class _Raw(Command):
    """A command whose body is one text, not a list."""

    text: str = ""

    @classmethod
    def from_body(cls, body: str) -> _Raw:
        return cls(text=body)

    def to_body(self) -> str:
        return self.text


@frozen(kw_only=True)
class Chat(_Raw):
    """A line in the chat window: ``*`` for a report, ``-`` for the system, otherwise a player.
    [build.module.Chatter]
    """

    PREFIX: ClassVar[str] = "CHAT"


@frozen(kw_only=True)
class PlaySound(_Raw):
    """Plays a sound clip. [command.PlayAudioClipCommand]"""

    PREFIX: ClassVar[str] = "AUDIO\t"


@frozen(kw_only=True)
class EventLog(_Raw):
    """The module administrator's log. [build.module.EventLog]"""

    PREFIX: ClassVar[str] = "Events"


@frozen(kw_only=True)
class Check(_Raw):
    """The version check of VASSAL before 3. [command.ConditionalCommand]"""

    PREFIX: ClassVar[str] = "CHECK\t"


@frozen(kw_only=True)
class InternetDice(_Raw):
    """Where an internet die roller sends its results. [build.module.InternetDiceButton]"""

    PREFIX: ClassVar[str] = "SEMAIL\t"


@frozen(kw_only=True)
class Undo(Command):
    """Stands before (``started``) and after commands that undo an action. [build.module.BasicLogger]"""

    PREFIX: ClassVar[str] = "UNDO\t"
    started: bool = records.boolean()

    @classmethod
    def from_body(cls, body: str) -> Undo:
        return cls(started=body == "true")


@frozen(kw_only=True)
class AddPlayer(Command):
    """Seats a player. An empty password is a seat that anyone may claim. [build.module.PlayerRoster.Add]"""

    PREFIX: ClassVar[str] = "PLAYER\t"
    password: str = _secret()
    name: str = records.text(required=True)
    side: str = records.text(required=True)


@frozen(kw_only=True)
class RemovePlayer(Command):
    """Frees a player's seat. [build.module.PlayerRoster.Remove]"""

    PREFIX: ClassVar[str] = "PYREMOVE\t"
    password: str = _secret()


@frozen(kw_only=True)
class RestoreProperty(Command):
    """The value of a global property in a save. ``container`` is ``Module``, a map's name, or empty.

    A zone's property has the name ``name⇥zone⇥board⇥map``. [properties.GlobalProperty, ZoneProperty]
    """

    PREFIX: ClassVar[str] = "GlobalProperty\t;"
    DELIMITER: ClassVar[str] = ";"
    name: str = records.text()
    value: str = records.text()
    container: str = records.text()


@frozen(kw_only=True)
class ChangeProperty(Command):
    """A property given a new value in play: global, of a map, of a zone (``map:zone``), of dice.

    None is a field missing at the end; in front of others VASSAL writes it like an empty one. Without a
    container (in old files) the first property with that name is meant.
    [build.module.properties.ChangePropertyCommandEncoder]
    """

    PREFIX: ClassVar[str] = "MutableProperty\t"
    name: str = records.text(required=True)
    old: str | None = records.of(scalars.TEXT, None)
    new: str | None = records.of(scalars.TEXT, None)
    container: str | None = records.of(scalars.TEXT, None)

    def to_tokens(self) -> list[str]:
        tokens = [self.name, self.old, self.new, self.container]
        while tokens[-1] is None:
            tokens.pop()
        return [token or "" for token in tokens]


@frozen
class PlacedBoard:
    """A board in play: its column and row in the table of boards."""

    name: str
    column: int = 0
    row: int = 0
    reversed: bool = False


@frozen(kw_only=True)
class SetBoards(Command):
    """Which boards a map shows; ``map`` is the map's name or its number as ``Map0``. [map.BoardPicker]"""

    map: str
    boards: tuple[PlacedBoard, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> SetBoards:
        head, *rest = sequences.decode(text, "\t")
        boards = []
        for name, column, row in zip_longest(rest[::3], rest[1::3], rest[2::3], fillvalue=""):
            side = sequences.decode(name, "/")
            is_reversed = len(side) > 1 and side[1] == "rev"
            boards.append(PlacedBoard(side[0], _integer_or_zero(column), _integer_or_zero(row), is_reversed))
        return cls(map=head.removesuffix("BoardPicker"), boards=tuple(boards))

    def to_text(self) -> str:
        tokens = [self.map + "BoardPicker"]
        for board in self.boards:
            side = [board.name, "rev"] if board.reversed else [board.name]
            tokens += [sequences.encode(side, "/"), str(board.column), str(board.row)]
        return sequences.encode(tokens, "\t")


def _integer_or_zero(token: str) -> int:
    try:
        return scalars.INTEGER.decode(token)
    except ValueError:
        return 0


@frozen(kw_only=True)
class SetTurn(Command):
    """The turn track shows another turn. ``state`` is read with :mod:`~vassalgen.vassal.turns`.

    [build.module.turn.TurnTracker]
    """

    PREFIX: ClassVar[str] = "TURN"
    tracker: str = records.text()
    state: str = records.text()


@frozen(kw_only=True)
class Notes(Command):
    """The scenario's notes. [build.module.NotesWindow]"""

    PREFIX: ClassVar[str] = "NOTES\t"
    text: str = records.of(LINES, "")

    @classmethod
    def from_body(cls, body: str) -> Notes:
        return cls(text=LINES.decode(body))

    def to_body(self) -> str:
        return LINES.encode(self.text)


@frozen(kw_only=True)
class PublicNotes(Notes):
    """Notes that every player sees. [build.module.NotesWindow]"""

    PREFIX: ClassVar[str] = "PNOTES\t"


@frozen(kw_only=True)
class PrivateNote(Command):
    """A player's own notes. [build.module.noteswindow.PrivateNotesController]"""

    PREFIX: ClassVar[str] = "PNOTE\t"
    owner: str = _secret()
    text: str = records.of(LINES, "")


@frozen(kw_only=True)
class DelayedNote(Command):
    """A note to be opened later. [build.module.noteswindow.SecretNotesController]"""

    PREFIX: ClassVar[str] = "SNOTE\t"
    name: str = records.text(required=True)
    owner: str = _secret()
    hidden: bool = records.of(scalars.BOOLEAN, required=True)
    text: str = records.of(LINES, required=True)
    date: str = records.text()
    handle: str = records.text()


@frozen(kw_only=True)
class Unmask(Command):
    """Who besides the owner may unmask pieces; None if VASSAL wrote ``null``.
    [build.module.ObscurableOptions]
    """

    PREFIX: ClassVar[str] = "UNMASK\t"
    players: tuple[str, ...] | None = field(default=(), repr=False)

    @classmethod
    def from_body(cls, body: str) -> Unmask:
        return cls(players=None if body == "null" else tuple(sequences.decode(body, "\t")) if body else ())

    def to_body(self) -> str:
        return "null" if self.players is None else sequences.encode(self.players, "\t")


@frozen(kw_only=True)
class UsesExtension(Command):
    """An extension with which this game was made. [module.ExtensionsLoader]"""

    PREFIX: ClassVar[str] = "EXT\t"
    name: str = records.text(required=True)
    version: str = records.text(required=True)


@frozen(kw_only=True)
class UsesPlugin(Command):
    """A plug-in with which this game was made. [module.PluginsLoader]"""

    PREFIX: ClassVar[str] = "PLUGIN\t"
    name: str = records.text(required=True)
    version: str = records.text(required=True)


@frozen(kw_only=True)
class StartupApplied(Command):
    """A start-up key command that has already run in this game. [build.module.StartupGlobalKeyCommand]"""

    PREFIX: ClassVar[str] = "SGKC\t"
    id: str = records.text()
    applied: bool = records.boolean(True)


@frozen(kw_only=True)
class Flare(Command):
    """A player points at a place, in pixels of the map. [map.Flare]"""

    PREFIX: ClassVar[str] = "FLARE\t"
    id: str = records.text()
    x: int = records.integer(0)
    y: int = records.integer(0)


@frozen(kw_only=True)
class LineOfSight(Command):
    """A line-of-sight thread, in pixels of the map. [map.LOS_Thread]"""

    PREFIX: ClassVar[str] = "LOS\t"
    id: str = records.text()
    anchor_x: int = records.integer(0)
    anchor_y: int = records.integer(0)
    arrow_x: int = records.integer(0)
    arrow_y: int = records.integer(0)
    persisting: bool = records.boolean()
    mirroring: bool = records.boolean()
    reset: bool = records.boolean()


@frozen(kw_only=True)
class ShowDice(Command):
    """The faces shown by symbolic dice, each counted from 0. [build.module.SpecialDiceButton]"""

    PREFIX: ClassVar[str] = "SHOW_RESULTS\t"
    button: str
    faces: tuple[str, ...] = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> ShowDice:
        return cls(button=tokens[0], faces=tuple(tokens[1:]))

    def to_tokens(self) -> list[str]:
        return [self.button, *self.faces]


@frozen(kw_only=True)
class ClockControl(Command):
    """Shows or hides the chess clocks. [build.module.ChessClockControl]"""

    PREFIX: ClassVar[str] = "CLOCKCONTROL\t"
    showing: bool = records.boolean()
    online: bool = records.boolean()


@frozen(kw_only=True)
class Clock(Command):
    """The state of one chess clock, times in milliseconds. [build.module.chessclockcontrol.ChessClock]"""

    PREFIX: ClassVar[str] = "CLOCK\t"
    who: str = _secret()
    name: str = records.text(required=True)
    elapsed: str = records.text()
    verified: str = records.text()
    ticking: bool = records.boolean()
    restore: bool = records.boolean()


@frozen(kw_only=True)
class LockOptions(Command):
    """A page of scenario options locked by a player. [properties.ScenarioPropertiesOptionTab]"""

    PREFIX: ClassVar[str] = "LOCKSPOTAB\t"
    tab: str = records.text()
    by: str = records.text()
    password: str = _secret()
    date: str = records.text()


_LISTS: tuple[type[Command], ...] = (
    AddPiece, ChangePiece, MovePiece, RemovePiece, Chat, ChangeProperty, RestoreProperty, SetTurn, Undo,
    AddPlayer, RemovePlayer, Notes, PublicNotes, PrivateNote, DelayedNote, Unmask, UsesExtension, UsesPlugin,
    StartupApplied, Flare, LineOfSight, ShowDice, ClockControl, Clock, LockOptions, PlaySound, EventLog,
    InternetDice, Check,
)  # fmt: skip
_WORDS: dict[str, type[Command]] = {
    "": Null,
    "null": Null,
    **{cls.PREFIX: cls for cls in (BeginSave, EndSave, AtStartDone)},
}
_CLASSES = {cls.PREFIX: cls for cls in _LISTS}
_PREFIX = re.compile("|".join(re.escape(prefix) for prefix in sorted(_CLASSES, key=len, reverse=True)))
_BOARDS = re.compile(r"[^\t]*BoardPicker(\t|$)")
_WORDS_OF_A_NAME = ("CHAT", "TURN", "Events")
"""Prefixes of commands that may also be the start of a map's name; then its boards are meant."""


def decode(text: str) -> Command:
    """Read one command, without ``LOG⇥`` in front of it.

    Raises :exc:`FormatError`, naming the kind of command but not its content, if a known command lacks a
    required field.
    """
    cls = _class_of(text)
    try:
        return cls.decode(text)
    except FormatError as error:
        raise error.within(f"command {cls.__name__}") from None


def read(text: str) -> Command:
    """Read one command like :func:`decode`, but without keeping its spelling.

    This is faster, and sufficient if it will not be written again.
    """
    cls = _class_of(text)
    try:
        return cls.from_text(text)
    except FormatError as error:
        raise error.within(f"command {cls.__name__}") from None


def _class_of(text: str) -> type[Command]:
    prefix = _PREFIX.match(text)
    if prefix is None:
        return SetBoards if _BOARDS.match(text) else _WORDS.get(text, Unknown)
    if prefix.group() in _WORDS_OF_A_NAME:
        boards = _BOARDS.match(text)
        if boards and boards.group().endswith("\t"):
            return SetBoards
    return _CLASSES[prefix.group()]
