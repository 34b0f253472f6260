"""What partners do who trust each other: count losses and fight beside the map, do things twice or later."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile

from attrs import define, evolve, field

from referee.carrying_out import carry_out
from referee.engine.position import Position
from referee.record import Statement
from tools.proof.habits import (
    BATTLE_BOARD,
    BEFORE_ITS_TIME,
    COPIED,
    CORNER,
    DECLARED_TWICE,
    DIE_AFTERWARDS,
    EXCHANGED,
    LAID_OUT,
    LEFT_BEHIND,
    REDONE,
    TESTED_TWICE,
    TOO_FAR,
)
from tools.proof.habits.by_mail import MailLogger
from tools.proof.habits.steps import is_by_hand, of_this_phase
from tools.proof.logs.game_logger import GameLogger
from tools.proof.playing import Step
from vassalgen.parts.names import BOXES
from vassalgen.vassal.commands import AddPiece, RemovePiece


@define(eq=False)
class PartnerLogger(MailLogger):
    """Plays the steps of a game as players with some habits do."""

    copies: int = field(default=0)
    """How many copies of counters were made by mistake."""

    def _try_out(self, step: Step) -> None:
        super()._try_out(step)
        if COPIED in self.careless and self.rng.random() < 0.1:
            self._copy()
        if LAID_OUT in self.careless and self.rng.random() < 0.1:
            self._lay_out_from(self._off_map(step.before, {*self.idiom.lost}))
        if BEFORE_ITS_TIME in self.careless and self.rng.random() < 0.05:
            waiting = self._off_map(step.before, {*self.writer.game.map.boxes} - {*self.idiom.lost})
            self._lay_out_from(self.rng.sample(waiting, min(1, len(waiting))))

    def _off_map(self, position: Position, boxes: Collection[str]) -> list[str]:
        """The counters that are in some boxes by the rules, and in a box on the table."""
        pieces = self.writer.board.pieces
        return [
            name
            for name, piece in position.pieces.items()
            if piece.where in boxes and name in pieces and pieces[name].spot.map == BOXES
        ]

    def _copy(self) -> None:
        """Copy a counter on the map, and delete the copy."""
        if names := self._on_map():
            type_text, state_text = self.writer.board.pieces[self.rng.choice(names)].piece.encode()
            self.copies += 1
            copy = f"copy-{self.copies}"
            self.writer.mark()
            self.writer.step(AddPiece(id=copy, type=type_text, state=state_text))
            self.writer.mark()
            self.writer.step(RemovePiece(id=copy))

    def _lay_out_from(self, names: Sequence[str]) -> None:
        """Put counters from their boxes on an empty hex, and back."""
        grid = self.writer.game.map.grid
        taken = {self._place(one) for one in self.writer.board.pieces}
        empty = [one for one in grid.names if one not in taken]
        boxes = {name: self._place(name) for name in names}
        hex_ = self.rng.choice(empty)
        for name in names:
            self.counter_actions.drag((name,), hex_)
        for name, box in boxes.items():
            self.counter_actions.drag((name,), box)

    def _do_in_turn(self, step: Step) -> None:
        is_battle = step.action.verb == self.idiom.roll
        if REDONE in self.careless and self.rng.random() < 0.3:
            self._do_and_undo(step)
        if TESTED_TWICE in self.careless and step.action.dice and self.rng.random() < 0.5:
            self._test_before(step)
        if DIE_AFTERWARDS in self.careless and is_battle and self.rng.random() < 0.5:
            self._carry_out_before(step)
        if EXCHANGED in self.careless and (other := self._may_be_exchanged(step)) is not None:
            self._exchange(step, other)
        elif BATTLE_BOARD in self.careless and is_battle:
            self._roll_beside_the_map(step)
        else:
            super()._do_in_turn(step)

    def _do_and_undo(self, step: Step) -> None:
        """Drag the counters of a step to their destinations, and undo that."""
        action, grid = step.action, self.writer.game.map.grid
        end = action.path[-1] if action.path else action.target
        places = {self._place(name) for name in action.pieces if name in self.writer.board.pieces}
        if is_by_hand(step, self.idiom) and end in grid and len(places) == 1 and places != {end}:
            self.counter_actions.drag(action.pieces, end)
            self.writer.undo()

    def _test_before(self, step: Step) -> None:
        """Roll a die that is not for a battle once before; by agreement it does not count."""
        action, idiom, game = step.action, self.idiom, self.writer.game
        buttons = {verb: dice for dice, verb in idiom.dice.items()}
        declared = {verb: game.declarations[one].dice for one, verb in idiom.declared.items()}
        dice = buttons.get(action.verb) or declared.get(action.verb, "")
        if action.verb in idiom.all_rolls or not dice:
            return
        other = tuple(self.rng.randint(1, game.dice[dice].sides) for _ in action.dice)
        cocked = evolve(action, dice=other)
        _, after = carry_out(step.before, Statement(cocked))
        super()._do_in_turn(evolve(step, action=cocked, after=after))
        self.writer.say("that one lies askew, once more")

    def _carry_out_before(self, step: Step) -> None:
        """Carry out the results of a battle before its die is rolled."""
        known = {
            *self._battle(step).attackers,
            *(one.id for one in step.before.at(self._battle(step).target)),
        }
        following = of_this_phase(self.following)
        results = list(takewhile(lambda one: is_by_hand(one, self.idiom) and one.before.battles, following))
        if all(known.issuperset(one.action.pieces) and id(one) not in self.done for one in results):
            for one in results:
                self._do_out_of_turn(one)

    def _may_be_exchanged(self, step: Step) -> Step | None:
        """The next move, if the counters of this one and of that one may be mistaken for each other."""
        other = next(of_this_phase(self.following), None)
        if other is None or id(other) in self.done or step.before.battles or len(self.lines) in self.walked:
            return None
        first, second = step.action, other.action
        plain = all(
            len(one.pieces) == 1 and len(one.path) > 1 and is_by_hand(two, self.idiom)
            for one, two in ((first, step), (second, other))
        )
        if not plain or first.piece == second.piece or first.path[-1] == second.path[-1]:
            return None
        in_place = all(self._place(one.piece) == one.path[0] for one in (first, second))
        return other if in_place else None

    def _exchange(self, step: Step, other: Step) -> None:
        """Drag two counters each to the other's destination, and then to its own."""
        first, second = step.action, other.action
        since = self.writer.number + 1
        for names, to in ((first.pieces, second.path[-1]), (second.pieces, first.path[-1])):
            if self._place(names[0]) != to:
                self.counter_actions.drag(names, to)
        self.writer.say("the other way round")
        for names, to in ((first.pieces, first.path[-1]), (second.pieces, second.path[-1])):
            self.counter_actions.drag(names, to)
        self.done.add(id(other))
        self.elsewhere[id(other)] = range(since, self.writer.number + 1)

    def _roll_beside_the_map(self, step: Step) -> None:
        """Roll for a battle with all its units placed beside the map, and then put them back."""
        battle, pieces, grid = self._battle(step), self.writer.board.pieces, self.writer.game.map.grid
        fought = (*battle.attackers, *(one.id for one in step.before.at(battle.target)))
        places = {name: self._place(name) for name in fought if name in pieces}
        places = {name: where for name, where in places.items() if where in grid}
        for name in places:
            self.counter_actions.drag((name,), CORNER)
        super()._do_in_turn(step)
        for name, where in places.items():
            self.counter_actions.drag((name,), where)

    def _attack(self, step: Step) -> None:
        super()._attack(step)
        if DECLARED_TWICE in self.careless and self.rng.random() < 0.5:
            GameLogger._attack(self, step)

    def _points(self, step: Step, names: Sequence[str]) -> list[str]:
        points, grid = super()._points(step, names), self.writer.game.map.grid
        may_stray = len(self.lines) not in self.walked and bool(points) and points[-1] in grid
        if TOO_FAR in self.careless and may_stray and self.rng.random() < 0.3:
            beyond = [one for one in grid.neighbours(points[-1]) if one in grid and one not in points]
            return [*points, self.rng.choice(beyond), points[-1]]
        return points

    def _drag(self, step: Step) -> None:
        action, later = step.action, next(of_this_phase(self.following), None)
        forgets = LEFT_BEHIND in self.careless and len(self.lines) not in self.walked
        can = forgets and len(action.pieces) > 1 and len(action.path) > 1 and not step.before.battles
        if not can or later is None or not self._is_elsewhere(step, later):
            super()._drag(step)
            return
        super()._drag(evolve(step, action=evolve(action, pieces=action.pieces[:-1])))
        self.aside[action.pieces[-1]] = action.path[-1]

    def _is_elsewhere(self, step: Step, later: Step) -> bool:
        """Whether the next step is done by hand, with other counters and over other hexes."""
        names, hexes = {*step.action.pieces}, {*step.action.path}
        others = {*later.action.path, later.action.target}
        by_hand = is_by_hand(later, self.idiom)
        return by_hand and names.isdisjoint(later.action.pieces) and hexes.isdisjoint(others)
