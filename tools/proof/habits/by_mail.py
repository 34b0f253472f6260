"""What people do who have played by mail for years: they try moves out, and let the track run ahead."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from attrs import define, evolve, field

from referee.carrying_out import carry_out
from referee.engine.actions import NEXT
from referee.engine.clock import Clock
from referee.record import Statement
from tools.proof.habits import (
    ANY_ORDER,
    FLIPPED_FIRST,
    MOVED_IN,
    MOVED_ON,
    NO_DICE,
    REHEARSED,
    REMEMBERED,
    RESOLVED_TWICE,
    SWAPPED,
    TRACK_AHEAD,
    TRACK_BEHIND,
    TRACK_SET,
)
from tools.proof.habits.fiddling import FiddlingLogger
from tools.proof.habits.steps import is_by_hand
from tools.proof.playing import Step
from vassalgen import announcements

FORGOTTEN_FOR = 2
"""For how many phases a step loss that was not marked is forgotten."""


@define(eq=False)
class MailLogger(FiddlingLogger):
    """Plays the steps of a game as players with some habits do."""

    unmarked: dict[str, tuple[int, int]] = field(factory=dict)
    """Counters whose loss is not marked, with the steps left and the phases until a player remembers it."""
    former: Clock | None = None
    """The phase before the current one."""

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        if REHEARSED in self.careless and self.rng.random() < 0.1:
            self._rehearse(step)
        fought = {piece.id for piece in step.before.at(step.action.target)}
        fought |= {name for battle in step.before.battles for name in battle.attackers}
        fought |= {piece.id for battle in step.before.battles for piece in step.before.at(battle.target)}
        self._remember({*step.action.pieces, *fought})

    def _rehearse(self, step: Step) -> None:
        """Make the moves that come next, and drag all counters back."""
        moved: list[tuple[Sequence[str], str]] = []
        for later in islice((step, *self.following), 8):
            action = later.action
            is_move = is_by_hand(later, self.idiom) and not later.before.battles and len(action.path) > 1
            if is_move and all(name in self.writer.board.pieces for name in action.pieces):
                places = {self._place(name) for name in action.pieces}
                if places == {action.path[0]} and action.path[0] != action.path[-1]:
                    moved.append((action.pieces, action.path[0]))
                    self.counter_actions.drag(action.pieces, action.path[-1])
        for names, here in reversed(moved):
            self.counter_actions.drag(names, here)

    def _remember(self, names: set[str]) -> None:
        """Mark the forgotten losses of counters that are used."""
        for name in names & self.unmarked.keys():
            steps, _ = self.unmarked.pop(name)
            if name in self.writer.board.pieces:
                self.writer.say("I forgot this one")
                self.counter_actions.lose(name, steps)

    def _end(self, step: Step) -> None:
        super()._end(step)
        self.unmarked = {name: (steps, left - 1) for name, (steps, left) in self.unmarked.items()}
        self._remember({name for name, (_, left) in self.unmarked.items() if not left})

    def _lose(self, step: Step) -> None:
        grid, pieces = self.writer.game.map.grid, self.writer.board.pieces
        on_map = all(
            name in pieces and self._place(name) in grid and step.after.pieces[name].where in grid
            for name in step.action.pieces
        )
        is_lost = on_map and step.action.verb == self.idiom.steps[False]
        if REMEMBERED in self.careless and is_lost and self.rng.random() < 0.5:
            left = {name: (step.after.pieces[name].steps, FORGOTTEN_FOR) for name in step.action.pieces}
            self.unmarked |= left
            return
        if SWAPPED in self.careless and on_map:
            for name in step.action.pieces:
                if not pieces[name].is_face_down:
                    self.counter_actions.lay_anew(name, self._place(name), deleting=True)
        super()._lose(step)

    def eliminate(self, name: str, box: str) -> None:
        """Send a counter to the losses, perhaps turning it to each step before."""
        self.unmarked.pop(name, None)
        if FLIPPED_FIRST in self.careless and self._place(name) in self.writer.game.map.grid:
            shown = int(self.writer.board.pieces[name].value(announcements.STEPS) or "0")
            for steps in range(shown - 1, 0, -1):
                self.counter_actions.lose(name, steps)
        super().eliminate(name, box)

    def _attack(self, step: Step) -> None:
        if ANY_ORDER in self.careless and id(step) not in self.done:
            self._declare_first(step, self.following)
        super()._attack(step)

    def _do_in_turn(self, step: Step) -> None:
        if NO_DICE in self.careless and step.action.dice:
            self.writer.say(f"the dice server says {' '.join(map(str, step.action.dice))}")
            self.done.add(id(step))
        elif MOVED_IN in self.careless and step.action.verb == self.idiom.roll:
            self._roll_on_top(step)
        else:
            super()._do_in_turn(step)

    def _roll_on_top(self, step: Step) -> None:
        """Roll for a battle with the attackers in the hex that they attack, and then drag them back."""
        battle, pieces = self._battle(step), self.writer.board.pieces
        grid = self.writer.game.map.grid
        names = [one for one in battle.attackers if one in pieces and self._place(one) in grid]
        places = {name: self._place(name) for name in names}
        for name in names:
            self.counter_actions.drag((name,), battle.target)
        super()._do_in_turn(step)
        for name in names:
            self.counter_actions.drag((name,), places[name])

    def _roll(self, step: Step, following: Sequence[Step]) -> None:
        announced = self._battle(step).number in (*self.said, *self.modified)
        if RESOLVED_TWICE in self.careless and not announced and self.rng.random() < 0.5:
            sides = self.writer.game.dice[self._combat_dice()].sides
            action = evolve(step.action, dice=tuple(self.rng.randint(1, sides) for _ in step.action.dice))
            _, after = carry_out(step.before, Statement(action))
            super()._roll(evolve(step, action=action, after=after), ())
            self.writer.say("sorry, pressed by mistake, once more")
        super()._roll(step, following)

    def _turn_to(self, now: Clock, following: Sequence[Step]) -> None:
        former, self.former = self.former, now
        if TRACK_BEHIND in self.careless:
            now = former or self.writer.clock
        elif (
            TRACK_AHEAD in self.careless
            and following
            and any(one.action.verb == NEXT.name for one in following)
        ):
            now = self.writer.calendar.after(now)
        if now <= self.writer.clock:
            return
        if TRACK_SET in self.careless:
            self.counter_actions.turn_back(now)
        else:
            super()._turn_to(now, following)

    def _wrong_for_now(self, step: Step) -> str:
        """A hex about halfway, where a counter waits until another has moved."""
        path, later = step.action.path, self.following[0] if self.following else None
        if MOVED_ON not in self.careless or len(path) < 3 or step.before.battles or later is None:
            return super()._wrong_for_now(step)
        half = path[len(path) // 2]
        meant = {*later.action.path, later.action.target}
        apart = {*step.action.pieces}.isdisjoint(later.action.pieces) and not {half, path[-1]} & meant
        is_plain = is_by_hand(step, self.idiom) and is_by_hand(later, self.idiom)
        in_place = all(self._place(name) == path[0] for name in step.action.pieces)
        return half if apart and is_plain and in_place and len(self.lines) not in self.walked else ""
