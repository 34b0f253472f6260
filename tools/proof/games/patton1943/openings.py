"""Positions to begin short games with, in which battles and rare clauses come up."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import evolve

from referee.engine.position import Position, World
from referee.games.patton1943.notes import SETTING_UP
from tools.oracles.comparing import Scattering
from tools.oracles.games.patton1943.scattering import place
from tools.proof.breaking import Opening
from tools.proof.games.patton1943.battlefields import (
    dogfight,
    fight,
    hemmed_in,
    joined,
    led,
    of_one_side,
    raid,
    supported,
    worn_down,
)
from tools.proof.games.patton1943.random_positions import (
    crowded,
    cut_off,
    homecoming,
    late,
    losses_made_good,
    patton_is_near,
    patton_waits,
)


def _named(clauses: str) -> tuple[str, ...]:
    return tuple(clauses.split())


MOVING = _named("7.1a 8a 8c 8j 8l 8m 8n 9c 9e 6a 6b")
CROWDED = _named("6a 6b 6c 7.1d 8q 9e 9c")
FIGHTING = _named(
    "7a 7.2b 7.2c 7.2d 7.4c 7.5a 7.5c 11c 11d 11k 11l 12a 12e 12f 12h 12i 12j 12k 13a 13b 13f "
    "13g 13h 13i 14a 14b 14d 14e 14f 14i 14j 14l"
)
AIR = _named("7.3a 7.3b 7.3d 7.3f 7.3h 7.3i 7.3j 7.4d 10a 10c 10d 10e")
RAID = _named("12k 13f 13g 14i 7.2b 11c")
FRIENDS = _named("14b 14d 14a")
ENEMIES = _named("14f 14e")
SCARP = _named("11b 14c")
UNLED = _named("15a 12j 7.5b 14k")
GENERALS = _named("15b 15c 15d 15g")
RETURNING = _named("7.6a 7.6b 7.6c 7.6d")
KEEPING = _named("7b 8p 7.2a 7.7a 7.7b 7.7c 7.7d 7.7e 7.7f 7.7g 7.7h 7.7i 7.7k 9f 17d")
SUPPLYING = _named("7.8a 7.8e")
PLACING = tuple(f"5{letter}" for letter in "abcdeghijklmnopqrs")
PATTON = _named("16a 16b 16c 16d 16e 16f 16g")
ROMMEL = _named("17a 17b 17c")
SIDES = ("axis", "allied")


def scattered(phase: str, side: str, *turns: int) -> Callable[[World, Random], Position]:
    """Pieces crowded into a part of the land, battlegroups and two-star pieces in their pools."""

    def make(world: World, rng: Random) -> Position:
        scattering = Scattering(world, rng)
        place(scattering, rng.choice((0.3, 0.6)), strict=True)
        position = scattering.position
        for name, piece in position.pieces.items():
            kept = piece.counter.kind == "battlegroup" or piece.counter.formation == "second-corps-patton"
            if kept or name == "us-patton" or not piece.where:
                box = "pool" if kept or name == "us-patton" else "dead"
                position = position.with_piece(name, where=f"{piece.side}-{box}", steps=piece.counter.steps)
        return evolve(position, clock=world.calendar.find(rng.choice(turns), phase, side))

    return make


def set_up(world: World, rng: Random) -> Position:
    """The set-up, in which the Allies have begun to place pieces again."""
    return world.rulebook.start(world).with_note(SETTING_UP, "allied", True)


OPENINGS = (
    Opening("set-up", PLACING, set_up),
    *(Opening(f"{side} movement", MOVING, scattered("movement", side, 5, 6)) for side in SIDES),
    *(Opening(f"{side} stacks", CROWDED, crowded(side)) for side in SIDES),
    *(Opening(f"{side} battles", FIGHTING, fight(side)) for side in SIDES),
    *(Opening(f"{side} air battles", AIR, dogfight(side)) for side in SIDES),
    *(Opening(f"{side} hemmed in", ENEMIES, hemmed_in(side, by_friends=False)) for side in SIDES),
    *(Opening(f"{side} with friends", FRIENDS, hemmed_in(side, by_friends=True)) for side in SIDES),
    *(Opening(f"{side} generals", GENERALS, led(side)) for side in SIDES),
    *(Opening(f"{side} without generals", UNLED, led(side, general=False)) for side in SIDES),
    *(Opening(f"{side} support", ("11m", "12g"), supported(side)) for side in SIDES),
    *(Opening(f"{side} breakthroughs to a stack", ("11a",), joined(side)) for side in SIDES),
    *(Opening(f"{side} brigades", ("13c",), of_one_side(side)) for side in SIDES),
    *(Opening(f"{side} battlegroups", ("13d", "7.4c"), worn_down(side)) for side in SIDES),
    *(Opening(f"{side} raids", RAID, raid(side)) for side in SIDES),
    *(Opening(f"{side} battles at the scarp", SCARP, fight(side, scarp=True)) for side in SIDES),
    *(Opening(f"{side} aircraft", RETURNING, homecoming(side)) for side in SIDES),
    *(Opening(f"{side} replacements", KEEPING, losses_made_good(side)) for side in SIDES),
    *(Opening(f"{side} airfields shut", ("7.7j",), losses_made_good(side, shut=True)) for side in SIDES),
    *(Opening(f"{side} cut off", (*SUPPLYING, "7.8b"), cut_off(side, near=False)) for side in SIDES),
    *(Opening(f"{side} cut off near", (*SUPPLYING, "7.8c"), cut_off(side, near=True)) for side in SIDES),
    Opening("Patton is near", PATTON, patton_is_near),
    Opening("Patton waits", ("16h",), patton_waits),
    Opening("the last turns", ROMMEL, late),
)
