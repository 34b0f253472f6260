"""Short cuts: what is left out, or done in another way than with the module's commands."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from referee.engine.clock import Clock
from referee.record import Vocabulary
from tools.proof.habits import (
    BUTTON,
    CHATTED,
    CORNER,
    DELETED,
    FORGOTTEN_PHASE,
    ONCE_A_PLAYER_TURN,
    ONCE_A_TURN,
    OTHER_BOX,
    SEA,
    STRAIGHT,
    UNDECLARED,
)
from tools.proof.habits.steps import moves_on
from tools.proof.logs.game_logger import GameLogger
from tools.proof.playing import Step


@define(eq=False)
class ShortcutLogger(GameLogger):
    """Plays the steps of a game, some of them by a short cut."""

    careless: frozenset[str] = frozenset()
    """The habits, of this class and of its subclasses."""
    sea: str = ""
    skipped: str = ""
    """The phase to which the track is not advanced."""
    following: Sequence[Step] = ()
    """The steps after the current one."""
    unsaid: list[str] = field(factory=list)
    """What was declared of a battle since the last die, to be said in the chat with the next one."""

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        if UNDECLARED in self.careless and self.is_of_battle(step):
            self._bare(step)
        elif BUTTON in self.careless and step.action.dice and step.action.verb != self.idiom.roll:
            self.battles.roll(self._combat_dice(), step.action.dice, 0)
        else:
            super()._do(step, following)

    def _goes_straight(self, step: Step, following: Sequence[Step]) -> bool:
        """Whether a reinforcement is dragged from its box straight to the end of its first move."""
        enters = step.action.verb in self.idiom.entries
        return STRAIGHT in self.careless and enters and moves_on(step.action.piece, following)

    def is_of_battle(self, step: Step) -> bool:
        """Return whether the module has a command of the battle for this."""
        idiom, verb = self.idiom, step.action.verb
        declared = {
            known
            for one, known in idiom.declared.items()
            if self.writer.game.declarations[one].about == "battle"
        }
        stages = {idiom.attack, *idiom.attacks.values(), idiom.also, idiom.call_off, idiom.roll, idiom.odds}
        stages |= declared | {*idiom.dice.values()}
        return verb in (stages | {idiom.modifier, idiom.result, idiom.settle}) - {""}

    def _bare(self, step: Step) -> None:
        """Rolls that do not say what they are for; all other declarations are left out."""
        action = step.action
        self.unsaid.append(Vocabulary(step.before.world).say(action))
        if CHATTED in self.careless and action.dice:
            self.writer.say("; ".join(self.unsaid))
            self.unsaid.clear()
        if action.verb == self.idiom.roll:
            self.battles.roll(self._combat_dice(), action.dice, 0)
        elif action.dice:
            buttons = {verb: dice for dice, verb in self.idiom.dice.items()}
            declared = {verb: one for one, verb in self.idiom.declared.items()}
            dice = buttons.get(action.verb) or self.writer.game.declarations[declared[action.verb]].dice
            self.battles.roll(dice, action.dice, 0)

    def _combat_dice(self) -> str:
        found = [dice for dice, verb in self.idiom.dice.items() if verb == self.idiom.roll]
        if found:
            return found[0]
        declared = {verb: one for one, verb in self.idiom.declared.items()}
        return self.writer.game.declarations[declared[self.idiom.roll]].dice

    def _advance(self, now: Clock, following: Sequence[Step]) -> None:
        """Advance the track, or leave it until later."""
        if not (following and self._is_left_out(now)):
            self._turn_to(now, following)

    def _is_left_out(self, now: Clock) -> bool:
        """Whether the track is not advanced to this phase."""
        calendar, shown = self.writer.calendar, self.writer.clock
        same = now.turn == shown.turn
        if ONCE_A_TURN in self.careless and same:
            return True
        if ONCE_A_PLAYER_TURN in self.careless and same and calendar.side(now) == calendar.side(shown):
            return True
        return FORGOTTEN_PHASE in self.careless and calendar.phase(now) == self.skipped

    def _turn_to(self, now: Clock, following: Sequence[Step]) -> None:
        """Advance the track."""
        self.counter_actions.turn(now)

    def eliminate(self, name: str, box: str) -> None:
        """Send a counter to the losses, or to another place with the same meaning."""
        if box not in self.idiom.lost:
            super().eliminate(name, box)
        elif CORNER in self.careless:
            self.counter_actions.drag((name,), CORNER)
        elif SEA in self.careless and self.sea:
            self.counter_actions.drag((name,), self.sea)
        elif DELETED in self.careless and all(name not in one.action.pieces for one in self.following):
            self.counter_actions.delete(name)
        elif OTHER_BOX in self.careless:
            self.counter_actions.drag((name,), self.rng.choice(sorted(self.writer.game.map.boxes)))
        else:
            super().eliminate(name, box)

    def _drag(self, step: Step) -> None:
        if UNDECLARED in self.careless:
            self._drag_silently(step)
        else:
            super()._drag(step)

    def _drag_silently(self, step: Step) -> None:
        """Drag the pieces of an action without saying anything."""
        groups: dict[str, list[str]] = {}
        for name in step.action.pieces:
            groups.setdefault(self._place(name), []).append(name)
        for names in groups.values():
            if step.action.verb in self.idiom.entries:
                self._turned_first(step, names)
            self._along(names, self._points(step, names))
