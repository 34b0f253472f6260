"""The programs that play, break and count: what they write, and how they end."""

from __future__ import annotations

import csv
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referee import cli
from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulebook import Played
from tools import mutate, prove, selfplay

GAME = "postcard1943"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first two turns of a random game."""
    path = tmp_path_factory.mktemp("random") / "game.vlog"
    result = CliRunner().invoke(selfplay.main, [GAME, "--seed", "7", "--turns", "2", "-o", str(path)])
    assert result.exit_code == 0, result.output
    return path


def test_a_random_game_is_written_as_a_log_and_as_a_record_in_which_nobody_is_accused(log: Path) -> None:
    assert CliRunner().invoke(cli.main, ["audit", str(log)]).exit_code == 0
    assert CliRunner().invoke(cli.main, ["judge", str(log.with_suffix(".record"))]).exit_code == 0


def test_a_log_is_written_with_a_rule_broken_and_the_audit_finds_it(log: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(mutate.main, [str(log), str(tmp_path), "--clause", "combat.3"])
    assert result.exit_code == 0, result.output
    lines = (tmp_path / "mutations.tsv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines, delimiter="\t"))
    assert {row["clause"] for row in rows} == {"combat.3"}
    for row in rows:
        audited = CliRunner().invoke(cli.main, ["audit", str(tmp_path / row["file"])])
        assert audited.exit_code == 1
        assert "combat.3" in audited.output


def test_a_log_in_which_a_rule_is_broken_already_is_not_broken_again(log: Path, tmp_path: Path) -> None:
    CliRunner().invoke(mutate.main, [str(log), str(tmp_path), "--clause", "combat.3"])
    result = CliRunner().invoke(mutate.main, [str(tmp_path / "000-combat.3.vlog"), str(tmp_path / "again")])
    assert result.exit_code == 2
    assert "is not a legal log" in result.output
    assert not (tmp_path / "again").exists()


def test_where_the_rules_fail_the_record_up_to_there_is_written_and_shows_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played = 0

    def fail_at_last(position: Position, action: Action) -> Played:
        nonlocal played
        played += 1
        assert played < 60, "no hex is there"
        return position.world.rulebook.play(position, action)

    monkeypatch.setattr(Position, "play", fail_at_last)
    path = tmp_path / "game.record"
    result = CliRunner().invoke(selfplay.main, [GAME, "-o", str(path)])
    assert result.exit_code == 1
    assert "no hex is there" in result.output
    assert "no hex is there" in path.read_text(encoding="utf-8").splitlines()[-1]
    monkeypatch.undo()
    assert CliRunner().invoke(cli.main, ["judge", str(path)]).exit_code in (0, 1)


@pytest.mark.parametrize("main", [selfplay.main, prove.main])
def test_no_such_game_is_misuse(main: click.Command) -> None:
    result = CliRunner().invoke(main, ["no-such-game"])
    assert result.exit_code == 2
    assert "no-such-game" in result.output


def test_the_log_of_a_game_in_a_folder_is_broken_by_its_families(tmp_path: Path) -> None:
    club, log = Path(__file__).parents[1] / "clubs" / "orsa", tmp_path / "game.vlog"
    CliRunner().invoke(selfplay.main, [str(club), "--turns", "1", "-o", str(log)])
    given = [str(log), str(tmp_path / "broken"), "--game", str(club), "--clause", "4.1"]
    result = CliRunner().invoke(mutate.main, given)
    assert result.exit_code == 0, result.output
    assert list((tmp_path / "broken").glob("*-4.1.vlog"))
