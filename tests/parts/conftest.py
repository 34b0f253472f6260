"""The games that parts are tested with: those that ship, and a small one that has a bit of everything."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest

from vassalgen.compile import Compiled, compile_game
from vassalgen.game.art import Style
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.game.game import Game

SMALL = Path(__file__).parents[1] / "game" / "skirmish"
GAMES = ("small", *shipped_games())


def drawable(game: Game) -> Game:
    """The game with roads and hexsides of some width, which the small one leaves out."""
    art = attrs.evolve(game.art, roads=_wide(game.art.roads), hexsides=_wide(game.art.hexsides))
    return attrs.evolve(game, art=art)


def _wide(looks: Mapping[str, Style]) -> dict[str, Style]:
    return {name: attrs.evolve(style, width=style.width or 3) for name, style in looks.items()}


@pytest.fixture(scope="session", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return drawable(open_game(SMALL if request.param == "small" else request.param))


@pytest.fixture(scope="session")
def compiled(game: Game) -> Compiled:
    """The compiled module of a game; the game's folder is not changed."""
    return compile_game(game)


@pytest.fixture(scope="session")
def small() -> Game:
    return drawable(open_game(SMALL))
