"""Readings of open questions: each is refused, or has a case in which it makes a difference."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from referee.games.patton1943.readings import UNJUDGED
from referee.judge import judge_record
from referee.record import Adopt, Case, Record, parse, read
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

GAME = open_game("patton1943")
RECORD = read(Path(__file__).parents[2] / "cases" / GAME.id / "readings.record")
REFUSED = [(ruling, reading) for ruling, readings in UNJUDGED.items() for reading in readings]
ADOPTED = sorted(
    {
        (one.deed.ruling, one.deed.reading)
        for case in RECORD.cases
        for one in case.statements
        if isinstance(one.deed, Adopt)
    }
)


@pytest.mark.parametrize(("ruling", "reading"), REFUSED)
def test_a_reading_that_is_not_judged_is_refused(ruling: str, reading: str) -> None:
    assert reading in GAME.rulings[ruling].readings
    assert reading != GAME.adopted(ruling)
    with pytest.raises(BadInput, match=f"the reading '{reading}' of {ruling} is not judged yet"):
        parse(f"game {GAME.id}\nadopt {ruling} {reading}\n", "game.record")


@pytest.mark.parametrize(("ruling", "reading"), ADOPTED)
def test_a_reading_makes_a_difference(ruling: str, reading: str) -> None:
    adopt = Adopt(ruling, reading)
    cases = [case for case in RECORD.cases if any(one.deed == adopt for one in case.statements)]
    without = [
        evolve(case, statements=tuple(one for one in case.statements if one.deed != adopt)) for case in cases
    ]
    assert [_failures(case) for case in cases] == [0] * len(cases)
    assert any(_failures(case) for case in without)


def _failures(case: Case) -> int:
    """How many expectations are not met."""
    record = Record(GAME.id, RECORD.scenario, (), (case,), RECORD.world)
    return sum(each.failed for _, statements in judge_record(record) for each in statements)
