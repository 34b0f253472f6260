"""Fixtures that all tests may use."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from referee.engine.position import World
from referee.engine.rulebook import Rulebook
from vassalgen.game import finding
from vassalgen.game.game import Game
from vassalgen.game.reading.folder import read

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

_read_once = cache(read)
_bind = Rulebook.world
_games: dict[int, Game] = {}
_worlds: dict[tuple[int, int, str], World] = {}


def _shared(folder: Path, corrections: Sequence[Path]) -> Game:
    if corrections or folder not in finding.shipped_games().values():
        return read(folder, corrections)
    game = _read_once(folder)
    _games[id(game)] = game
    return game


def _shared_world(rulebook: Rulebook, game: Game, scenario: str = "") -> World:
    if id(game) not in _games:
        return _bind(rulebook, game, scenario)
    key = id(rulebook), id(game), scenario
    if key not in _worlds:
        _worlds[key] = _bind(rulebook, game, scenario)  # which keeps its rulebook, and so the rulebook its id
    return _worlds[key]


# shipped games are values, which tests may share, and so is what their rules derive from them
pytest.MonkeyPatch().setattr(finding, "read", _shared)
pytest.MonkeyPatch().setattr(Rulebook, "world", _shared_world)

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material beside the project; where it is absent the test is skipped."""
    if not (SHARED / "corpus").is_dir():
        pytest.skip("the reference material is not beside the project")
    return SHARED
