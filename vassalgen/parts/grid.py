"""The grid of the board, computed from the same layout as its drawing."""

from __future__ import annotations

import math
import re

from attrs import frozen

from vassalgen.game.hexes import Numbering
from vassalgen.game.layout import Layout
from vassalgen.vassal.components import HexGrid, HexGridNumbering

_RUN = re.compile(r"C+|R+|c|r")


def hex_grid(layout: Layout) -> HexGrid:
    """VASSAL's grid for a layout.

    VASSAL's odd lines are always half a hex farther down, so its count begins one line earlier if our first
    line is a shifted one; and it treats rows of pointy hexes as columns, with x and y swapped.
    """
    grid = layout.grid
    flat = grid.orientation == "flat"
    step = layout.across * math.sqrt(3) / 2
    along, across = layout.origin if flat else layout.origin[::-1]
    first, step_of_lines = (grid.columns[0], grid.across_step) if flat else (grid.rows[0], grid.down_step)
    before = int(grid.is_shifted(first))
    return HexGrid(
        sideways=not flat,
        x0=round(along - before * step),
        y0=round(across),
        dx=step,
        dy=layout.across,
        color=(0, 0, 0),
        children=(_numbering(layout, first - before * step_of_lines),),
    )


def _numbering(layout: Layout, first_line: int) -> HexGridNumbering:
    """VASSAL's numbering of the hexes, in which H is the line of hexes and V the position in the line."""
    grid = layout.grid
    flat = grid.orientation == "flat"
    parts = _parts(grid.numbering)
    line, place = ("c", "r") if flat else ("r", "c")
    h, v = parts[line], parts[place]
    lines, places = (grid.columns, grid.rows) if flat else (grid.rows, grid.columns)
    lines_down, places_down = lines[0] > lines[1], places[0] > places[1]
    most_lines, most_places = _counted_back_from(layout)
    return HexGridNumbering(
        first="H" if parts["order"].letters[0] == line else "V",
        sep=parts["between"].letters,
        h_type=h.type,
        h_leading=h.leading,
        h_off=h.first(first_line) - (most_lines if lines_down else 0),
        h_descend=lines_down if flat else places_down,  # in VASSAL the board's, not the lines'
        v_type=v.type,
        v_leading=v.leading,
        v_off=v.first(places[0]) - (most_places if places_down else 0),
        v_descend=places_down if flat else lines_down,
        stagger=False,
        location_format=parts["before"].letters + "$gridLocation$" + parts["after"].letters,
    )


def _counted_back_from(layout: Layout) -> tuple[int, int]:
    """The last line and position, for counting backwards. [HexGrid.getMaxColumns, getMaxRows]"""
    width, height = (math.ceil(extent) for extent in layout.size)
    step = layout.across * math.sqrt(3) / 2
    lines, places = math.floor(width / layout.across + 0.5), math.floor(height / step + 0.5)
    return (lines, places) if layout.grid.orientation == "flat" else (places, lines)


@frozen
class _Run:
    """A run of letters in a pattern of hex names."""

    letters: str

    @property
    def type(self) -> str:
        """A for letters, N for numbers."""
        return "A" if self.letters.islower() else "N"

    @property
    def leading(self) -> int:
        """The number of digits before the last one, at least."""
        return 0 if self.letters.islower() else len(self.letters) - 1

    def first(self, number: int) -> int:
        """VASSAL's number for ours: its letters begin with 0."""
        return number - 1 if self.letters.islower() else number


def _parts(numbering: Numbering) -> dict[str, _Run]:
    pattern = numbering.pattern
    one, two = _RUN.finditer(pattern)
    return {
        one[0][0].lower(): _Run(one[0]),
        two[0][0].lower(): _Run(two[0]),
        "order": _Run(one[0][0].lower() + two[0][0].lower()),
        "before": _Run(pattern[: one.start()]),
        "between": _Run(pattern[one.end() : two.start()]),
        "after": _Run(pattern[two.end() :]),
    }
