"""Games by data that a real VASSAL recorded: what is found in them rests on rules.toml alone."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from referee.audit import Report, audit
from referee.engine.rulings import Grade
from referee.table import EMPTY_MODULE, ModulePlan, read_log, read_module
from tests.agreement import both_verdicts
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game
from vassalgen.new import STARTERS, WHOLE

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = {
    "alder/bridges": STARTERS / WHOLE,
    "orsa/january": TESTS / "clubs" / "orsa",
    "grauwald/afternoon": TESTS / "clubs" / "grauwald",
    "dalia/morning": TESTS / "clubs" / "dalia",
}
EXPECTED: dict[str, Any] = {
    log: tomllib.loads((TESTS / "data" / log).with_name("expected.toml").read_text(encoding="utf-8"))
    for log in FOLDERS
}
logs = pytest.mark.parametrize("log", FOLDERS)


def audited_with(log: str, module: ModulePlan) -> Report:
    path = TESTS / "data" / f"{log}.vlog"
    return audit([read_log(path)], open_game(FOLDERS[log]), module)


@cache
def audited(log: str) -> Report:
    return audited_with(log, EMPTY_MODULE)


@logs
def test_the_audit_finds_what_was_played_wrong_and_no_more(log: str) -> None:
    findings = audited(log).findings
    found = [[one.steps[-1], one.grade.name, one.clause, " ".join(one.units)] for one in findings]
    assert found == EXPECTED[log]["findings"]


@logs
def test_with_the_module_at_hand_the_same_is_found(log: str, tmp_path: Path) -> None:
    game = open_game(copytree(FOLDERS[log], tmp_path / "game"))
    compile_game(game).write(tmp_path / "game.vmod")
    with_it = audited_with(log, read_module(tmp_path / "game.vmod"))
    assert [one.id for one in with_it.findings] == [one.id for one in audited(log).findings]


@logs
def test_the_position_is_what_is_on_the_table_in_the_end(log: str) -> None:
    report = audited(log)
    grid = report.world.game.map.grid
    places = {piece.id: piece.where for piece in report.position.pieces.values() if piece.where in grid}
    assert places == EXPECTED[log]["places"]


@logs
def test_judging_the_record_gives_the_rulings_of_the_audit(log: str) -> None:
    read, judged = both_verdicts(audited(log))
    assert judged == read


@pytest.mark.parametrize("log", ["alder/bridges", "orsa/january"])
def test_attacks_that_units_joined_by_mistake_accuse_nobody(log: str) -> None:
    assert illegal_in(log, "joined") == []


def test_stacks_spread_for_a_picture_and_wrong_counters_exchanged_later_accuse_nobody() -> None:
    assert illegal_in("alder/bridges", "spread") == []


def illegal_in(log: str, name: str) -> list[str]:
    """The clauses of what is illegal in a careless log of a game."""
    path = TESTS / "data" / log.partition("/")[0] / "careless" / f"{name}.vlog"
    report = audit([read_log(path)], open_game(FOLDERS[log]))
    return [one.clause for one in report.findings if one.grade is Grade.illegal]
