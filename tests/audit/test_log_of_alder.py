"""A game of The Alder Bridges that a real VASSAL recorded: what is found in it rests on rules.toml alone."""

from __future__ import annotations

import tomllib
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from referee.audit import Report, audit
from referee.table import read_log, read_module
from tests.agreement import both_verdicts
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game
from vassalgen.new import STARTERS, WHOLE

HERE = Path(__file__).resolve().parents[1] / "data" / "alder"
EXPECTED: dict[str, Any] = tomllib.loads((HERE / "expected.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def audited() -> Report:
    return audit([read_log(HERE / "bridges.vlog")], open_game(STARTERS / WHOLE))


def test_the_audit_finds_what_was_played_wrong_and_no_more(audited: Report) -> None:
    found = [[one.steps[-1], one.grade.name, one.clause, " ".join(one.units)] for one in audited.findings]
    assert found == EXPECTED["findings"]


def test_with_the_module_at_hand_the_same_is_found(audited: Report, tmp_path: Path) -> None:
    game = open_game(copytree(STARTERS / WHOLE, tmp_path / "alder"))
    compile_game(game).write(tmp_path / "alder.vmod")
    with_it = audit([read_log(HERE / "bridges.vlog")], game, read_module(tmp_path / "alder.vmod"))
    assert [one.id for one in with_it.findings] == [one.id for one in audited.findings]


def test_the_position_is_what_lies_on_the_table_in_the_end(audited: Report) -> None:
    grid = audited.world.game.map.grid
    lying = {piece.id: piece.where for piece in audited.position.pieces.values() if piece.where in grid}
    assert lying == EXPECTED["lying"]


def test_judging_the_record_gives_the_rulings_of_the_audit(audited: Report) -> None:
    read, judged = both_verdicts(audited)
    assert judged == read
