"""What the clauses of Vitoria 1813 answer, read literally."""

from __future__ import annotations

from tools.oracles.comparing import Answers, Scene
from tools.oracles.games.vitoria1813.asking import LENGTHS, SIDES, batteries, movers
from tools.oracles.games.vitoria1813.board import Board


def zones(scene: Scene) -> Answers:
    """The hexes in the EZOC of each side."""
    board = Board(scene.position)
    return {
        f"EZOC of {side}": " ".join(
            sorted(name for name in board.grid.names if board.zone_holders(name, side))
        )
        for side in SIDES
    }


def sight(scene: Scene) -> Answers:
    """What batteries do not see."""
    board = Board(scene.position)
    return {
        f"{here} at {there}": board.sight(here, there) or "sees" for here, there in batteries(scene.position)
    }


def retreats(scene: Scene) -> Answers:
    """Where retreats of one, two and three hexes may end."""
    board = Board(scene.position)
    return {
        f"{piece.id} by {length}": " ".join(sorted(board.retreats(piece, length)))
        for piece in movers(scene.position)
        for length in LENGTHS
    }
