"""What is asked of a scene, of the rules and of the clauses alike."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.engine.position import Piece
from tools.oracles.comparing import Scene
from tools.oracles.games.postcard1943.board import Board
from tools.oracles.games.postcard1943.fighting import Fight, fights_of


def hexes(scene: Scene) -> tuple[str, ...]:
    """All hexes."""
    return scene.position.game.map.grid.names


def elsewhere(scene: Scene, unit: Piece) -> list[str]:
    """All hexes but the one a unit stands in."""
    return [name for name in hexes(scene) if name != unit.where]


def units(scene: Scene) -> list[Piece]:
    """All ground units on the map."""
    return Board(scene.position).units


def movers(scene: Scene) -> list[Piece]:
    """The units of the side that moves; nobody in other phases."""
    position = scene.position
    return Board(position).of(position.side) if position.phase == "movement" else []


def fighters(scene: Scene) -> list[Piece]:
    """The units of the side that attacks."""
    position = scene.position
    return Board(position).of(position.side) if position.phase == "combat" else []


def walks(scene: Scene, unit: Piece) -> Iterator[tuple[str, ...]]:
    """All ways of one and two hexes, and some longer ones."""
    board = Board(scene.position)
    for first in board.around(unit.where):
        yield unit.where, first
        for second in board.around(first):
            yield unit.where, first, second
    rng = Random(f"{unit.id} {unit.where}")  # noqa: S311 - no secret
    for length in (3, 3, 4, 4, 5, 6):
        path = [unit.where]
        for _ in range(length):
            near = board.around(path[-1])
            ahead = [name for name in near if name not in path and board.is_land(name)]
            roads = [name for name in ahead if board.road(path[-1], name)]
            path.append(rng.choice(roads or ahead or near))
        yield tuple(path)


def rolled(scene: Scene) -> list[Fight]:
    """The battles whose die has been rolled."""
    return [fight for fight in fights_of(scene.history) if fight.die]


def retreats(scene: Scene) -> Iterator[tuple[Fight, Piece]]:
    """The defenders that are still on the map, by battle."""
    here = {unit.id: unit for unit in units(scene)}
    for fight in rolled(scene):
        yield from ((fight, here[name]) for name in fight.defenders if name in here)


def advances(scene: Scene) -> Iterator[tuple[Fight, Piece, tuple[str, ...]]]:
    """Ways of one and two hexes for attackers, and for one who did not attack."""
    here, board = {unit.id: unit for unit in units(scene)}, Board(scene.position)
    for fight in rolled(scene):
        others = [unit.id for unit in board.of(fight.side) if unit.id not in fight.attackers]
        for name in (*fight.attackers, *others[:1]):
            if name not in here:
                continue
            start = here[name].where
            for first in board.around(start):
                if board.is_land(first):
                    yield fight, here[name], (start, first)
                if name not in fight.advanced and first == fight.target:
                    beyond = [there for there in board.around(first) if there != start]
                    yield from ((fight, here[name], (start, first, there)) for there in beyond)
