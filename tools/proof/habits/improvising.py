"""What players do with what is at hand: any battle, button, box or counter serves."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from tools.proof.habits import (
    ANY_BATTLE,
    ANY_BUTTON,
    CORNER,
    DICE_AT_HOME,
    HIGH_ROLL,
    PACKED_UP,
    POINTER,
    PUSHED_ASIDE,
    SHADOW,
    TROPHY,
    UNCOVERED,
)
from tools.proof.habits.at_the_table import TableLogger
from tools.proof.habits.steps import is_by_hand
from tools.proof.playing import Step
from vassalgen.parts.boxes import loss_box


@define(eq=False)
class ImprovisingLogger(TableLogger):
    """Plays the steps of a game as players with some habits do."""

    def perform(self, game: Sequence[Step]) -> None:
        """Do all steps, perhaps with a roll for who begins, and with the map cleared in the end."""
        super().perform(game)
        if PACKED_UP in self.careless:
            self._pack_up()

    def _pack_up(self) -> None:
        """Put away all counters on the map."""
        self.writer.say("good game!")
        boxes = [*sorted(self.writer.game.map.boxes), CORNER]
        for name in self._on_map():
            self.counter_actions.drag((name,), self.rng.choice(boxes))

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        if HIGH_ROLL in self.careless and not self.lines:
            for _ in self.writer.game.sides:
                self._stray()
        super()._do(step, following)

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        if PUSHED_ASIDE in self.careless and self.rng.random() < 0.1:
            self._push_aside(step)

    def _push_aside(self, step: Step) -> None:
        """Push a whole stack of the enemy aside, some of it off the hexes, and put it back."""
        counters, grid = self.writer.game.counters, self.writer.game.map.grid
        enemies = [one for one in self._free() if counters[one].side not in ("", step.before.side)]
        if not enemies:
            return
        here = self._place(self.rng.choice(enemies))
        stack = [one for one in enemies if self._place(one) == here]
        for name in stack:
            beside = self.rng.choice([one for one in grid.neighbours(here) if one in grid])
            self.counter_actions.drag((name,), self.rng.choice([beside, CORNER, self.sea or CORNER]))
        for name in stack:
            self.counter_actions.drag((name,), here)

    def _do_in_turn(self, step: Step) -> None:
        action = step.action
        if POINTER in self.careless and len(action.path) > 2 and self.rng.random() < 0.3:
            self._count_with_another(step)
        leaves = SHADOW in self.careless and self._is_plain_move(step) and self.rng.random() < 0.3
        if leaves and self._place(action.piece) in self.writer.game.map.grid:
            self._mark_with(action.piece, self._place(action.piece))
        if action.dice and DICE_AT_HOME in self.careless and self.rng.random() < 0.3:
            return
        if action.dice and ANY_BUTTON in self.careless and self.rng.random() < 0.5:
            self._roll_with_any_button(action.dice)
            return
        if action.verb == self.idiom.faces[0] and UNCOVERED in self.careless:
            for name in action.pieces:
                self._uncover(name)
            return
        super()._do_in_turn(step)

    def _count_with_another(self, step: Step) -> None:
        """Count the hexes of a move with another counter, which is put back."""
        names = [one for one in self._free() if one not in step.action.pieces]
        if is_by_hand(step, self.idiom) and names:
            name = self.rng.choice(names)
            self.counter_actions.move(name, *step.action.path[1:], self._place(name))

    def _roll_with_any_button(self, faces: Sequence[int]) -> None:
        """Roll dice with any button that rolls as many and can show them."""
        known = self.writer.game.dice.values()
        fitting = [one.id for one in known if one.count == len(faces) and one.sides >= max(faces)]
        if fitting:
            self.battles.roll(self.rng.choice(fitting), faces, 0)

    def _attack(self, step: Step) -> None:
        """Declare an attack; if there is a battle already, perhaps only join that, whichever it is."""
        current = self.writer.battle
        new = {one.number for one in step.after.battles} - {one.number for one in step.before.battles}
        if ANY_BATTLE not in self.careless or not current or not new:
            super()._attack(step)
            return
        self.numbers |= dict.fromkeys(new, current)
        self.battles.join(current, step.action.pieces)

    def _roll(self, step: Step, following: Sequence[Step]) -> None:
        if ANY_BATTLE in self.careless and step.action.dice:
            self._roll_with_any_button(step.action.dice)
        else:
            super()._roll(step, following)

    def eliminate(self, name: str, box: str) -> None:
        """Take a counter off the map, perhaps to the losses of the enemy."""
        game = self.writer.game
        others = [loss_box(game, one).id for one in game.sides if one != game.counters[name].side]
        if TROPHY in self.careless and box in self.idiom.lost and others:
            self._put_down((name,))
            self._show_again((name,))
            self.aside.pop(name, None)
            self.counter_actions.drag((name,), self.rng.choice(others))
        else:
            super().eliminate(name, box)

    def _uncover(self, name: str) -> None:
        """Replace a counter that is face down by a copy from the palette, which is face up."""
        pieces = self.writer.board.pieces
        pieces[name] = pieces[name].turned(None)
        self.counter_actions.lay_anew(name, self._place(name), deleting=True)
