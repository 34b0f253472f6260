"""The module calculates the odds of a battle as the referee does, in random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from attrs import evolve

from referee.engine.position import Piece, Position
from referee.engine.supply import Supply
from referee.games.postcard1943 import battle
from referee.games.postcard1943.facts import supply, units_at
from tests.games.postcard1943.positions import random_position, the_world
from tests.parts.clerks import Asked, Clerk

WORLD = the_world()


def attacks(position: Position, rng: random.Random) -> Iterator[battle.Attack]:
    """Attacks by some of the units around an enemy hex, hex after hex."""
    grid, side = position.game.map.grid, position.side
    for target in sorted(
        {piece.where for piece in position.pieces.values() if piece.where in grid and piece.side != side}
    ):
        near = [piece for name in grid.neighbours(target) for piece in units_at(position, name, side)]
        if near:
            some = rng.sample(near, rng.randint(1, len(near)))
            stood = {piece.id: piece.where for piece in some}
            yield battle.Attack(1, target, tuple(stood), side, stood=stood)


def on_map(clerk: Clerk, position: Position, piece: Piece) -> Asked:
    """A counter as it is on the map, at half strength if its player has seen that it is out of supply."""
    states = {f"state_{name}": "1" for name in piece.states}
    attacks = piece.side == position.side
    half = attacks and supply(position, piece.id) is not Supply.supplied
    return clerk.counter(piece.id, piece.where, 1, **states, Half="1" if half else "0")


def can_match(position: Position, attack: battle.Attack) -> bool:
    """Whether the infantry matches any bonus; of less the module knows nothing."""
    found = [
        piece.counter.factor("defence")
        for piece in battle.defenders(position, attack)
        if battle.is_infantry_in_defence(position, attack, piece.id)
    ]
    return not found or sum(found) >= 2


def check(position: Position, attack: battle.Attack) -> str:
    """Compare both; what the module would say."""
    clerk = Clerk(position.game, position.scenario.id, position.turn)
    attackers = [on_map(clerk, position, position.pieces[name]) for name in attack.attackers]
    clerk.collect(attackers, [on_map(clerk, position, piece) for piece in battle.defenders(position, attack)])
    odds = battle.calculate_odds(position, attack)
    assert int(clerk.values["BAF"]) == 2 * odds.attacking
    assert int(clerk.values["BDF"]) == 2 * odds.defending
    assert int(clerk.values["BModCols"]) == sum(shift.columns for shift in odds.shifts)
    return clerk.values["BWhy"]


@pytest.mark.parametrize("turn", [4, 5])
def test_terrain_river_and_disruption_count_as_for_the_referee(turn: int) -> None:
    listed = set()
    for seed in range(40):
        position = random_position(WORLD, seed)
        position = evolve(position, clock=evolve(position.clock, turn=turn))
        for attack in attacks(position, random.Random(seed)):
            if can_match(position, attack):
                listed |= set(check(position, attack).split(", "))
    assert {"Hills: defence +1", "River: columns -1", "Disrupted: columns +1"} <= listed


def standing(turn: int, **where: str) -> Position:
    """The Allied combat phase of a turn, with a few units in their hexes."""
    empty = WORLD.rulebook.empty(WORLD)
    pieces = {name: evolve(piece, where=where.get(name, "")) for name, piece in empty.pieces.items()}
    return evolve(empty, pieces=pieces, clock=WORLD.calendar.find(turn, "combat", "allied"))


@pytest.mark.parametrize(
    ("turn", "target", "lying", "listed"),
    [
        (2, "B4", {"uk78": "B3", "de334": "B4"}, "Hills: defence +2, River: columns -1"),
        (2, "C4", {"uk78": "C3", "nih": "C3", "de334": "C4"}, "Hills: defence +1, Churchills: defence -1"),
        (2, "C4", {"uk78": "C3", "nih": "C3", "pz10": "C4"}, ""),
        (4, "G5", {"xxx": "H5", "dak": "G5"}, ""),
        (5, "G5", {"xxx": "H5", "dak": "G5"}, "Mareth Line: defence +2"),
        (5, "G5", {"xxx": "H5", "lforce": "G4", "uk78": "G4", "us1": "G4", "dak": "G5"}, ""),
    ],
)
def test_the_announcement_lists_modifiers(turn: int, target: str, lying: dict[str, str], listed: str) -> None:
    position = standing(turn, **lying)
    stood = {name: where for name, where in lying.items() if position.pieces[name].side == "allied"}
    attack = battle.Attack(1, target, tuple(stood), "allied", stood=stood)
    assert check(position, attack) == listed
