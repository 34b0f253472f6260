"""The grid of the module and the layout of the board say the same of every hex."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vassalgen.game.hexes import Grid
from vassalgen.game.layout import Layout
from vassalgen.parts.grid import hex_grid
from vassalgen.vassal.components import Board
from vassalgen.vassal.grids import grid_of

PATTERNS = ("CCRR", "RRCC", "rC", "cR", "cRR", "C.R", "H-CCCRR", "RRc")


@settings(max_examples=60)
@given(
    orientation=st.sampled_from(["flat", "pointy"]),
    shifted=st.sampled_from(["odd", "even"]),
    columns=st.tuples(st.integers(1, 4), st.integers(0, 9)),
    rows=st.tuples(st.integers(1, 4), st.integers(0, 9)),
    backwards=st.tuples(st.booleans(), st.booleans()),
    pattern=st.sampled_from(PATTERNS),
    across=st.sampled_from([96, 120, 144]),
)
def test_every_hex_has_its_name_where_it_is_drawn(
    orientation: str,
    shifted: str,
    columns: tuple[int, int],
    rows: tuple[int, int],
    backwards: tuple[bool, bool],
    pattern: str,
    across: int,
) -> None:
    spans = [(first, first + more) for first, more in (columns, rows)]
    across_span, down_span = (
        (last, first) if back else (first, last) for (first, last), back in zip(spans, backwards, strict=True)
    )
    grid = Grid(
        orientation,  # type: ignore[arg-type]  # one of the two words
        shifted,  # type: ignore[arg-type]
        across_span,
        down_span,
        pattern,
    )
    layout = Layout(grid, across, margin=40)
    width, height = (math.ceil(extent) for extent in layout.size)
    places = grid_of(Board(width=width, height=height, children=(hex_grid(layout),)))
    assert places is not None
    for name in grid.names:
        x, y = layout.centre(name)
        assert places.location_name(round(x), round(y)) == name
        snapped = places.snap(round(x), round(y))
        assert abs(snapped[0] - x) <= 2
        assert abs(snapped[1] - y) <= 2
        pixel = places.pixel(name)
        assert pixel is not None
        assert math.dist(pixel, (x, y)) < 3


@pytest.mark.parametrize("across", [120, 144])
def test_a_large_map_does_not_drift(across: int) -> None:
    grid = Grid("flat", "even", (1, 40), (1, 40), "CCRR")
    layout = Layout(grid, across, margin=72)
    width, height = (math.ceil(extent) for extent in layout.size)
    places = grid_of(Board(width=width, height=height, children=(hex_grid(layout),)))
    assert places is not None
    assert math.dist(places.snap(*map(round, layout.centre("4040"))), layout.centre("4040")) < 2
