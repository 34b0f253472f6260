"""Positions for battles: attackers next to defenders, with everything that makes rare clauses apply."""

from __future__ import annotations

from random import Random

from referee.engine.position import Position, World
from tools.proof.games.patton1943.facts import enemy
from tools.proof.games.patton1943.random_positions import Drawing


def fight(side: str, world: World, rng: Random, *, scarp: bool = False) -> Position:
    """One or two stacks next to an enemy hex, another enemy nearby, aircraft of both sides at their bases.

    ``scarp``: the attacked hex has a hexside that cannot be crossed.
    """
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = rng.choice(drawn.scarps())[0] if scarp else drawn.land()
    if not scarp and rng.random() < 0.4:
        target = drawn.fields(opponent)[0]
    _defended(drawn, target, opponent)
    near = drawn.around(target)
    if scarp:
        beyond = [there for here, there in drawn.scarps() if here == target]
        drawn.some(side, "unit", rng.choice(beyond), 0.4)
    for place, where in enumerate(near[: rng.choice((1, 2, 2))]):
        generals = drawn.generals(side)
        if not place and generals and rng.random() < 0.6:
            drawn.put(rng.choice(generals), where)
        drawn.some(side, "unit", where)
        drawn.some(side, "support", where, 0.4)
    if near:
        for where in drawn.around(near[0])[:1]:
            drawn.some(opponent, "unit", where, 0.6)
    for where in drawn.ring(target)[: rng.choice((0, 1, 2, 4))]:
        drawn.some(opponent, "unit", where, 0.6)
        drawn.some(opponent, "support", where, 0.2)
    drawn.base(side, 2)
    drawn.base(opponent, rng.choice((0, 1, 2)))
    return drawn.at(rng.choice((5, 6)), "battles", side)


def _defended(drawn: Drawing, target: str, opponent: str) -> None:
    """The defenders: a unit, assets or aircraft, alone or together."""
    kinds = drawn.rng.choice(
        (
            ("unit",),
            ("unit",),
            ("unit", "support"),
            ("unit", "support"),
            ("support",),
            ("air",),
            ("unit", "air"),
        )
    )
    field = target in drawn.fields(opponent)
    for kind in kinds:
        if kind != "air" or field:
            drawn.some(opponent, kind, target)
    if not drawn.board.at(target, opponent):
        drawn.some(opponent, "support", target)


def dogfight(side: str, world: World, rng: Random) -> Position:
    """A unit next to an enemy one, and two aircraft of each side at their bases."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = drawn.land()
    drawn.some(opponent, "unit", target)
    for where in drawn.around(target)[: rng.choice((1, 2))]:
        drawn.some(side, "unit", where)
    drawn.base(side, 2)
    drawn.base(opponent, 2)
    return drawn.at(rng.choice((5, 6)), "battles", side)


def led(side: str, world: World, rng: Random, *, general: bool = True) -> Position:
    """A unit, with a general or without one, and lone assets in the hexes around it."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    where = drawn.land()
    drawn.some(side, "unit", where)
    if general:
        drawn.put(rng.choice(drawn.generals(side)), where)
    for target in drawn.around(where)[:4]:
        drawn.some(opponent, "support", target)
        if not general:
            drawn.some(side, "unit", drawn.around(target)[0], 0.5)
    drawn.some(opponent, "unit", drawn.land())
    return drawn.at(rng.choice((5, 6)), "battles", side)


def supported(side: str, world: World, rng: Random) -> Position:
    """Two of the strongest units with the best assets, next to each other."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = drawn.land()
    for whose, where in ((side, drawn.around(target)[0]), (opponent, target)):
        drawn.put(rng.choice(drawn.strongest(whose, "unit", 3)), where, steps=2)
        for piece in rng.sample(drawn.strongest(whose, "support", 3), 2):
            drawn.put(piece, where)
    return drawn.at(rng.choice((5, 6)), "battles", side)


def of_one_side(side: str, world: World, rng: Random) -> Position:
    """A unit next to an enemy brigade, which has only one side."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = drawn.land()
    brigades = [one for one in drawn.dead(opponent, "unit") if one.counter.steps == 1]
    drawn.put(brigades[0], target)
    for where in drawn.around(target)[: rng.choice((1, 2))]:
        drawn.some(side, "unit", where)
    return drawn.at(rng.choice((5, 6)), "battles", side)


def worn_down(side: str, world: World, rng: Random) -> Position:
    """Battlegroups of both sides next to each other, and others in their pools."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = drawn.land()
    near = drawn.around(target)
    for whose, where in ((opponent, target), (side, near[0]), (side, near[1])):
        waiting = [one for one in drawn.position.at(f"{whose}-pool") if one.counter.kind == "battlegroup"]
        drawn.put(rng.choice(waiting), where)
    drawn.some(opponent, "unit", drawn.around(near[0])[0], 0.6)
    return drawn.at(rng.choice((5, 6)), "battles", side)


def joined(side: str, world: World, rng: Random) -> Position:
    """A stack next to an enemy unit; beside it a unit with a general, next to a lone asset."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = drawn.land()
    drawn.some(opponent, "unit", target)
    near = drawn.around(target)[0]
    beside = next((at for at in drawn.around(near) if drawn.board.distance(at, target) == 2), "")
    drawn.put(rng.choice(drawn.generals(side)), beside)
    for where in (near, beside):
        drawn.some(side, "unit", where)
    others = [one for one in drawn.dead(side, "support") if one not in drawn.generals(side)]
    drawn.put(others[0], near)
    free = [at for at in drawn.around(beside) if at not in (near, target)] if beside else []
    drawn.some(opponent, "support", next(iter(free), ""))
    return drawn.at(rng.choice((5, 6)), "battles", side)


def hemmed_in(side: str, world: World, rng: Random, *, by_friends: bool) -> Position:
    """A full-strength unit with enemies on three sides of it, or with one enemy and many
    friends behind it.
    """
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = drawn.land()
    drawn.some(opponent, "unit", target, steps=2)
    drawn.some(opponent, "support", target, 0.3)
    near = drawn.board.around(target)
    for where in near[:1] if by_friends else (near[0], near[2], near[3], near[5]):
        drawn.some(side, "unit", where)
    for where in drawn.ring(target) if by_friends else ():
        drawn.some(opponent, "unit", where, 0.8)
    return drawn.at(rng.choice((5, 6)), "battles", side)


def raid(side: str, world: World, rng: Random) -> Position:
    """Units next to an enemy airfield with an air asset on it, alone or with a unit."""
    drawn, opponent = Drawing.of(world, rng), enemy(side)
    target = drawn.fields(opponent)[0]
    drawn.some(opponent, "air", target, steps=2)
    drawn.some(opponent, "unit", target, 0.6, steps=2)
    for where in drawn.around(target)[: rng.choice((1, 2))]:
        drawn.some(side, "unit", where)
    drawn.base(side, 1)
    return drawn.at(rng.choice((5, 6)), "battles", side)
