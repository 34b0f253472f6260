"""``referee judge``: rule on the actions of records, and compare the rulings with what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve, frozen

from referee.engine import machine
from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.position import UNSEEN, Mark, Position
from referee.engine.rules import Played, placed
from referee.engine.rulings import Breach, Ruling, number
from referee.forms import missing
from referee.record import Adopt, At, Case, Place, Record, SetUp, Statement, Vocabulary, read, say_verdict
from vassalgen.commandline import FINDINGS, UNREADABLE, show_failure
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Failure, Problem


@frozen
class Judged:
    """A statement carried out: the position before and after it, and the ruling if it was an action."""

    statement: Statement
    before: Position
    after: Position
    ruling: Ruling | None = None

    @property
    def failed(self) -> bool:
        """Tell whether the ruling is not the one expected, or there is none."""
        expected = self.statement.expected
        if self.ruling is not None and self.ruling.failure:
            return True
        return expected is not None and self.ruling is not None and self.ruling.verdict != expected


def judge_record(record: Record) -> Iterator[tuple[Case, tuple[Judged, ...]]]:
    """Judge a record: the game itself, as a case without a title, and then each case."""
    for case in (Case(statements=record.main), *record.cases):
        if case.statements:
            yield case, tuple(judge_case(record, case))


def judge_case(record: Record, case: Case) -> Iterator[Judged]:
    """Carry out the statements of a case from an empty table, ruling on its actions."""
    if record.world is None:
        raise ValueError("a record is judged by the rules of its game: it needs its world")
    position = record.world.rulebook.empty(record.world)
    for statement in case.statements:
        ruling, after = carry_out(position, statement)
        yield Judged(statement, position, after, ruling)
        position = after


def carry_out(position: Position, statement: Statement) -> tuple[Ruling | None, Position]:
    """Carry out one statement; the ruling is None for what is no action.

    An action at which a rule fails has a ruling that says so, and changes nothing but the clock.
    """
    deed = statement.deed
    if deed is None:
        return None, position
    if isinstance(deed, At):
        return None, _at(position, deed.moment)
    if isinstance(deed, SetUp):
        start = position.world.rulebook.start(position.world)
        return None, evolve(start, clock=position.clock)
    if isinstance(deed, Adopt):
        game = position.game.with_rulings({deed.ruling: deed.reading})
        world = position.world.rulebook.world(game, position.scenario.id)
        return None, evolve(position, world=world)
    if isinstance(deed, Place):
        return None, _placed(position, deed)
    verb = position.world.rulebook.verbs.get(deed.verb)
    if verb is not None and (slot := missing(verb, deed)):
        raise BadInput(Problem("", deed.verb, f"{slot.lower()} is missing", verb.form))
    try:
        played: Played = position.play(deed)
    except BadInput:
        raise
    except Exception as error:
        return Ruling(deed, failure=Failure.of(error)), _passed_over(position, deed)
    return played.ruling, played.position


def _passed_over(position: Position, action: Action) -> Position:
    """The position after an action that cannot be carried out."""
    if action.verb != NEXT.name:
        return position
    return machine.skip(position, action.moment or position.world.calendar.after(position.clock))


def _at(position: Position, moment: Clock) -> Position:
    """The position at another moment; of turns that are passed over nobody knows what happened in them."""
    skipped = moment.turn > position.clock.turn
    position = evolve(position, clock=moment)
    return position.with_note(UNSEEN, "", True) if skipped else position


def _placed(position: Position, deed: Place) -> Position:
    today = position.date
    states = {
        state: Mark(mark.level, mark.since or (today if position.game.states[state].dated else None))
        for state, mark in deed.states.items()
    }
    position = placed(position, deed.pieces, deed.where, states)
    if deed.steps is not None:
        for name in deed.pieces:
            position = position.with_piece(name, steps=deed.steps)
    if deed.face:
        for name in deed.pieces:
            position = position.with_piece(name, face=deed.face)
    return position


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option("--data", multiple=True, type=click.Path(path_type=Path), help="A folder of corrections.")
@click.option("--json", "as_json", is_flag=True, help="Tell everything as one JSON text.")
@click.option("--quiet", is_flag=True, help="Tell only of rulings that are not as expected.")
@click.pass_context
def judge(
    ctx: click.Context, files: Sequence[Path], data: Sequence[Path], as_json: bool, quiet: bool
) -> None:
    """Rule on every action in the records FILE, and compare with what they expect.

    Exit code 0: all is as expected; 1: something is not; 2: a record cannot be read, or an action not judged.
    """
    records: list[tuple[Path, Record]] = []
    problems: list[Problem] = []
    for path in files:
        try:
            records.append((path, read(path, data)))
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    judged = [(path, record, tuple(judge_record(record))) for path, record in records]
    if as_json:
        told = [_record_json(path, record, cases) for path, record, cases in judged]
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        for path, record, cases in judged:
            for line in _record_words(path, record, cases, quiet=quiet):
                click.echo(line)
    everything = [each for _, _, cases in judged for _, statements in cases for each in statements]
    failed = sum(each.failed for each in everything)
    if not as_json:
        click.echo(_last_line(everything, failed))
    failures = [(each, each.ruling.failure) for each in everything if each.ruling and each.ruling.failure]
    for each, failure in failures:
        show_failure(ctx, failure, f"line {each.statement.line}")
    ctx.exit(UNREADABLE if failures else FINDINGS if failed else 0)


def _last_line(everything: Sequence[Judged], failed: int) -> str:
    rulings = [each.ruling for each in everything if each.ruling is not None]
    expected = sum(each.statement.expected is not None for each in everything)
    breached = sum(bool(ruling.breaches) for ruling in rulings)
    return f"{len(rulings)} actions, {breached} with breaches; {expected} expectations, {failed} not met"


Cases = Sequence[tuple[Case, tuple[Judged, ...]]]


def _record_words(path: Path, record: Record, cases: Cases, *, quiet: bool) -> Iterator[str]:
    if record.world is None:
        return
    words, game = Vocabulary(record.world), record.world.game
    for case, statements in cases:
        shown = [each for each in statements if each.ruling and (each.failed or not quiet)]
        if not shown:
            continue
        yield f"{path}: {' '.join(filter(None, ('case', *case.clauses, case.title)))}"
        for each in shown:
            yield from (f"  {line}" for line in _ruling_words(each, words, game))


def _ruling_words(judged: Judged, words: Vocabulary, game: Game) -> Iterator[str]:
    ruling, statement = judged.ruling, judged.statement
    if ruling is None or statement.deed is None:
        return
    when = judged.before.world.calendar.say(judged.before.clock)
    yield f"line {statement.line}, {when}: {words.say(statement.deed)}: {_grade(ruling)}"
    for breach in ruling.breaches:
        yield from (f"  {line}" for line in breach_words(breach, game))
    if judged.failed and statement.expected is not None:
        yield f"  EXPECTED {', '.join(say_verdict(statement.expected))}"


NOT_JUDGED = "could not be judged, a fault of the referee"


def _grade(ruling: Ruling) -> str:
    return NOT_JUDGED if ruling.failure else ruling.grade.name


def breach_words(breach: Breach, game: Game) -> Iterator[str]:
    """Tell a breach: what it is, its facts, the clause in our own words, and where the data come from."""
    clause = game.clauses[breach.clause]
    yield f"{breach.grade.name} {breach.clause}: {breach.says}"
    facts = ", ".join(f"{name} {say_fact(value)}" for name, value in breach.facts.items())
    if facts:
        yield f"  facts: {facts}"
    yield f"  rule: {' '.join(clause.text.split())}"
    yield f"  data: {breach.provenance}"


def say_fact(value: object) -> str:
    """Tell the value of a fact."""
    if isinstance(value, tuple | list):
        return " ".join(map(str, value)) or "none"
    return value if isinstance(value, str) else number(value) if isinstance(value, int) else str(value)


def _record_json(path: Path, record: Record, cases: Cases) -> dict[str, Any]:
    if record.world is None:
        return {}
    words, game = Vocabulary(record.world), record.world.game
    return {
        "file": str(path),
        "game": record.game,
        "scenario": record.scenario,
        "cases": [
            {
                "clauses": case.clauses,
                "title": case.title,
                "line": case.line,
                "actions": [_ruling_json(each, words, game) for each in statements if each.ruling],
            }
            for case, statements in cases
        ],
    }


def _ruling_json(judged: Judged, words: Vocabulary, game: Game) -> dict[str, Any]:
    ruling, statement = judged.ruling, judged.statement
    told: dict[str, Any] = {
        "line": statement.line,
        "when": judged.before.world.calendar.say(judged.before.clock),
        "action": words.say(statement.deed) if statement.deed is not None else "",
        "grade": _grade(ruling) if ruling else "",
        "breaches": [breach_json(breach, game) for breach in (ruling.breaches if ruling else ())],
    }
    if statement.expected is not None:
        told["expected"] = say_verdict(statement.expected)
        told["met"] = not judged.failed
    return told


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
        "rule": " ".join(game.clauses[breach.clause].text.split()),
        "provenance": str(breach.provenance),
    }
