"""What is done wrong and then corrected: a wrong hex or counter, an extra die, the other player's part."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from referee.engine.actions import Action
from referee.engine.clock import Clock
from tools.proof.habits import (
    BY_THE_OTHER,
    CHANGED_MIND,
    MISDECLARED,
    OVERSHOT,
    PILED,
    PUT_RIGHT,
    STACK_DRAGGED,
    STRAY,
    TRIED,
    UNDONE,
    WRONG_COUNTER,
    WRONG_HEX,
)
from tools.proof.habits.out_of_turn import OutOfTurnLogger
from tools.proof.habits.steps import is_by_hand
from tools.proof.playing import Step
from vassalgen import announcements


@define(eq=False)
class MistakenLogger(OutOfTurnLogger):
    """Plays the steps of a game as players with some habits do, with mistakes that they correct."""

    def _do_in_turn(self, step: Step) -> None:
        by_hand = is_by_hand(step, self.idiom)
        if step.action.verb == self.idiom.roll and STRAY in self.careless and self.rng.random() < 0.5:
            self._stray()
        if UNDONE in self.careless:
            self._undo_first(step)
        if CHANGED_MIND in self.careless and by_hand and self._retreats(step):
            self._lose_first(step)
        if BY_THE_OTHER in self.careless and by_hand and step.before.battles:
            self._by_the_other(step)
        else:
            super()._do_in_turn(step)

    def _by_the_other(self, step: Step) -> None:
        """Let the other player carry out a result."""
        seats = self.writer.seats
        self.writer.seats = dict(zip(seats, reversed(seats.values()), strict=True))
        super()._do_in_turn(step)
        self.writer.seats = seats

    def _try_out(self, step: Step) -> None:
        """Drag a counter to a hex nearby, and back."""
        if TRIED not in self.careless or self.rng.random() >= 0.05:
            return
        grid = self.writer.game.map.grid
        names = [name for name, piece in step.before.pieces.items() if piece.where in grid]
        names = [name for name in names if self._place(name) == step.before.pieces[name].where]
        if names:
            name = self.rng.choice(names)
            here = self._place(name)
            there = [hex_ for hex_ in grid.names if 1 <= grid.distance(here, hex_) <= 3]
            self.counter_actions.move(name, self.rng.choice(there), here)

    def _attack(self, step: Step) -> None:
        if MISDECLARED in self.careless:
            self._misdeclare(step)
        if UNDONE in self.careless and self.rng.random() < 0.5:
            self.battles.open(self.writer.count + 1, self._enemies(step, step.action.target))
            self.writer.undo()
        if PILED in self.careless:
            self._pile(step.action.pieces)
        super()._attack(step)

    def _misdeclare(self, step: Step) -> None:
        """Declare an attack on an adjacent hex, or with an extra unit, and call it off."""
        grid, target, names = self.writer.game.map.grid, step.action.target, step.action.pieces
        free = [one for one in step.before.pieces if self._is_free(one)]
        if target not in grid or not names or not all(map(self._is_free, names)):
            return
        if not step.after.world.rulebook.allows(step.after, Action(self.idiom.call_off)):
            return
        side = step.before.pieces[names[0]].side
        beside = {other for name in names for other in grid.neighbours(step.before.pieces[name].where)}
        wrong = [enemies for one in sorted(beside - {target}) if (enemies := self._enemies(step, one))]
        wrong = [enemies for enemies in wrong if {*enemies} <= {*free}]
        friends = [
            one
            for one in free
            if step.before.pieces[one].where in grid.neighbours(target)
            and step.before.pieces[one].side == side
            and one not in names
        ]
        attacked = self._enemies(step, target)
        if not ({*attacked} <= {*free} and attacked):
            return
        if wrong and (not friends or self.rng.random() < 0.5):
            self.battles.attack(self.writer.count + 1, self.rng.choice(wrong), names)
        elif friends:
            self.battles.attack(self.writer.count + 1, attacked, [*names, self.rng.choice(friends)])
        else:
            return
        self.writer.say("no, wrong one")
        self.battles.call_off(self.writer.count)

    def _is_free(self, name: str) -> bool:
        """Whether a counter is in no battle."""
        shown = self.writer.board.pieces.get(name)
        return shown is not None and shown.value(announcements.BATTLE) == "0"

    def _enemies(self, step: Step, where: str) -> list[str]:
        """The enemies of the attackers in a hex."""
        side = step.before.pieces[step.action.piece].side
        return [piece.id for piece in step.before.at(where) if piece.side not in (side, "")]

    def _pile(self, names: Sequence[str]) -> None:
        """Drag counters onto the first of them, and each back."""
        places = {name: self._place(name) for name in names}
        apart = [name for name in names if places[name] != places[names[0]]]
        for name in apart:
            self.counter_actions.drag((name,), places[names[0]])
        for name in apart:
            self.counter_actions.drag((name,), places[name])

    def _lose(self, step: Step) -> None:
        if CHANGED_MIND in self.careless and step.before.battles and self.rng.random() < 0.5:
            self._retreat_first(step)
        if WRONG_COUNTER in self.careless:
            self._lose_wrongly(step)
        super()._lose(step)

    def _lose_wrongly(self, step: Step) -> None:
        """Take a step from a counter of the hex that should lose none, and give it back."""
        here, grid = step.before.pieces[step.action.piece].where, self.writer.game.map.grid
        for piece in step.before.at(here) if here in grid else ():
            shown = self.writer.board.pieces[piece.id].value(announcements.STEPS) or "0"
            if piece.id not in step.action.pieces and int(shown) > 1:
                self.counter_actions.lose(piece.id, int(shown) - 1)
                self.counter_actions.lose(piece.id, int(shown))
                return

    def _turn_to(self, now: Clock, following: Sequence[Step]) -> None:
        super()._turn_to(now, following)
        if OVERSHOT in self.careless and following and self.rng.random() < 0.2:
            self.counter_actions.turn()
            self.counter_actions.turn_back(now)

    def _stray(self) -> None:
        dice = self._combat_dice()
        sides = self.writer.game.dice[dice].sides
        faces = tuple(self.rng.randint(1, sides) for _ in range(self.writer.game.dice[dice].count))
        self.battles.roll(dice, faces, 0)

    def _points(self, step: Step, names: Sequence[str]) -> list[str]:
        points, grid = super()._points(step, names), self.writer.game.map.grid
        if WRONG_HEX in self.careless and points and points[-1] in grid and self.rng.random() < 0.2:
            beside = self.rng.choice(grid.neighbours(points[-1]))
            return [*points[:-1], beside, points[-1]]
        return points

    def _retreats(self, step: Step) -> bool:
        """Whether counters are dragged because of a battle, and not into a hex that was attacked."""
        to = step.action.path[-1:]
        return bool(step.before.battles and to) and all((one.target,) != to for one in step.before.battles)

    def _wrong_hexes(self, step: Step, name: str) -> list[str]:
        """Hexes near the end of a move to which a player might drag a counter by mistake."""
        grid, here, right = self.writer.game.map.grid, self._place(name), step.action.path[-1]
        side = step.before.pieces[name].side
        near = (one for one in grid.neighbours(right) if one in grid and one != here)
        return [one for one in near if all(piece.side == side for piece in step.before.at(one))]

    def _drag_wrongly(self, step: Step) -> None:
        """Drag retreating counters to a wrong hex, until the other player objects."""
        name = step.action.piece
        if self._place(name) in self.writer.game.map.grid and (near := self._wrong_hexes(step, name)):
            self.counter_actions.drag(step.action.pieces, self.rng.choice(near))
            self.writer.say("not there, that is next to my unit")

    def _retreat_first(self, step: Step) -> None:
        """Drag the unit that must lose a step out of its hex, and back."""
        name, grid = step.action.piece, self.writer.game.map.grid
        here, side = self._place(name), step.before.pieces[name].side
        if here in grid:
            near = [one for one in grid.neighbours(here) if one in grid]
            free = [one for one in near if all(piece.side == side for piece in step.before.at(one))]
            if free:
                self.counter_actions.move(name, self.rng.choice(free), here)

    def _lose_first(self, step: Step) -> None:
        """Take a step from a unit that must retreat, and give it back."""
        for name in step.action.pieces:
            shown = int(self.writer.board.pieces[name].value(announcements.STEPS) or "0")
            if shown > 1:
                self.counter_actions.lose(name, shown - 1)
                self.counter_actions.lose(name, shown)

    def _undo_first(self, step: Step) -> None:
        """Do something similar to the step, and undo it."""
        action, rng = step.action, self.rng
        if action.verb in self.idiom.all_rolls and rng.random() < 0.3:
            self._stray()
            self.writer.undo()
        if not is_by_hand(step, self.idiom) or rng.random() < 0.5:
            return
        is_on_map = self._place(action.piece) in self.writer.game.map.grid
        shown = int(self.writer.board.pieces[action.piece].value(announcements.STEPS) or "0")
        if is_on_map and action.path and (near := self._wrong_hexes(step, action.piece)):
            self.counter_actions.drag(action.pieces, rng.choice(near))
            self.writer.undo()
        elif is_on_map and shown > 1:
            self.counter_actions.lose(action.piece, shown - 1)
            self.writer.undo()

    def _along(self, names: Sequence[str], points: Sequence[str]) -> None:
        here = self._place(names[0])
        if STACK_DRAGGED not in self.careless or here not in self.writer.game.map.grid or not points:
            super()._along(names, points)
            return
        counters = self.writer.game.counters
        others = [
            one
            for one in self.writer.board.pieces
            if one not in names
            and one in counters
            and self._place(one) == here
            and counters[one].side == counters[names[0]].side
        ]
        super()._along([*names, *others], points)
        if others and self._place(others[0]) != here:
            self.counter_actions.drag(others, here)

    def _drag(self, step: Step) -> None:
        if PUT_RIGHT in self.careless and self._retreats(step):
            self._drag_wrongly(step)
        super()._drag(step)
