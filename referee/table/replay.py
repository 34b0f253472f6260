"""Replays a log, or several consecutive ones, on one table."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import attrs
from attrs import field, frozen

from referee.table import events
from referee.table.events import Event, Step
from referee.table.module import EMPTY_MODULE, ModulePlan
from referee.table.statements import Contradictions
from referee.table.table import Player, Table
from referee.table.undo import UndoTracker
from vassalgen.problems import Failure, FormatError
from vassalgen.vassal.commands import AddPlayer, ChangeProperty, Chat, Command, MovePiece, Undo, read
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.savedgame import read_stream
from vassalgen.vassal.secrets import Redactor
from vassalgen.vassal.streams import Node, Stream


@frozen
class Log:
    """A log or saved game as the replay needs it: its name for messages, its stream, its metadata.

    ``module`` is the name of the module with which it was made, ``version`` that module's version; old logs
    do not say. ``digest`` is the SHA-256 of its file, empty if there is no file.
    """

    name: str
    stream: Stream = field(repr=False)
    comments: str = ""
    module: str = ""
    limits: Limits = Limits()
    version: str = ""
    digest: str = ""

    @property
    def length(self) -> int:
        """The number of steps."""
        return len(self.stream.steps)

    def players(self) -> set[str]:
        """The names of all players who take a seat, at the start or later."""
        found: set[str] = set()
        for node in self.stream.root.walk():
            if node.begins(AddPlayer.PREFIX):
                with suppress(FormatError):
                    command = read(node.bare)
                    assert isinstance(command, AddPlayer)
                    found.add(command.name)
        return found


def read_log(path: Path, limits: Limits = Limits()) -> Log:  # noqa: B008 - a frozen value
    """Read a log or saved game. Raises :exc:`FormatError`; damage outside the stream is ignored."""
    game = read_stream(path, limits)
    comments = module = version = None
    with suppress(FormatError):
        comments = game.savedata.description if game.savedata else None
    with suppress(FormatError):
        module = game.moduledata.name if game.moduledata else None
        version = game.moduledata.version if game.moduledata else None
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Log(
        name=path.name,
        stream=game.stream,
        comments=comments or "",
        module=module or "",
        limits=limits,
        version=version or "",
        digest=digest,
    )


class Replay:
    """The table of one log, step by step.

    The initial position is set up at once; :meth:`steps` plays the rest. Passwords end here: nothing outside
    this class contains one.
    """

    def __init__(self, log: Log, module: ModulePlan = EMPTY_MODULE, viewer: str | None = None) -> None:
        self.log = log
        try:
            self._redactor = Redactor(log.stream.root.walk(), log.limits)
        except FormatError as error:
            raise error.within(file=log.name) from None
        self.table = Table(module, viewer=None if viewer is None else f"@{viewer}")
        self.undone: dict[int, int] = {}
        """Steps that were undone, each with the step that undid it."""
        self.failures: list[tuple[int, Failure]] = []
        """Where the replay itself failed: the step, 0 for the opening."""
        self._undo = UndoTracker()
        self._contradictions = Contradictions()
        self._number = self._events = 0
        self.opening = self._lay_out()

    def _lay_out(self) -> Step:
        odd: list[Event] = []
        before = len(self.table.chat)
        self.table.chat.append(f" - !<b>Loading {self.log.name} ...</b>")
        for node in self.log.stream.setup:
            odd += [event for event in self._carry_out(node)[1] if isinstance(event, events.Odd)]
        ending = f"!Loaded {self.log.name}: <b>{self.log.comments}</b>"
        self.table.chat.append(f" - {ending if self.log.comments else f'Loaded {self.log.name}'}")
        return Step(number=0, events=tuple(odd), chat=tuple(self.table.chat[before:]))

    def steps(self) -> Iterator[Step]:
        """Play the log; when a step is yielded, the table is as after that step."""
        for number, entry in enumerate(self.log.stream.steps, 1):
            self._number = number
            try:
                step = self._play(number, entry)
            except FormatError as error:
                raise error.within(f"step {number}", file=self.log.name) from None
            except Exception as error:
                step = Step(number=number, events=(self._failed(error),))
            yield step

    def _failed(self, error: Exception) -> Event:
        failure = Failure.of(error)
        self.failures.append((self._number, failure))
        return events.Odd(why=f"a fault of the program: {failure.error}", failed=True)

    def _play(self, number: int, entry: Node) -> Step:
        carried: list[Command] = []
        happened: list[Event] = []
        chat_before = len(self.table.chat)
        for node in entry.walk():
            if node.says_nothing:
                continue
            command, came_of_it = self._carry_out(node)
            happened += self._contradictions.new(came_of_it)
            self._events += len(came_of_it)
            self.log.limits.count("events", self._events)
            if command is not None:
                carried.append(command)
        dice = _dice_of(carried, self.table)
        happened = [*_rolls(dice), *_without_dice(happened, dice)]
        chat = tuple(self.table.chat[chat_before:])
        player = self._player(carried)
        if any(isinstance(command, Undo) and command.started for command in carried):
            target = self._undo.take_back(number, chat)
            if target is not None:
                self.undone[target] = number
            happened = [events.Undone(step=target, events=tuple(_net_moves(happened)))]
        else:
            self._undo.play(number, carried, chat)
        return Step(
            number=number,
            player=player.name if player else None,
            side=player.side if player else None,
            events=tuple(happened),
            chat=chat,
        )

    def _carry_out(self, node: Node) -> tuple[Command | None, list[Event]]:
        """Carry out a node: the command, and its effects. A damaged command is odd."""
        try:
            command = self._redactor.clean(read(node.bare))
            return command, self.table.carry_out(command)
        except FormatError as error:
            return None, [events.Odd(why=str(error))]
        except Exception as error:
            return None, [self._failed(error)]

    def _player(self, carried: list[Command]) -> Player | None:
        """Who acted: the id in a move, or else the name in a line of chat."""
        for command in carried:
            if isinstance(command, MovePiece) and command.player:
                seated = self.table.player(command.player)
                return seated or Player(command.player, command.player.removeprefix("@"), "")
        for command in carried:
            if isinstance(command, Chat):
                found = _NAME.search(html.unescape(command.text))
                names = found.groups() if found else ()
                for player in reversed(self.table.players):
                    if player.name in names:
                        return player
        return None


_NAME = re.compile(r"^<(.*?)> - |<([^<>]*)>\s*$|^\* \* <(.*?)> ")
"""Where VASSAL's own formats put the player's name: chat, dice, turn. [build.module.Chatter, DiceButton]"""


def _dice_of(carried: list[Command], table: Table) -> dict[str, dict[str, str]]:
    """The dice of a step: each button's properties, identified by their suffixes."""
    found: dict[str, dict[str, str]] = {}
    for command in carried:
        if isinstance(command, ChangeProperty) and command.new is not None:
            name, _, ending = command.name.rpartition("_")
            known = name in table.module.dice if table.module.known else True
            if known and ending in ("result", "total", "keep", "summary"):
                found.setdefault(name, {})[ending] = command.new
    return {name: values for name, values in found.items() if "result" in values}


def _rolls(dice: dict[str, dict[str, str]]) -> list[Event]:
    rolled: list[Event] = []
    for name, values in dice.items():
        faces = tuple(part.strip() for part in values["result"].split(","))
        rolled.append(events.Rolled(dice=name, faces=faces, total=values.get("total")))
    return rolled


def _net_moves(happened: list[Event]) -> list[Event]:
    """One move for each piece: an undo takes stacks away before it puts their pieces back."""
    last = {event.piece.id: event for event in happened if isinstance(event, events.Moved)}
    found: list[Event] = []
    for event in happened:
        if not isinstance(event, events.Moved):
            found.append(event)
        elif event.piece.id in last:
            found.append(attrs.evolve(event, target=last.pop(event.piece.id).target))
    return found


def _without_dice(happened: list[Event], dice: dict[str, dict[str, str]]) -> list[Event]:
    if not dice:
        return happened
    return [
        event
        for event in happened
        if not (isinstance(event, events.GlobalChanged) and event.name.rpartition("_")[0] in dice)
    ]
