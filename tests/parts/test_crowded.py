"""The clerk lists overstacked units only in hexes of the map: players lay the dead at its edge."""

from __future__ import annotations

import pytest

from tests.parts.clerks import Asked
from vassalgen.drawing.boards import Board
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.parts.clerk import on_hexes
from vassalgen.parts.names import MAIN
from vassalgen.vassal.expressions import parse


@pytest.mark.parametrize("name", shipped_games())
def test_all_hexes_count_and_none_of_the_places_around_them(name: str) -> None:
    game = open_game(name)
    layout, grid, condition = Board(game).layout, game.map.grid, parse(f"{{{on_hexes(game)}}}")

    def counts(x: float, y: float) -> bool:
        placed = {"CurrentMap": MAIN, "CurrentX": f"{x:.0f}", "CurrentY": f"{y:.0f}"}
        return condition.evaluate(Asked(placed)) == "true"

    assert all(counts(*centre) for centre in layout.centres)
    for here in grid.names:
        for direction in grid.directions:
            if grid.neighbour(here, direction) is None:
                (left, top), (right, bottom) = layout.edge(here, direction)
                x, y = layout.centre(here)
                assert not counts(left + right - x, top + bottom - y), (here, direction)
