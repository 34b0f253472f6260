"""The module calculates the odds of a battle as the referee does, in random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from attrs import evolve

from referee.engine.position import Piece, Position
from referee.games.tunisia1943 import battle
from referee.games.tunisia1943.facts import units_at
from tests.games.tunisia1943.positions import random_position, the_world
from tests.parts.clerks import Asked, Clerk


def attacks(position: Position, rng: random.Random) -> Iterator[battle.Attack]:
    """Attacks by some of the units around an enemy hex, hex after hex."""
    grid = position.game.map.grid
    for target in sorted({piece.where for piece in position.pieces.values() if piece.side != position.side}):
        if target not in grid or not battle.defenders(
            position, battle.Attack(1, target, (), side=position.side)
        ):
            continue
        near = [p for name in grid.neighbours(target) for p in units_at(position, name, position.side)]
        if near:
            some = rng.sample(near, rng.randint(1, len(near)))
            stood = {piece.id: piece.where for piece in some}
            tests = (rng.randint(2, 12),) if rng.random() < 0.8 else ()
            yield battle.Attack(1, target, tuple(stood), position.side, stood, tests=tests)


def on_map(clerk: Clerk, piece: Piece) -> Asked:
    states = {f"state_{name.replace('-', '_')}": "1" for name in piece.states}
    return clerk.counter(piece.id, piece.where, piece.steps or 1, **states)


def check(position: Position, attack: battle.Attack, clerk: Clerk) -> None:
    attackers = [on_map(clerk, position.pieces[name]) for name in attack.attackers]
    defenders = [on_map(clerk, piece) for piece in battle.defenders(position, attack)]
    clerk.collect(attackers, defenders, attack.tests[0] if attack.tests else 0)
    odds = battle.calculate_odds(position, attack)
    said = clerk.values
    assert int(said["BAF"]) == 2 * odds.attacking
    assert int(said["BDF"]) == 2 * odds.defending
    assert int(said["BModDie"]) == sum(part.amount for part in battle.terrain(position, attack))
    assert int(said["BModCols"]) == sum(shift.columns for shift in odds.shifts)


@pytest.mark.parametrize("seed", range(12))
def test_terrain_cities_supply_and_armour_count_as_for_the_referee(seed: int) -> None:
    position = random_position(seed)
    clerk = Clerk(position.game, position.scenario.id, position.turn)
    for attack in attacks(position, random.Random(seed)):
        check(position, attack, clerk)


def test_armour_against_tunis_is_reported_with_all_that_counts() -> None:
    world = the_world(1)
    empty = world.rulebook.empty(world)
    standing = {"us-16": "1705", "us-cca": "1705", "it-91": "1805", "garrison-tunis": "1805"}
    pieces = {name: evolve(piece, where=standing.get(name, "")) for name, piece in empty.pieces.items()}
    clock = world.calendar.find(2, "combat", "allied")
    position = evolve(empty, pieces=pieces, clock=clock)
    stood = {"us-16": "1705", "us-cca": "1705"}
    attack = battle.Attack(1, "1805", tuple(stood), "allied", stood, tests=(12,))
    clerk = Clerk(position.game, position.scenario.id, position.turn)
    check(position, attack, clerk)
    assert clerk.values["BWhy"] == "City: defence x2, Armour: columns +1"
