from __future__ import annotations

import math

from hypothesis import given, settings

from tests.game.strategies import hexes
from vassalgen.game.hexes import Grid
from vassalgen.game.layout import Layout
from vassalgen.game.lines import Crossing, line

POINTS = 150
GRID = Grid("flat", "even", (1, 9), (1, 9), "CCRR")


def shown(*stretches: Crossing) -> str:
    return " ".join(("|" if stretch.along else "+").join(stretch.hexes) for stretch in stretches)


def test_a_line_down_a_column_crosses_its_hexes() -> None:
    assert shown(*line(GRID, "0301", "0304")) == "0301 0302 0303 0304"


def test_a_line_may_run_along_a_hexside() -> None:
    assert shown(*line(GRID, "0303", "0503")) == "0303 0402|0403 0503"


def test_along_a_hexside_at_the_edge_one_hex_is_named() -> None:
    grid = Grid("flat", "even", (1, 9), (1, 9), "CCRR", frozenset({"0402"}))
    assert shown(*line(grid, "0303", "0503")) == "0303 0403 0503"
    assert line(grid, "0303", "0503")[1].along


def test_a_slanting_line_crosses_more_hexes_than_steps() -> None:
    assert shown(*line(GRID, "0101", "0204")) == "0101 0102 0202 0103 0203 0204"


def test_a_hex_sees_itself() -> None:
    assert line(GRID, "0303", "0303") == (Crossing(("0303",)),)


@given(hexes(count=2))
def test_a_line_is_the_same_both_ways(drawn: tuple[Grid, str, str]) -> None:
    grid, start, end = drawn
    assert line(grid, start, end) == tuple(reversed(line(grid, end, start)))


@given(hexes(count=2))
def test_a_line_begins_and_ends_in_its_hexes(drawn: tuple[Grid, str, str]) -> None:
    grid, start, end = drawn
    stretches = line(grid, start, end)
    assert stretches[0] == Crossing((start,))
    assert stretches[-1] == Crossing((end,))


@settings(max_examples=60)
@given(hexes(count=2))
def test_a_line_crosses_what_lies_under_it(drawn: tuple[Grid, str, str]) -> None:
    """Points along the drawn line are in the hexes crossed, or on the border of those it runs along."""
    grid, start, end = drawn
    layout = Layout(grid, 100.0, 10.0)
    (x0, y0), (x1, y1) = layout.centre(start), layout.centre(end)
    stretches = line(grid, start, end)
    crossed = {name for stretch in stretches for name in stretch.hexes}
    seen = set()
    for part in range(POINTS + 1):
        x, y = x0 + (x1 - x0) * part / POINTS, y0 + (y1 - y0) * part / POINTS
        found = layout.hex_at(x, y)
        if found is not None and _inside(layout, found, x, y):
            seen.add(found)
    assert seen <= crossed
    inner = {name for stretch in stretches if not stretch.along for name in stretch.hexes}
    assert {name for name in inner if _depth(layout, name, (x0, y0), (x1, y1)) < 40.0} <= seen


def _inside(layout: Layout, name: str, x: float, y: float) -> bool:
    return _away(layout, name, x, y) < 49.0


def _away(layout: Layout, name: str, x: float, y: float) -> float:
    """The distance from the centre to the point, measured square to the nearest flat."""
    cx, cy = layout.centre(name)
    turn = 0 if layout.grid.orientation == "pointy" else 30
    angles = [math.radians(turn + 60 * side) for side in range(6)]
    return max((x - cx) * math.cos(angle) + (y - cy) * math.sin(angle) for angle in angles)


def _depth(layout: Layout, name: str, start: tuple[float, float], end: tuple[float, float]) -> float:
    """How near to the centre of the hex the line comes."""
    (x0, y0), (x1, y1), (cx, cy) = start, end, layout.centre(name)
    length = math.dist(start, end) or 1.0
    return abs((x1 - x0) * (cy - y0) - (y1 - y0) * (cx - x0)) / length
