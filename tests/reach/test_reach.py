"""In set positions as many hexes and actions are open as have been kept; tools/reach.py writes them again."""

from __future__ import annotations

from difflib import ndiff
from pathlib import Path

import pytest

from referee.record import read
from tools.proof.reaching import beside, describe

RECORDS = sorted(Path(__file__).parent.glob("*/*.record"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_as_much_can_be_done_as_was_counted(path: Path) -> None:
    kept, now = beside(path).read_text(encoding="utf-8"), describe(read(path))
    split = [line for line in ndiff(kept.splitlines(), now.splitlines()) if line[0] in "+-"]
    assert not split, "\n".join(["kept (-) and now (+):", *split])


def test_there_are_a_dozen_positions_for_each_game_that_has_any() -> None:
    for folder in {path.parent for path in RECORDS}:
        cases = [case for path in folder.glob("*.record") for case in read(path).cases]
        assert len(cases) >= 12, folder.name
