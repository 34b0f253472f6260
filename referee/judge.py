"""``referee judge``: the actions of records judged, and the rulings compared with what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from referee.engine import machine
from referee.engine.actions import NEXT, Action
from referee.engine.position import TO_BEGIN, UNDERWAY, UNSEEN, Mark, Position, World
from referee.engine.rules import Played, placed
from referee.engine.rulings import Breach, Ruling
from referee.engine.wording import counted, facts_in_words
from referee.games import find_rules
from referee.record import (
    Adopt,
    At,
    Case,
    Content,
    Place,
    Record,
    SetBridge,
    SetTerrain,
    SetUp,
    Spend,
    Statement,
    Vocabulary,
    read,
    say_expectation,
)
from referee.record.forms import missing
from referee.setup_checks import (
    Misplaced,
    misplaced,
    never_in_state,
    never_placed,
    never_rolled,
    overspent,
)
from vassalgen.commandline import (
    FINDINGS,
    STDOUT,
    UNREADABLE,
    data_option,
    json_option,
    keep_apart,
    show_failure,
    write_file,
)
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Failure, Problem

END = Statement()
"""What stands after the last statement of a case."""


@frozen
class Judged:
    """A statement carried out: the position before and after it, and the ruling if it was an action.

    ``remarks`` say what to bear in mind beside the ruling. ``refused`` is what can never be: the
    rest of its case is not judged.
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
        return expected is not None and self.ruling is not None and expected.met(self.ruling.verdict) is None


def judge_record(record: Record) -> Iterator[tuple[Case, tuple[Judged, ...]]]:
    """Judge a record: the game itself, as a case without a title, and then each case."""
    for case in (Case(statements=record.main), *record.cases):
        if case.statements:
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
    for statement in (*case.statements, END):
        content = statement.content
        if isinstance(content, Place | Spend):
            set_up.append(statement)
        elif isinstance(content, Action) or statement is END:
            if set_up and (refused := tuple(_refused(record, position, set_up))):
                yield Judged(statement, position, position, refused=refused)
                return
            set_up.clear()
        ruling, after = carry_out(position, statement)
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
            forgotten.clear()
        judged_any = judged_any or ruling is not None
        if statement is not END:
            yield Judged(statement, position, after, ruling, remarks)
        position = after


def _refused(record: Record, position: Position, set_up: Sequence[Statement]) -> Iterator[Problem]:
    """What is wrong with the counters that were set up, each at its line, unless it is so as found."""
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
            yield f"{name} is no longer {title}: 'place' leaves a counter no state but those it names"


def carry_out(position: Position, statement: Statement) -> tuple[Ruling | None, Position]:
    """Carry out one statement; the ruling is None for what is not an action.

    An action at which a rule fails has a ruling that says so, and changes nothing but the clock.
    """
    content = statement.content
    if content is None:
        return None, position
    if isinstance(content, At):
        return None, _at(position, content)
    if isinstance(content, SetUp):
        return None, _set_up(position)
    if isinstance(content, Adopt):
        game = position.game.with_rulings({content.ruling: content.reading})
        world = position.world.rulebook.world(game, position.scenario.id)
        return None, evolve(position, world=world)
    if isinstance(content, Place):
        return None, _placed(position, content)
    if isinstance(content, SetTerrain):
        return None, _with_terrain(position, content)
    if isinstance(content, SetBridge):
        return None, _with_bridge(position, content)
    if isinstance(content, Spend):
        return None, _with_spent(position, content)
    verb = position.world.rulebook.verbs.get(content.verb)
    if verb is not None and (slot := missing(verb, content)):
        raise BadInput(Problem("", content.verb, f"{slot.lower()} is missing", verb.form))
    try:
        played: Played = position.play(content)
    except BadInput:
        raise
    except Exception as error:
        return Ruling(content, failure=Failure.of(error)), _passed_over(position, content)
    return played.ruling, played.position


def _passed_over(position: Position, action: Action) -> Position:
    """The position after an action that cannot be carried out."""
    if action.verb != NEXT.name:
        return position
    return machine.skip(position, action.clock or position.world.calendar.after(position.clock))


def _set_up(position: Position) -> Position:
    """The set-up of the scenario in the phase of the record, which begins if it was to begin."""
    start = evolve(position.world.rulebook.start(position.world), clock=position.clock)
    for note in (TO_BEGIN, UNDERWAY, UNSEEN):
        start = start.with_note(note, "", True) if position.note(note) else start.without_note(note)
    return start


def _at(position: Position, at: At) -> Position:
    """The position in another phase; what happened in turns that are skipped is unknown."""
    skipped = at.clock.turn > position.clock.turn
    position = evolve(position, clock=at.clock).without_note(TO_BEGIN).without_note(UNDERWAY)
    position = position.with_note(UNDERWAY if at.underway else TO_BEGIN, "", True)
    return position.with_note(UNSEEN, "", True) if skipped else position


