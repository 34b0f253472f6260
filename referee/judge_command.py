"""The command ``referee judge``: records judged, and the rulings as text and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from referee.engine.position import World
from referee.engine.rulings import Ruling
from referee.engine.wording import counted
from referee.games import find_rules
from referee.judge import Judged, judge_record
from referee.record import Case, Record, Vocabulary, read, say_expectation
from referee.report.breaches import NOT_JUDGED, breach_json, breach_words
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
from vassalgen.problems import BadInput, Problem

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@data_option
@click.option("--game", metavar="DIR", help="The folder of the game that the records name by its id.")
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

    Exit code 0: all rulings are as expected; 1: some are not; 2: a case cannot be read, a set-up is
    impossible, or an action could not be judged. The other records and cases are still judged.
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
    """The result for a file: the record with its cases judged, or why it cannot be read."""

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
        """Everything that prevents the record or some of its cases from being judged, line by line."""
        unread = self.record.problems if self.record is not None else self.unreadable
        refused = (problem for each in self.statements for problem in each.refused)
        return tuple(sorted((*unread, *refused), key=_line))

    @property
    def unread(self) -> tuple[Case, ...]:
        """The cases that cannot be read; the game before the first case counts as one."""
        if self.record is None or self.is_unread:
            return ()
        first = Case(unread=self.record.unread)
        return tuple(case for case in (first, *self.record.cases) if case.unread)

    @property
    def is_unread(self) -> bool:
        """Whether nothing in the file can be read."""
        return self.record is None or (bool(self.record.problems) and not self.cases)


def _worlds(name: str, data: Sequence[Path]) -> tuple[World, ...]:
    """The scenarios of a game that the user names."""
    game = open_game(name, data)
    return tuple(find_rules(game).world(game, scenario) for scenario in game.scenarios)


def _judged(path: Path, data: Sequence[Path], known: Sequence[World], anywhere: bool) -> Result:
    try:
        record = read(path, data, known, anywhere=anywhere, in_part=True)
        return Result(path, record, tuple(judge_record(record)))
    except BadInput as error:
        return Result(path, unreadable=error.problems)
    except OSError as error:
        return Result(path, unreadable=(Problem(str(path), "", error.strerror or str(error)),))


def _line(problem: Problem) -> int:
    """The line of a problem in its record."""
    found = re.match(r"line (\d+)", problem.place)
    return int(found[1]) if found else 0


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
    if unread := sum(len(result.unread) for result in results):
        parts.append(f"{counted(unread, 'case')} not read")
    if unread := sum(result.is_unread for result in results):
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
        yield f"{result.path}: {_title(case)}"
        for each in shown:
            yield from (f"  {line}" for line in _ruling_words(each, words))
    for case in result.unread:
        places = ", ".join(dict.fromkeys(problem.place for problem in case.unread))
        yield f"{result.path}: {_title(case)}: not judged, because it cannot be read: {places}"


def _title(case: Case) -> str:
    return " ".join(filter(None, ("case", *case.clauses, case.title)))


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


def _grade(ruling: Ruling) -> str:
    return NOT_JUDGED if ruling.failure else ruling.grade.name


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
