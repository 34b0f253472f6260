"""What is done too early, too late, or in another order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from referee.engine.actions import NEXT
from referee.engine.position import Mark, Position
from tools.proof.habits import (
    ADVANCED_FIRST,
    AHEAD,
    AT_THE_END,
    DECLARED_FIRST,
    EARLY,
    EDGE,
    IN_HAND,
    LATE,
    LEFT_ON,
    RESULTS_LATER,
    ROLLED_AHEAD,
    WAITING,
)
from tools.proof.habits.shortcuts import ShortcutLogger
from tools.proof.habits.steps import advance_after, are_legal, is_by_hand, moves_on, of_this_phase
from tools.proof.playing import Step
from vassalgen import announcements


@define(eq=False)
class OutOfTurnLogger(ShortcutLogger):
    """Plays the steps of a game, some of them before or after their turn."""

    casualties: list[tuple[str, str]] = field(factory=list)
    """Casualties still on the map, each with the box to which it goes."""
    reduced: dict[str, int] = field(factory=dict)
    """The steps that counters have left, shown only at the end of the phase."""
    waiting: dict[str, str] = field(factory=dict)
    """Reinforcements that wait until their side moves, by counter with their entry hex."""
    done: set[int] = field(factory=set)
    """The steps that were done ahead, by id."""
    entered: dict[str, str] = field(factory=dict)
    """Reinforcements that were put on the map ahead, by counter with the hex."""
    left_on: dict[tuple[str, str], Mark] = field(factory=dict)
    """Marks that counters still show after they have lost them, by counter and state."""
    elsewhere: dict[int, range] = field(factory=dict)
    """The steps of the log that belong to something done out of its turn, by the id of the step."""
    postponed: list[Step] = field(factory=list)
    """Battle results that are still to be carried out."""
    before_results: list[Step] = field(factory=list)
    """Steps done since then, before the results."""
    is_early: bool = False
    """The track was advanced before the phase was over."""

    def perform(self, game: Sequence[Step]) -> None:
        """Play all steps."""
        super().perform(game)
        self._removed()
        self.lines = [self.elsewhere.get(id(step), line) for step, line in zip(game, self.lines, strict=True)]

    def catch_up(self, step: Step) -> None:
        if self.is_early and step.action.verb != NEXT.name:
            return
        self.is_early = False
        if AT_THE_END not in self.careless or step.action.verb == NEXT.name:
            self.catching_up.catch_up(self._with_marks(step.after))

    def _with_marks(self, position: Position) -> Position:
        """A position as the table shows it: with marks left on, and with counters that were put on the map
        ahead.
        """
        grid = self.writer.game.map.grid
        for name, place in self.entered.items():
            position = position.with_piece(name, where=place)
        for step in reversed(self.postponed):
            for name in step.action.pieces:
                piece = step.before.pieces[name]
                position = position.with_piece(name, where=piece.where, states=piece.states)
        for name, state in tuple(self.left_on):
            piece = position.pieces[name]
            if piece.is_(state) or piece.where not in grid or not self._shows(name, state):
                del self.left_on[name, state]
            else:
                states = {**piece.states, state: self.left_on[name, state]}
                position = position.with_piece(name, states=states)
        return position

    def _leave_on(self, step: Step) -> None:
        """Note the marks that should come off at a step."""
        for name, before in step.before.pieces.items():
            gone = before.states.keys() - step.after.pieces[name].states.keys()
            self.left_on |= {
                (name, state): before.states[state] for state in gone if self._shows(name, state)
            }

    def _shows(self, name: str, state: str) -> bool:
        """Whether a counter shows a state on the table that is not a count."""
        known, piece = self.writer.game.states[state], self.writer.board.pieces[name]
        shown = piece.value(announcements.state_property(state))
        return not known.is_count and not known.ends and shown not in (None, "0")

    def _used(self, names: Iterable[str]) -> None:
        """Take off the lost marks of counters that are now used."""
        for name, state in tuple(self.left_on):
            if name in names:
                del self.left_on[name, state]
                self.counter_actions.state(name, state, on=False)

    def _do(self, step: Step, following: Sequence[Step]) -> None:
        action, idiom = step.action, self.idiom
        if id(step) in self.done:
            self.entered.pop("".join(action.pieces), None)
            return
        if RESULTS_LATER in self.careless:
            if is_by_hand(step, idiom) and step.before.battles and not _precedes_the_dice(step):
                self.postponed.append(step)
                self.done.add(id(step))
                return
            self._carry_out_postponed(step)
        if ADVANCED_FIRST in self.careless and (advance := advance_after(step, following)):
            self._do_out_of_turn(advance)
        if EARLY in self.careless and self.rng.random() < 0.5 and self._end_early(step, following):
            return
        ends = action.verb == NEXT.name and not self.is_early
        if AHEAD in self.careless and ends and self.rng.random() < 0.5:
            self._begin_ahead(step, following)
        self._used({*action.pieces, *(piece.id for piece in step.before.at(action.target))})
        if LEFT_ON in self.careless:
            self._leave_on(step)
        if IN_HAND in self.careless and any(name in action.pieces for name, _ in self.casualties):
            self._removed()
        self.following = following
        self._try_out(step)
        if action.target in self.waiting.values():
            self._let_in(name for name, place in self.waiting.items() if place == action.target)
        self._let_in(name for name in action.pieces if name in self.waiting)
        if action.verb == NEXT.name:
            self._end(step)
        elif WAITING in self.careless and action.verb in idiom.entries and moves_on(action.piece, following):
            self._turned_first(step, action.pieces)
            self.waiting[action.piece] = step.after.pieces[action.piece].where
        elif not self._goes_straight(step, following):
            self._do_in_turn(step)

    def _try_out(self, step: Step) -> None:
        """What players only try out before a step."""

    def _end(self, step: Step) -> None:
        """End a phase, with whatever was postponed until then."""
        if IN_HAND not in self.careless:
            self._removed()
        self._set_right(step)
        self._forget_battles()
        self._advance(step.after.clock, self.following)
        self._removed()
        self._let_in(name for name in self.waiting if self._has_come(name, step))

    def _do_in_turn(self, step: Step) -> None:
        """Do a step in its turn, with others like it if they are done together."""
        if EDGE in self.careless and self._is_reinforced(step):
            super()._do(step, ())
            self.done.add(id(step))
            for one in self._entries(self.following):
                super()._do(one, ())
                self.done.add(id(one))
                self.entered[one.action.piece] = one.action.target
        elif step.action.verb == self.idiom.roll and ROLLED_AHEAD in self.careless:
            self._roll_ahead((step, *self.following))
        else:
            super()._do(step, self.following)

    def _do_out_of_turn(self, step: Step) -> None:
        """Do a step before or after its turn."""
        first = self.writer.number + 1
        self._let_in(name for name in step.action.pieces if name in self.waiting)
        super()._do(step, ())
        self.done.add(id(step))
        self.elsewhere[id(step)] = range(first, self.writer.number + 1)

    def _end_early(self, step: Step, following: Sequence[Step]) -> bool:
        """Advance the track before the last two steps of a phase, if both can be done by hand."""
        last = [step, *of_this_phase(following[:2])]
        over = following[len(last) - 1 :]
        if len(last) > 2 or not over or not all(is_by_hand(one, self.idiom) for one in last):
            return False
        first = self.writer.number + 1
        self.is_early = True
        self._do(over[0], over[1:])
        self.done.add(id(over[0]))
        self.elsewhere[id(over[0])] = range(first, self.writer.number + 1)
        for one in last:
            self._do_out_of_turn(one)
        return True

    def _begin_ahead(self, step: Step, following: Sequence[Step]) -> None:
        """Make the first move after the phase that ends, if its counters are at its start."""
        later = next((one for one in following if one.action.verb != NEXT.name), None)
        if later is None or not later.action.path or not is_by_hand(later, self.idiom):
            return
        if id(later) in self.done:
            return
        pieces = [(step.before.pieces[name], later.before.pieces[name]) for name in later.action.pieces]
        if all(now.where == then.where for now, then in pieces):
            self._do_out_of_turn(later)

    def _carry_out_postponed(self, step: Step) -> None:
        """Carry out battle results, unless a step involves other counters and may come first."""
        order = [*self.before_results, step, *self.postponed]
        late = {name for one in self.postponed for name in one.action.pieces}
        meant = {*step.action.pieces, *(piece.id for piece in step.before.at(step.action.target))}
        if late & meant or (self.postponed and not are_legal(self.postponed[0].before, order)):
            postponed, self.postponed, self.before_results = self.postponed, [], []
            for one in postponed:
                self._do_out_of_turn(one)
        elif self.postponed:
            self.before_results.append(step)

    def _entries(self, following: Sequence[Step]) -> Iterator[Step]:
        """The reinforcements still to come in this phase, into hexes that no enemy enters first."""
        passed = set[tuple[str, str]]()
        for step in of_this_phase(following):
            action, now = step.action, following[0].before
            if not self._is_reinforced(step) or len(action.pieces) != 1:
                side = now.pieces[action.piece].side if action.pieces else ""
                passed |= {(where, side) for where in (*action.path, action.target)}
                continue
            there = {piece.side for piece in now.at(action.target)}
            there |= {side for where, side in passed if where == action.target}
            if there <= {now.pieces[action.piece].side}:
                yield step

    def _is_reinforced(self, step: Step) -> bool:
        """Whether a counter comes onto the map, and does not replace a lost one in a battle."""
        verb = step.before.world.rulebook.verbs[step.action.verb]
        return verb.name in self.idiom.entries and "NUMBER" not in verb.slots

    def _roll_ahead(self, steps: Sequence[Step]) -> None:
        """Roll for all battles of the phase without saying which die is for which."""
        for step in of_this_phase(steps):
            if step.action.verb == self.idiom.roll:
                self.battles.roll(self._combat_dice(), step.action.dice, 0)
                self.done.add(id(step))

    def _attack(self, step: Step) -> None:
        super()._attack(step)
        if DECLARED_FIRST in self.careless and id(step) not in self.done:
            self._declare_first(step, self.following)

    def _declare_first(self, step: Step, following: Sequence[Step]) -> None:
        """Declare the attacks of the phase whose units are already in place, one for each attacker."""
        attacks = (self.idiom.attack, *self.idiom.attacks.values())
        busy = {*step.action.pieces}
        for later in of_this_phase(following):
            action, known = later.action, {one.number for one in step.before.battles}
            names = {*action.pieces, *(piece.id for piece in later.before.at(action.target))}
            there = {piece.id for piece in step.before.at(action.target)}
            stays = all(
                later.before.pieces[one].where == step.before.pieces[one].where for one in names | there
            )
            open_ = {one.number for one in later.before.battles} >= known
            if action.verb in attacks and stays and open_ and busy.isdisjoint(action.pieces):
                busy |= {*action.pieces}
                super()._attack(later)
                self.done.add(id(later))

    def _has_come(self, name: str, step: Step) -> bool:
        """Whether a reinforcement is due: its side moves, or the turn has ended."""
        side, now = self.writer.game.counters[name].side, step.after
        return now.side == side or now.clock.turn != step.before.clock.turn

    def _let_in(self, names: Iterable[str]) -> None:
        """Let counters enter that have waited."""
        for name in tuple(names):
            self.counter_actions.drag((name,), self.waiting.pop(name))

    def _set_right(self, step: Step) -> None:
        """Catch up on the markers and steps of a phase that has ended."""
        for name, steps in self.reduced.items():
            if step.before.pieces[name].where in self.writer.game.map.grid:
                self.counter_actions.lose(name, steps)
        self.reduced.clear()
        self.catching_up.catch_up(self._with_marks(step.before))

    def _lose(self, step: Step) -> None:
        grid = self.writer.game.map.grid
        on_map = all(step.after.pieces[name].where in grid for name in step.action.pieces)
        if AT_THE_END in self.careless and on_map:
            self.reduced |= {name: step.after.pieces[name].steps for name in step.action.pieces}
        else:
            super()._lose(step)

    def _state(self, step: Step, state: str) -> None:
        is_on = step.action.verb == self.idiom.states[state][0]
        if LEFT_ON in self.careless and not is_on:
            return
        if AT_THE_END not in self.careless:
            super()._state(step, state)

    def eliminate(self, name: str, box: str) -> None:
        if {LATE, IN_HAND} & self.careless:
            self.casualties.append((name, box))
        else:
            super().eliminate(name, box)

    def _removed(self) -> None:
        for name, box in self.casualties:
            super().eliminate(name, box)
        self.casualties.clear()

    def _drag(self, step: Step) -> None:
        if self.is_early:
            self._drag_silently(step)
        else:
            super()._drag(step)


def _precedes_the_dice(step: Step) -> bool:
    """Return whether a unit leaves a hex whose attack has not been rolled: it is no result of that."""
    pieces = [step.before.pieces[name] for name in step.action.pieces]
    waiting = [battle.target for battle in step.before.battles if not getattr(battle, "rolled", True)]
    return any(piece.where in waiting for piece in pieces)
