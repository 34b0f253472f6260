"""A small part of what ``tools/fuzz.py`` tries; docs/reliability.md describes the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools import fuzz

CASES = {"audits": 12, "streams": 40, "zips": 60, "builds": 20, "records": 15, "data": 15}


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_changed_files_are_read_or_refused(kind: str) -> None:
    part = fuzz.part(kind, 0, CASES[kind])
    assert part.errors == ()
    assert part.read + part.refused == CASES[kind]


def test_a_case_is_the_same_every_time() -> None:
    first, second = (fuzz.case("records", 3) for _ in range(2))
    assert (first.refused, first.errors) == (second.refused, second.errors)


def test_what_is_not_refused_but_raised_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(rng: object) -> None:
        raise KeyError("nobody thought of this")

    monkeypatch.setitem(fuzz.KINDS, "zips", fail)
    result = CliRunner().invoke(fuzz.main, ["zips", "--cases", "3"])
    assert result.exit_code == 1
    assert result.stderr.count("KeyError: 'nobody thought of this'") == 3
    assert "| zips | 3 | 0 | 0 | 3 |" in result.stdout


def test_a_run_that_was_stopped_goes_on_where_it_stopped(tmp_path: Path) -> None:
    keep = tmp_path / "kept.jsonl"
    words = ["zips", "--cases", "6", "--part", "2", "--keep", str(keep)]
    CliRunner().invoke(fuzz.main, ["zips", "--cases", "2", "--part", "2", "--keep", str(keep)])
    first = keep.read_text(encoding="utf-8")
    result = CliRunner().invoke(fuzz.main, words)
    assert "| zips | 6 |" in result.stdout
    lines = keep.read_text(encoding="utf-8")
    assert lines.startswith(first)
    assert [json.loads(line)["first"] for line in lines.splitlines()] == [0, 2, 4]
