"""A log as players make it: every method is something they do, and a step of the log or two.

The shape of the steps is that of VASSAL's own logger: a tree whose first command comes to nothing where
VASSAL sets properties that it has no word for, states of pieces before and after, and the module's reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

import attrs
from attrs import frozen

from referee.engine.clock import Calendar, Clock
from referee.table import Log
from tools.proof.logs.board import Board, Spot
from vassalgen import announcements
from vassalgen.announcements import Announcement, Located, Named
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration
from vassalgen.game.track import track_of
from vassalgen.parts.states import counts, recovers
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
    SetTurn,
    Undo,
)
from vassalgen.vassal.streams import Node

NOTHING = Null("null")
SOLITAIRE = "Solitaire"
SPENT = {
    announcements.BATTLE: "0",
    announcements.ROLE: "-",
    announcements.HALF: "0",
    "BattleResult": "-",
    "MyShift": "0",
    "MyAttack": "0",
    "MyDefence": "0",
}
"""What counters remember of a battle, as it is when the battle is over."""
SUMS = {"BAtk": "", "BDef": "", "BAF": "0", "BDF": "0", "BShift": "0", "BPlusA": "0", "BPlusD": "0"}
"""The properties in which the module adds a battle up, as they are when there is none."""


@frozen
class Seat:
    """A player: the name, and the password that serves VASSAL as an id."""

    name: str
    password: str
    side: str = SOLITAIRE


@frozen
class Odds:
    """What the module says when a battle is resolved."""

    attack: Fraction
    defence: Fraction
    column: str
    result: str
    shift: int = 0
    modifier: int | None = None


@frozen
class Check:
    """What the module says of a throw that it checks."""

    total: int
    modifier: int | None = None
    support: int | None = None
    factor: int | None = None
    result: str | None = None


class LogWriter:
    """A log that is being made. ``spot`` gives the spot for a counter in a hex or box of the game."""

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
        self.spot = spot
        self.setup = setup
        self.clock = clock
        self.seats = {seat.side: seat for seat in seats}
        self.steps: list[list[Command]] = []
        self.battle = 0
        self.count = 0
        self.thrown: dict[str, str] = {}
        self.sums = dict(SUMS)
        self._before: list[tuple[Board, int, int, Clock, dict[str, str]]] = []

    @property
    def number(self) -> int:
        """The number of the last step."""
        return len(self.steps)

    def step(self, *commands: Command) -> None:
        """Add a step; nothing if there is nothing in it."""
        if commands:
            self.steps.append(list(commands))

    def log(self, name: str = "played.vlog") -> Log:
        """The log as it is read from a file."""
        first, *others = self.setup
        root = attrs.evolve(first, children=(*others, *map(_logged, self.steps)))
        return Log(name, streams.decode(streams.encode(root)))

    def say(self, text: str, seat: Seat | None = None) -> None:
        """Chat."""
        seat = seat or next(iter(self.seats.values()))
        self.step(Chat(text=f"&lt;{seat.name}&gt; - {text}"))

    def move(self, name: str, *places: str) -> None:
        """Drag a counter, once to each place."""
        for place in places:
            self.drag((name,), place)

    def drag(self, names: Sequence[str], place: str) -> None:
        """Drag counters together to a hex or box."""
        self._mark()
        seat = self._seat(names[0])
        origins = {name: self.board.lying[name].spot.name for name in names}
        spots = {name: self.spot(name, place) for name in names}
        first = not any(self.board.lying[name].is_marked for name in names)
        done = self.board.drag(names, spots, seat.password)
        chats = [
            self._said(announcements.Moved(self.named(name), origins[name], spots[name].name, seat.side))
            for name in names
        ]
        self.step(*[NOTHING] * (7 if first else 4), *done, *chats)

    def state(self, name: str, state: str = "disrupted", *, on: bool = True) -> None:
        """Set a state of a counter or take it off, and say so."""
        self._mark()
        self.step(NOTHING, NOTHING, *self._state(name, state, on=on))

    def recover(self, state: str, *names: str) -> None:
        """Take a state off several counters by a button, which says so of each."""
        self._mark()
        self.step(*[command for name in names for command in self._state(name, state, on=False)])

    def _state(self, name: str, state: str, *, on: bool) -> list[Command]:
        known, key = self.game.states[state], announcements.state_property(state)
        new = str((0 if on else known.most(self.game.counters[name])) if known.is_count else int(on))
        old = self.board.lying[name].value(key) or "0"
        values, said = {key: new}, {}
        if known.dated:
            stop = self.stop_name(self.clock.stop)
            values[announcements.date_property(state)] = f"{self.clock.turn} {stop}" if on else ""
            said = {"turn": self.clock.turn, "stop": stop}
        line = announcements.StateChanged(
            self.located(name),
            Named(state, known.title),
            int(old),
            int(new),
            self._seat(name).side,
            **said,  # type: ignore[arg-type]  # both are optional fields
        )
        return [*self.board.set(name, **values), self._said(line)]

    def declare(
        self,
        names: Sequence[str],
        declaration: str,
        battle: int = 0,
        faces: Sequence[int] = (),
        points: int | None = None,
        towards: str | None = None,
        check: Check | None = None,
    ) -> None:
        """Counters declare something together, with a throw, points or a direction if one belongs to it."""
        self._mark()
        known = self.game.declarations[declaration]
        dice = self.game.dice[known.dice].yes if faces and known.dice else ()
        commands: list[Command] = [NOTHING] * 2
        for name in names:
            seat = self._seat(name)
            said: Announcement = announcements.Declared(
                self.located(name),
                Named(declaration, known.title),
                seat.side,
                battle or None,
                tuple(faces) or None,
                (faces[0] in dice) if dice else None,
                points,
                towards,
            )
            if check is not None:
                said = self._checked(name, known, battle, faces, check)
            commands += self.board.set(name, **self._values_declared(name, known, battle, points))
            commands += self._throw(known.dice, faces, seat) if faces else []
            commands.append(self._said(said))
            if battle and known.die:
                commands.append(self._counted("BattleNo", str(battle)))
                self.battle = battle
        self.step(*commands)

    def _checked(
        self, name: str, known: Declaration, battle: int, faces: Sequence[int], check: Check
    ) -> Announcement:
        """The line of a throw that is checked."""
        return announcements.CheckMade(
            self.located(name),
            Named(known.id, known.title),
            battle,
            tuple(faces),
            check.total,
            self._seat(name).side,
            check.modifier,
            check.support,
            check.factor,
            check.result,
        )

    def _values_declared(
        self, name: str, known: Declaration, battle: int, points: int | None
    ) -> dict[str, str]:
        """What a counter remembers of a declaration, with its state or the points that it takes."""
        key = announcements.declaration_property(known.id)
        values = {key: str(battle)} if battle else {}
        times = self.board.lying[name].value(announcements.SAID)
        if times is not None and known.about != "battle":
            values[announcements.SAID] = str(int(times) + 1)
        if known.joins:
            values |= {announcements.BATTLE: str(battle), announcements.ROLE: "A", "BattleResult": "-"}
        if known.clears:
            values[announcements.state_property(known.clears)] = "0"
        if points is not None:
            values[announcements.points_property(known.id)] = str(points)
        if known.state:
            key = announcements.state_property(known.state)
            left = int(self.board.lying[name].value(key) or "0") - (points or 0)
            counts = self.game.states[known.state].is_count
            values[key] = str(0 if known.whole else left) if counts else "1"
        return values

    def send(self, name: str, declaration: str, place: str) -> None:
        """A counter declares what takes it to a box."""
        self._mark()
        known, seat = self.game.declarations[declaration], self._seat(name)
        said = announcements.Declared(self.located(name), Named(declaration, known.title), seat.side)
        sent = self.board.set(name, Sent="1")
        moved = self.board.put(name, self.spot(name, place), seat.password)
        back = self.board.set(name, Sent="0")
        self.step(*[NOTHING] * 2, self._said(said), *sent, *[NOTHING] * 4, *moved, *back)

    def turn_over(self, name: str, *, up: bool) -> None:
        """Turn a counter face up or face down, which its own side says by name."""
        self._mark()
        side = self.game.sides[self.game.counters[name].side].title
        known = Located(Named(name, self.game.counters[name].name), self.board.lying[name].spot.name)
        changed = self.board.change(name, self.board.lying[name].turned(None if up else side))
        self.step(NOTHING, *changed, self._said(announcements.Turned(known, up, self._seat(name).side)))

    def say_of_side(self, declaration: str, side: str, battle: int = 0) -> None:
        """A side declares what belongs to no counter."""
        self._mark()
        known = self.game.declarations[declaration]
        said = announcements.SideDeclared(
            Named(declaration, known.title), self._seat_of(side).side, battle or None
        )
        self.step(self._said(said))

    def choose(self, declaration: str, battle: int, points: Mapping[str, int]) -> None:
        """The sides choose points for a battle in secret, in this order; with the last all are shown."""
        known, named = self.game.declarations[declaration], self.game.sides
        self._at_hand(battle)
        for count, (side, chosen) in enumerate(points.items(), 1):
            self._mark()
            seat, title = self._seat_of(side), named[side].title
            chose = announcements.PointsChosen(battle, title, Named(declaration, known.title), seat.side)
            key = announcements.choice_property(declaration, side)
            self.thrown.setdefault(key, "-1")
            commands: list[Command] = [self._said(chose), self._counted(key, str(chosen))]
            if count == len(named):
                first, second = named.values()
                worth = (1 if self.calendar.side(self.clock) == first.id else -1) * (
                    points[first.id] - points[second.id]
                )
                shown = announcements.PointsShown(
                    battle,
                    Named(declaration, known.title),
                    first.title,
                    points[first.id],
                    second.title,
                    points[second.id],
                    seat.side,
                    worth * known.columns if known.columns else None,
                    worth * known.die if isinstance(known.die, int) and known.die else None,
                )
                commands.append(self._said(shown))
                commands += [
                    self._counted(announcements.choice_property(declaration, one), "-1") for one in named
                ]
            self.step(*commands)

    def _at_hand(self, battle: int) -> None:
        """Turn to a battle: buttons are for the one at hand."""
        if battle and self.battle != battle:
            self._mark()
            self.battle = battle
            self.step(NOTHING, self._counted("BattleNo", str(battle)), *self._declared(battle))

    def attack(self, battle: int, target: Sequence[str], attackers: Sequence[str]) -> None:
        """Attack: a press on a defender takes in all of them, another on the attackers."""
        self.open(battle, target)
        self.join(battle, attackers)

    def open(self, battle: int, defenders: Sequence[str]) -> None:
        """Begin a battle with its defenders."""
        self._mark()
        self.battle, self.count = battle, max(self.count, battle)
        number: list[Command] = [
            self._counted("BattleNo", str(battle)),
            self._counted("BattleCount", str(battle)),
        ]
        self._enlist(battle, defenders, "D", number)

    def join(self, battle: int, attackers: Sequence[str]) -> None:
        """Have counters attack in the battle at hand."""
        self._mark()
        self._enlist(battle, attackers, "A", [])

    def _enlist(self, battle: int, names: Sequence[str], role: str, before: list[Command]) -> None:
        values = {announcements.BATTLE: str(battle), announcements.ROLE: role, "BattleResult": "-"}
        changed = [command for name in names for command in self.board.set(name, **values)]
        if changed:
            line = self._declared(battle)
            self.step(NOTHING, NOTHING, *before, *changed, *line)

    def _declared(self, battle: int) -> list[Command]:
        """The line in which the module sums a battle up, with the properties it does so in."""
        attackers, defenders = self.participants(battle, "A"), self.participants(battle, "D")
        attack, defence = self._strength(attackers, "attack"), self._strength(defenders, "defence")
        seat = self._seat("")
        said = announcements.BattleDeclared(
            battle,
            tuple(map(self.located, attackers)),
            tuple(map(self.located, defenders)),
            attack,
            defence,
            seat.side,
        )
        sums = {
            "BAtk": " + ".join(str(self.located(name)) for name in attackers),
            "BDef": " + ".join(str(self.located(name)) for name in defenders),
            "BAF": f"{2 * attack:g}",
            "BDF": f"{2 * defence:g}",
        }
        return [*self._summed(sums), self._said(said)]

    def _strength(self, names: Iterable[str], kind: str) -> float:
        counters = [self.game.counters[name] for name in names]
        factors = [one.face().factors.get(kind, 0) for one in counters]
        return float(sum(factor for factor in factors if isinstance(factor, int | float | Fraction)))

    def participants(self, battle: int, role: str) -> list[str]:
        """The counters that take part in a battle in a role."""
        wanted = (str(battle), role)
        return [
            name
            for name, one in self.board.lying.items()
            if (one.value(announcements.BATTLE), one.value(announcements.ROLE)) == wanted
        ]

    def resolve(self, battle: int, odds: Odds, dice: str, faces: Sequence[int]) -> None:
        """Throw the die of a battle; the module says odds and result."""
        self._mark()
        seat = self._seat("")
        said = announcements.BattleResolved(
            battle,
            float(odds.attack),
            float(odds.defence),
            odds.shift,
            odds.column,
            tuple(faces),
            odds.result,
            seat.side,
            odds.modifier,
        )
        names = [*self.participants(battle, "D"), *self.participants(battle, "A")]
        told = [command for name in names for command in self.board.set(name, BattleResult=odds.result)]
        summed = self._summed(self.sums)
        thrown = self._throw(dice, faces, seat, battle)
        self.step(self._counted("BattleNo", str(battle)), *summed, *thrown, self._said(said), *told)

    def call_off(self, battle: int) -> None:
        """Call a battle off."""
        self._mark()
        names = [*self.participants(battle, "D"), *self.participants(battle, "A")]
        said = announcements.BattleCancelled(battle, self._seat("").side)
        done = [command for name in names for command in self.board.set(name, **SPENT)]
        self.battle = 0
        self.step(NOTHING, self._said(said), *done, self._counted("BattleNo", "0"), *self._summed(SUMS))

    def throw(self, dice: str, faces: Sequence[int], battle: int = 0) -> None:
        """Press the button of some dice, with a battle at hand if one is named."""
        if battle:
            self._at_hand(battle)
        self._mark()
        self.step(*self._throw(dice, faces, self._seat("")))

    def _throw(self, dice: str, faces: Sequence[int], seat: Seat, battle: int = 0) -> list[Command]:
        """A throw: the button's line and the four properties in which it publishes what it threw."""
        known = self.game.dice[dice]
        yes = faces[0] in known.yes if known.yes else None
        at_hand = battle or self.battle or None
        said = announcements.DiceThrown(Named(dice, known.title), tuple(faces), seat.side, yes, at_hand)
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
            old = self.thrown.get(f"{name}_{ending}", "1" if ending == "result" else "0")
            self.thrown[f"{name}_{ending}"] = new
            found.append(ChangeProperty(name=f"{name}_{ending}", old=old, new=new, container="Module"))
        return found

    def lose(self, name: str, steps: int) -> None:
        """Set the steps that a counter has left, and say so."""
        self._mark()
        old = int(self.board.lying[name].value(announcements.STEPS) or "1")
        where, side = self.located(name), self._seat(name).side
        said: Announcement = announcements.StepsChanged(where, old, steps, side)
        if self.board.lying[name].is_face_down:
            said = announcements.StepTold(where, steps < old, side)
        self.step(*self.board.set(name, **{announcements.STEPS: str(steps)}), self._said(said))

    def eliminate(self, name: str, box: str) -> None:
        """To the box of losses, with the command for it."""
        self._mark()
        seat, here = self._seat(name), self.located(name)
        sent = self.board.set(name, Sent="1")
        moved = self.board.put(name, self.spot(name, box), seat.password)
        back = self.board.set(name, Sent="0")
        said = self._said(announcements.Eliminated(here, seat.side))
        self.step(*sent, *[NOTHING] * 4, *moved, *back, said)

    def turn(self, to: Clock | None = None) -> None:
        """Turn the page of the track, as often as it takes to a moment, once if none is named."""
        while True:
            self._new_phase()
            self._mark()
            self.clock = self.calendar.after(self.clock)
            said = announcements.PhaseTurned(
                self.clock.turn, self.stop_name(self.clock.stop), self._seat("").side
            )
            self.step(self._said(said), SetTurn(tracker="TurnTracker0", state=self.track()))
            if to is None or self.clock >= to:
                return

    def _new_phase(self) -> None:
        """What the module tells all counters when the page is turned: battles are over, marks come off."""
        self._mark()
        changed: list[Command] = []
        for name, one in list(self.board.lying.items()):
            changed += self._over(name)
            one = self.board.lying[name]  # noqa: PLW2901 - what is over has changed it
            spent = {
                key: value for key, value in self._spent().items() if one.value(key) not in (None, value)
            }
            fresh = self.board.end_of_way(name)
            if spent or fresh is not one:
                changed += self.board.change(name, fresh.with_values(spent))
        self.battle = 0
        self.step(*changed, self._counted("BattleNo", "0"), *self._summed(SUMS))

    def _over(self, name: str) -> list[Command]:
        """The states of a counter that end with the phase at hand, or points that are back."""
        one, counter = self.board.lying[name], self.game.counters[name]
        found: list[Command] = []
        for state in self.game.states.values():
            if state.ends != self.calendar.phase(self.clock) or counter.kind not in state.kinds:
                continue
            usual = state.most(counter) if state.is_count else 0
            if (one.value(announcements.state_property(state.id)) or "0") != str(usual):
                found += self._state(name, state.id, on=False)
        return found

    def _spent(self) -> dict[str, str]:
        """All that counters forget when a phase ends."""
        told = [one for one in self.game.declarations.values() if one.about == "battle"]
        said = {announcements.declaration_property(one.id): "0" for one in told}
        known = [self.game.states[one.state] for one in told if one.state]
        states = {
            announcements.state_property(state.id): "0"
            for state in known
            if not (counts(state) or recovers(state))
        }
        return {**SPENT, **said, **states}

    def undo(self) -> None:
        """Take the last step back."""
        before, self.battle, self.count, self.clock, self.sums = self._before.pop()
        made, moved = self.board.made, {}
        inverse: list[Command] = []
        for command in reversed(self.steps[-1]):
            if isinstance(command, MovePiece):
                inverse.append(_back(command))
                moved[command.id] = command
            elif (turned := _inverse(command)) is not None:
                inverse.append(turned)
        self.board = before
        self.board.made = made
        for name, one in list(before.lying.items()):
            if one.id in moved:
                self.board.put_back(name, one.spot)
        self.step(Undo(started=True), *inverse, Undo(started=False))

    def stop_name(self, number: int) -> str:
        """A phase as the turn track shows it."""
        stop = self.calendar.stops[number]
        side = f"{self.game.sides[stop.side].adjective} " if stop.side else ""
        return f"{side}{stop.phase.title}"

    def track(self) -> str:
        """The state of the turn track, on which the phases of other orders of play are switched off."""
        first = self.calendar.order[0] if self.calendar.order else ""
        known = [first in firsts or not first for firsts in track_of(self.game).firsts]
        places = [place for place, on in enumerate(known) if on]
        flags = ",".join(str(on).lower() for on in known)
        at = places[self.clock.stop]
        return f"0|{self.clock.turn};0;false;-1;{at}\\;0\\;{places[0]}\\;{flags}"

    def named(self, name: str) -> Named:
        """A counter as it is spoken of."""
        if self.board.lying[name].is_face_down:
            return announcements.FACE_DOWN
        return Named(name, self.game.counters[name].name)

    def located(self, name: str) -> Located:
        """A counter and where it lies."""
        return Located(self.named(name), self.board.lying[name].spot.name)

    def _seat(self, name: str) -> Seat:
        """Who handles a counter, or acts in the phase at hand."""
        return self._seat_of(self.game.counters[name].side if name else self.calendar.side(self.clock))

    def has_seat(self, side: str) -> bool:
        """Tell whether somebody plays just this side."""
        return side in self.game.sides and self.game.sides[side].title in self.seats

    def _seat_of(self, side: str) -> Seat:
        """Who plays a side."""
        title = self.game.sides[side].title if side else ""
        return self.seats.get(title) or next(iter(self.seats.values()))

    def _said(self, said: Announcement) -> Chat:
        return Chat(text=f"* {said.MARK}{said.say()}")

    def _counted(self, name: str, new: str) -> ChangeProperty:
        old = self.thrown.get(name, "0")
        self.thrown[name] = new
        return ChangeProperty(name=name, old=old, new=new, container="Module")

    def _summed(self, new: Mapping[str, str]) -> list[Command]:
        changed = [
            ChangeProperty(name=name, old=self.sums[name], new=value, container="Module")
            for name, value in new.items()
        ]
        self.sums = {**self.sums, **new}
        return [*changed]

    def _mark(self) -> None:
        """Remember how things are before a step, for an undo."""
        self._before = [(self.board.copy(), self.battle, self.count, self.clock, dict(self.sums))]


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
    """What takes a command back, None for one that leaves nothing to take back."""
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
