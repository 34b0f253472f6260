"""Random positions: both armies crowded into a part of the map, some units disordered or routed."""

from __future__ import annotations

from random import Random

from referee.engine.position import Mark, World
from referee.record import At, Place, Statement
from tools.oracles.comparing import Scattering

MOST = 2


def scatter(world: World, rng: Random) -> tuple[Statement, ...]:
    """Return the statements that make a random position."""
    scattering = Scattering(world, rng)
    scattering.do(At(world.calendar.find(rng.randint(1, 12), "movement", rng.choice(["allied", "french"]))))
    grid = world.game.map.grid
    front = grid.within(rng.choice(grid.names), rng.choice([2, 3, 5, 8]))
    owner = {name: rng.choice(["allied", "french"]) for name in front}
    share, full = rng.choice([0.2, 0.4, 0.8]), dict[str, int]()
    for piece in scattering.position.pieces.values():
        mine = [name for name in front if owner[name] == piece.side and full.get(name, 0) < MOST]
        if mine and rng.random() < share:
            where = rng.choice(mine)
            full[where] = full.get(where, 0) + 1
            scattering.do(Place((piece.id,), where, None, _states(rng, piece.counter.kind)))
    return scattering.said


def _states(rng: Random, kind: str) -> dict[str, Mark]:
    if kind in ("infantry", "cavalry", "artillery", "engineer") and rng.random() < 0.2:
        return {rng.choice(["disordered", "routed"]): Mark()}
    return {}
