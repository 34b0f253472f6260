"""Random grids."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from vassalgen.game.hexes import Grid


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Grids of up to 8 by 8 hexes of all kinds, some with holes, at least one hex."""
    first_column, first_row = draw(st.integers(1, 90)), draw(st.integers(1, 26))
    whole = Grid(
        draw(st.sampled_from(["flat", "pointy"])),
        draw(st.sampled_from(["odd", "even"])),
        (first_column, first_column + draw(st.integers(0, 7))),
        (first_row, first_row + draw(st.integers(0, 7))),
        draw(st.sampled_from(["CCRR", "RRCC", "rC", "cR", "CC.RR", "CCCRRR"])),
    )
    holes = draw(st.sets(st.sampled_from(whole.names), max_size=len(whole.names) - 1))
    return Grid(
        whole.orientation,
        whole.shifted,
        whole.columns,
        whole.rows,
        whole.numbering,
        frozenset(holes) if draw(st.booleans()) else frozenset(),
    )


@st.composite
def hexes(draw: st.DrawFn, count: int = 1) -> tuple[Any, ...]:
    """A grid and a number of its hexes."""
    grid = draw(grids())
    return grid, *(draw(st.sampled_from(grid.names)) for _ in range(count))
