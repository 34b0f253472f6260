"""Games of Vitoria 1813 that a real VASSAL recorded: the audit finds what was played wrong, and no more."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.audit import Report, audit
from referee.judge import judge_record
from referee.record import parse, write
from referee.report.plain import report_json
from referee.table import read_log
from vassalgen.game.finding import open_game

HERE = Path(__file__).resolve().parents[1] / "data" / "vitoria1813"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((HERE / "expected.toml").read_text(encoding="utf-8"))


@cache
def audited(name: str) -> Report:
    return audit([read_log(HERE / f"{name}.vlog")], open_game("vitoria1813"))


@pytest.mark.parametrize("name", EXPECTED)
def test_the_audit_finds_what_was_played_wrong_and_no_more(name: str) -> None:
    found = [
        [one.steps[-1], one.grade.name, one.clause, " ".join(one.units)] for one in audited(name).findings
    ]
    assert sorted(found) == sorted(EXPECTED[name]["findings"])


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
def test_the_set_up_is_known_by_what_lies_on_the_table(name: str) -> None:
    assert audited(name).world.scenario.id == "historical"


def test_nobody_is_told_of_counters_that_were_never_turned_up() -> None:
    told = report_json(audited("clean"))
    told.pop("counters")  # the list of all there are
    written = json.dumps(told)
    assert "fr-tilly" in written
    for never in ("fr-garde", "Guye", "fr-treasure", "uk-kempt"):
        assert never not in written
    assert "fr-treasure" in json.dumps(report_json(audited("clean"), reveal=True)["readings"])
