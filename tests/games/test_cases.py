"""All cases of all games: records that say what ruling each action must get."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.judge import judge_record
from referee.record import Vocabulary, parse, read, write

CASES = Path(__file__).parents[1] / "cases"
FILES = sorted(CASES.glob("*/*.record"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_action_gets_the_ruling_that_is_expected(path: Path) -> None:
    """Within a case, actions without an expectation lead up to it and must be legal."""
    record = read(path)
    assert record.world is not None
    words = Vocabulary(record.world)
    wrong: list[tuple[object, ...]] = []
    for case, statements in judge_record(record):
        for each in statements:
            wrong += [(each.statement.line, case.title, str(problem), []) for problem in each.refused]
            if each.ruling is None or each.statement.content is None:
                continue
            if each.failed or (each.statement.expected is None and each.ruling.breaches):
                found = [(breach.grade.name, breach.clause, breach.says) for breach in each.ruling.breaches]
                wrong.append((each.statement.line, case.title, words.say(each.statement.content), found))
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_file_of_cases_survives_being_written(path: Path) -> None:
    record = read(path)
    assert parse(write(record)) == record
    assert write(parse(write(record))) == write(record)
