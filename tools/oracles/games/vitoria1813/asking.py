"""What the rules of Vitoria 1813 answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from referee.engine.position import Piece, Position
from referee.engine.rulings import Grade
from referee.games.vitoria1813.facts import controlled, names
from referee.games.vitoria1813.paths import open_paths
from referee.games.vitoria1813.sight import blocked_by
from tools.oracles import wandering
from tools.oracles.comparing import Answers, Scene

SIDES = ("allied", "french")
LENGTHS = (1, 2, 3)


def movers(position: Position) -> Iterator[Piece]:
    """The counters of the active side on the map that can move."""
    for piece in position.pieces.values():
        mine = piece.side == position.side and piece.where in position.game.map.grid
        if mine and piece.counter.kind != "park":
            yield piece


def marchers(scene: Scene) -> list[Piece]:
    """The counters of the active side that can move; some of very many.

    Who is routed does not march: it runs, by clauses of its own [7.8c, 7.8d].
    """
    found = [piece for piece in movers(scene.position) if "routed" not in piece.states]
    return found[:: 1 + len(found) // 8]


def near(scene: Scene, piece: Piece) -> list[str]:
    """Some of the hexes within six of a counter, mostly those that are near."""
    return wandering.near(scene.position.game.map.grid.neighbours, piece.where, 6)


def walks(scene: Scene, piece: Piece) -> Iterator[tuple[str, ...]]:
    """All ways of one and two hexes, and some longer ones, along roads where they can."""
    map_ = scene.position.game.map
    roads = {frozenset(step) for road in map_.roads.values() for step in pairwise(road.path)}
    rng = Random(f"{piece.id} {piece.where}")  # noqa: S311 - no secret
    return wandering.walks(map_.grid.neighbours, roads, piece.where, (3, 3, 4, 5, 6), rng)


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


def sight(scene: Scene) -> Answers:
    """What batteries do not see."""
    found = {}
    for here, there in batteries(scene.position):
        blocks = blocked_by(scene.position, here, there)
        text = [block.clause + (" doubtful" if block.grade == Grade.unproven else "") for block in blocks]
        found[f"{here} at {there}"] = " ".join(text) or "sees"
    return found


def retreats(scene: Scene) -> Answers:
    """Where retreats of one, two and three hexes may end."""
    return {
        f"{piece.id} by {length}": " ".join(
            sorted({path[-1] for path in open_paths(scene.position, piece, length)})
        )
        for piece in movers(scene.position)
        for length in LENGTHS
    }
