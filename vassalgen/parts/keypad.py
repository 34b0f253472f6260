"""Moves by keyboard: the number pad moves a counter hex by hex, in the directions of its keys around the 5.

Such a move is reported, marked and drawn like a drag. A counter cannot leave the map: for each direction the
module knows the hexes at the edge.
"""

from __future__ import annotations

import math

from vassalgen.drawing.boards import Board
from vassalgen.game.game import Game
from vassalgen.game.hexes import Grid
from vassalgen.parts.names import MAIN
from vassalgen.parts.trait_shorthand import Part, command, global_, key, on
from vassalgen.templates import quoted
from vassalgen.vassal.components import GlobalProperty
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.translate import Translate

_PAD = {"NW": 7, "N": 8, "NE": 9, "W": 4, "E": 6, "SW": 1, "S": 2, "SE": 3}
_RIGHT, _UP = "WalkRight", "WalkUp"
_NUMPAD = 96  # Java's code of the 0 on the number pad


def pad_key(direction: str) -> Key:
    """The key of the number pad for a direction."""
    return Key(_NUMPAD + _PAD[direction], 0)


def edge_properties(game: Game) -> tuple[GlobalProperty, ...]:
    """Properties of the module: for each direction the hexes at the map's edge; the length of a step."""
    grid = game.map.grid
    edges = (
        GlobalProperty(name=_edge(direction), initial_value=f"|{'|'.join(_last(grid, direction))}|")
        for direction in grid.directions
    )
    return (*edges, *(GlobalProperty(name=name, initial_value="0") for name in (_RIGHT, _UP)))


def keypad_moves(game: Game) -> tuple[Part, ...]:
    """What counters need to be moved by keyboard."""
    layout = Board(game).layout
    grid, across = layout.grid, layout.across
    found: list[Part] = []
    for direction in grid.directions:
        on_map = f'CurrentMap=={quoted(MAIN)}&&!{_edge(direction)}.contains("|"+LocationName+"|")'
        found.append(command("", pad_key(direction), f"walk{direction}", "walk", when=on_map))
    ways = {direction: _way(grid, place) for place, direction in enumerate(grid.directions)}
    for name, axis in ((_RIGHT, 0), (_UP, 1)):
        steps = (on(f"walk{way}", str(round(by[axis] * across))) for way, by in ways.items())
        found.append(global_(name, *steps))
    found.append(Translate(text="", key=key("walk"), x=f"{{{_RIGHT}}}", y=f"{{{_UP}}}"))
    return tuple(found)


def _edge(direction: str) -> str:
    return f"Edge{direction}"


def _last(grid: Grid, direction: str) -> list[str]:
    return [name for name in grid.names if grid.neighbour(name, direction) is None]


def _way(grid: Grid, place: int) -> tuple[float, float]:
    """The vector from a hex to its neighbour, in hex widths to the right and up; directions clockwise."""
    angle = math.radians(60 * place + (0 if grid.orientation == "flat" else 30))
    return math.sin(angle), math.cos(angle)
