"""A log being written: its steps, its players, the clock, and what the module keeps in its properties.

The form of the steps is that of VASSAL's own logger: a tree whose first command is empty if VASSAL sets
properties for which it has no command, states of pieces before and after, and the module's reports. What
players do is in ``counter_actions.py``, ``battles.py`` and ``declarations.py``.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence

import attrs
from attrs import frozen

from referee.engine.clock import Calendar, Clock
from referee.table import Log
from tools.proof.logs.board import Board, Spot
from vassalgen import announcements, templates
from vassalgen.game.game import Game
from vassalgen.game.track import track_of
from vassalgen.templates import Announcement, Located, Named
from vassalgen.vassal import streams
from vassalgen.vassal.commands import (
    AddPiece,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    MovePiece,
    Null,
    RemovePiece,
    Undo,
)
from vassalgen.vassal.streams import Node

NOTHING = Null("null")
UNDONE_AT_MOST = 3
"""How many steps players undo in a row at most."""
SOLITAIRE = "Solitaire"
SUMS = {"BAtk": "", "BDef": "", "BAF": "0", "BDF": "0", "BShift": "0", "BPlusA": "0", "BPlusD": "0"}
"""The properties in which the module adds up a battle, with their values when there is none."""


@frozen
class Seat:
    """A player: the name, and the password that VASSAL uses as an id."""

    name: str
    password: str
    side: str = SOLITAIRE


class LogWriter:
    """A log being written. ``spot`` gives the place of a counter in a hex or box of the game."""

    def __init__(
        self,
        game: Game,
        calendar: Calendar,
        board: Board,
        spot: Callable[[str, str], Spot],
        setup: Sequence[Node],
        clock: Clock,
        seats: Sequence[Seat],
    ) -> None:
        self.game = game
        self.calendar = calendar
        self.board = board
        self.names = frozenset(board.pieces)
        self.spot = spot
        self.setup = setup
        self.clock = clock
        self.seats = {seat.side: seat for seat in seats}
        self.steps: list[list[Command]] = []
        self.battle = 0
        self.count = 0
        self.rolled: dict[str, str] = {}
        self.sums = dict(SUMS)
        self.kept: dict[int, tuple[Board, Clock]] | None = None
        self._before: deque[tuple[int, Board, int, int, Clock, dict[str, str]]] = deque(maxlen=UNDONE_AT_MOST)

    @property
    def number(self) -> int:
        """The number of the last step."""
        return len(self.steps)

    def step(self, *commands: Command) -> None:
        """Add a step; an empty one is left out."""
        if commands:
            self.steps.append(list(commands))
            if self.kept is not None:
                self.kept[self.number] = self.board.copy(), self.clock

    def log(self, name: str = "played.vlog") -> Log:
        """The log as it is read from a file."""
        return self.part(name, self.setup, 0, self.number)

    def part(self, name: str, setup: Sequence[Node], begin: int, end: int) -> Log:
        """The steps after one number, up to another, as a log of their own with its set-up."""
        first, *others = setup
        root = attrs.evolve(first, children=(*others, *map(_logged, self.steps[begin:end])))
        return Log(name, streams.decode(streams.encode(root)))

    def say(self, text: str, seat: Seat | None = None) -> None:
        """Chat."""
        seat = seat or next(iter(self.seats.values()))
        self.step(Chat(text=f"&lt;{seat.name}&gt; - {text}"))

    def undo(self) -> None:
        """Undo the last step that has not been undone yet."""
        place, before, self.battle, self.count, self.clock, self.sums = self._before.pop()
        made, moved = self.board.made, {}
        inverse: list[Command] = []
        for command in reversed(self.steps[place]):
            if isinstance(command, MovePiece):
                inverse.append(_back(command))
                moved[command.id] = command
            elif (turned := _inverse(command)) is not None:
                inverse.append(turned)
        self.board = before
        self.board.made = made
        for name, one in list(before.pieces.items()):
            if one.id in moved:
                self.board.put_back(name, one.spot)
        self.step(Undo(started=True), *inverse, Undo(started=False))

    def stop_name(self, number: int) -> str:
        """A phase as the turn track shows it."""
        stop = self.calendar.stops[number]
        side = f"{self.game.sides[stop.side].adjective} " if stop.side else ""
        return f"{side}{stop.phase.title}"

    def track(self) -> str:
        """The state of the turn track, with the phases of other orders of play switched off."""
        first = self.calendar.order[0] if self.calendar.order else ""
        known = [first in firsts or not first for firsts in track_of(self.game).firsts]
        places = [place for place, on in enumerate(known) if on]
        flags = ",".join(str(on).lower() for on in known)
        at = places[self.clock.stop]
        return f"0|{self.clock.turn};0;false;-1;{at}\\;0\\;{places[0]}\\;{flags}"

    def named(self, name: str) -> Named:
        """A counter as announcements name it."""
        if self.board.pieces[name].is_face_down:
            return templates.FACE_DOWN
        return Named(name, self.game.counters[name].name)

    def located(self, name: str) -> Located:
        """A counter and its place."""
        return Located(self.named(name), self.board.pieces[name].spot.name)

    def seat(self, name: str) -> Seat:
        """The player who handles a counter, or who acts in the current phase."""
        return self.seat_of(self.game.counters[name].side if name else self.calendar.side(self.clock))

    def has_seat(self, side: str) -> bool:
        """Return whether a player plays only this side."""
        return side in self.game.sides and self.game.sides[side].title in self.seats

    def seat_of(self, side: str) -> Seat:
        """The player of a side."""
        title = self.game.sides[side].title if side else ""
        return self.seats.get(title) or next(iter(self.seats.values()))

    def said(self, said: Announcement) -> Chat:
        return Chat(text=f"* {said.MARK}{said.say()}")

    def rolled_faces(self, dice: str, faces: Sequence[int], seat: Seat, battle: int = 0) -> list[Command]:
        """A roll: the button's line, and the four properties in which the button publishes the dice."""
        known = self.game.dice[dice]
        yes = faces[0] in known.yes if known.yes else None
        current = battle or self.battle or None
        said = announcements.DiceRolled(Named(dice, known.title), tuple(faces), seat.side, yes, current)
        name = announcements.dice_property(dice)
        each = ", ".join(f"{face} x{count}" for face, count in sorted(Counter(faces).items()))
        published = {
            "result": ",".join(map(str, faces)),
            "total": f"{sum(faces)}",
            "keep": f"{len(faces)}",
            "summary": each,
        }
        found: list[Command] = [Chat(text=f"*** {said.say()}")]
        for ending, new in published.items():
            old = self.rolled.get(f"{name}_{ending}", "1" if ending == "result" else "0")
            self.rolled[f"{name}_{ending}"] = new
            found.append(ChangeProperty(name=f"{name}_{ending}", old=old, new=new, container="Module"))
        return found

    def counted(self, name: str, new: str) -> ChangeProperty:
        old = self.rolled.get(name, "0")
        self.rolled[name] = new
        return ChangeProperty(name=name, old=old, new=new, container="Module")

    def summed(self, new: Mapping[str, str]) -> list[Command]:
        changed = [
            ChangeProperty(name=name, old=self.sums[name], new=value, container="Module")
            for name, value in new.items()
        ]
        self.sums = {**self.sums, **new}
        return [*changed]

    def mark(self) -> None:
        """Remember the table before a step, for an undo."""
        now = self.board.copy(), self.battle, self.count, self.clock, dict(self.sums)
        self._before.append((len(self.steps), *now))


def _logged(commands: Sequence[Command]) -> Node:
    first, *others = [Node(streams.LOG + command.encode()) for command in commands]
    return attrs.evolve(first, children=tuple(others))


def _back(move: MovePiece) -> MovePiece:
    return attrs.evolve(
        move,
        map=move.old_map,
        x=move.old_x,
        y=move.old_y,
        under=None,
        old_map=move.map,
        old_x=move.x,
        old_y=move.y,
    )


def _inverse(command: Command) -> Command | None:
    """The command that reverses another, None if there is nothing to reverse."""
    match command:
        case ChangePiece() if command.old_state is not None:
            return attrs.evolve(command, new_state=command.old_state, old_state=command.new_state)
        case Chat():
            return Chat(text=f"* UNDO: {command.text}")
        case ChangeProperty():
            return attrs.evolve(command, old=command.new, new=command.old)
        case AddPiece() if command.id is not None:
            return RemovePiece(id=command.id)
    return NOTHING if command == NOTHING else None
