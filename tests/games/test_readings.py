"""Readings of open questions: each is rejected, or has a case in which it makes a difference."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from attrs import evolve

from referee.judge import judge_record
from referee.record import Adopt, Case, Record, parse, read
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

CASES = Path(__file__).parents[1] / "cases"
RECORDS = {name: read(CASES / name / "readings.record") for name in ("patton1943", "vitoria1813")}
"""The games whose cases about readings all lie in one record."""
REFUSED = [
    (name, ruling, reading)
    for name in RECORDS
    for ruling, readings in import_module(f"referee.games.{name}.readings").UNJUDGED.items()
    for reading in readings
]
ADOPTED = sorted(
    {
        (name, one.content.ruling, one.content.reading)
        for name, record in RECORDS.items()
        for case in record.cases
        for one in case.statements
        if isinstance(one.content, Adopt)
    }
)


@pytest.mark.parametrize(("name", "ruling", "reading"), REFUSED)
def test_a_reading_that_is_not_judged_is_refused(name: str, ruling: str, reading: str) -> None:
    game = open_game(name)
    assert reading in game.rulings[ruling].readings
    assert reading != game.adopted(ruling)
    with pytest.raises(BadInput, match=f"the reading '{reading}' of {ruling} is not judged yet"):
        parse(f"game {name}\nadopt {ruling} {reading}\n", "game.record")


@pytest.mark.parametrize(("name", "ruling", "reading"), ADOPTED)
def test_a_reading_makes_a_difference(name: str, ruling: str, reading: str) -> None:
    adopt, record = Adopt(ruling, reading), RECORDS[name]
    cases = [case for case in record.cases if any(one.content == adopt for one in case.statements)]
    without = [
        evolve(case, statements=tuple(one for one in case.statements if one.content != adopt))
        for case in cases
    ]
    assert [_failures(record, case) for case in cases] == [0] * len(cases)
    assert any(_failures(record, case) for case in without)


def _failures(record: Record, case: Case) -> int:
    """How many expectations are not met."""
    alone = Record(record.game, record.scenario, (), (case,), record.world)
    return sum(each.failed for _, statements in judge_record(alone) for each in statements)
