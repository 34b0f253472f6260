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


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    assert CliRunner().invoke(vassalgen.cli.main, ["new", str(tmp_path)]).exit_code == 0
    assert (tmp_path / "game.toml").is_file()


def test_its_cases_are_ruled_as_they_expect() -> None:
    cases = judge_record(read(STARTERS / WHOLE / "cases.record"))
    judged = [one for _, statements in cases for one in statements if one.ruling]
    assert len(judged) > 20
    assert [one.statement.line for one in judged if one.failed] == []
