"""Every mistake a game's files may hold is told with its place, and nothing else is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.game.conftest import GameFolder

HERE = Path(__file__).parent


def mistakes(file: str) -> list[Any]:
    data = tomllib.loads((HERE / "mistakes" / file).read_text(encoding="utf-8"))
    return [pytest.param(mistake, id=situation) for situation, mistake in data.items()]


def test_the_game_that_the_mistakes_are_made_in_has_none(skirmish: GameFolder) -> None:
    checked = skirmish.check()
    assert skirmish.problems(checked) == []
    assert checked.exit_code == 0


@pytest.mark.parametrize("mistake", [*mistakes("reading.toml"), *mistakes("checking.toml")])
def test_a_mistake_is_told(skirmish: GameFolder, mistake: dict[str, Any]) -> None:
    for file, old, new in mistake["change"]:
        skirmish.change(file, old, new)
    checked = skirmish.check()
    assert skirmish.problems(checked) == mistake["problems"]
    assert checked.exit_code == mistake.get("exit_code", 1)
