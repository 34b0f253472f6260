"""The guides are followed step by step from nothing: files are written, commands run, their output compared.

A line ``FILE``: introduces the whole text of a file, "Add to" what is added at its end, "In ..., after ..."
what comes after a line. Indented lines that begin with $ are commands; what they print stands below, and ...
stands for lines in between.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee.cli
import vassalgen.cli
from tools.proof.logs.game_logger import log_game
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.proving import world_of

DOCS = Path(__file__).parents[1] / "docs"
WHOLE = re.compile(r"`([\w./-]+)`:")
ADDED = re.compile(r"Add to `([\w./-]+)`:")
AFTER = re.compile(r"In `([\w./-]+)`, after `(.*)`:")
PROGRAMS = {"vassalgen": vassalgen.cli.main, "referee": referee.cli.main}
LOG = "game.vlog"


@pytest.mark.parametrize("guide", ["make-a-module.md", "write-down-the-rules.md"])
def test_a_guide_holds(guide: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / guide).read_text(encoding="utf-8")
    commands = 0
    for before, block in _blocks(text):
        if block.startswith("$ "):
            for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                _run(*command.split("\n", 1))
                commands += 1
        elif found := ADDED.fullmatch(before):
            path = Path(found[1])
            path.write_text(path.read_text(encoding="utf-8") + "\n" + block, encoding="utf-8")
        elif found := AFTER.fullmatch(before):
            path = Path(found[1])
            old = path.read_text(encoding="utf-8")
            assert old.count(found[2] + "\n") == 1, found[2]
            path.write_text(old.replace(found[2] + "\n", f"{found[2]}\n{block}"), encoding="utf-8")
        elif found := WHOLE.fullmatch(before):
            path = Path(found[1])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block, encoding="utf-8")
    assert commands > 4


def _blocks(text: str) -> list[tuple[str, str]]:
    """Indented blocks with the line of text before each; commands are a block of their own."""
    found: list[tuple[str, str]] = []
    before, block = "", ""
    for line in [*text.splitlines(), "end"]:
        if line.startswith("    ") or (block and not line):
            if line.startswith("    $ ") and block and not block.startswith("$ "):
                found.append((before, block.rstrip("\n") + "\n"))
                before, block = "", ""
            block += line[4:] + "\n"
        else:
            if block:
                found.append((before, block.rstrip("\n") + "\n"))
            block = ""
            before = line.strip() or before
    return found


def _run(command: str, printed: str = "") -> None:
    program, *words = shlex.split(command)
    if program == "rm":
        for word in words:
            Path(word).unlink()
        return
    if LOG in words:
        _play(words[words.index("--game") + 1])
    result = CliRunner().invoke(PROGRAMS[program], words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    wanted = printed.rstrip().splitlines()
    got = [line.rstrip() for line in result.output.splitlines()]
    at = 0
    for place, line in enumerate(wanted):
        if line.strip() == "...":
            continue
        skipped = place and wanted[place - 1].strip() == "..."
        there = got.index(line.rstrip(), at) if skipped and line.rstrip() in got[at:] else at
        assert there < len(got) and got[there] == line.rstrip(), f"{command}:\n{result.output}"
        at = there + 1
    assert result.exit_code in (0, 1), result.output


def _play(game: str) -> None:
    """Play a random game, and write the log of it as VASSAL would."""
    played = play_for_log(world_of(game, ""), 1)
    assert not played.stuck
    opening = opening_of(game)
    Path(LOG).write_bytes(opening.to_bytes(log_game(opening, played.steps, 1).writer))
