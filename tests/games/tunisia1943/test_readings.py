"""Readings of open questions: each is rejected, or has a case in which it makes a difference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from referee.games import find_rules
from referee.games.tunisia1943.readings import UNJUDGED
from referee.judge import judge_record
from referee.record import Adopt, Case, Record, parse, read
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

GAME = open_game("tunisia1943")
RULES = find_rules(GAME.id)
CASES = Path(__file__).parents[2] / "cases" / GAME.id
SAME = {
    ("armour-of-the-side-shown", "counter"),
    ("attack-of-the-weak", "yes"),
    ("markers-or-positions", "marker"),
    ("order-of-the-end", "free"),
    ("secrecy", "never"),
    ("withdrawn-aviation", "german"),
}
"""Readings that these data leave without a difference: a flag is for a whole counter, no unit attacks with 0,
the map is not printed, neither order nor secrecy is judged, and all aviation of the Axis is German."""
REFUSED = [(ruling, reading) for ruling, readings in UNJUDGED.items() for reading in readings]


@pytest.mark.parametrize(("ruling", "reading"), REFUSED)
def test_a_reading_that_is_not_judged_is_refused(ruling: str, reading: str) -> None:
    assert reading in GAME.rulings[ruling].readings
    assert reading != GAME.adopted(ruling)
    says = f"the reading '{reading}' of {ruling} is not judged yet: {UNJUDGED[ruling][reading]}"
    with pytest.raises(BadInput, match=re.escape(says)):
        parse(f"game {GAME.id}\nadopt {ruling} {reading}\n", "game.record")


def test_every_other_reading_makes_a_difference_in_some_case() -> None:
    wanted = {
        (name, reading)
        for name, ruling in GAME.rulings.items()
        for reading in RULES.judged_readings(GAME, name)
        if reading != ruling.adopted
    }
    assert wanted - SAME - set(differing()) == set()


def differing() -> Iterator[tuple[str, str]]:
    """The readings adopted in cases whose rulings are others without them."""
    for path in sorted(CASES.glob("*.record")):
        record = read(path)
        for case in record.cases:
            for statement in case.statements:
                adopted = statement.content
                if isinstance(adopted, Adopt) and _is_different_without(record, case, adopted):
                    yield adopted.ruling, adopted.reading


def _is_different_without(record: Record, case: Case, adopted: Adopt) -> bool:
    usual = tuple(statement for statement in case.statements if statement.content is not adopted)
    reported = evolve(record, main=(), cases=(evolve(case, statements=usual),))
    return any(each.failed for _, statements in judge_record(reported) for each in statements)
