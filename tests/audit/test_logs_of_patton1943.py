"""Games of Patton 1943 that a real VASSAL recorded: the audit finds what was played wrong, and no more."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.audit import Report, audit
from referee.judge import judge_record
from referee.record import parse, write
from referee.table import read_log
from vassalgen.game.finding import open_game

HERE = Path(__file__).resolve().parents[1] / "data" / "patton1943"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((HERE / "expected.toml").read_text(encoding="utf-8"))


@cache
def audited(name: str) -> Report:
    return audit([read_log(HERE / f"{name}.vlog")], open_game("patton1943"))


@pytest.mark.parametrize("name", EXPECTED)
def test_the_audit_finds_what_was_played_wrong_and_no_more(name: str) -> None:
    found = [
        [one.steps[-1], one.grade.name, one.clause, " ".join(one.units)] for one in audited(name).findings
    ]
    assert sorted(found) == sorted(EXPECTED[name]["findings"])


@pytest.mark.parametrize("name", EXPECTED)
def test_in_the_end_all_lies_where_it_was_dragged_to(name: str) -> None:
    pieces = audited(name).position.pieces
    assert {one: pieces[one].where for one in EXPECTED[name]["moved"]} == EXPECTED[name]["moved"]


@pytest.mark.parametrize("name", EXPECTED)
def test_judging_the_record_gives_the_rulings_of_the_audit(name: str) -> None:
    report = audited(name)
    judged = [
        one.ruling.verdict
        for _, case in judge_record(parse(write(report.record)))
        for one in case
        if one.ruling
    ]
    assert judged == [one.ruling.verdict for one in report.readings if one.ruling]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_audit_reads_the_scenario_off_the_table(name: str) -> None:
    assert audited(name).world.scenario.id == EXPECTED[name]["scenario"]
