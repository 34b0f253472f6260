"""The README: what it shows in Python happens."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_the_examples_of_the_readme_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert Path.cwd() == ROOT
    result = doctest.testfile(os.fspath(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted
    assert not result.failed
