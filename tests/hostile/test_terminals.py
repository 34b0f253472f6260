"""What strangers wrote does not reach a terminal as anything but letters."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main as referee
from tests.scribe.playing import Playing
from vassalgen.cli import main as vassalgen
from vassalgen.commandline import Visible, show_progress, visible
from vassalgen.vassal.commands import AddPlayer
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.savedgame import SavedGame

CODES = "\x07\x9b2J\u202e\u2066evil\u2069"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with codes of terminals wherever players can write."""
    playing = Playing(stop="Allied Movement").say(f"chat {CODES}").lay_foreign(f"piece {CODES}", "B2")
    playing.setup.insert(2, AddPlayer(password="x", name=f"name {CODES}", side=f"side {CODES}"))
    text = playing.move("blade", "B2").log().stream.encode()
    path = tmp_path / "game\x1b[31m.vlog"
    module = ModuleData(name="module \u202eevil", version="1")
    SavedGame.new(text.replace("Hello", CODES), SaveData(description="comment \u202eevil"), module).write(
        path
    )
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["replay"],
        ["replay", "--jsonl"],
        ["replay", "--step", "2"],
        ["audit"],
        ["audit", "--game", "postcard1943"],
        ["record", "--game", "postcard1943"],
        ["moves", "--game", "postcard1943"],
        ["inspect"],
        ["inspect", "--text"],
        ["inspect", "--json", "-"],
    ],
)
def test_no_command_prints_codes_of_terminals(words: list[str], log: Path) -> None:
    main = vassalgen if words[0] == "inspect" else referee
    result = CliRunner().invoke(main, [words[0], str(log), *words[1:]])
    assert result.exit_code in (0, 1, 2)
    output = result.stdout + result.stderr
    assert not any(code in output for code in "\x07\x1b\x9b\u202e\u2066\u2069\r")
    assert "evil" in output or words[0] in ("moves", "record")


def test_what_is_spelt_out_is_still_the_same_json() -> None:
    text = json.dumps({"said": f"{CODES}\U000e0041\x7f"}, ensure_ascii=False)
    assert visible(text) != text
    assert json.loads(visible(text)) == json.loads(text)


def test_lines_and_letters_of_all_languages_are_left_as_they_are() -> None:
    text = "Línea\t1\nשלום 👩‍🚀 ﷽"
    assert visible(text) == text


class Terminal(StringIO):
    """What a person looks at."""

    def isatty(self) -> bool:
        return True


def test_a_line_of_progress_replaces_the_one_before_whatever_stands_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", Visible(terminal))
    show_progress(f"reading {CODES[0]}")
    show_progress("")
    assert terminal.getvalue() == "\r\x1b[Kreading \\u0007\r\x1b[K"


def test_progress_is_not_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    log = StringIO()
    monkeypatch.setattr(sys, "stderr", Visible(log))
    show_progress("reading")
    assert log.getvalue() == ""
