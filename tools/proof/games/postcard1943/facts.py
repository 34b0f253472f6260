"""Plain facts of a position, read from the table."""

from __future__ import annotations

from referee.engine.position import Piece, Position

UNITS = "unit"


def units(position: Position, side: str = "") -> list[Piece]:
    """Return the ground units on the map."""
    return [
        piece
        for piece in position.pieces.values()
        if piece.counter.kind == UNITS and piece.where in position.game.map.grid and side in ("", piece.side)
    ]


def stack(position: Position, where: str, side: str = "") -> list[Piece]:
    """Return the ground units in a hex."""
    return [piece for piece in units(position, side) if piece.where == where]


def enemy(side: str) -> str:
    """Return the other side."""
    return "axis" if side == "allied" else "allied"


def land(position: Position) -> list[str]:
    """Return the names of all land hexes."""
    hexes = position.game.map.hexes
    return [name for name in position.game.map.grid.names if hexes[name].terrain != "sea"]
