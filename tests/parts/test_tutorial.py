"""The tutorial: a log in the game's folder that the module offers to newcomers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.audit import audit
from referee.table import read_log
from tests.parts.conftest import SMALL
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game
from vassalgen.parts.help import TUTORIAL, documentation, tutorial_log
from vassalgen.parts.versions import version_of
from vassalgen.problems import BadInput
from vassalgen.vassal.components import Tutorial

DATA = Path(__file__).parents[1] / "data" / "postcard1943"


def small_with(tmp_path: Path, content: bytes) -> Path:
    shutil.copytree(SMALL, tmp_path / "small")
    (tmp_path / "small" / TUTORIAL).write_bytes(content)
    return tmp_path / "small"


def test_a_game_without_a_tutorial_offers_none() -> None:
    game = open_game(SMALL)
    assert tutorial_log(game) is None
    assert not [one for one in documentation(game).children if isinstance(one, Tutorial)]


def test_a_log_in_the_folder_becomes_the_tutorial(tmp_path: Path) -> None:
    log = (DATA / "clean.vlog").read_bytes()
    game = open_game(small_with(tmp_path, log))
    assert tutorial_log(game) == log
    (offered,) = [one for one in documentation(game).children if isinstance(one, Tutorial)]
    assert offered.logfile == TUTORIAL
    assert offered.launch_on_startup


@pytest.mark.parametrize("content", [b"no zip at all", (DATA / "clean.vsav").read_bytes()])
def test_what_is_no_log_is_no_tutorial(tmp_path: Path, content: bytes) -> None:
    game = open_game(small_with(tmp_path, content))
    with pytest.raises(BadInput, match=TUTORIAL):
        tutorial_log(game)


def test_what_the_tutorial_of_a_shipped_game_shows_breaks_no_rule() -> None:
    game = open_game("postcard1943")
    entries = dict(compile_game(game).entries)
    assert entries[TUTORIAL] == tutorial_log(game)
    log = read_log(game.folders[0] / TUTORIAL)
    assert log.version == version_of(game)
    assert audit([log], game).findings == ()
