"""Moves by keyboard: the number pad moves a counter hex by hex, as its keys lie around the 5.

Such a move is told, marked and drawn like one with the mouse. Off the map there is no way: for each direction
the module knows the hexes behind which nothing lies.
"""

from __future__ import annotations

import math

from vassalgen.drawing.boards import Board
from vassalgen.game.game import Game
from vassalgen.game.hexes import Grid
from vassalgen.parts.names import MAIN
from vassalgen.parts.wiring import Part, hidden
from vassalgen.templates import quoted
from vassalgen.vassal.components import GlobalProperty
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.translate import Translate

_PAD = {"NW": 7, "N": 8, "NE": 9, "W": 4, "E": 6, "SW": 1, "S": 2, "SE": 3}
_NUMPAD = 96  # Java's code of the 0 on the number pad


def pad_key(direction: str) -> Key:
    """The key of the number pad for a direction."""
    return Key(_NUMPAD + _PAD[direction], 0)


def edge_properties(game: Game) -> tuple[GlobalProperty, ...]:
    """For each direction the hexes at the map's edge, as a property of the module."""
    grid = game.map.grid
    return tuple(
        GlobalProperty(name=_edge(direction), initial_value=f"|{'|'.join(_last(grid, direction))}|")
        for direction in grid.directions
    )


def walking(game: Game) -> tuple[Part, ...]:
    """What counters need to be moved by keyboard."""
    layout = Board(game).layout
    grid, across = layout.grid, layout.across
    found: list[Part] = []
    for place, direction in enumerate(grid.directions):
        x, up = _way(grid, place)
        off = f'CurrentMap!={quoted(MAIN)}||{_edge(direction)}.contains("|"+LocationName+"|")'
        found.append(hidden(f"edge {direction}", off, pad_key(direction)))
        found.append(
            Translate(text="", key=pad_key(direction), x=str(round(x * across)), y=str(round(up * across)))
        )
    return tuple(found)


def _edge(direction: str) -> str:
    return f"Edge{direction}"


def _last(grid: Grid, direction: str) -> list[str]:
    return [name for name in grid.names if grid.neighbour(name, direction) is None]


def _way(grid: Grid, place: int) -> tuple[float, float]:
    """From a hex to its neighbour, in hex widths to the right and up; the directions go clockwise."""
    angle = math.radians(60 * place + (0 if grid.orientation == "flat" else 30))
    return math.sin(angle), math.cos(angle)
