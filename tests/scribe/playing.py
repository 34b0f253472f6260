"""Writes logs of Postcard Tunisia in VASSAL's format, without VASSAL and without a module.

Every method is what a player does, and one step of the log, with the module's reports.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import attrs

from referee.audit import Report, audit
from referee.engine.clock import Calendar, Clock
from referee.engine.rulings import Grade
from referee.record import Vocabulary
from referee.table import Log
from tests.agreement import both_verdicts
from vassalgen import announcements
from vassalgen.announcements import CID
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.game.layout import Layout
from vassalgen.templates import Announcement, Located, Named
from vassalgen.vassal import streams
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    BeginSave,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    EndSave,
    MovePiece,
    RemovePiece,
    SetTurn,
    Undo,
)
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.hideable import Hideable, HideableState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.obscurable import Obscurable, ObscurableState
from vassalgen.vassal.traits.stack import Stack, StackState

MAP, BOXES = "Main Map", "Boxes"
ACROSS = 144
SIDES = {"allied": "Allies", "axis": "Axis"}
START = {
    "blade": "B1", "hart": "C1", "pz10": "B5", "broich": "B5", "superga": "A4",
    "uk78": "allied-north", "us1a": "allied-north", "uk6a": "allied-north", "frxix": "allied-north",
    "koch": "axis-north", "de334": "axis-north", "hg": "axis-north",
    "lw-afrika": "axis-air", "meaaf": "allied-air",
}  # fmt: skip
"""The initial places of counters in a log, if a test does not choose others."""


@cache
def the_game() -> Game:
    """The game."""
    return open_game("postcard1943")


@cache
def _layout() -> Layout:
    return Layout(the_game().map.grid, ACROSS, 20)


def pixel(place: str) -> tuple[str, int, int]:
    """Map and pixel of a hex or box."""
    game = the_game()
    if place in game.map.grid:
        x, y = _layout().centre(place)
        return MAP, int(x), int(y)
    return BOXES, 100, 100 + 200 * list(game.map.boxes).index(place)


def title(place: str) -> str:
    """What the module calls a place."""
    boxes = the_game().map.boxes
    return boxes[place].title if place in boxes else place


def _memory(place: str) -> tuple[tuple[str, str], ...]:
    """What VASSAL keeps of where a piece was before."""
    if not place:
        return ()
    map_, x, y = pixel(place)
    return ("OldLocationName", place), ("OldX", str(x)), ("OldY", str(y)), ("OldMap", map_)


class Playing:
    """A log that is being played. Two pieces remember where they were, unless there are no ``memories``.

    The counters ``masks`` can be masked, the counters ``cloaks`` made invisible.
    """

    def __init__(
        self,
        start: dict[str, str] | None = None,
        *,
        turn: int = 1,
        stop: str = "Reinforcements",
        side: str = "",
        memories: bool = True,
        masks: Iterable[str] = (),
        cloaks: Iterable[str] = (),
    ) -> None:
        self.game = the_game()
        self.calendar = Calendar.of(self.game, next(iter(self.game.scenarios.values())))
        self.stops = [self._stop_name(number) for number in range(len(self.calendar.stops))]
        self.where = dict(START if start is None else start)
        self.states = {name: dict(_FRESH) for name in self.where}
        self.hidden = dict.fromkeys((*masks, *cloaks), False)
        self.cloaks = tuple(cloaks)
        self.memory: tuple[tuple[str, str], ...] = ()
        corners = iter(("B1", "I6")) if memories else iter(())
        self.undo_log: list[list[Command]] = []
        self.side = side
        self.clock = Clock(turn, self.stops.index(stop))
        self.steps: list[list[Command]] = []
        self.setup: list[Command] = [BeginSave(), AddPlayer(password="secret-ada", name="Ada", side="Allies")]
        for name in self.where:
            self.memory = _memory(next(corners, ""))
            self.setup.append(self._add(name))
        self.memory = ()
        self.setup.append(SetTurn(tracker="TurnTracker0", state=self._track()))
        self.setup.append(EndSave())

    def _stop_name(self, number: int) -> str:
        stop = self.calendar.stops[number]
        side = f"{self.game.sides[stop.side].adjective} " if stop.side else ""
        return f"{side}{stop.phase.title}"

    def _track(self) -> str:
        flags = ",".join("true" for _ in self.stops)
        return f"0|{self.clock.turn};0;false;-1;{self.clock.stop}\\;0\\;0\\;{flags}"

    def _piece(self, name: str) -> Piece:
        counter = self.game.counters[name]
        properties: list[tuple[Trait, State]] = [
            (DynamicProperty(name=key), DynamicPropertyState(value=value))
            for key, value in self.states[name].items()
        ]
        map_, x, y = pixel(self.where[name])
        owner = "secret-ada" if self.hidden.get(name) else None
        mask: tuple[Trait, State] = (Obscurable(image="mask.png"), ObscurableState(owner=owner))
        if name in self.cloaks:
            mask = (Hideable(), HideableState(owner=owner))
        return Piece.of(
            *([mask] if name in self.hidden else ()),
            *properties,
            (Marker(names=(CID,)), MarkerState(items=(name,))),
            (BasicPiece(name=counter.name), BasicPieceState(map=map_, x=x, y=y, properties=self.memory)),
        )

    def _add(self, name: str) -> AddPiece:
        type_text, state_text = self._piece(name).encode()
        return AddPiece(id=f"id-{name}", type=type_text, state=state_text)

    def _located(self, name: str) -> Located:
        return Located(Named(name, self.game.counters[name].name), title(self.where[name]))

    def _speaker(self, name: str = "") -> str:
        side = self.side or (self.game.counters[name].side if name else self.calendar.side(self.clock))
        return SIDES.get(side, "Solitaire")

    def _said(self, said: Announcement) -> Chat:
        return Chat(text=f"* {said.MARK}{said.say()}")

    def _step(self, commands: Iterable[Command]) -> Playing:
        self.steps.append(list(commands))
        return self

    @property
    def number(self) -> int:
        """The number of the last step."""
        return len(self.steps)

    def say(self, text: str) -> Playing:
        """Chat."""
        return self._step([Chat(text=f"&lt;Ada&gt; - {text}")])

    def move(self, name: str, *places: str) -> Playing:
        """Drag a counter, once to each place."""
        for place in places:
            self._step(self._moving(name, place))
        return self

    def move_stack(self, names: Iterable[str], place: str) -> Playing:
        """Drag several counters at once."""
        return self._step([command for name in names for command in self._moving(name, place)])

    def join(self, name: str, place: str, *others: str, id_: str = "stack-1") -> Playing:
        """Drag a counter onto others; VASSAL makes a stack of these first."""
        map_, x, y = pixel(place)
        ids = tuple(f"id-{other}" for other in others)
        type_text, state_text = Piece.of((Stack(), StackState(map=map_, x=x, y=y, ids=ids))).encode()
        stack = AddPiece(id=id_, type=type_text, state=state_text)
        return self._step([stack, *self._moving(name, place)])

    def _moving(self, name: str, place: str) -> list[Command]:
        old, (map_, x, y) = pixel(self.where[name]), pixel(place)
        origin, self.where[name] = self.where[name], place
        named = Named(name, self.game.counters[name].name)
        said = announcements.Moved(named, title(origin), title(place), self._speaker(name))
        move = MovePiece(
            id=f"id-{name}", map=map_, x=x, y=y, under=None,
            old_map=old[0], old_x=old[1], old_y=old[2], old_under=None, player="secret-ada",
        )  # fmt: skip
        return [move, self._said(said)]

    def _change(self, name: str, **values: str) -> ChangePiece:
        old = self._piece(name).encode()[1]
        self.states[name] |= values
        return ChangePiece(id=f"id-{name}", new_state=self._piece(name).encode()[1], old_state=old)

    def undo(self) -> Playing:
        """Undo the last step; only moves, new stacks and changes of state can be in it."""
        inverse: list[Command] = [Undo(started=True)]
        for command in reversed(self.steps[-1]):
            if isinstance(command, MovePiece):
                inverse.append(
                    attrs.evolve(
                        command,
                        map=command.old_map,
                        x=command.old_x,
                        y=command.old_y,
                        old_map=command.map,
                        old_x=command.x,
                        old_y=command.y,
                    )
                )
                name = command.id.removeprefix("id-")
                self.where[name] = next(
                    place for place in (*self.game.map.grid.names, *self.game.map.boxes)
                    if pixel(place) == (command.old_map, command.old_x, command.old_y)
                )  # fmt: skip
            elif isinstance(command, ChangePiece) and command.old_state is not None:
                swapped = attrs.evolve(command, new_state=command.old_state, old_state=command.new_state)
                inverse.append(swapped)
            elif isinstance(command, AddPiece):
                inverse.append(RemovePiece(id=command.id or ""))
            elif isinstance(command, Chat):
                inverse.append(Chat(text=f"* UNDO: {command.text}"))
            elif isinstance(command, ChangeProperty):
                inverse.append(attrs.evolve(command, old=command.new, new=command.old))
        return self._step([*inverse, Undo(started=False)])

    def turn(self, phases: int = 1, *, to: str = "") -> Playing:
        """Advance the turn track, a number of times or to a phase."""
        count = 0
        while count < phases if not to else self.stops[self.clock.stop] != to or count == 0:
            self.clock = self.calendar.after(self.clock)
            stop = self.stops[self.clock.stop]
            said = announcements.PhaseTurned(self.clock.turn, stop, self._speaker())
            self._step([self._said(said), SetTurn(tracker="TurnTracker0", state=self._track())])
            count += 1
        return self

    def state(self, name: str, state: str = "disrupted", *, on: bool = True) -> Playing:
        """Set a state of a counter or remove it, with a report."""
        return self._step(self._changed_state(name, state, "1" if on else "0"))

    def _changed_state(self, name: str, state: str, new: str) -> list[Command]:
        key = announcements.state_property(state)
        old = self.states[name].get(key, "0")
        change = self._change(name, **{key: new})
        named = Named(state, self.game.states[state].title)
        said = announcements.StateChanged(self._located(name), named, int(old), int(new), self._speaker(name))
        return [change, self._said(said)]

    def hide(self, name: str, *, on: bool = True) -> Playing:
        """Mask a counter or make it invisible, or show it again."""
        old = self._piece(name).encode()[1]
        self.hidden[name] = on
        return self._step(
            [ChangePiece(id=f"id-{name}", new_state=self._piece(name).encode()[1], old_state=old)]
        )

    def recover_silently(self, *names: str) -> Playing:
        """States removed without a report, as the turn track does."""
        key = announcements.state_property("disrupted")
        return self._step([self._change(name, **{key: "0"}) for name in names])

    def declare(self, name: str, declaration: str, battle: int = 0, die: int = 0) -> Playing:
        """A counter declares something, with a roll if one belongs to it."""
        known = self.game.declarations[declaration]
        said = announcements.Declared(
            self._located(name), Named(declaration, known.title), self._speaker(name),
            battle or None, (die,) if die else None,
        )  # fmt: skip
        commands: list[Command] = []
        if die:
            commands.append(self._published(known.dice, die))
        return self._step([*commands, self._said(said)])

    def attack(self, battle: int, target: str, *attackers: str) -> Playing:
        """Attack a hex: the defenders first, then all attackers at once; a further hex without any."""
        defenders = [name for name, place in self.where.items() if place == target]
        number = {announcements.BATTLE: str(battle)}
        self._step([self._change(name, **number, **{announcements.ROLE: "D"}) for name in defenders])
        joining = [self._change(name, **number, **{announcements.ROLE: "A"}) for name in attackers]
        return self._step(joining) if joining else self

    def resolve(
        self, battle: int, attack: float, defence: float, column: str, die: int, result: str
    ) -> Playing:
        """Roll the die of a battle; the module announces odds and result."""
        said = announcements.BattleResolved(
            battle, attack, defence, 0, column, (die,), result, self._speaker()
        )
        return self._step([self._published("combat", die), self._said(said)])

    def call_off(self, battle: int) -> Playing:
        """Call a battle off."""
        names = [name for name, values in self.states.items() if values[announcements.BATTLE] == str(battle)]
        done = [self._change(name, **{announcements.BATTLE: "0", announcements.ROLE: "-"}) for name in names]
        return self._step([self._said(announcements.BattleCancelled(battle, self._speaker())), *done])

    def give_up(self, battle: int, *, taking_off: Iterable[str] = ()) -> Playing:
        """Let all participants leave a battle; at the same time remove markers from other counters, and
        announce it.
        """
        names = [name for name, values in self.states.items() if values[announcements.BATTLE] == str(battle)]
        left = [self._change(name, **{announcements.BATTLE: "0", announcements.ROLE: "-"}) for name in names]
        actions: list[Command] = []
        for name in taking_off:
            actions += self._changed_state(name, "disrupted", "0")
        return self._step([*actions, *left])

    def leave(self, name: str) -> Playing:
        """One counter leaves its battle."""
        return self._step([self._change(name, **{announcements.BATTLE: "0", announcements.ROLE: "-"})])

    def roll(self, dice: str, die: int) -> Playing:
        """Press the button of some dice."""
        named = Named(dice, self.game.dice[dice].title)
        said = announcements.DiceRolled(named, (die,), self._speaker())
        return self._step([self._published(dice, die), Chat(text=f"*** {said.say()}")])

    def _published(self, dice: str, die: int) -> ChangeProperty:
        return ChangeProperty(name=f"{announcements.dice_property(dice)}_result", old="0", new=str(die))

    def eliminate(self, name: str) -> Playing:
        """Send a counter to the box of losses."""
        here = self._located(name)
        moving = self._moving(name, f"{self.game.counters[name].side}-lost")
        return self._step([moving[0], self._said(announcements.Eliminated(here, self._speaker(name)))])

    def delete(self, name: str) -> Playing:
        """Delete a counter."""
        return self._step([RemovePiece(id=f"id-{name}")])

    def lay(self, marker: str, place: str, id_: str = "marker-1") -> Playing:
        """Place a marker, or any other counter, from the palette."""
        self.where[marker], self.states[marker] = place, dict(_FRESH)
        return self._step([attrs.evolve(self._add(marker), id=id_)])

    def drag_marker(self, marker: str, place: str, id_: str = "marker-1") -> Playing:
        """Drag a marker that was placed."""
        (map_, x, y), old = pixel(place), pixel(self.where[marker])
        self.where[marker] = place
        move = MovePiece(
            id=id_, map=map_, x=x, y=y, under=None,
            old_map=old[0], old_x=old[1], old_y=old[2], old_under=None, player="secret-ada",
        )  # fmt: skip
        return self._step([move])

    def take_marker(self, id_: str = "marker-1") -> Playing:
        """Delete a marker that was placed."""
        return self._step([RemovePiece(id=id_)])

    def lay_foreign(self, name: str, place: str, id_: str = "foreign-1") -> Playing:
        """Place a piece that is not a counter of the game."""
        map_, x, y = pixel(place)
        piece = Piece.of((BasicPiece(name=name), BasicPieceState(map=map_, x=x, y=y)))
        type_text, state_text = piece.encode()
        return self._step([AddPiece(id=id_, type=type_text, state=state_text)])

    def log(self, name: str = "played.vlog") -> Log:
        """The log as it is read from a file."""
        root = Node(
            self.setup[0].encode(),
            (
                *(Node(command.encode()) for command in self.setup[1:]),
                *(_logged(commands) for commands in self.steps),
            ),
        )
        return Log(name, streams.decode(streams.encode(root)))

    def audited(self) -> Report:
        """The audit of this log alone; judging its record gives the same rulings."""
        report = audit([self.log()], self.game)
        assert not report.unjudged
        read, judged = both_verdicts(report)
        assert judged == read
        return report


_FRESH = {
    announcements.BATTLE: "0",
    announcements.ROLE: "-",
    **{announcements.state_property(state): "0" for state in ("disrupted", "stuck", "lent")},
}


def _logged(commands: list[Command]) -> Node:
    first, *others = [Node(streams.LOG + command.encode()) for command in commands]
    return attrs.evolve(first, children=tuple(others))


def actions(report: Report) -> list[str]:
    """What the scribe read, as the record says it, without the opening, and how phases begin and end."""
    words = Vocabulary(report.world)
    said = [
        words.say(one.statement.content)
        for one in report.readings
        if one.statement.content and one.steps != (0,)
    ]
    return [line for line in said if not line.startswith(("next ", "settle ", "during "))]


def found(report: Report) -> list[tuple[int, str, str]]:
    """The findings: step, grade, clause."""
    return [(one.steps[-1], one.grade.name, one.clause) for one in report.findings]


def accused(report: Report) -> list[str]:
    """The clauses of the illegal findings."""
    return [one.clause for one in report.findings if one.grade is Grade.illegal]
