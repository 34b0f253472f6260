"""How people tinker with counters, dice and the track: more than is needed, and in odd ways."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from referee.engine.actions import NEXT
from referee.engine.clock import Clock
from tools.proof.habits import (
    BY_PROXY,
    CORNER,
    DETOUR,
    FANNED_OUT,
    LEAFED,
    MOVE_CHANGED,
    PARKED,
    PICKED_UP,
    PIECEMEAL,
    REPLACED,
    SPARE_HEX,
    UNDONE_TWICE,
    WRONG_BUTTON,
    WRONG_CASUALTY,
)
from tools.proof.habits.by_accident import AccidentLogger
from tools.proof.habits.steps import is_by_hand, of_this_phase
from tools.proof.playing import Step


@define(eq=False)
class CarelessLogger(AccidentLogger):
    """Plays the steps of a game as players with some habits do."""

    orderly: str = ""
    """The side whose player has no habits; empty if both have them."""

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        """Once nothing of the other player's remains to be done, the orderly player has no habits."""
        known = self.careless
        if self._is_orderly(step):
            self.careless = frozenset()
        super()._do(step, following)
        self.careless = known

    def _is_orderly(self, step: Step) -> bool:
        sides = {step.before.pieces[name].side for name in step.action.pieces} or {step.before.side}
        pending = (self.postponed, self.casualties, self.reduced, self.waiting, self.aside)
        of_this = not step.before.battles and step.action.verb != NEXT.name
        return of_this and sides == {self.orderly} and not any(pending)

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        if FANNED_OUT in self.careless and self.rng.random() < 0.05:
            self._fan_out()
        if PARKED in self.careless and self.rng.random() < 0.05:
            self._park(step)
        if REPLACED in self.careless and self.rng.random() < 0.05:
            self._replace()

    def _do_in_turn(self, step: Step) -> None:
        by_hand = is_by_hand(step, self.idiom)
        if WRONG_BUTTON in self.careless and step.action.dice and self.rng.random() < 0.5:
            self._roll_wrongly(step)
        if UNDONE_TWICE in self.careless and by_hand and step.action.path and self.rng.random() < 0.3:
            self._undo_twice(step)
        if BY_PROXY in self.careless and by_hand and not step.before.battles and self.rng.random() < 0.5:
            self._by_the_other(step)
        else:
            super()._do_in_turn(step)

    def _near(self, here: str, most: int) -> list[str]:
        """The hexes within a distance of one."""
        grid = self.writer.game.map.grid
        return [one for one in grid.names if 1 <= grid.distance(here, one) <= most]

    def _fan_out(self) -> None:
        """Spread a stack out, and put it together again."""
        stacks: dict[str, list[str]] = {}
        for name in self._on_map():
            stacks.setdefault(self._place(name), []).append(name)
        high = [here for here, names in stacks.items() if len(names) > 1]
        if high:
            here = self.rng.choice(high)
            for name in stacks[here]:
                self.counter_actions.drag((name,), self.rng.choice(self._near(here, 1)))
            self.counter_actions.drag(stacks[here], here)

    def _park(self, step: Step) -> None:
        """Put a counter into a box, until the next step is done if that involves other counters."""
        names = [one for one in self._on_map() if one not in self.aside]
        boxes = sorted(self.writer.game.map.boxes)
        if not names or not boxes:
            return
        name = self.rng.choice(names)
        here = self._place(name)
        self.counter_actions.drag((name,), self.rng.choice(boxes))
        meant = {step.action.target, *step.action.path, *map(self._place, step.action.pieces)}
        is_busy = step.before.battles or step.action.verb == NEXT.name or name in step.action.pieces
        if is_busy or here in meant or self.rng.random() < 0.5:
            self.counter_actions.drag((name,), here)
        else:
            self.aside[name] = here

    def _replace(self) -> None:
        """Place another copy of a counter in its hex, with the same steps, and delete the first."""
        pieces = self.writer.board.pieces
        names = [one for one in self._on_map() if one not in self.aside and not pieces[one].is_face_down]
        if names:
            name = self.rng.choice(names)
            self.counter_actions.lay_anew(name, self._place(name), deleting=True)

    def _roll_wrongly(self, step: Step) -> None:
        """Roll dice of another kind, or the right ones with a button for something else."""
        others = sorted(one for one in self.writer.game.dice)
        dice = self.rng.choice(others)
        known = self.writer.game.dice[dice]
        self.battles.roll(dice, tuple(self.rng.randint(1, known.sides) for _ in range(known.count)), 0)
        self.writer.say("wrong button")

    def _undo_twice(self, step: Step) -> None:
        """Drag a counter from hex to hex, and undo both drags."""
        here = self._place(step.action.piece)
        if here not in self.writer.game.map.grid:
            return
        first = self.rng.choice(self._near(here, 1))
        self.counter_actions.drag((step.action.piece,), first)
        self.counter_actions.drag((step.action.piece,), self.rng.choice(self._near(first, 1)))
        self.writer.undo()
        self.writer.undo()

    def eliminate(self, name: str, box: str) -> None:
        """Send a counter to the losses, perhaps after another counter nearby."""
        here = self._place(name)
        if WRONG_CASUALTY in self.careless and here in self.writer.game.map.grid:
            side, near = self.writer.game.counters[name].side, {here, *self._near(here, 1)}
            others = [
                one
                for one in self._on_map()
                if one != name and self._place(one) in near and self.writer.game.counters[one].side == side
            ]
            if others:
                other = self.rng.choice(others)
                there = self._place(other)
                self.counter_actions.eliminate(other, box)
                self.counter_actions.drag((other,), there)
        super().eliminate(name, box)

    def _turn_to(self, now: Clock, following: Sequence[Step]) -> None:
        before = self.writer.clock
        super()._turn_to(now, following)
        if LEAFED in self.careless and following and self.rng.random() < 0.2:
            if self.rng.random() < 0.5:
                for _ in range(self.rng.randint(1, 4)):
                    self.counter_actions.turn()
                self.counter_actions.turn_back(now)
            elif before != now:
                self.counter_actions.turn_back(before)
                self.counter_actions.turn(now)

    def _along(self, names: Sequence[str], points: Sequence[str]) -> None:
        here, grid = self._place(names[0]), self.writer.game.map.grid
        if (
            PICKED_UP in self.careless
            and points
            and here in grid
            and self._may_stray()
            and self.rng.random() < 0.3
        ):
            self.counter_actions.drag(names, CORNER)
            points = points[-1:]
        if PIECEMEAL in self.careless and len(names) > 1:
            for name in self.rng.sample(list(names), len(names)):
                super()._along((name,), points)
        else:
            super()._along(names, points)

    def _may_stray(self) -> bool:
        """Whether the path of the current step need not be seen."""
        return len(self.lines) not in self.walked

    def _points(self, step: Step, names: Sequence[str]) -> list[str]:
        points, grid = super()._points(step, names), self.writer.game.map.grid
        here = self._place(names[0])
        stays = (
            DETOUR in self.careless and points and here in grid and points[-1] in grid and self._may_stray()
        )
        if stays and self.rng.random() < 0.3:
            side = step.before.pieces[names[0]].side
            free = [
                one
                for one in self._near(here, 3)
                if one != points[-1] and all(piece.side == side for piece in step.before.at(one))
            ]
            if free:
                return [self.rng.choice(free), points[-1]]
        return points

    def _drag(self, step: Step) -> None:
        if SPARE_HEX in self.careless and step.action.verb in self.idiom.entries:
            self._put_on_a_spare_hex(step)
        super()._drag(step)

    def _put_on_a_spare_hex(self, step: Step) -> None:
        grid, target = (
            self.writer.game.map.grid,
            step.action.path[-1] if step.action.path else step.action.target,
        )
        if target in grid:
            free = [one for one in self._near(target, 3) if not step.before.at(one)]
            for name in step.action.pieces if free else ():
                self.counter_actions.drag((name,), self.rng.choice(free))

    def _wrong_for_now(self, step: Step) -> str:
        later = next(of_this_phase(self.following), None)
        if MOVE_CHANGED not in self.careless or later is None or step.before.battles or not step.action.path:
            return super()._wrong_for_now(step)
        apart = {*step.action.pieces}.isdisjoint(later.action.pieces)
        if not (apart and is_by_hand(later, self.idiom) and self._may_stray()) or self.rng.random() < 0.5:
            return ""
        if self._place(step.action.piece) not in self.writer.game.map.grid:
            return ""
        near = [one for one in self._wrong_hexes(step, step.action.piece) if one not in later.action.path]
        return self.rng.choice(near) if near else ""
