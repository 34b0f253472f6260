"""What strangers wrote does not reach a terminal as anything but letters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main as referee
from tests.scribe.playing import Playing
from vassalgen.cli import main as vassalgen
from vassalgen.commandline import visible
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
