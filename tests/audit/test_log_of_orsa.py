"""A game of The Orsa Line that a real VASSAL recorded: what is found in it rests on rules.toml alone."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.audit import Report, audit
from referee.table import read_log
from tests.agreement import both_verdicts
from vassalgen.game.finding import open_game

TESTS = Path(__file__).resolve().parents[1]
HERE = TESTS / "data" / "orsa"
EXPECTED: dict[str, Any] = tomllib.loads((HERE / "expected.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def audited() -> Report:
    return audit([read_log(HERE / "january.vlog")], open_game(TESTS / "clubs" / "orsa"))


def test_the_audit_finds_what_was_played_wrong_and_no_more(audited: Report) -> None:
    found = [[one.steps[-1], one.grade.name, one.clause, " ".join(one.units)] for one in audited.findings]
    assert found == EXPECTED["findings"]


def test_the_position_is_that_of_the_table_in_the_end(audited: Report) -> None:
    grid = audited.world.game.map.grid
    places = {piece.id: piece.where for piece in audited.position.pieces.values() if piece.where in grid}
    assert places == EXPECTED["places"]


def test_judging_the_record_gives_the_rulings_of_the_audit(audited: Report) -> None:
    read, judged = both_verdicts(audited)
    assert judged == read
