"""Habits of players: legal games as careless people play them at VASSAL's table.

Each habit is written from what players do, without a look at how the referee reads it. None of them breaks a
rule of the game, so that an audit of such a legal game must find nothing illegal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from random import Random

from attrs import define, field

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.idiom import Idiom
from referee.engine.position import Mark, Piece, Position
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.judge import carry_out
from referee.record import Statement
from tools.proof.logs.board import Spot
from tools.proof.logs.game_logger import NONE, GameLogger
from tools.proof.logs.loggable import PLAIN, Habits
from tools.proof.logs.opening import SOLO, Opening
from tools.proof.logs.roll_announcements import find_roll_announcements
from tools.proof.logs.writer import LogWriter, Seat
from tools.proof.playing import Step
from vassalgen import announcements
from vassalgen.parts.names import MAIN
from vassalgen.problems import BadInput

CORNER, SEA, STRAIGHT, UNDECLARED, STRAY, BUTTON, LATE = (
    "corner", "sea", "straight", "undeclared", "stray", "button", "late"
)  # fmt: skip
ONCE_A_PLAYER_TURN, ONCE_A_TURN, FORGOTTEN_PHASE = "once a player turn", "once a turn", "forgotten phase"
DELETED, OTHER_BOX, PILED = "deleted", "other box", "piled"
OVERSHOT, TRIED, AT_THE_END, WAITING = "overshot", "tried", "at the end", "waiting"
EDGE, WRONG_HEX, WRONG_COUNTER, IN_HAND = "edge", "wrong hex", "wrong counter", "in hand"
LEFT_ON, ROLLED_AHEAD, DECLARED_FIRST = "left on", "rolled ahead", "declared first"
EARLY, AHEAD, ADVANCED_FIRST, RESULTS_LATER = "early", "ahead", "advanced first", "results later"
PUT_RIGHT, CHANGED_MIND, UNDONE = "retreat put right", "changed mind", "undone"
BY_THE_OTHER, STACK_DRAGGED, MISDECLARED = "by the other", "stack dragged", "misdeclared"

AT_THE_CORNER = (8, 8)
"""In pixels of the map."""

HABITS: Mapping[str, str] = {
    CORNER: "a casualty is dragged off the hexes, to a corner of the map",
    SEA: "a casualty is dragged to a hex where no counter can be",
    STRAIGHT: "a reinforcement is dragged from its box straight to where its first move ends",
    FORGOTTEN_PHASE: "one phase of each turn is played without advancing the turn track to it",
    ONCE_A_PLAYER_TURN: "the turn track is advanced once a player turn",
    ONCE_A_TURN: "the turn track is advanced once a game turn",
    UNDECLARED: "battles are not declared, a bare die is rolled",
    STRAY: "a die is rolled before the battle's own",
    BUTTON: "a test is rolled with the button of the combat die",
    LATE: "casualties are removed at the end of the phase",
    DELETED: "a casualty that never comes back is deleted",
    OTHER_BOX: "a casualty is dragged to some other box than that of the losses",
    PILED: "attackers are piled up in one hex to be counted, and put back, before the attack is declared",
    OVERSHOT: "the turn track is advanced once too often and set back",
    TRIED: "somebody drags a counter to see how far it comes, and back, in any phase",
    AT_THE_END: "markers and steps lost are seen to when the phase is over",
    WAITING: "a reinforcement that moves in its turn of arrival waits in its box until its side moves",
    EDGE: "reinforcements are all put where they enter before the first of them moves on",
    WRONG_HEX: "a counter is dropped beside the hex that is meant, and put right",
    WRONG_COUNTER: "a step is taken from the wrong counter, given back and taken from the right one",
    IN_HAND: "casualties stay on the map until the next phase has begun",
    LEFT_ON: "markers that come off stay on until their counter is used again",
    ROLLED_AHEAD: "the dice of all battles of a phase are rolled at once, before the first",
    DECLARED_FIRST: "the attacks of a phase are declared before the first of them is resolved",
    EARLY: "the turn track is advanced before the last moves, retreats or losses of a phase",
    AHEAD: "the first move of a phase is made before the turn track is advanced to it",
    ADVANCED_FIRST: "the victor advances before the beaten units are dragged out of the hex",
    RESULTS_LATER: "all battles of a phase are rolled first, their results are carried out afterwards",
    PUT_RIGHT: "a retreat is dragged to a wrong hex and put right when somebody objects",
    CHANGED_MIND: "a step is given back for a retreat, or a retreat taken back for a step",
    UNDONE: "what was done by mistake is taken back with Undo",
    BY_THE_OTHER: "one player carries out what befalls the counters of the other",
    STACK_DRAGGED: "a whole stack is dragged along with the counter that moves, and put back",
    MISDECLARED: "an attack is declared on the wrong hex or with the wrong unit, and called off",
}
"""The habits by name, each with what players do."""


@define(eq=False)
class CarelessLogger(GameLogger):
    """Does the steps of a game as players with some habits do them."""

    careless: frozenset[str] = frozenset()
    sea: str = ""
    skipped: str = ""
    """The phase to which the track is not advanced."""
    entering: dict[str, str] = field(factory=dict)
    """Reinforcements that are still in their box, by counter with the place where the rules have them."""
    casualties: list[tuple[str, str]] = field(factory=list)
    reduced: dict[str, int] = field(factory=dict)
    """The steps that counters will be shown to have left at the end of the phase."""
    waiting: dict[str, str] = field(factory=dict)
    """Reinforcements that wait until their side moves, by counter with the hex where they enter."""
    to_come: frozenset[str] = frozenset()
    """Counters with which something is done later."""
    following: Sequence[Step] = ()
    """The steps after the one that is done."""
    done: set[int] = field(factory=set)
    """The steps that were done ahead, by id."""
    entered: dict[str, str] = field(factory=dict)
    """Reinforcements that were put on the map ahead, by counter with the hex."""
    left_on: dict[tuple[str, str], Mark] = field(factory=dict)
    """The marks still on counters that have lost them, by counter and state."""
    elsewhere: dict[int, range] = field(factory=dict)
    """The steps of the log of what was not done in its turn, by the id of the step."""
    postponed: list[Step] = field(factory=list)
    """The results of battles that are still to be carried out."""
    before_results: list[Step] = field(factory=list)
    """What was done since, before them."""
    is_early: bool = False
    """The track was advanced before the phase was over."""

    def perform(self, game: Sequence[Step]) -> None:
        """Do all steps."""
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
        """A position as the table shows it: with marks left on, and counters put on the map ahead."""
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
        """Note the marks that come off at a step."""
        for name, before in step.before.pieces.items():
            gone = before.states.keys() - step.after.pieces[name].states.keys()
            self.left_on |= {
                (name, state): before.states[state] for state in gone if self._shows(name, state)
            }

    def _shows(self, name: str, state: str) -> bool:
        """Whether a counter shows a state on the table that is no count."""
        known, piece = self.writer.game.states[state], self.writer.board.pieces[name]
        shown = piece.value(announcements.state_property(state))
        return not known.is_count and not known.ends and shown not in (None, "0")

    def _used(self, names: Iterable[str]) -> None:
        """Take the marks off counters that they have lost, as something is done with them."""
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
            if _is_by_hand(step, idiom) and step.before.battles:
                self.postponed.append(step)
                self.done.add(id(step))
                return
            self._carry_out_postponed(step)
        if ADVANCED_FIRST in self.careless and (advance := _advance_after(step, following)):
            self._do_out_of_turn(advance, ())
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
        self.to_come = frozenset(name for one in following for name in one.action.pieces)
        self.following = following
        if TRIED in self.careless and self.rng.random() < 0.05:
            self._try(step)
        if action.target in self.waiting.values():
            self._let_in(name for name, place in self.waiting.items() if place == action.target)
        self._let_in(name for name in action.pieces if name in self.waiting)
        if action.verb == NEXT.name:
            if IN_HAND not in self.careless:
                self._removed()
            self._set_right(step)
            self._forget_battles()
            self._advance(step.after.clock, following)
            self._removed()
            self._let_in(name for name in self.waiting if self._has_come(name, step))
        elif WAITING in self.careless and action.verb in idiom.entries and _moves_on(action.piece, following):
            self._turned_first(step, action.pieces)
            self.waiting[action.piece] = step.after.pieces[action.piece].where
        elif (
            STRAIGHT in self.careless and action.verb in idiom.entries and _moves_on(action.piece, following)
        ):
            self.entering[action.piece] = step.after.pieces[action.piece].where
        else:
            if action.verb == idiom.roll and STRAY in self.careless and self.rng.random() < 0.5:
                self._stray()
            self._done_carelessly(step, following)

    def _do_out_of_turn(self, step: Step, following: Sequence[Step]) -> None:
        """Do a step before or after its turn."""
        first = self.writer.number + 1
        self._let_in(name for name in step.action.pieces if name in self.waiting)
        super()._do(step, following)
        self.done.add(id(step))
        self.elsewhere[id(step)] = range(first, self.writer.number + 1)

    def _end_early(self, step: Step, following: Sequence[Step]) -> bool:
        """Advance the track before the last two steps of a phase, if both may be done by hand."""
        last = [step, *_of_this_phase(following[:2])]
        over = following[len(last) - 1 :]
        if len(last) > 2 or not over or not all(_is_by_hand(one, self.idiom) for one in last):
            return False
        first = self.writer.number + 1
        self.is_early = True
        self._do(over[0], over[1:])
        self.done.add(id(over[0]))
        self.elsewhere[id(over[0])] = range(first, self.writer.number + 1)
        for one in last:
            self._do_out_of_turn(one, ())
        return True

    def _begin_ahead(self, step: Step, following: Sequence[Step]) -> None:
        """Make the first move after the phase that ends, if its counters are where they set out."""
        later = next((one for one in following if one.action.verb != NEXT.name), None)
        if later is None or not later.action.path or not _is_by_hand(later, self.idiom):
            return
        if id(later) in self.done:
            return
        pieces = [(step.before.pieces[name], later.before.pieces[name]) for name in later.action.pieces]
        if all(now.where == then.where for now, then in pieces):
            self._do_out_of_turn(later, ())

    def _carry_out_postponed(self, step: Step) -> None:
        """Carry out the results of battles, unless a step is about others and may come before them."""
        order = [*self.before_results, step, *self.postponed]
        late = {name for one in self.postponed for name in one.action.pieces}
        meant = {*step.action.pieces, *(piece.id for piece in step.before.at(step.action.target))}
        if late & meant or (self.postponed and not _are_legal(self.postponed[0].before, order)):
            postponed, self.postponed, self.before_results = self.postponed, [], []
            for one in postponed:
                self._do_out_of_turn(one, ())
        elif self.postponed:
            self.before_results.append(step)

    def _done_carelessly(self, step: Step, following: Sequence[Step]) -> None:
        """Do what is neither left out nor put off."""
        if UNDONE in self.careless:
            self._undo_first(step)
        if CHANGED_MIND in self.careless and _is_by_hand(step, self.idiom) and self._retreats(step):
            self._lose_first(step)
        if BY_THE_OTHER in self.careless and _is_by_hand(step, self.idiom) and step.before.battles:
            self._by_the_other(step)
            return
        if step.action.verb in self.idiom.entries and EDGE in self.careless:
            for one in (step, *self._entries(following)):
                super()._do(one, ())
                self.done.add(id(one))
                if one is not step:
                    self.entered[one.action.piece] = one.action.target
        elif step.action.verb == self.idiom.roll and ROLLED_AHEAD in self.careless:
            self._roll_ahead((step, *following))
        elif UNDECLARED in self.careless and self._is_of_battle(step):
            self._bare(step)
        elif BUTTON in self.careless and step.action.dice and step.action.verb != self.idiom.roll:
            self.battles.roll(self._combat_dice(), step.action.dice, 0)
        else:
            super()._do(step, following)

    def _by_the_other(self, step: Step) -> None:
        """Have the other player carry out a result."""
        seats = self.writer.seats
        self.writer.seats = dict(zip(seats, reversed(seats.values()), strict=True))
        super()._do(step, ())
        self.writer.seats = seats

    def _entries(self, following: Sequence[Step]) -> Iterator[Step]:
        """The reinforcements still to come in this phase, where no enemy is yet nor comes before them."""
        passed = set[tuple[str, str]]()
        for step in _of_this_phase(following):
            action, now = step.action, following[0].before
            if action.verb not in self.idiom.entries or len(action.pieces) != 1:
                side = now.pieces[action.piece].side if action.pieces else ""
                passed |= {(where, side) for where in (*action.path, action.target)}
                continue
            there = {piece.side for piece in now.at(action.target)}
            there |= {side for where, side in passed if where == action.target}
            if there <= {now.pieces[action.piece].side}:
                yield step

    def _roll_ahead(self, steps: Sequence[Step]) -> None:
        """Roll for all battles of the phase; of which die is for which nothing is said."""
        for step in _of_this_phase(steps):
            if step.action.verb == self.idiom.roll:
                self.battles.roll(self._combat_dice(), step.action.dice, 0)
                self.done.add(id(step))

    def _declare_first(self, step: Step, following: Sequence[Step]) -> None:
        """Declare the attacks of the phase that are in place already, one for each attacker."""
        attacks = (self.idiom.attack, *self.idiom.attacks.values())
        busy = {*step.action.pieces}
        for later in _of_this_phase(following):
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

    def _try(self, step: Step) -> None:
        """Drag some counter to a hex not far away, and back."""
        grid = self.writer.game.map.grid
        names = [name for name, piece in step.before.pieces.items() if piece.where in grid]
        names = [name for name in names if self._place(name) == step.before.pieces[name].where]
        if names:
            name = self.rng.choice(names)
            here = self._place(name)
            there = [hex_ for hex_ in grid.names if 1 <= grid.distance(here, hex_) <= 3]
            self.counter_actions.move(name, self.rng.choice(there), here)

    def _has_come(self, name: str, step: Step) -> bool:
        """Whether the time of a reinforcement has come: its side moves, or the turn is over."""
        side, now = self.writer.game.counters[name].side, step.after
        return now.side == side or now.clock.turn != step.before.clock.turn

    def _let_in(self, names: Iterable[str]) -> None:
        """Have counters enter that waited."""
        for name in tuple(names):
            self.counter_actions.drag((name,), self.waiting.pop(name))

    def _set_right(self, step: Step) -> None:
        """See to the markers and steps of a phase that is over."""
        for name, steps in self.reduced.items():
            if step.before.pieces[name].where in self.writer.game.map.grid:
                self.counter_actions.lose(name, steps)
        self.reduced.clear()
        self.catching_up.catch_up(self._with_marks(step.before))

    def _attack(self, step: Step) -> None:
        if MISDECLARED in self.careless:
            self._misdeclare(step)
        if UNDONE in self.careless and self.rng.random() < 0.5:
            self.battles.open(self.writer.count + 1, self._enemies(step, step.action.target))
            self.writer.undo()
        if PILED in self.careless:
            self._pile(step.action.pieces)
        super()._attack(step)
        if DECLARED_FIRST in self.careless and id(step) not in self.done:
            self._declare_first(step, self.following)

    def _misdeclare(self, step: Step) -> None:
        """Declare an attack on a hex beside, or with a unit too many, and call it off."""
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
        """The enemies in a hex of those who attack."""
        side = step.before.pieces[step.action.piece].side
        return [piece.id for piece in step.before.at(where) if piece.side not in (side, "")]

    def _pile(self, names: Sequence[str]) -> None:
        """Drag counters to the first of them, and each back."""
        places = {name: self._place(name) for name in names}
        apart = [name for name in names if places[name] != places[names[0]]]
        for name in apart:
            self.counter_actions.drag((name,), places[names[0]])
        for name in apart:
            self.counter_actions.drag((name,), places[name])

    def _lose(self, step: Step) -> None:
        grid = self.writer.game.map.grid
        if CHANGED_MIND in self.careless and step.before.battles and self.rng.random() < 0.5:
            self._retreat_first(step)
        on_map = all(step.after.pieces[name].where in grid for name in step.action.pieces)
        if WRONG_COUNTER in self.careless:
            self._lose_wrongly(step)
        if AT_THE_END in self.careless and on_map:
            self.reduced |= {name: step.after.pieces[name].steps for name in step.action.pieces}
        else:
            super()._lose(step)

    def _lose_wrongly(self, step: Step) -> None:
        """Take a step from some counter in the hex that loses none, and give it back."""
        here, grid = step.before.pieces[step.action.piece].where, self.writer.game.map.grid
        for piece in step.before.at(here) if here in grid else ():
            shown = self.writer.board.pieces[piece.id].value(announcements.STEPS) or "0"
            if piece.id not in step.action.pieces and int(shown) > 1:
                self.counter_actions.lose(piece.id, int(shown) - 1)
                self.counter_actions.lose(piece.id, int(shown))
                return

    def _state(self, step: Step, state: str) -> None:
        is_on = step.action.verb == self.idiom.states[state][0]
        if LEFT_ON in self.careless and not is_on:
            return
        if AT_THE_END not in self.careless:
            super()._state(step, state)

    def _forget_battles(self) -> None:
        self.numbers.clear()
        self.said.clear()
        self.modified.clear()
        self.chosen.clear()

    def _advance(self, now: Clock, following: Sequence[Step]) -> None:
        """Advance the track, or leave it until later."""
        calendar, shown = self.writer.calendar, self.writer.clock
        over = not following
        if ONCE_A_TURN in self.careless and now.turn == shown.turn and not over:
            return
        same = now.turn == shown.turn and calendar.side(now) == calendar.side(shown)
        if ONCE_A_PLAYER_TURN in self.careless and same and not over:
            return
        if FORGOTTEN_PHASE in self.careless and calendar.phase(now) == self.skipped and not over:
            return
        self.counter_actions.turn(now)
        if OVERSHOT in self.careless and not over and self.rng.random() < 0.2:
            self.counter_actions.turn()
            self.counter_actions.turn_back(now)

    def _stray(self) -> None:
        dice = self._combat_dice()
        sides = self.writer.game.dice[dice].sides
        faces = tuple(self.rng.randint(1, sides) for _ in range(self.writer.game.dice[dice].count))
        self.battles.roll(dice, faces, 0)

    def _combat_dice(self) -> str:
        found = [dice for dice, verb in self.idiom.dice.items() if verb == self.idiom.roll]
        if found:
            return found[0]
        declared = {verb: one for one, verb in self.idiom.declared.items()}
        return self.writer.game.declarations[declared[self.idiom.roll]].dice

    def _is_of_battle(self, step: Step) -> bool:
        """Whether players would have to use a command of the battle for this."""
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
        """Rolls with nothing said of what they are for; whatever else is declared is left out."""
        action = step.action
        if action.verb == self.idiom.roll:
            self.battles.roll(self._combat_dice(), action.dice, 0)
        elif action.dice:
            buttons = {verb: dice for dice, verb in self.idiom.dice.items()}
            declared = {verb: one for one, verb in self.idiom.declared.items()}
            dice = buttons.get(action.verb) or self.writer.game.declarations[declared[action.verb]].dice
            self.battles.roll(dice, action.dice, 0)

    def eliminate(self, name: str, box: str) -> None:
        if {LATE, IN_HAND} & self.careless:
            self.casualties.append((name, box))
        else:
            self._remove(name, box)

    def _removed(self) -> None:
        for name, box in self.casualties:
            self._remove(name, box)
        self.casualties.clear()

    def _remove(self, name: str, box: str) -> None:
        if CORNER in self.careless and box in self.idiom.lost:
            self.counter_actions.drag((name,), CORNER)
        elif SEA in self.careless and self.sea and box in self.idiom.lost:
            self.counter_actions.drag((name,), self.sea)
        elif DELETED in self.careless and box in self.idiom.lost and name not in self.to_come:
            self.counter_actions.delete(name)
        elif OTHER_BOX in self.careless and box in self.idiom.lost:
            self.counter_actions.drag((name,), self.rng.choice(sorted(self.writer.game.map.boxes)))
        else:
            super().eliminate(name, box)

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
        """Hexes near the end of a move where somebody might drag a counter by mistake."""
        grid, here, right = self.writer.game.map.grid, self._place(name), step.action.path[-1]
        side = step.before.pieces[name].side
        near = (one for one in grid.neighbours(right) if one in grid and one != here)
        return [one for one in near if all(piece.side == side for piece in step.before.at(one))]

    def _drag_wrongly(self, step: Step) -> None:
        """Drag counters that retreat to a wrong hex, until somebody objects."""
        name = step.action.piece
        if self._place(name) in self.writer.game.map.grid and (near := self._wrong_hexes(step, name)):
            self.counter_actions.drag(step.action.pieces, self.rng.choice(near))
            self.writer.say("not there, that is next to my unit")

    def _retreat_first(self, step: Step) -> None:
        """Drag the unit that is to lose a step out of its hex, and back."""
        name, grid = step.action.piece, self.writer.game.map.grid
        here, side = self._place(name), step.before.pieces[name].side
        if here in grid:
            near = [one for one in grid.neighbours(here) if one in grid]
            free = [one for one in near if all(piece.side == side for piece in step.before.at(one))]
            if free:
                self.counter_actions.move(name, self.rng.choice(free), here)

    def _lose_first(self, step: Step) -> None:
        """Take a step of a unit that is to retreat, and give it back."""
        for name in step.action.pieces:
            shown = int(self.writer.board.pieces[name].value(announcements.STEPS) or "0")
            if shown > 1:
                self.counter_actions.lose(name, shown - 1)
                self.counter_actions.lose(name, shown)

    def _undo_first(self, step: Step) -> None:
        """Do something like what is meant, and take it back with Undo."""
        action, rng = step.action, self.rng
        if action.verb in self.idiom.all_rolls and rng.random() < 0.3:
            self._stray()
            self.writer.undo()
        if not _is_by_hand(step, self.idiom) or rng.random() < 0.5:
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
        for name in step.action.pieces:
            self.entering.pop(name, None)
        if PUT_RIGHT in self.careless and self._retreats(step):
            self._drag_wrongly(step)
        if UNDECLARED not in self.careless and not self.is_early:
            super()._drag(step)
            return
        action = step.action
        groups: dict[str, list[str]] = {}
        for name in action.pieces:
            groups.setdefault(self._place(name), []).append(name)
        for names in groups.values():
            if action.verb in self.idiom.entries:
                self._turned_first(step, names)
            self._along(names, self._points(step, names))


def _is_by_hand(step: Step, idiom: Idiom) -> bool:
    """Whether all there is to a step is that counters are dragged or lose steps."""
    action = step.action
    losses = (*idiom.steps, idiom.eliminate, *idiom.other_losses)
    is_declared = bool(action.dice) or action.verb in {*idiom.declared.values()}
    return bool(action.pieces) and not is_declared and (bool(action.path) or action.verb in losses)


def _those_of(step: Step) -> Iterator[Piece]:
    """The counters of a step, before and after it."""
    return (position.pieces[name] for name in step.action.pieces for position in (step.before, step.after))


def _advance_after(step: Step, following: Sequence[Step]) -> Step | None:
    """The advance into the hex that a counter is driven from at a step, if it may come next."""
    left = {
        (piece.where, piece.side)
        for piece in map(step.before.pieces.__getitem__, step.action.pieces)
        if step.after.pieces[piece.id].where != piece.where
    }
    between: list[Step] = []
    for later in takewhile(lambda one: not one.action.dice, _of_this_phase(following) if left else ()):
        sides = {later.before.pieces[name].side for name in later.action.pieces}
        to = later.action.path[-1:]
        if any((where,) == to and {side}.isdisjoint(sides) for where, side in left):
            return later if _are_legal(step.before, [step, later, *between]) else None
        between.append(later)
    return None


def _are_legal(position: Position, steps: Iterable[Step]) -> bool:
    """Whether steps are legal in this order."""
    for one in steps:
        try:
            ruling, position = carry_out(position, Statement(one.action))
        except BadInput:
            return False
        if ruling is None or ruling.grade is not Grade.legal:
            return False
    return True


def _of_this_phase(steps: Sequence[Step]) -> Iterator[Step]:
    return takewhile(lambda step: step.action.verb != NEXT.name, steps)


def _moves_on(name: str, following: Sequence[Step]) -> bool:
    """Whether a counter moves on in this turn before anything else is done with it."""
    for step in following:
        if step.after.clock.turn != step.before.clock.turn:
            return False
        if name in step.action.pieces:
            return bool(step.action.path)
        if step.action.target and step.before.pieces[name].where == step.action.target:
            return False
    return False


def log_carelessly(
    opening: Opening,
    game: Sequence[Step],
    seed: int,
    careless: frozenset[str],
    habits: Habits = PLAIN,
    seats: Sequence[Seat] = SOLO,
    walked: range = NONE,
) -> GameLogger:
    """Write a game as a log with some careless habits, and others; the same seed gives the same log.

    The paths of the steps in ``walked`` are dragged hex by hex.
    """
    position = game[0].before
    writer = opening.writer(position, seats)
    _add_corner(opening, writer)
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    map_ = position.game.map
    sea = next((name for name, hex_ in map_.hexes.items() if hex_.terrain == "sea"), "")
    phases = sorted({stop.phase.id for stop in writer.calendar.stops})
    logger = CarelessLogger(
        writer,
        find_idiom(position.game),
        find_roll_announcements(position.game),
        rng,
        habits,
        walked,
        careless=careless,
        sea=sea,
        skipped=rng.choice(phases),
    )
    logger.perform(game)
    return logger


def _add_corner(opening: Opening, writer: LogWriter) -> None:
    """Let counters be dragged to the corner of the map, which is no hex."""
    known, facts = writer.spot, opening.module.map(MAIN)
    assert facts is not None
    there = facts.plan.location_name(*AT_THE_CORNER)

    def spot(name: str, place: str) -> Spot:
        if place != CORNER:
            return known(name, place)
        return Spot(MAIN, *AT_THE_CORNER, there, known(name, writer.board.pieces[name].spot.name).layer)

    writer.spot = spot
