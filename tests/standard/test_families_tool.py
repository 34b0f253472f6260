"""How far families carry a game that is in Python: cases judged alike by its rules as data, and others."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import CliRunner

from tools.coverage import CASES
from tools.families import main

FOLDER = Path(__file__).parent / "postcard1943"


def test_what_families_find_is_counted_apart_from_what_they_find_otherwise(tmp_path: Path) -> None:
    shutil.copy(CASES / "postcard1943" / "stacking.record", tmp_path)
    found = CliRunner().invoke(main, ["postcard1943", str(FOLDER), str(tmp_path)])
    assert found.exit_code == 0, found.output
    row = next(line for line in found.output.splitlines() if line.startswith("stacking"))
    assert row.split() == ["stacking", "14", "9", "4", "1", "0", "3", "0", "5", "of", "12"]
