"""The actions of records judged, and the rulings compared with what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from attrs import evolve, frozen

from referee.carrying_out import carry_out
from referee.corrections import (
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
from referee.record import Case, Content, Place, Record, Spend, Statement
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
    last: tuple[Position, Ruling] | None = None
    done: list[tuple[Position, Ruling]] = []  # in this turn and the one before
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
        if not isinstance(content, Action):
            done.clear()
        elif done and done[-1][0].turn != position.turn:
            done = [one for one in done if one[0].turn >= position.turn - 1]
        correction = corrected(*last, position, ruling) if last and ruling else None
        if correction is None and ruling and (correction := taken_back(done, position, ruling)):
            done.clear()
        if correction is None and ruling:
            correction = (
                done_late(done, position, ruling)
                or taken_off(position, ruling, after, _contents(case, place))
                or left_at_that(after, ruling, _contents(case, place))
            )
        if correction:
            ruling, after = correction.ruling, correction.position
        last = (position, ruling) if ruling else None
        if last and ruling:
            if correction and correction.done:
                done = [*correction.done]
            else:
                done.append(last)
            last = (correction and correction.whole) or last
            if last[1].grade is Grade.illegal:
                todo = [one.content for one in case.statements[place:]]
                later = gone_on(*last, todo) or declared_again(*last, todo) or followed(*last, todo)
                if later:
                    correction, ruling = later, evolve(later.ruling, action=ruling.action)
        if judged_any and isinstance(content, Place):
            forgotten += _forgotten(position, after, content)
        if isinstance(content, Action) and ruling and not (ruling.breaches or ruling.failure):
            beyond = never_rolled(position, content)
            if refused := tuple(Problem(record.file, f"line {statement.line}", *one) for one in beyond):
                yield Judged(statement, position, position, refused=refused)
                return
        remarks: tuple[str, ...] = ()
        if ruling:
            remarks = (*forgotten, *_remarks(position, after, content, first=not judged_any))
            remarks += (correction.remark,) if correction else ()
            forgotten.clear()
        judged_any = judged_any or ruling is not None
        if statement is not END:
            yield Judged(statement, position, after, ruling, remarks)
        position = after


def _contents(case: Case, place: int) -> Iterator[Content | None]:
    """The contents of the statements of a case from a place on."""
    return (one.content for one in islice(case.statements, place, None))


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


def _remarks(before: Position, after: Position, content: Content | None, *, first: bool) -> Iterator[str]:
    """Remarks beside a ruling: what the record does not show, and units that were never placed."""
    if first and before.note(UNSEEN):
        known = before.world.rulebook.unseen
        lost = f": {', '.join(known)}" if known else ""
        begins = before.world.calendar.say(before.clock)
        yield f"the record begins with {begins}; what happened in the turns before is not known{lost}"
    if isinstance(content, Action):
        for name in never_placed(before, after, content):
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
