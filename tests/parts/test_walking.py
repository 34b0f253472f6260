"""Moves by keyboard: each key leads to the neighbour that lies its way, and nowhere off the map."""

from __future__ import annotations

import pytest

from vassalgen.drawing.boards import Board
from vassalgen.game.game import Game
from vassalgen.parts.walking import edge_properties, pad_key, walking
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.hidecmd import RestrictCommands
from vassalgen.vassal.traits.translate import Translate


@pytest.fixture
def steps(game: Game) -> dict[Key, Translate]:
    return {part.key: part for part in walking(game) if isinstance(part, Translate) and part.key}


def test_every_key_leads_to_the_neighbour_that_lies_its_way(game: Game, steps: dict[Key, Translate]) -> None:
    layout = Board(game).layout
    grid = layout.grid
    for direction in grid.directions:
        step = steps[pad_key(direction)]
        for name in grid.names:
            x, y = layout.centre(name)
            assert layout.hex_at(x + int(step.x), y - int(step.y)) == grid.neighbour(name, direction)


def test_at_the_edge_of_the_map_the_key_is_blocked(game: Game) -> None:
    grid = game.map.grid
    for direction, edge in zip(grid.directions, edge_properties(game), strict=True):
        last = {name for name in grid.names if f"|{name}|" in edge.initial_value}
        assert last == {name for name in grid.names if grid.neighbour(name, direction) is None}


def test_each_way_is_blocked_by_the_edge_that_lies_there(game: Game) -> None:
    blocked = [part for part in walking(game) if isinstance(part, RestrictCommands)]
    edges = edge_properties(game)
    for direction, part, edge in zip(game.map.grid.directions, blocked, edges, strict=True):
        assert part.keys == (pad_key(direction),)
        assert f"{edge.name}." in part.match
