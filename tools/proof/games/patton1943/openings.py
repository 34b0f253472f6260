"""Positions to begin short games with, in which battles and rare clauses come up."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import evolve

from referee.engine.position import Position, World
from referee.games.patton1943.facts import SETTING_UP
from tools.oracles.comparing import Strewing
from tools.oracles.games.patton1943.strewing import place
from tools.proof.breaking import Opening

MOVING = ("7.1a", "7.1b", "7.1d", "8a", "8c", "8j", "8l", "8m", "8n", "9c", "9e", "6a", "6b")
FIGHTING = (
    *("7.2b", "7.2c", "7.2d", "7.3a", "7.3b", "7.3d", "7.3f", "7.3h", "7.3i", "7.3j", "7.4c", "7.4d", "7.5a"),
    *(
        "7.5b",
        "7.5c",
        "7a",
        "10a",
        "10d",
        "11b",
        "11c",
        "11k",
        "11l",
        "12a",
        "12e",
        "12f",
        "12j",
        "13a",
        "13b",
    ),
    *("13f", "13h", "14a", "14b", "14d", "14e", "14j", "14l", "15a", "7.6a", "7.6b", "7.6d", "7b"),
)
KEEPING = (
    "7.7a",
    "7.7b",
    "7.7c",
    "7.7d",
    "7.7e",
    "7.7f",
    "7.7g",
    "7.7h",
    "7.7i",
    "9f",
    "7.8a",
    "7.8b",
    "7.8e",
)
PLACING = tuple(f"5{letter}" for letter in "abcdeghijklmnopqr")
ENDING = ("16a", "16b", "16c", "16e", "16g", "16h", "17a", "17b")


def strewn(phase: str, side: str, *turns: int) -> Callable[[World, Random], Position]:
    """Pieces crowded into a part of the land, battlegroups and two-star pieces in their pools."""

    def make(world: World, rng: Random) -> Position:
        told = Strewing(world, rng)
        place(told, rng.choice((0.3, 0.6)), strict=True)
        position = told.position
        for name, piece in position.pieces.items():
            kept = piece.counter.kind == "battlegroup" or piece.counter.formation == "second-corps-patton"
            if kept or name == "us-patton" or not piece.where:
                box = "pool" if kept or name == "us-patton" else "dead"
                position = position.with_piece(name, where=f"{piece.side}-{box}", steps=piece.counter.steps)
        return evolve(position, clock=world.calendar.find(rng.choice(turns), phase, side))

    return make


def set_up(world: World, rng: Random) -> Position:
    """The set-up, in which the Allies have begun to place pieces anew."""
    return world.rulebook.start(world).with_note(SETTING_UP, "allied", True, "never")


OPENINGS = (
    Opening("set-up", PLACING, set_up),
    *(Opening(f"{side} movement", MOVING, strewn("movement", side, 5, 6)) for side in ("axis", "allied")),
    *(Opening(f"{side} battles", FIGHTING, strewn("battles", side, 5, 6)) for side in ("axis", "allied")),
    *(
        Opening(f"{side} replacements", KEEPING, strewn("replacement", side, 5, 6))
        for side in ("axis", "allied")
    ),
    Opening("an early end of turn", ENDING, strewn("supply", "allied", 1, 2)),
    Opening("a late end of turn", ENDING, strewn("supply", "allied", 9, 10, 11)),
)
