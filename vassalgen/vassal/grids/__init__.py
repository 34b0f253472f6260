"""The place at a pixel, the pixel of a place, and where pieces snap: identical to VASSAL's to the pixel.

>>> from vassalgen.vassal.components import Board, BoardPicker, HexGrid, HexGridNumbering, Map
>>> hexes = HexGrid(x0=30, y0=35, dx=60.0, dy=69.28, children=(HexGridNumbering(stagger=False),))
>>> board = Board(name="Ridge", width=800, height=600, children=(hexes,))
>>> grid_of(board).location_name(152, 300)
'0305'
>>> picker = BoardPicker(children=(board,))
>>> plan = plan_of(Map(name="Main Map", edge_width=10, edge_height=20, children=(picker,)))
>>> plan.location_name(160, 332), plan.centre("0305"), plan.location_name(5, 5)
('0305', (160, 332), 'offboard')
"""

from __future__ import annotations

from vassalgen.vassal.grids.base import Grid, Point, Size
from vassalgen.vassal.grids.hexes import Hexes
from vassalgen.vassal.grids.making import grid_of
from vassalgen.vassal.grids.plan import (
    OFFBOARD,
    BoardInPlay,
    Deck,
    ImageSize,
    MapPlan,
    default_boards,
    plan_of,
    plans_of,
)
from vassalgen.vassal.grids.regions import Regions
from vassalgen.vassal.grids.squares import Squares
from vassalgen.vassal.grids.zones import Zones, ZoneShape

__all__ = [
    "OFFBOARD",
    "BoardInPlay",
    "Deck",
    "Grid",
    "Hexes",
    "ImageSize",
    "MapPlan",
    "Point",
    "Regions",
    "Size",
    "Squares",
    "ZoneShape",
    "Zones",
    "default_boards",
    "grid_of",
    "plan_of",
    "plans_of",
]
