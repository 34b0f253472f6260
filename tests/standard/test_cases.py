"""Cases of the standard rulebook: a small game by data, its clauses one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import find_rules
from referee.judge import judge_record
from referee.record import read
from vassalgen.game.finding import open_game

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.record"))
GAME = HERE / "divisions"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_action_gets_the_ruling_that_is_expected(path: Path) -> None:
    """Within a case, actions without an expectation lead up to it."""
    wrong = [
        (judged.statement.line, case.title, [breach.says for breach in judged.ruling.breaches])
        for case, statements in judge_record(read(path))
        for judged in statements
        if judged.ruling and judged.failed
    ]
    assert wrong == []


def test_every_clause_has_an_action_that_breaks_it() -> None:
    game = open_game(GAME)
    broken = {
        breach.clause
        for path in FILES
        for _, statements in judge_record(read(path))
        for judged in statements
        if judged.ruling
        for breach in judged.ruling.breaches
    }
    judged = set(find_rules(game).clauses)
    definitions = {"6.1", "3.2", "3.5", "3.6", "3.7", "8.4", "8.8", "13.2"}
    assert judged - broken <= definitions


def test_every_finding_is_a_sentence() -> None:
    said = [
        breach.says
        for path in FILES
        for _, statements in judge_record(read(path))
        for judged in statements
        if judged.ruling
        for breach in judged.ruling.breaches
    ]
    assert [
        text for text in said if not text.endswith(".") or (not text[0].isupper() and not text[0].isdigit())
    ] == []
