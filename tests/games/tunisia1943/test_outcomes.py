"""The wrong result played, where the table of results is a printed one."""

from __future__ import annotations

import pytest
from attrs import evolve

from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse
from vassalgen.game.finding import open_game
from vassalgen.game.provenance import PRINTED

WRONG = """game tunisia1943 scenario campaign1
at turn 5, Axis combat; place de-754 de-755 on 1818; place us-16 on 1819
attack 1819 with de-754 de-755; odds 3/2; roll combat {}
"""


@pytest.mark.parametrize(
    ("die", "after", "found"),
    [
        (5, "lose us-16; retreat us-16 1819-1820; settle", [(Grade.illegal, "7.2b", "DD", "FF")]),
        (5, "lose us-16; lose de-754; settle", []),
        (2, "lose de-754; settle", []),
    ],
    ids=["the wrong result", "the right result", "the same result"],
)
def test_a_wrong_result_is_proved_by_a_printed_table(
    die: int, after: str, found: list[tuple[Grade, str, str, str]]
) -> None:
    game = open_game("tunisia1943")
    tables = {**game.tables, "crt": evolve(game.tables["crt"], provenance=PRINTED)}
    world = find_rules("tunisia1943").world(evolve(game, tables=tables), "campaign1")
    record = parse(WRONG.format(die) + after, known=[world])
    *_, (_, statements) = judge_record(record)
    last = statements[-1].ruling
    assert last is not None
    reported = [
        (one.grade, one.clause, one.facts.get("played"), one.facts.get("right")) for one in last.breaches
    ]
    assert reported == found
