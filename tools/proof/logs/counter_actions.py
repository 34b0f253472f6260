"""What players do with counters and the turn track: every method makes one or two steps of the log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from attrs import define

from referee.engine.clock import Clock
from tools.proof.logs.writer import NOTHING, SUMS, LogWriter
from vassalgen import announcements
from vassalgen.game.counters import State
from vassalgen.parts.states import counts, recovers
from vassalgen.templates import Announcement, Located, Named
from vassalgen.vassal.commands import Command, RemovePiece, SetTurn

SPENT = {
    announcements.BATTLE: "0",
    announcements.ROLE: "-",
    announcements.HALF: "0",
    "BattleResult": "-",
    "Adjusted": "0",
}
"""What counters remember of a battle after its end."""


@define(eq=False, slots=False)
class CounterActions:
    """Drags, states, steps and losses of counters, and the turn track."""

    log: LogWriter

    def move(self, name: str, *places: str) -> None:
        """Drag a counter to each place in turn."""
        for place in places:
            self.drag((name,), place)

    def drag(self, names: Sequence[str], place: str) -> None:
        """Drag counters together to a hex or box."""
        self.log.mark()
        seat = self.log.seat(names[0])
        origins = {name: self.log.board.pieces[name].spot.name for name in names}
        spots = {name: self.log.spot(name, place) for name in names}
        first = not any(self.log.board.pieces[name].is_marked for name in names)
        done = self.log.board.drag(names, spots, seat.password)
        chats = [
            self.log.said(
                announcements.Moved(self.log.named(name), origins[name], spots[name].name, seat.side)
            )
            for name in names
        ]
        self.log.step(*[NOTHING] * (7 if first else 4), *done, *chats)

    def state(self, name: str, state: str = "disrupted", *, on: bool = True) -> None:
        """Set a state of a counter or remove it, with a report."""
        self.log.mark()
        self.log.step(NOTHING, NOTHING, *self._state(name, state, on=on))

    def _state(self, name: str, state: str, *, on: bool) -> list[Command]:
        known, key = self.log.game.states[state], announcements.state_property(state)
        new = str((0 if on else known.most(self.log.game.counters[name])) if known.is_count else int(on))
        old = self.log.board.pieces[name].value(key) or "0"
        values, said = {key: new}, {}
        if known.dated:
            stop = self.log.stop_name(self.log.clock.stop)
            values[announcements.date_property(state)] = f"{self.log.clock.turn} {stop}" if on else ""
            said = {"turn": self.log.clock.turn, "stop": stop}
        line = announcements.StateChanged(
            self.log.located(name),
            Named(state, known.title),
            int(old),
            int(new),
            self.log.seat(name).side,
            **said,  # type: ignore[arg-type]  # both are optional fields
        )
        return [*self.log.board.set(name, **values), self.log.said(line)]

    def send(self, name: str, declaration: str, place: str) -> None:
        """Declare with a counter what takes it to a box."""
        self.log.mark()
        known, seat = self.log.game.declarations[declaration], self.log.seat(name)
        said = announcements.Declared(self.log.located(name), Named(declaration, known.title), seat.side)
        sent = self.log.board.set(name, Sent="1")
        moved = self.log.board.put(name, self.log.spot(name, place), seat.password)
        back = self.log.board.set(name, Sent="0")
        self.log.step(*[NOTHING] * 2, self.log.said(said), *sent, *[NOTHING] * 4, *moved, *back)

    def turn_over(self, name: str, *, up: bool) -> None:
        """Turn a counter face up or face down; for its own side the report names it."""
        self.log.mark()
        side = self.log.game.sides[self.log.game.counters[name].side].title
        known = Located(Named(name, self.log.game.counters[name].name), self.log.board.pieces[name].spot.name)
        changed = self.log.board.change(name, self.log.board.pieces[name].turned(None if up else side))
        self.log.step(
            NOTHING, *changed, self.log.said(announcements.Turned(known, up, self.log.seat(name).side))
        )

    def lose(self, name: str, steps: int) -> None:
        """Set the steps that a counter has left, with a report."""
        self.log.mark()
        old = int(self.log.board.pieces[name].value(announcements.STEPS) or "1")
        where, side = self.log.located(name), self.log.seat(name).side
        said: Announcement = announcements.StepsChanged(where, old, steps, side)
        if self.log.board.pieces[name].is_face_down:
            said = announcements.StepReported(where, steps < old, side)
        self.log.step(*self.log.board.set(name, **{announcements.STEPS: str(steps)}), self.log.said(said))

    def eliminate(self, name: str, box: str) -> None:
        """Send a counter to the box of losses with its command."""
        self.log.mark()
        seat, here = self.log.seat(name), self.log.located(name)
        sent = self.log.board.set(name, Sent="1")
        moved = self.log.board.put(name, self.log.spot(name, box), seat.password)
        back = self.log.board.set(name, Sent="0")
        said = self.log.said(announcements.Eliminated(here, seat.side))
        self.log.step(*sent, *[NOTHING] * 4, *moved, *back, said)

    def lay_anew(self, name: str, place: str, *, deleting: bool) -> None:
        """Place a counter from the palette, without a report; perhaps delete the one that it replaces."""
        self.log.mark()
        former = self.log.board.pieces[name].id
        self.log.step(
            *self.log.board.lay_anew(name, self.log.spot(name, place), self.log.seat(name).password)
        )
        if deleting:
            self.log.mark()
            del self.log.board.left[former]
            self.log.step(RemovePiece(id=former))

    def lay_marker(self, name: str, place: str) -> None:
        """Drag a marker from the palette into a hex."""
        self.log.mark()
        self.log.step(self.log.board.lay_marker(name, self.log.spot(name, place)))

    def take_marker(self, name: str, place: str) -> None:
        """Delete a marker in a hex."""
        self.log.mark()
        self.log.step(self.log.board.take_marker(name, place))

    def delete(self, name: str) -> None:
        """Delete a counter, without a report."""
        self.log.mark()
        self.log.step(self.log.board.delete(name))

    def turn_back(self, to: Clock) -> None:
        """Set the turn track back to a phase."""
        self.log.mark()
        self.log.clock = to
        said = announcements.PhaseTurned(to.turn, self.log.stop_name(to.stop), self.log.seat("").side)
        self.log.step(self.log.said(said), SetTurn(tracker="TurnTracker0", state=self.log.track()))

    def turn(self, to: Clock | None = None) -> None:
        """Advance the turn track to a phase, or once if none is named."""
        while True:
            self._new_phase()
            self.log.mark()
            self.log.clock = self.log.calendar.after(self.log.clock)
            said = announcements.PhaseTurned(
                self.log.clock.turn,
                self.log.stop_name(self.log.clock.stop),
                self.log.seat("").side,
            )
            self.log.step(self.log.said(said), SetTurn(tracker="TurnTracker0", state=self.log.track()))
            if to is None or self.log.clock >= to:
                return

    def _new_phase(self) -> None:
        """What the module does to all counters when a phase begins: battles are over, marks come off."""
        self.log.mark()
        board, changed = self.log.board, list[Command]()
        ending = [
            state
            for state in self.log.game.states.values()
            if state.ends == self.log.calendar.phase(self.log.clock)
        ]
        for name in list(board.pieces):
            changed += self._over(name, ending)
            spent = board.pieces[name].differing(self._spent)
            fresh = board.end_of_way(name)
            if spent or fresh is not board.pieces[name]:
                changed += board.change(name, fresh.with_values(spent))
        self.log.battle = 0
        self.log.step(*changed, self.log.counted("BattleNo", "0"), *self.log.summed(SUMS))

    def _over(self, name: str, ending: Sequence[State]) -> list[Command]:
        """The states of a counter that end with the current phase, or points that are restored."""
        one, counter = self.log.board.pieces[name], self.log.game.counters[name]
        found: list[Command] = []
        for state in ending:
            if counter.kind in state.kinds:
                usual = state.most(counter) if state.is_count else 0
                if (one.value(announcements.state_property(state.id)) or "0") != str(usual):
                    found += self._state(name, state.id, on=False)
        return found

    @cached_property
    def _spent(self) -> dict[str, str]:
        """Everything that counters forget when a phase ends."""
        declared = [one for one in self.log.game.declarations.values() if one.about == "battle"]
        said = {announcements.declaration_property(one.id): "0" for one in declared}
        known = [self.log.game.states[one.state] for one in declared if one.state]
        states = {
            announcements.state_property(state.id): "0"
            for state in known
            if not (counts(state) or recovers(state))
        }
        return {**SPENT, **said, **states}
