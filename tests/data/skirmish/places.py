"""Where everything is, in pixels of the boards: hexes, boxes of the turn track, boxes of the camps."""

from __future__ import annotations

import math

from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    HexGrid,
    HexGridNumbering,
    Region,
    RegionGrid,
    Zone,
    ZonedGrid,
)

SIDES = ("Herons", "Thorns")

FIELD = "Field"
"""The map of eight by six hexes, and its board."""
CAMPS = "Camps"
"""The map of reserves, losses and cards, and its board."""

COLUMNS, ROWS = 8, 6
HEX_SIDE = 52
HEX_WIDTH, HEX_HEIGHT = 78.0, 90.07
"""From one column, or row, to the next."""
LEFT, TOP = 68, 152
"""The middle of hex 0101."""
FIELD_SIZE = (682, 710)
FIELD_EDGE = 20

TURNS = 6
TRACK_HEIGHT = 92
TRACK = {f"T{turn}": (91 + 100 * (turn - 1), 46) for turn in range(1, TURNS + 1)}

CAMPS_SIZE = (540, 320)
CAMPS_EDGE = 12
BOX_SIZE = (160, 130)
BOXES = {
    "Herons Reserve": (95, 85),
    "Herons Lost": (95, 235),
    "Thorns Reserve": (270, 85),
    "Thorns Lost": (270, 235),
    "Played": (445, 235),
}
DECK = (445, 85)


def middle(column: int, row: int) -> tuple[float, float]:
    """The centre of a hex; columns and rows count from 1, even columns are half a hex lower."""
    return (
        LEFT + (column - 1) * HEX_WIDTH,
        TOP + (row - 1) * HEX_HEIGHT + (HEX_HEIGHT / 2 if column % 2 == 0 else 0),
    )


def corners(column: int, row: int) -> list[tuple[float, float]]:
    """The corners of a hex, clockwise from the eastern one."""
    x, y = middle(column, row)
    angles = [math.radians(60 * corner) for corner in range(6)]
    return [(x + HEX_SIDE * math.cos(angle), y + HEX_SIDE * math.sin(angle)) for angle in angles]


def outline() -> tuple[tuple[int, int], ...]:
    """The line around all hexes, clockwise from the western corner of the first."""
    top = [corners(column, 1)[corner] for column in range(1, COLUMNS + 1) for corner in (4, 5)]
    right = [corners(COLUMNS, row)[corner] for row in range(1, ROWS + 1) for corner in (0, 1)]
    bottom = [corners(column, ROWS)[corner] for column in range(COLUMNS, 0, -1) for corner in (1, 2)]
    left = [corners(1, row)[corner] for row in range(ROWS, 0, -1) for corner in (3, 4)]
    points = [(round(x), round(y)) for x, y in (*top, *right, *bottom, *left)]
    return tuple(dict.fromkeys(points))


def field_boards() -> BoardPicker:
    """The board of the field in two zones, the turn track and the hexes; what is outside is no place."""
    width = FIELD_SIZE[0]
    track = Zone(
        name="Turn Track",
        location_format="$gridLocation$",
        path=((0, 0), (width, 0), (width, TRACK_HEIGHT), (0, TRACK_HEIGHT)),
        children=(_regions(TRACK),),
    )
    hexes = HexGrid(
        x0=LEFT,
        y0=TOP,
        dx=HEX_WIDTH,
        dy=HEX_HEIGHT,
        color=(90, 96, 80),
        children=(HexGridNumbering(stagger=False, visible=True, font_size=10, color=(84, 88, 72)),),
    )
    ground = Zone(name="Ground", location_format="$gridLocation$", path=outline(), children=(hexes,))
    grid = ZonedGrid(children=(track, ground))
    return BoardPicker(children=(Board(name=FIELD, image="field.png", children=(grid,)),))


def camps_boards() -> BoardPicker:
    """The board of the camps: boxes, named by their nearest point."""
    board = Board(name=CAMPS, image="camps.svg", children=(_regions(BOXES, visible=True),))
    return BoardPicker(children=(board,))


def _regions(points: dict[str, tuple[int, int]], *, visible: bool = False) -> RegionGrid:
    regions = tuple(Region(name=name, x=x, y=y) for name, (x, y) in points.items())
    return RegionGrid(visible=visible, font_size=12, children=regions)
