"""The actions of records judged, and the rulings compared with what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from attrs import define, evolve, field, frozen

from referee.carrying_out import carry_out
from referee.corrections import (
    Corrected,
    corrected,
    declared_again,
    done_late,
    followed,
    gone_on,
    left_at_that,
    taken_back,
    taken_off,
)
from referee.engine.actions import Action
from referee.engine.position import UNDERWAY, UNSEEN, Position
from referee.engine.rulings import Grade, Ruling
from referee.record import Case, Place, Record, Spend, Statement
from referee.setup_checks import Misplaced, misplaced, never_in_state, never_placed, never_rolled, overspent
from vassalgen.problems import Problem

END = Statement()
"""The text after the last statement of a case."""


@frozen
class Judged:
    """A statement carried out: the position before and after it, and the ruling if it was an action.

    ``remarks`` are added to the ruling. ``refused`` are impossible facts: the rest of the case is not judged.
    """

    statement: Statement
    before: Position
    after: Position
    ruling: Ruling | None = None
    remarks: tuple[str, ...] = ()
    refused: tuple[Problem, ...] = ()

    @property
    def failed(self) -> bool:
        """Return whether the ruling is not the one expected, or there is none."""
        expected = self.statement.expected
        if self.refused or (self.ruling is not None and self.ruling.failure):
            return True
        if expected is None or self.ruling is None:
            return False
        return expected.met(self.ruling.verdict, self.before.game) is None


def judge_record(record: Record) -> Iterator[tuple[Case, tuple[Judged, ...]]]:
    """Judge a record: the game itself, as a case without a title, and then each case that has been read."""
    for case in (Case(statements=record.main, unread=record.unread), *record.cases):
        if case.statements and not case.unread:
            yield case, tuple(judge_case(record, case))


def judge_case(record: Record, case: Case) -> Iterator[Judged]:
    """Carry out the statements of a case from an empty table, ruling on its actions.

    A set-up to which no rule leads is refused when something is done in it, or at the end of the case; a roll
    that its dice never show, if no rule of the game has found it wrong.
    """
    if record.world is None:
        raise ValueError("a record is judged by the rules of its game: it needs its world")
    position = record.world.rulebook.empty(record.world)
    set_up: list[Statement] = []
    judged_any = False
    forgotten: list[str] = []
    history = _History(case.statements)
    for place, statement in enumerate((*case.statements, END), 1):
        content = statement.content
        if isinstance(content, Place | Spend):
            set_up.append(statement)
        elif isinstance(content, Action) or statement is END:
            if set_up and (refused := tuple(_refused(record, position, set_up))):
                yield Judged(statement, position, position, refused=refused)
                return
            set_up.clear()
            position = position if judged_any else _with_spares(position, case)
        ruling, after = carry_out(position, statement)
        remarks: tuple[str, ...] = ()
        if isinstance(content, Action) and ruling:
            ruling, after, corrections = history.corrected(position, ruling, after, place)
            if not (ruling.breaches or ruling.failure):
                beyond = never_rolled(position, content)
                if refused := tuple(Problem(record.file, f"line {statement.line}", *one) for one in beyond):
                    yield Judged(statement, position, position, refused=refused)
                    return
            said = _remarks(position, after, content, first=not judged_any)
            remarks = (*forgotten, *said, *corrections)
            forgotten.clear()
            judged_any = True
        else:
            history = _History(case.statements)
            if judged_any and isinstance(content, Place):
                forgotten += _forgotten(position, after, content)
        if statement is not END:
            yield Judged(statement, position, after, ruling, remarks)
        position = after


@define
class _History:
    """The actions of a case since its last statement of another kind, each with the position before it.

    ``done`` are those in this turn and the one before. The next action may correct ``last``.
    """

    statements: Sequence[Statement]
    done: list[tuple[Position, Ruling]] = field(factory=list)
    last: tuple[Position, Ruling] | None = None

    def corrected(
        self, position: Position, ruling: Ruling, after: Position, place: int
    ) -> tuple[Ruling, Position, tuple[str, ...]]:
        """Return the ruling on an action and the position after it, with a remark if it corrects an earlier
        one or a later one continues it; ``place`` is that of the next statement.
        """
        if self.done and self.done[-1][0].turn != position.turn:
            self.done = [one for one in self.done if one[0].turn >= position.turn - 1]
        correction = self._correction(position, ruling, after, place)
        if correction:
            ruling, after = correction.ruling, correction.position
        if correction and correction.done:
            self.done = [*correction.done]
        else:
            self.done.append((position, ruling))
        self.last = last = (correction and correction.whole) or (position, ruling)
        if last[1].grade is Grade.illegal:
            todo = [one.content for one in self.statements[place:]]
            going_on = gone_on(*last, todo) or declared_again(*last, todo) or followed(*last, todo)
            if going_on:
                correction, ruling = going_on, evolve(going_on.ruling, action=ruling.action)
        return ruling, after, (correction.remark,) if correction else ()

    def _correction(
        self, position: Position, ruling: Ruling, after: Position, place: int
    ) -> Corrected | None:
        """How an action corrects an earlier one, or comes late; None if it is what it seems."""
        if self.last and (correction := corrected(*self.last, position, ruling)):
            return correction
        if correction := taken_back(self.done, position, ruling):
            self.done.clear()
            return correction
        later = (one.content for one in islice(self.statements, place, None))
        return (  # no verb makes both of those that need what comes later read it
            done_late(self.done, position, ruling)
            or taken_off(position, ruling, after, later)
            or left_at_that(after, ruling, later)
        )


def _with_spares(position: Position, case: Case) -> Position:
    """Place spare counters that no statement has placed where the set-up has them; a log places its own."""
    rulebook = position.world.rulebook
    if position.note(UNDERWAY) or not rulebook.spare:
        return position
    start = rulebook.start(position.world)
    contents = [one.content for one in case.statements]
    named = {name for one in contents if isinstance(one, Place) for name in one.pieces}
    for name, piece in start.pieces.items():
        known = piece.where not in position.game.map.grid or not position.note(UNSEEN)
        is_spare = piece.counter.kind in rulebook.spare and name not in named
        if is_spare and known and not position.pieces[name].where:
            position = position.with_piece(name, where=piece.where, face=piece.face)
    return position


def _refused(record: Record, position: Position, set_up: Sequence[Statement]) -> Iterator[Problem]:
    """What is wrong with the counters that were set up, each at its line, unless the statement says ``as
    found``.
    """
    placed: dict[str, Statement] = {}
    states: dict[str, Statement] = {}
    spent: dict[str, Statement] = {}
    for statement in set_up:
        content = statement.content
        if isinstance(content, Place):
            changed = states if content.where is None else placed
            changed.update(dict.fromkeys(content.pieces, statement))
        elif isinstance(content, Spend):
            spent.update(dict.fromkeys(content.pieces, statement))
    order = [name for name, statement in placed.items() if not _is_as_found(statement)]
    for one in misplaced(position, order):
        if one.other in placed and one.other not in order[: order.index(one.piece)]:
            continue  # reported for the later one, or as found
        yield _problem(record, placed, one)
    for name, statement in states.items():
        if name not in placed and not _is_as_found(statement):
            yield from (
                _problem(record, states, one) for one in never_in_state(position, position.pieces[name])
            )
    points = {name: one.content.points for name, one in spent.items() if isinstance(one.content, Spend)}
    yield from (_problem(record, spent, one) for one in overspent(position, points))


def _is_as_found(statement: Statement) -> bool:
    return isinstance(statement.content, Place) and statement.content.as_found


def _problem(record: Record, set_up: Mapping[str, Statement], found: Misplaced) -> Problem:
    return Problem(record.file, f"line {set_up[found.piece].line}", found.wrong, found.right)


def _remarks(before: Position, after: Position, action: Action, *, first: bool) -> Iterator[str]:
    """Remarks beside a ruling: what the record does not show, and units that were never placed."""
    if first and before.note(UNSEEN):
        known = before.world.rulebook.unseen
        lost = f": {', '.join(known)}" if known else ""
        begins = before.world.calendar.say(before.clock)
        yield f"the record begins with {begins}; what happened in the turns before is not known{lost}"
    for name in never_placed(before, after, action):
        yield f"{before.pieces[name].counter.name} is not on the map: no statement has placed it"


def _forgotten(before: Position, after: Position, content: Place) -> Iterator[str]:
    """Remarks on the states that counters in play lose because a later ``place`` does not name them."""
    for name in content.pieces:
        in_play = after.pieces[name].where in after.game.map.grid
        for state in before.pieces[name].states if in_play else ():
            if after.pieces[name].is_(state):
                continue
            title = before.game.states[state].title
            yield f"{name} is no longer {title}: 'place' removes every state that it does not name"
