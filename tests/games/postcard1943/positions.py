"""Random positions for the tests."""

from __future__ import annotations

import random

from attrs import evolve

from referee.engine.clock import Date
from referee.engine.position import Mark, Position, World
from referee.games import find_rules
from vassalgen.game.finding import open_game


def the_world() -> World:
    game = open_game("postcard1943")
    return find_rules(game.id).world(game)


def random_position(world: World, seed: int) -> Position:
    """Units scattered over the map, some Disrupted, some stuck; no hex held by both sides."""
    rng = random.Random(seed)
    map_ = world.game.map
    land = [name for name in map_.grid.names if map_.hexes[name].terrain != "sea"]
    position = world.rulebook.empty(world)
    pieces, owner = dict(position.pieces), dict[str, str]()
    share = rng.choice([0.2, 0.5, 0.9])
    for name, piece in pieces.items():
        where = rng.choice(land)
        if piece.counter.kind != "unit" or rng.random() > share:
            continue
        if owner.setdefault(where, piece.side) != piece.side:
            continue
        states = {}
        if rng.random() < 0.3:
            states["disrupted"] = Mark(since=Date(4, "axis"))
        if map_.hexes[where].terrain == "swamp" and rng.random() < 0.5:
            states["stuck"] = Mark(since=Date(5, "allied"))
        pieces[name] = evolve(piece, where=where, states=states)
    side = rng.choice(["allied", "axis"])
    return evolve(position, pieces=pieces, clock=world.calendar.find(5, "movement", side))
