"""``vassalgen new``: the game it writes checks clean; a folder with something in it is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import vassalgen.cli
from referee.judge import judge_record
from referee.record import read
from vassalgen.game.commands import check_game
from vassalgen.game.finding import open_game
from vassalgen.new import BARE, STARTERS, WHOLE


@pytest.mark.parametrize("options", [(), ("--bare",)])
def test_the_new_game_checks_clean(tmp_path: Path, options: tuple[str, ...]) -> None:
    folder = tmp_path / "mine"
    result = CliRunner().invoke(vassalgen.cli.main, ["new", str(folder), *options])
    assert result.exit_code == 0, result.output
    assert [str(problem) for problem in check_game(folder).problems] == []


def test_the_new_game_is_small_and_complete() -> None:
    game = open_game(STARTERS / WHOLE)
    units = [one for one in game.counters.values() if not game.kinds[one.kind].marker]
    assert 20 <= len(units) <= 30
    assert len(game.scenarios) == 2
    assert game.help and game.tables and game.clauses
    assert len(open_game(STARTERS / BARE).counters) < 5


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(vassalgen.cli.main, ["new", str(tmp_path)])
    assert result.exit_code == 2
    assert "is not empty: name a new folder, or an empty one" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_an_empty_folder_is_filled_be_it_the_one_that_the_user_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(vassalgen.cli.main, ["new", "."]).exit_code == 0
    assert Path("game.toml").is_file()
    assert (tmp_path / "game.toml").is_file()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".part")]


def test_the_next_commands_can_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(vassalgen.cli.main, ["new", "my game"])
    assert result.output.endswith("next: vassalgen check 'my game', vassalgen build 'my game'\n")


def test_a_folder_that_cannot_be_written_is_not_there_by_halves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def full(path: Path, content: bytes) -> None:
        written.append(path.name)
        if len(written) > 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    result = CliRunner().invoke(vassalgen.cli.main, ["new", str(tmp_path / "mine")])
    assert result.exit_code == 2
    assert "mine: cannot be written (No space left on device)" in result.output
    assert list(tmp_path.iterdir()) == []


def test_its_cases_are_ruled_as_they_expect() -> None:
    cases = judge_record(read(STARTERS / WHOLE / "cases.record"))
    judged = [one for _, statements in cases for one in statements if one.ruling]
    assert len(judged) > 20
    assert [one.statement.line for one in judged if one.failed] == []
