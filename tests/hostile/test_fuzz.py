"""A small part of what ``tools/fuzz.py`` tries; docs/reliability.md describes the whole."""

from __future__ import annotations

import json
import os
import random
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools import fuzz
from tools.keeping import keep, kept

CASES = {"audits": 12, "streams": 40, "zips": 40, "builds": 20, "records": 15, "data": 15, "papers": 60}
FIRST = {"audits": 700}
"""The seeds of a log without a module: there is none to be compiled."""


@pytest.mark.parametrize("kind", CASES)
def test_changed_files_are_read_or_refused(kind: str) -> None:
    part = fuzz.part(kind, FIRST.get(kind, 0), CASES[kind])
    assert part.errors == ()
    assert not part.is_too_much
    assert part.read + part.refused == CASES[kind]


def test_a_case_is_the_same_every_time() -> None:
    first, second = (fuzz.case("records", 3) for _ in range(2))
    assert (first.refused, first.error) == (second.refused, second.error)


def test_what_is_not_refused_but_raised_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(rng: object) -> None:
        raise KeyError("nobody thought of this")

    monkeypatch.setitem(fuzz.KINDS, "zips", lambda first: fail)
    result = CliRunner().invoke(fuzz.main, ["zips", "--cases", "3"])
    assert result.exit_code == 1
    assert result.stderr.count("KeyError: 'nobody thought of this'") == 3
    assert "| zips | 3 | 0 | 0 | 3 |" in result.stdout


def test_a_process_that_dies_is_counted_and_the_others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def die(rng: random.Random) -> None:
        if rng.random() < 0.5:
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setitem(fuzz.KINDS, "audits", lambda first: die)
    part = fuzz.part("audits", 0, 8)
    assert 0 < len(part.errors) < 8
    assert part.read + len(part.errors) == 8
    assert all("the process ended with -9" in error for error in part.errors)


def test_a_run_that_was_stopped_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "PART", 2)
    file = tmp_path / "kept.jsonl"
    words = ["zips", "records", "--cases", "6", "--keep", str(file)]
    CliRunner().invoke(fuzz.main, ["zips", "records", "--cases", "2", "--keep", str(file)])
    first = file.read_text(encoding="utf-8")
    result = CliRunner().invoke(fuzz.main, words)
    assert "| zips | 6 |" in result.stdout
    lines = file.read_text(encoding="utf-8")
    assert lines.startswith(first)
    tried = [(json.loads(line)["kind"], json.loads(line)["first"]) for line in lines.splitlines()]
    assert tried == [(kind, first) for first in (0, 2, 4) for kind in ("zips", "records")]


def test_a_line_that_a_stopped_run_has_not_finished_is_taken_out(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    keep(file, {"first": 0})
    with file.open("a", encoding="utf-8") as half:
        half.write('{"first": 1')
    assert kept(file) == [{"first": 0}]
    keep(file, {"first": 1})
    assert kept(file) == [{"first": 0}, {"first": 1}]
