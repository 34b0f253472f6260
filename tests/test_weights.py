"""How heavy the counters are: within the budgets of every game that ships."""

from __future__ import annotations

import tomllib
from pathlib import Path

import attrs
import pytest

from tools.weights import weights_of
from vassalgen.game.finding import shipped_games

BUDGETS = tomllib.loads((Path(__file__).parent / "data" / "weights.toml").read_text(encoding="utf-8"))


def test_every_game_has_a_budget() -> None:
    assert set(BUDGETS) == set(shipped_games())


@pytest.mark.parametrize("game", sorted(BUDGETS))
def test_no_module_is_heavier_than_its_budget(game: str) -> None:
    found = attrs.asdict(weights_of(game))
    assert {name: weight for name, weight in found.items() if weight > BUDGETS[game][name]} == {}
    assert set(found) == set(BUDGETS[game])
