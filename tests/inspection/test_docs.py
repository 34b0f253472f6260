"""What docs/inspect.md shows is what the command prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from vassalgen.cli import main

ROOT = Path(__file__).resolve().parents[2]
INDENT = "    "
GAP = "…"
BLOCK = re.compile(r"^    \$ vassalgen (inspect .*)\n((?:    .*\n|\n(?=    ))+)", re.MULTILINE)
BLOCKS = BLOCK.findall((ROOT / "docs" / "inspect.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_the_page_shows_what_is_printed(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, command.split())
    lines = [line.removeprefix(INDENT).rstrip() for line in shown.rstrip("\n").split("\n")]
    if lines[0] == lines[-1] == GAP:
        assert "\n".join(lines[1:-1]) in result.stdout
    else:
        assert lines == [line.rstrip() for line in result.stdout.rstrip("\n").split("\n")]


def test_the_page_has_examples() -> None:
    assert len(BLOCKS) == 3
