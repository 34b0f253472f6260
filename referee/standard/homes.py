"""The distance of hexes from those towards which a side retreats and routs."""

from __future__ import annotations

from referee.engine.position import Position
from referee.engine.zones import indices
from referee.standard.setting import the_setting
from vassalgen.game.families import Where


def gap_to_home(position: Position, home: Where) -> list[int]:
    """Return the distance of each hex from the nearest hex of a home, in hexes, ignoring terrain."""
    memory, grid = position.memory, position.game.map.grid
    key = ("home", home)
    if key not in memory:
        ends = tuple(indices(the_setting(position).hexes(home)))
        memory[key] = [min((grid.gap(end, one) for end in ends), default=0) for one in range(len(grid.names))]
    found: list[int] = memory[key]
    return found
