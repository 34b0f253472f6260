from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.game.strategies import grids, hexes
from vassalgen.game.hexes import Grid
from vassalgen.game.layout import Layout

Point = tuple[float, float]


def close(first: Point, second: Point) -> bool:
    return math.dist(first, second) < 1e-6


def test_flat_hexes_stand_in_columns_and_even_ones_lower() -> None:
    layout = Layout(Grid("flat", "even", (1, 6), (1, 9), "rC"), 100.0)
    assert layout.centre("A1") == pytest.approx((100 / math.sqrt(3), 50))
    assert layout.centre("A2") == pytest.approx((100 / math.sqrt(3) + 86.6025, 100), abs=1e-3)
    assert layout.size == pytest.approx((5 * 86.6025 + 115.4701, 950), abs=1e-3)


def test_pointy_hexes_stand_in_rows_and_odd_ones_to_the_right() -> None:
    layout = Layout(Grid("pointy", "odd", (1, 32), (1, 20), "CCRR"), 100.0, 10.0)
    assert layout.centre("0101") == pytest.approx((110, 10 + 100 / math.sqrt(3)))
    assert layout.centre("0102") == pytest.approx((60, 10 + 100 / math.sqrt(3) + 86.6025), abs=1e-3)


def test_a_point_of_the_map_is_measured_from_the_first_hex() -> None:
    layout = Layout(Grid("flat", "even", (1, 6), (1, 9), "rC"), 100.0)
    assert layout.point(0, 0) == layout.centre("A1")
    assert layout.point(0, 1) == layout.centre("B1")


@given(grids())
def test_every_centre_lies_in_its_hex(grid: Grid) -> None:
    layout = Layout(grid, 64.0, 8.0)
    assert all(layout.hex_at(*layout.centre(name)) == name for name in grid.names)


@given(grids(), st.floats(-20, 700), st.floats(-20, 700))
def test_a_point_lies_in_the_hex_whose_centre_is_nearest(grid: Grid, x: float, y: float) -> None:
    layout = Layout(grid, 64.0, 8.0)
    found = layout.hex_at(x, y)
    nearest = min(grid.names, key=lambda name: math.dist(layout.centre(name), (x, y)))
    if found is None:
        assert grid.missing or math.dist(layout.centre(nearest), (x, y)) > 31.9
    else:
        assert math.dist(layout.centre(found), (x, y)) <= math.dist(layout.centre(nearest), (x, y)) + 1e-6


@given(grids())
def test_neighbours_are_one_hex_apart_and_share_two_corners(grid: Grid) -> None:
    layout = Layout(grid, 64.0)
    for name in grid.names[:12]:
        for other in grid.neighbours(name):
            assert math.dist(layout.centre(name), layout.centre(other)) == pytest.approx(64.0)
            ends = layout.side(name, other)
            for end in ends:
                assert any(close(end, corner) for corner in layout.corners(name))
                assert any(close(end, corner) for corner in layout.corners(other))
            assert math.dist(*ends) == pytest.approx(layout.radius)


@given(grids())
def test_the_drawing_holds_every_corner(grid: Grid) -> None:
    layout = Layout(grid, 64.0, 5.0)
    width, height = layout.size
    for name in grid.names:
        for x, y in layout.corners(name):
            assert 5.0 - 1e-6 <= x <= width - 5.0 + 1e-6
            assert 5.0 - 1e-6 <= y <= height - 5.0 + 1e-6


@given(hexes(count=2))
def test_only_neighbours_have_a_side(drawn: tuple[Grid, str, str]) -> None:
    grid, first, second = drawn
    layout = Layout(grid, 64.0)
    if not grid.are_neighbours(first, second):
        with pytest.raises(ValueError, match="are not neighbours"):
            layout.side(first, second)