def _with_terrain(position: Position, content: SetTerrain) -> Position:
    here, game = position.game.map, position.game
    changed = evolve(here.hexes[content.hex], terrain=content.terrain)
    game = evolve(game, map=evolve(here, hexes={**here.hexes, content.hex: changed}))
    return evolve(position, world=position.world.rulebook.world(game, position.scenario.id))


def _with_bridge(position: Position, content: SetBridge) -> Position:
    bridges = position.world.rulebook.bridges
    if bridges is None:
        raise ValueError("no bridge of this game can be destroyed")
    return position.with_note(bridges.destroyed, "/".join(content.hexes), content.destroyed)


def _with_spent(position: Position, content: Spend) -> Position:
    spent = position.world.rulebook.spent
    if spent is None:
        raise ValueError("the rules of this game do not note spent movement")
    for name in content.pieces:
        position = spent(position, name, content.points)
    return position


def _placed(position: Position, content: Place) -> Position:
    today = position.date
    states = {
        state: Mark(mark.level, mark.since or (today if position.game.states[state].dated else None))
        for state, mark in content.states.items()
    }
    position = placed(position, content.pieces, content.where, states)
    if content.steps is not None:
        for name in content.pieces:
            position = position.with_piece(name, steps=content.steps)
    if content.face:
        for name in content.pieces:
            position = position.with_piece(name, face=content.face)
    return position


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@data_option
@click.option("--game", metavar="GAME", help="The folder of the game that the records name by its id.")
@json_option("all rulings")
@click.option("--quiet", is_flag=True, help="Print only rulings that differ from what was expected.")
@click.option(
    "--any-folder",
    is_flag=True,
    help="Allow records to name game folders anywhere, not only beside the record.",
)
@click.pass_context
def judge(
    ctx: click.Context,
    files: Sequence[Path],
    data: Sequence[Path],
    game: str | None,
    json_file: Path | None,
    quiet: bool,
    any_folder: bool,
) -> None:
    """Judge every action in the records FILE, and compare the rulings with those that they expect.

    A record is a text file: "game tunisia1943", then a statement on each line, such as
    "move us-16 1617-1717 ! legal". "referee verbs GAME" lists the statements; docs/record.md explains them.

    Exit code 0: all rulings are as expected; 1: some are not; 2: a record cannot be read, a set-up is
    impossible, or an action could not be judged. The other records and cases are judged all the same.
    """
    known = _worlds(game, data) if game else ()
    keep_apart([json_file] if json_file else [], files)
    results = [_judged(path, data, known, any_folder) for path in files]
    if json_file:
        found = [_record_json(result) for result in results]
        write_file(json_file, json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    if json_file != STDOUT:
        for result in results:
            for line in _record_words(result, quiet=quiet):
                click.echo(line)
    problems = [problem for result in results for problem in result.problems]
    for problem in problems:
        click.echo(problem, err=True)
    if json_file != STDOUT:
        click.echo(_last_line(results))
    everything = [each for result in results for each in result.statements]
    failures = [(each, each.ruling.failure) for each in everything if each.ruling and each.ruling.failure]
    for each, failure in failures:
        show_failure(ctx, failure, f"line {each.statement.line}")
    failed = any(each.failed for each in everything)
    ctx.exit(UNREADABLE if problems or failures else FINDINGS if failed else 0)


@frozen
class Result:
    """What came of a file: the record with its cases judged, or why it cannot be read."""

    path: Path
    record: Record | None = None
    cases: tuple[tuple[Case, tuple[Judged, ...]], ...] = ()
    unreadable: tuple[Problem, ...] = ()

    @property
    def statements(self) -> tuple[Judged, ...]:
        """The statements carried out in all cases."""
        return tuple(each for _, statements in self.cases for each in statements)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that keeps the record or some of its cases from being judged."""
        return (*self.unreadable, *(problem for each in self.statements for problem in each.refused))


def _worlds(name: str, data: Sequence[Path]) -> tuple[World, ...]:
    """The scenarios of a game that the user names."""
    game = open_game(name, data)
    return tuple(find_rules(game).world(game, scenario) for scenario in game.scenarios)


def _judged(path: Path, data: Sequence[Path], known: Sequence[World], anywhere: bool) -> Result:
    try:
        record = read(path, data, known, anywhere=anywhere)
        return Result(path, record, tuple(judge_record(record)))
    except BadInput as error:
        return Result(path, unreadable=error.problems)
    except OSError as error:
        return Result(path, unreadable=(Problem(str(path), "", error.strerror or str(error)),))


def _last_line(results: Sequence[Result]) -> str:
    """How many actions and expectations there were, and what was not checked."""
    statements = [each for result in results for each in result.statements]
    rulings = [(each.ruling, each.statement.expected) for each in statements if each.ruling is not None]
    checked = [expected for _, expected in rulings if expected is not None]
    written = [
        one
        for result in results
        for case, _ in result.cases
        for one in case.statements
        if one.expected is not None
    ]
    breached = sum(bool(ruling.breaches) for ruling, _ in rulings)
    failed = sum(each.failed for each in statements if each.ruling)
    parts = [
        f"{counted(len(rulings), 'action')}, {breached} with breaches, "
        f"{len(rulings) - len(checked)} without an expectation",
        f"{counted(len(written), 'expectation')}, {failed} not met",
    ]
    if len(written) > len(checked):
        parts[-1] += f", {len(written) - len(checked)} not checked"
    if refused := sum(bool(each.refused) for each in statements):
        parts.append(f"{counted(refused, 'set-up')} refused")
    if unread := sum(result.record is None for result in results):
        parts.append(f"{unread} of {counted(len(results), 'record')} not read")
    return "; ".join(parts)


def _record_words(result: Result, *, quiet: bool) -> Iterator[str]:
    if result.record is None or result.record.world is None:
        return
    words = Vocabulary(result.record.world)
    for case, statements in result.cases:
        shown = [each for each in statements if each.ruling and (each.failed or not quiet)]
        if not shown:
            continue
        yield f"{result.path}: {' '.join(filter(None, ('case', *case.clauses, case.title)))}"
        for each in shown:
            yield from (f"  {line}" for line in _ruling_words(each, words))


def _ruling_words(judged: Judged, words: Vocabulary) -> Iterator[str]:
    ruling, statement = judged.ruling, judged.statement
    if ruling is None or statement.content is None:
        return
    when = judged.before.world.calendar.say(judged.before.clock)
    yield f"line {statement.line}, {when}: {words.say(statement.content)}: {_grade(ruling)}"
    yield from (f"  remark: {remark}" for remark in judged.remarks)
    for breach in ruling.breaches:
        yield from (f"  {line}" for line in breach_words(breach, judged.before.game))
    if judged.failed and statement.expected is not None:
        yield f"  EXPECTED {say_expectation(statement.expected)}"


NOT_JUDGED = "could not be judged, internal error"


def _grade(ruling: Ruling) -> str:
    return NOT_JUDGED if ruling.failure else ruling.grade.name


def breach_words(breach: Breach, game: Game) -> Iterator[str]:
    """Return a breach in words: what is wrong, its facts, the clause in our own words, the source of data."""
    yield f"{breach.grade.name} {breach.clause}: {breach.says}"
    facts = "; ".join(f"{name}: {value}" for name, value in facts_in_words(breach.facts, game))
    if facts:
        yield f"  facts: {facts}"
    yield f"  rule: {game.rule(breach.clause)}"
    yield f"  data: {breach.provenance}"


def _record_json(result: Result) -> dict[str, Any]:
    parts: dict[str, Any] = {"file": str(result.path), "problems": [str(one) for one in result.problems]}
    record = result.record
    if record is None or record.world is None:
        return parts
    words = Vocabulary(record.world)
    return parts | {
        "game": record.game,
        "scenario": record.scenario,
        "cases": [
            {
                "clauses": case.clauses,
                "title": case.title,
                "line": case.line,
                "actions": [_ruling_json(each, words) for each in statements if each.ruling],
            }
            for case, statements in result.cases
        ],
    }


def _ruling_json(judged: Judged, words: Vocabulary) -> dict[str, Any]:
    ruling, statement = judged.ruling, judged.statement
    parts: dict[str, Any] = {
        "line": statement.line,
        "when": judged.before.world.calendar.say(judged.before.clock),
        "action": words.say(statement.content) if statement.content is not None else "",
        "grade": _grade(ruling) if ruling else "",
        "breaches": [
            breach_json(breach, judged.before.game) for breach in (ruling.breaches if ruling else ())
        ],
        "remarks": judged.remarks,
    }
    if statement.expected is not None:
        parts["expected"] = say_expectation(statement.expected)
        parts["met"] = not judged.failed
    return parts


def breach_json(breach: Breach, game: Game) -> dict[str, Any]:
    """Return a breach as plain values for JSON; fractions become text."""
    facts = {
        name: list(value)
        if isinstance(value, tuple)
        else value
        if isinstance(value, int | str)
        else str(value)
        for name, value in breach.facts.items()
    }
    return {
        "grade": breach.grade.name,
        "clause": breach.clause,
        "says": breach.says,
        "facts": facts,
        "facts_in_words": [list(one) for one in facts_in_words(breach.facts, game)],
        "rule": game.rule(breach.clause),
        "provenance": str(breach.provenance),
    }
