"""Every clause that is judged has rules, and cases that try them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "coverage.py"), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd=ROOT)


def test_no_judged_clause_lacks_a_rule_or_a_pair_of_cases() -> None:
    done = run("postcard1943")
    lacking = [line for line in done.stdout.splitlines() if " lacks " in line]
    assert (lacking, done.stderr, done.returncode) == ([], "", 0)


def test_a_game_without_cases_lacks_them(tmp_path: Path) -> None:
    done = run("postcard1943", str(tmp_path))
    assert done.returncode == 1
    assert "lacks a legal case, an illegal case" in done.stdout
