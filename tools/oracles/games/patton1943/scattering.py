"""Random positions: crowded fronts, reduced pieces, battlegroups, aircraft on their fields, an attack."""

from __future__ import annotations

from random import Random

from referee.engine.actions import Action
from referee.engine.position import World
from referee.record import At, Place, Statement
from tools.oracles.comparing import Scattering
from tools.oracles.games.patton1943.board import AIR, ASSET, SIDES, UNITS, Board

PHASES = {"movement": 8, "battles": 8, "replacement": 2}


def scatter(world: World, rng: Random) -> tuple[Statement, ...]:
    """Return the statements that make a random position."""
    scattering = Scattering(world, rng)
    phase = rng.choices(list(PHASES), list(PHASES.values()))[0]
    scattering.do(At(world.calendar.find(rng.randint(2, 12), phase, rng.choice(SIDES))))
    place(scattering, rng.choice([0.1, 0.3, 0.6]), strict=rng.random() < 0.8)
    if phase == "movement":
        for _ in range(rng.choice([0, 0, 1, 2])):
            _move(scattering)
    if phase == "battles":
        _attack(scattering)
    return scattering.said


def place(scattering: Scattering, share: float, *, strict: bool) -> None:
    """Crowd some of the pieces into a part of the map, with hexes that belong to either side at random, some
    far off.

    ``strict``: within the stacking limits.
    """
    rng, board = scattering.rng, Board(scattering.position)
    front = scattering.front(board, board.is_ground)
    holder = {name: rng.choice(SIDES) for name in front}
    for piece in scattering.position.pieces.values():
        if rng.random() > share:
            continue
        if piece.counter.kind in (AIR, ASSET) and rng.random() < 0.2:
            scattering.do(Place((piece.id,), f"{piece.side}-dead", 1))
            continue
        now = Board(scattering.position)
        fields = sorted(board.map.zones[f"{piece.side}-airfields"].hexes)
        hexes = fields if piece.counter.kind == AIR and rng.random() < 0.8 else front
        mine = [at for at in hexes if holder.get(at, piece.side) == piece.side]
        mine = [at for at in mine if not now.is_enemy_there(at, piece.side)]
        mine = [at for at in mine if not strict or now.room(at, piece)]
        if mine:
            scattering.do(Place((piece.id,), rng.choice(mine), scattering.steps(piece)))


def _move(scattering: Scattering) -> None:
    """Move some piece of the active side, step by step."""
    mine = [piece for piece in Board(scattering.position).pieces if piece.side == scattering.position.side]
    if mine:
        scattering.do_some(scattering.rng.choice(mine).id, "move")


def _attack(scattering: Scattering) -> None:
    """An attack, sometimes with its dice, after which some of the beaten pieces have already retreated."""
    rng, board, side = scattering.rng, Board(scattering.position), scattering.position.side
    found = [
        (unit.id, where)
        for unit in board.pieces
        if unit.side == side and unit.counter.kind in UNITS
        for where in board.around(unit.where)
        if board.is_enemy_there(where, side) and board.is_passable(unit.where, where)
    ]
    if not found:
        return
    name, target = rng.choice(found)
    scattering.do(Action("attack", (name,), target=target, battle=1))
    assets = [
        *board.at(scattering.position.pieces[name].where, side, ASSET),
        *board.at(target, board.enemy(side), ASSET),
    ]
    if assets and rng.random() < 0.3:
        scattering.do(Action("leave out", (rng.choice(assets).id,), battle=1))
    if rng.random() < 0.4:
        return
    scattering.do(Action("roll attack", dice=(rng.choice([1, 1, 1, 12]),), battle=1))
    if board.at(target, board.enemy(side), *UNITS):
        scattering.do(Action("roll defence", dice=(rng.choice([12, 12, 12, 1]),), battle=1))
    for piece in board.at(target, board.enemy(side), *UNITS, ASSET):
        if rng.random() < 0.2:
            scattering.do_some(piece.id, "retreat")
