"""How counters are handled: put aside for a moment, moved back all together, placed from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from referee.engine.actions import NEXT
from tools.proof.habits import (
    ADVANCE_BACK,
    CORNER,
    DICE_BY_THE_OTHER,
    FROM_PALETTE,
    LOOKED,
    MOVED_BACK,
    PRESSED_TWICE,
    RIGHT_LATER,
    STAGED,
    TOO_SOON,
    TWO_AT_ONCE,
)
from tools.proof.habits.mistakes import MistakenLogger
from tools.proof.habits.steps import advance_after, is_by_hand, of_this_phase
from tools.proof.playing import Step
from vassalgen import announcements
from vassalgen.parts.names import BOXES


@define(eq=False)
class HandlingLogger(MistakenLogger):
    """Plays the steps of a game as players with some habits do."""

    aside: dict[str, str] = field(factory=dict)
    """Counters that are elsewhere for a moment, each with its right hex."""

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        aside, self.aside = self.aside, {}
        if not aside.keys().isdisjoint(step.action.pieces) or step.action.verb == NEXT.name:
            self._put_back(aside)
            aside = {}
        super()._do(step, following)
        again = aside.keys() & self.aside.keys()
        self.aside |= {name: aside.pop(name) for name in again}
        self._put_back(aside)

    def eliminate(self, name: str, box: str) -> None:
        """Take a counter off the map; it is not put back."""
        self.aside.pop(name, None)
        super().eliminate(name, box)

    def _put_back(self, aside: dict[str, str]) -> None:
        for name, here in aside.items():
            self.counter_actions.drag((name,), here)

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        if LOOKED in self.careless and self.rng.random() < 0.1:
            self._look_beneath(step)
        if PRESSED_TWICE in self.careless and self.rng.random() < 0.1:
            self._press_twice(step)

    def _look_beneath(self, step: Step) -> None:
        """Put the top counter of a stack aside; if the next step involves others, until that is done."""
        grid = self.writer.game.map.grid
        stacks: dict[str, list[str]] = {}
        for name in self.writer.board.pieces:
            stacks.setdefault(self._place(name), []).append(name)
        high = [here for here, names in stacks.items() if here in grid and len(names) > 1]
        if not high:
            return
        here = self.rng.choice(high)
        top, beside = stacks[here][-1], self.rng.choice([one for one in grid.neighbours(here) if one in grid])
        self.counter_actions.drag((top,), beside)
        meant = {step.action.target, *step.action.path, *map(self._place, step.action.pieces)}
        if step.before.battles or step.action.verb == NEXT.name or {here, beside} & meant:
            self.counter_actions.drag((top,), here)
        else:
            self.aside[top] = here

    def _press_twice(self, step: Step) -> None:
        """Change a step or a marker of a counter on the map, and change it back."""
        game, pieces = self.writer.game, self.writer.board.pieces
        names = [one for one in pieces if self._place(one) in game.map.grid and one in game.counters]
        if not names:
            return
        name = self.rng.choice(names)
        shown = pieces[name].value(announcements.STEPS) or "0"
        states = [
            one.id
            for one in game.states.values()
            if game.counters[name].kind in one.kinds
            and not one.is_count
            and not one.ends
            and pieces[name].value(announcements.state_property(one.id)) == "0"
        ]
        if int(shown) > 1 and (not states or self.rng.random() < 0.5):
            self.counter_actions.lose(name, int(shown) - 1)
            self.counter_actions.lose(name, int(shown))
        elif states:
            state = self.rng.choice(states)
            self.counter_actions.state(name, state)
            self.counter_actions.state(name, state, on=False)

    def _do_in_turn(self, step: Step) -> None:
        by_hand = is_by_hand(step, self.idiom)
        if by_hand and step.before.battles and MOVED_BACK in self.careless and self.rng.random() < 0.3:
            self._move_back(step)
        if TOO_SOON in self.careless and by_hand and self._is_last() and self.rng.random() < 0.5:
            self._turn_too_soon(step)
        elif TWO_AT_ONCE in self.careless and (other := self._goes_along(step)) is not None:
            self._drag_in_turns(step, other)
        elif DICE_BY_THE_OTHER in self.careless and step.action.dice:
            self._by_the_other(step)
        else:
            super()._do_in_turn(step)
        if ADVANCE_BACK in self.careless and by_hand and self._retreats(step):
            self._advance_and_back(step)

    def _is_last(self) -> bool:
        """Whether a phase ends after the current step."""
        return bool(self.following) and self.following[0].action.verb == NEXT.name

    def _turn_too_soon(self, step: Step) -> None:
        """Advance the track before the last step of a phase, and set it back."""
        now = self.writer.clock
        self.counter_actions.turn()
        self.counter_actions.turn_back(now)
        self.is_early = True
        super()._do_in_turn(step)

    def _move_back(self, step: Step) -> None:
        """Move the losing side of a battle out of its hex and the winners in, and move both back."""
        name, grid = step.action.piece, self.writer.game.map.grid
        battle, side = step.before.battles[-1], step.before.pieces[name].side
        fought = (*battle.attackers, *(piece.id for piece in step.before.at(battle.target)))
        others = [
            one
            for one in fought
            if step.before.pieces[one].side != side
            and one in self.writer.board.pieces
            and self._place(one) in grid
        ]
        here = self._place(name)
        if not others or here not in grid:
            return
        other = self.rng.choice(others)
        there = self._place(other)
        free = [one for one in grid.neighbours(there) if one in grid and not step.before.at(one)]
        if free and there != here:
            self.counter_actions.drag((other,), self.rng.choice(free))
            self.counter_actions.drag((name,), there)
            self.writer.say("no, the other way round")
            self.counter_actions.drag((name,), here)
            self.counter_actions.drag((other,), there)

    def _goes_along(self, step: Step) -> Step | None:
        """The next move, if it may be made together with this one: each of a single counter, over other
        hexes.
        """
        other = next(of_this_phase(self.following), None)
        if other is None or id(other) in self.done or step.before.battles:
            return None
        first, second = step.action, other.action
        plain = all(
            len(one.pieces) == 1 and len(one.path) > 2 and not one.dragged and is_by_hand(two, self.idiom)
            for one, two in ((first, step), (second, other))
        )
        together = plain and first.verb == second.verb and {*first.path}.isdisjoint(second.path)
        in_place = plain and all(self._place(one.piece) == one.path[0] for one in (first, second))
        return other if together and in_place else None

    def _drag_in_turns(self, step: Step, other: Step) -> None:
        """Drag two counters hex by hex, alternately."""
        first = self.writer.number + 1
        for number in range(1, max(len(step.action.path), len(other.action.path))):
            for action in (step.action, other.action):
                if number < len(action.path):
                    self.counter_actions.drag(action.pieces, action.path[number])
        self.done.add(id(other))
        self.elsewhere[id(other)] = range(first, self.writer.number + 1)

    def _advance_and_back(self, step: Step) -> None:
        """Advance a winning unit into the empty hex and drag it back, if no unit advances there."""
        left, grid = step.before.pieces[step.action.piece].where, self.writer.game.map.grid
        if left not in grid or step.after.at(left) or advance_after(step, self.following):
            return
        side = step.before.pieces[step.action.piece].side
        battle = step.before.battles[-1]
        fought = (*battle.attackers, *(piece.id for piece in step.before.at(battle.target)))
        for name in fought:
            piece = step.after.pieces[name]
            if (
                piece.side != side
                and piece.where in grid.neighbours(left)
                and self._place(name) == piece.where
            ):
                self.counter_actions.move(name, left, piece.where)
                return

    def _drag(self, step: Step) -> None:
        action = step.action
        if action.verb in self.idiom.entries:
            self._lay_out(step)
        wrong = self._wrong_for_now(step)
        if wrong:
            path = (action.path[0], wrong)
            super()._drag(evolve(step, action=evolve(action, path=path, dragged=True)))
            self.aside |= dict.fromkeys(action.pieces, action.path[-1])
        else:
            super()._drag(step)

    def _wrong_for_now(self, step: Step) -> str:
        """A wrong hex for a retreat, corrected after the next step; empty if there is none."""
        later = next(of_this_phase(self.following), None)
        if RIGHT_LATER not in self.careless or later is None or not self._retreats(step):
            return ""
        if not is_by_hand(later, self.idiom) or not {*step.action.pieces}.isdisjoint(later.action.pieces):
            return ""
        near = self._wrong_hexes(step, step.action.piece)
        near = [one for one in near if one not in later.action.path]
        return self.rng.choice(near) if near else ""

    def _lay_out(self, step: Step) -> None:
        """Bring the reinforcements of a phase from elsewhere than from their boxes."""
        if STAGED in self.careless:
            for one in (step, *of_this_phase(self.following)):
                names = one.action.pieces[:1] if one.action.verb in self.idiom.entries else ()
                for name in names:
                    if self.writer.board.pieces[name].spot.map == BOXES:
                        self.counter_actions.drag((name,), CORNER)
        if FROM_PALETTE in self.careless:
            for name in step.action.pieces:
                if self._place(name) in self.writer.game.map.grid:
                    continue
                self.counter_actions.lay_anew(name, step.action.target, deleting=self.rng.random() < 0.5)
