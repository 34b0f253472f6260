"""Random positions of Tunisia 1943 in which both sides are close together, for trying out rules."""

from __future__ import annotations

import random
from functools import cache

from attrs import evolve

from referee.engine.position import Mark, Position, World
from referee.games import find_rules
from vassalgen.game.finding import open_game

CROWD = 26
"""Units and EMs within two hexes of each other."""


@cache
def the_world(campaign: int = 1) -> World:
    """Return the world of a campaign."""
    return find_rules("tunisia1943").world(open_game("tunisia1943"), f"campaign{campaign}")


def random_position(seed: int, phase: str = "combat") -> Position:
    """Return a position of either campaign: a crowd, some of them reduced or out of supply."""
    rng = random.Random(seed)
    world = the_world(rng.choice([1, 2]))
    game, grid = world.game, world.game.map.grid
    position = world.rulebook.empty(world)
    land = [name for name in grid.names if not game.terrain[game.map.hexes[name].terrain].closed]
    center = rng.choice(land)
    near = [name for name in land if grid.distance(name, center) <= 2]
    pieces, owner, filled = dict(position.pieces), dict[str, str](), dict[str, int]()
    turn, side = rng.randint(1, 7), rng.choice(["axis", "allied"])
    for counter in rng.sample([c for c in game.counters.values() if c.kind in ("unit", "em")], CROWD):
        room = [name for name in near if owner.get(name, counter.side) == counter.side]
        where = rng.choice(room) if room else ""
        most = 1 if world.scenario.id == "campaign1" and turn < 3 and counter.side == "allied" else 2
        if not where or (counter.kind == "unit" and filled.get(where, 0) >= most):
            continue
        owner[where] = counter.side
        filled[where] = filled.get(where, 0) + (counter.kind == "unit")
        steps = rng.randint(1, counter.steps) if rng.random() < 0.4 else counter.steps
        states = {"out-of-supply": Mark()} if rng.random() < 0.2 else {}
        pieces[counter.id] = evolve(pieces[counter.id], where=where, steps=steps, states=states)
    return evolve(position, pieces=pieces, clock=world.calendar.find(turn, phase, side))
