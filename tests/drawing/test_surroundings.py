"""Around the map its land and its sea go on."""

from __future__ import annotations

from tests.parts.conftest import SMALL
from vassalgen.drawing.boards import Board
from vassalgen.drawing.colours import mixed
from vassalgen.drawing.surroundings import frame, inside, outer_hexes
from vassalgen.game.finding import open_game


def test_every_side_of_the_map_that_leads_nowhere_has_a_hex_behind_it() -> None:
    game = open_game(SMALL)
    layout = Board(game).layout
    open_sides = sum(
        layout.grid.neighbour(name, direction) is None
        for name in layout.grid.names
        for direction in layout.grid.directions
    )
    outer = outer_hexes(game, layout, "")
    assert sum(len(one.sides) for one in outer) == open_sides
    assert all(layout.hex_at(*one.centre) is None for one in outer)


def test_off_the_coast_lies_the_sea() -> None:
    game = open_game("postcard1943")
    layout = Board(game).layout
    for one in outer_hexes(game, layout, "sea"):
        touched = {name for name, _, _ in one.sides}
        if touched <= {"B6", "C6", "D6"}:
            assert one.terrain == "sea"
        if touched <= {"E1", "F1", "G1", "H1"}:
            assert one.terrain != "sea"


def test_the_frame_leaves_the_whole_map_free() -> None:
    game = open_game("postcard1943")
    layout = Board(game).layout
    edge = inside(layout)
    wide, high = layout.size
    for name in layout.grid.names:
        for x, y in layout.corners(name):
            assert edge <= x <= wide - edge
            assert edge <= y <= high - edge
    assert frame(game, layout)


def test_colours_mix_in_parts() -> None:
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert mixed("#102030", "#ffffff", 0.0) == "#102030"
