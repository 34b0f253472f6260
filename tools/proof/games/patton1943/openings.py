"""Positions for the start of short games, in which battles and rare clauses come up."""

from __future__ import annotations

from functools import partial
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


def scattered(side: str, world: World, rng: Random) -> Position:
    """Pieces crowded into a part of the map, with battlegroups and two-star pieces in their pools."""
    scattering = Scattering(world, rng)
    place(scattering, rng.choice((0.3, 0.6)), strict=True)
    position = scattering.position
    for name, piece in position.pieces.items():
        kept = piece.counter.kind == "battlegroup" or piece.counter.formation == "second-corps-patton"
        if kept or name == "us-patton" or not piece.where:
            box = "pool" if kept or name == "us-patton" else "dead"
            position = position.with_piece(name, where=f"{piece.side}-{box}", steps=piece.counter.steps)
    return evolve(position, clock=world.calendar.find(rng.choice((5, 6)), "movement", side))


def set_up(world: World, rng: Random) -> Position:
    """The set-up, in which the Allies have begun to place pieces again."""
    return world.rulebook.start(world).with_note(SETTING_UP, "allied", True)


both = partial(Opening.of_each, {"axis": "axis", "allied": "allied"})

OPENINGS = (
    Opening("set-up", PLACING, set_up),
    *both("{} movement", MOVING, scattered),
    *both("{} stacks", CROWDED, crowded),
    *both("{} battles", FIGHTING, fight),
    *both("{} air battles", AIR, dogfight),
    *both("{} hemmed in", ENEMIES, hemmed_in, by_friends=False),
    *both("{} with friends", FRIENDS, hemmed_in, by_friends=True),
    *both("{} generals", GENERALS, led),
    *both("{} without generals", UNLED, led, general=False),
    *both("{} support", ("11m", "12g"), supported),
    *both("{} breakthroughs to a stack", ("11a",), joined),
    *both("{} brigades", ("13c",), of_one_side),
    *both("{} battlegroups", ("13d", "7.4c"), worn_down),
    *both("{} raids", RAID, raid),
    *both("{} battles at the scarp", SCARP, fight, scarp=True),
    *both("{} aircraft", RETURNING, homecoming),
    *both("{} replacements", KEEPING, losses_made_good),
    *both("{} airfields shut", ("7.7j",), losses_made_good, shut=True),
    *both("{} cut off", (*SUPPLYING, "7.8b"), cut_off, near=False),
    *both("{} cut off near", (*SUPPLYING, "7.8c"), cut_off, near=True),
    Opening("Patton is near", PATTON, patton_is_near),
    Opening("Patton waits", ("16h",), patton_waits),
    Opening("the last turns", ROMMEL, late),
)
