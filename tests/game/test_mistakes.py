"""Every mistake a game's files may hold is reported with its place, and nothing else is."""

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
def test_a_mistake_is_reported(skirmish: GameFolder, mistake: dict[str, Any]) -> None:
    for file, old, new in mistake["change"]:
        skirmish.change(file, old, new)
    checked = skirmish.check()
    assert skirmish.problems(checked) == mistake["problems"]
    assert checked.exit_code == mistake.get("exit_code", 1)


KEYS = {
    "a side": ("game.toml", 'red = { title = "Reds" }', 'red = { title = "Reds", bogus = 1 }'),
    "a nation": ("game.toml", 'free = { title = "Volunteer" }', 'free = { title = "Volunteer", bogus = 1 }'),
    "a formation": ("game.toml", 'part_of = "first"', 'part_of = "first", bogus = 1'),
    "a kind of counter": ("game.toml", "marker = true", "marker = true, bogus = 1"),
    "a factor": ("game.toml", 'title = "attack factor"', 'title = "attack factor", bogus = 1'),
    "a column": ("game.toml", 'guns = { type = "integer" }', 'guns = { type = "integer", bogus = 1 }'),
    "a state": ("game.toml", "back = true", "back = true, bogus = 1"),
    "a stacking limit": ("game.toml", 'not_with = "horse"', 'not_with = "horse"\nbogus = 1'),
    "the sequence of play": ("game.toml", 'order = "blue red"', 'order = "blue red"\nbogus = 1'),
    "a phase": ("game.toml", 'title = "Weather"', 'title = "Weather"\nbogus = 1'),
    "dice": ("game.toml", 'title = "Combat" }', 'title = "Combat", bogus = 1 }'),
    "a declaration": ("game.toml", 'state = "routed"', 'state = "routed"\nbogus = 1'),
    "the help": ("game.toml", 'pages = "rules"', 'pages = "rules"\nbogus = 1'),
    "game.toml": ("game.toml", 'designer = "Nobody"', "bogus = 1"),
    "map.toml": ("map.toml", "[grid]", "[bogus]\n[grid]"),
    "the grid": ("map.toml", 'missing = "0404"', 'missing = "0404"\nbogus = 1'),
    "a road": ("map.toml", 'kind = "path"', 'kind = "path"\nbogus = 1'),
    "a zone": ("map.toml", 'hexes = "0402"', 'hexes = "0402"\nbogus = 1'),
    "a place": ("map.toml", 'kind = "tower"', 'kind = "tower", bogus = 1'),
    "a box": ("map.toml", 'title = "Losses"', 'title = "Losses", bogus = 1'),
    "tables.toml": ("tables.toml", "[values.supply]", "[bogus.supply]"),
    "a table": ("tables.toml", 'dice = "combat"', 'dice = "combat"\nbogus = 1'),
    "a result": ("tables.toml", 'title = "Nothing"', 'title = "Nothing", bogus = 1'),
    "a clause": ("clauses.toml", 'title = "Woods"', 'title = "Woods"\nbogus = 1'),
    "a ruling": ("rulings.toml", 'adopted = "no"', 'adopted = "no"\nbogus = 1'),
    "a reading": ("rulings.toml", 'source = "our reading"', 'source = "catalogue", bogus = 1'),
    "a scenario": ("scenarios/dawn.toml", "face_down = true", "bogus = 1"),
    "a placement": ("scenarios/dawn.toml", 'at = "0402"', 'at = "0402"\nbogus = 1'),
    "an arrival": ("scenarios/dawn.toml", "turn = 3", "turn = 3\nbogus = 1"),
    "the board": ("art.toml", "across = 96", "across = 96\nbogus = 1"),
    "a style": ("art.toml", 'pattern = "woods"', 'pattern = "woods", bogus = 1'),
    "a face": ("art.toml", "symbol = false", "symbol = false, bogus = 1"),
    "art.toml": ("art.toml", "[terrain]", "[bogus]\n[terrain]"),
}


@pytest.mark.parametrize("what", KEYS)
def test_a_key_that_nobody_knows_is_reported(skirmish: GameFolder, what: str) -> None:
    file, old, new = KEYS[what]
    skirmish.change(file, old, new)
    (problem,) = skirmish.problems()
    assert problem.startswith(f"{file}: line ")
    assert f"bogus: {what} has no 'bogus': " in problem
