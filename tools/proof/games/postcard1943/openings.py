"""Positions to begin short games with, in which rare clauses come up."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import evolve

from referee.engine.position import Position, World
from tests.games.postcard1943.positions import random_position
from tools.proof.breaking import Opening

MOVING = ("move.1", "move.2", "move.4", "move.5", "move.8", "move.11", "move.15", "terrain.8")
SUPPLY = ("supply.5", "supply.6", "stack.1", "stack.2", "reinf.4", "terrain.6", "terrain.7", "disrupt.1")
FIGHTING = (
    *("terrain.1", "terrain.2", "terrain.3", "terrain.4", "terrain.9", "church.1", "disrupt.3", "air.5"),
    *("church.2", "church.3", "combat.5", "combat.7", "crt.2", "crt.3", "crt.6", "crt.7", "crt.8"),
    *("retreat.3", "retreat.4", "advance.2", "advance.3", "advance.4", "disrupt.2", "disrupt.6"),
)
FRONT = ("B3", "B4", "C3", "C4", "D3", "D4", "G5", "G4", "F4", "F5", "H4", "B2", "C2", "D2")
"""Hexes on both sides of hills, Longstop, the river and the Mareth Line."""


def strewn(phase: str, side: str, turn: int = 5) -> Callable[[World, Random], Position]:
    """Units strewn over all the land."""

    def make(world: World, rng: Random) -> Position:
        position = random_position(world, rng.randrange(10**6))
        return evolve(position, clock=world.calendar.find(turn, phase, side))

    return make


def face_to_face(side: str) -> Callable[[World, Random], Position]:
    """The units of both sides close together around the hexes with effects on combat."""

    def make(world: World, rng: Random) -> Position:
        position = world.rulebook.empty(world)
        owner = {where: rng.choice(("allied", "axis")) for where in FRONT}
        room = dict.fromkeys(FRONT, 3)
        names = [name for name, piece in position.pieces.items() if piece.counter.kind == "unit"]
        rng.shuffle(names)
        for name in ("nih", "nz", *names):
            piece = position.pieces[name]
            hexes = [where for where in FRONT if owner[where] == piece.side]
            hexes = [where for where in hexes if room[where] >= piece.counter.stack]
            if hexes and not piece.where:
                where = rng.choice(hexes)
                room[where] -= piece.counter.stack
                position = position.with_piece(name, where=where)
        return evolve(position, clock=world.calendar.find(rng.choice((4, 5, 6)), "combat", side))

    return make


def first_combat(world: World, rng: Random) -> Position:
    """The Allies next to the enemy in their first combat."""
    position = world.rulebook.start(world)
    position = position.with_piece("blade", where=rng.choice(("C3", "B2", "C4")))
    position = position.with_piece("hart", where="C3").with_piece("pz10", where="B4")
    position = position.with_piece("broich", where=rng.choice(("B4", "C5", "B5")))
    return evolve(position, clock=world.calendar.find(1, "combat", "allied"))


def late_arrivals(world: World, rng: Random) -> Position:
    """The start of a turn with the road east open and all reinforcements waiting."""
    position = world.rulebook.start(world)
    for name, where in (("blade", "D1"), ("hart", "E1"), ("pz10", "C6"), ("broich", "D6")):
        position = position.with_piece(name, where=where)
    return evolve(position, clock=world.calendar.find(rng.choice((4, 5, 6)), "reinforcements", ""))


OPENINGS = (
    Opening("strewn, the Allies move", (*MOVING, *SUPPLY), strewn("movement", "allied")),
    Opening("face to face, the Allies attack", FIGHTING, face_to_face("allied")),
    Opening("strewn, the Axis moves", (*MOVING, *SUPPLY), strewn("movement", "axis")),
    Opening("face to face, the Axis attacks", FIGHTING, face_to_face("axis")),
    Opening("the first combat", ("setup.5",), first_combat),
    Opening("everybody arrives", ("reinf.4", "move.1", "move.2", "reinf.1", "reinf.3"), late_arrivals),
    Opening("face to face, the Allies attack", FIGHTING, face_to_face("allied")),
    Opening("face to face, the Axis attacks", FIGHTING, face_to_face("axis")),
)
