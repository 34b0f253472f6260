"""What the rules of Vitoria 1813 answer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.engine.position import Piece, Position
from referee.engine.rulings import Grade
from referee.games.vitoria1813.facts import controlled, names, the_field
from referee.games.vitoria1813.retreats import open_ways
from referee.games.vitoria1813.sight import blocked_by
from referee.games.vitoria1813.trip import Trip
from tools.oracles.comparing import Answers, Scene

SIDES = ("allied", "french")
LENGTHS = (1, 2, 3)


def movers(position: Position) -> Iterator[Piece]:
    """The counters of the active side on the map that can move."""
    for piece in position.pieces.values():
        mine = piece.side == position.side and piece.where in position.game.map.grid
        if mine and piece.counter.kind != "park":
            yield piece


def batteries(position: Position) -> Iterator[tuple[str, str]]:
    """The hexes of batteries, and those two hexes from them."""
    grid = position.game.map.grid
    for piece in position.pieces.values():
        if piece.counter.kind == "artillery" and piece.where in grid:
            for there in grid.within(piece.where, 2):
                if grid.distance(piece.where, there) == 2:
                    yield piece.where, there


def zones(scene: Scene) -> Answers:
    """The hexes in the EZOC of each side."""
    return {
        f"EZOC of {side}": " ".join(sorted(names(scene.position, controlled(scene.position, side))))
        for side in SIDES
    }


def reach(scene: Scene) -> Answers:
    """Where each counter can go, and at what cost."""
    found, position = {}, scene.position
    scale, known = the_field(position).scale, position.game.map.grid.names
    for piece in movers(position):
        for at, cost in Trip.everywhere(position, piece).reach().costs.items():
            found[f"{piece.id} to {known[at]}"] = str(Fraction(cost, scale))
    return found


def sight(scene: Scene) -> Answers:
    """What batteries do not see."""
    found = {}
    for here, there in batteries(scene.position):
        blocks = blocked_by(scene.position, here, there)
        told = [block.clause + (" doubtful" if block.grade == Grade.unproven else "") for block in blocks]
        found[f"{here} at {there}"] = " ".join(told) or "sees"
    return found


def retreats(scene: Scene) -> Answers:
    """Where retreats of one, two and three hexes may end."""
    return {
        f"{piece.id} by {length}": " ".join(
            sorted({way[-1] for way in open_ways(scene.position, piece, length)})
        )
        for piece in movers(scene.position)
        for length in LENGTHS
    }
