"""Positions for the start of short games, in which rare clauses come up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from attrs import evolve

from referee.engine.clock import Date
from referee.engine.position import Mark, Position, World
from referee.record import At
from tools.oracles.comparing import Scattering
from tools.oracles.games.postcard1943.scattering import place
from tools.proof.breaking import Opening

MOVING = ("move.1", "move.2", "move.4", "move.5", "move.8", "move.11", "move.15", "terrain.8")
SUPPLY = ("supply.5", "supply.6", "stack.1", "stack.2", "reinf.4", "terrain.6", "terrain.7", "disrupt.1")
FIGHTING = (
    *("terrain.1", "terrain.2", "terrain.3", "terrain.4", "terrain.9", "church.1", "disrupt.3"),
    *("church.2", "church.3", "combat.5", "combat.7", "crt.2", "crt.3", "crt.6", "crt.7", "crt.8"),
    *("retreat.1", "retreat.3", "retreat.4", "retreat.5", "advance.1", "advance.2", "advance.3", "advance.4"),
    *("combat.3", "crt.1", "crt.4", "crt.5", "pressed.1", "pressed.2", "disrupt.2", "disrupt.4", "disrupt.6"),
)
TIRED = ("disrupt.2", "disrupt.3", "disrupt.4", "disrupt.5", "disrupt.6", "disrupt.7")
CHURCHILL = ("church.1", "church.2", "terrain.2", "terrain.4", "combat.5", "combat.7")
ADVANCES = ("advance.1", "advance.2", "advance.3", "advance.4", "crt.7", "crt.8", "retreat.1", "retreat.4")
ARRIVING = ("seq.1", "reinf.1", "reinf.2", "reinf.3", "reinf.5", "reinf.6")
AIR = ("air.1", "air.2", "air.3", "air.4", "air.5")
FRONT = ("B3", "B4", "C3", "C4", "D3", "D4", "G5", "G4", "F4", "F5", "H4", "B2", "C2", "D2")
"""Hexes on both sides of hills, Longstop, the river and the Mareth Line."""


def scattered(phase: str, side: str, world: World, rng: Random, *, turn: int = 5) -> Position:
    """Units scattered over the whole map."""
    scattering = Scattering(world, rng)
    scattering.do(At(world.calendar.find(5, phase, side)))
    place(scattering, strict=True)
    return scattering.position


def filled(position: Position, rng: Random, hexes: dict[str, str], first: Sequence[str] = ()) -> Position:
    """Place units in hexes of their side, hex by hex, until these are full; some of them before
    all others.
    """
    room = dict.fromkeys(hexes, 3)
    names = [name for name, piece in position.pieces.items() if piece.counter.kind == "unit"]
    rng.shuffle(names)
    for name in (*first, *names):
        piece = position.pieces[name]
        free = [where for where in hexes if hexes[where] == piece.side and room[where] >= piece.counter.stack]
        if free and not piece.where:
            where = rng.choice(free)
            room[where] -= piece.counter.stack
            position = position.with_piece(name, where=where)
    return position


def face_to_face(
    side: str, world: World, rng: Random, *, phase: str = "combat", hexes: int = len(FRONT), tired: float = 0
) -> Position:
    """The units of both sides close together around some of the hexes with effects on combat.

    ``tired`` is how many of them have been Disrupted since the turn before.
    """
    owner = {where: rng.choice(("allied", "axis")) for where in rng.sample(FRONT, hexes)}
    position = filled(world.rulebook.empty(world), rng, owner, ("nih", "nz"))
    turn = rng.choice((4, 5, 6))
    for name, piece in position.pieces.items():
        if piece.where and piece.counter.kind == "unit" and name != "broich" and rng.random() < tired:
            mark = Mark(since=Date(turn - 1, "axis" if piece.side == "allied" else "allied"))
            position = position.with_piece(name, states={"disrupted": mark})
    return evolve(position, clock=world.calendar.find(turn, phase, side))


def drawn_up(
    phase: str, side: str, hexes: dict[str, str], first: Sequence[str], world: World, rng: Random
) -> Position:
    """Units in certain hexes of the two sides, some of them before all others."""
    position = filled(world.rulebook.empty(world), rng, hexes, first)
    return evolve(position, clock=world.calendar.find(rng.choice((5, 6)), phase, side))


def in_the_air(side: str, world: World, rng: Random) -> Position:
    """The units of both sides close together, with all aircraft in their boxes."""
    position = face_to_face(side, world, rng)
    for name, piece in world.rulebook.start(world).pieces.items():
        if piece.counter.kind == "air":
            position = position.with_piece(name, where=piece.where)
    return position


def churchills_alone(world: World, rng: Random) -> Position:
    """The Churchills by themselves, next to the Axis."""
    position = drawn_up("combat", "axis", {"C4": "axis", "B4": "axis", "D4": "axis"}, (), world, rng)
    position = position.with_piece("nih", where=rng.choice(("C3", "D3")))
    return filled(position, rng, {rng.choice(("D2", "C2")): "allied"})


def new_zealanders_alone(world: World, rng: Random) -> Position:
    """The New Zealanders in the hills next to the Axis, alone or with armour."""
    with_them = ("nz", "us1a") if rng.random() < 0.5 else ("nz",)
    position = world.rulebook.empty(world)
    where = rng.choice(("C3", "C4"))
    for name in with_them:
        position = position.with_piece(name, where=where)
    position = filled(position, rng, dict.fromkeys(("B4", "D4", "C5"), "axis"))
    return evolve(position, clock=world.calendar.find(rng.choice((5, 6)), "combat", "axis"))


def first_combat(world: World, rng: Random) -> Position:
    """The Allies next to the enemy in their first combat phase."""
    position = world.rulebook.start(world)
    position = position.with_piece("blade", where=rng.choice(("C3", "B2", "C4")))
    position = position.with_piece("hart", where="C3").with_piece("pz10", where="B4")
    position = position.with_piece("broich", where=rng.choice(("B4", "C5", "B5")))
    return evolve(position, clock=world.calendar.find(1, "combat", "allied"))


def arrivals(turns: tuple[int, ...], world: World, rng: Random) -> Position:
    """The start of a turn, with the road east open and all reinforcements waiting."""
    position = world.rulebook.start(world)
    for name, where in (("blade", "D1"), ("hart", "E1"), ("pz10", "C6"), ("broich", "D6")):
        position = position.with_piece(name, where=where)
    return evolve(position, clock=world.calendar.find(rng.choice(turns), "reinforcements", ""))


RIVER = {"B2": "allied", "C2": "allied", "C3": "allied", "B3": "axis", "A4": "axis", "B4": "axis"}
ARMOUR = ("us1a", "uk6a", "blade", "xcorps", "pz10", "pz15", "pz21", "tiger")
MARETH = {"H5": "allied", "I6": "allied", "G5": "axis"}
LONGSTOP = {"B3": "allied", "C3": "allied", "C4": "allied", "B4": "axis", "B5": "axis"}
HILLS = {"C3": "allied", "D2": "allied", "B3": "allied", "C4": "axis", "D3": "axis", "B4": "axis"}
GERMANS = ("koch", "pz10", "de334", "lwreg")
PLAIN = {"D4": "allied", "E5": "allied", "D3": "allied", "D5": "axis", "E4": "axis", "C5": "axis"}
WESTERN = {"B2": "allied", "D2": "allied", "E4": "allied", "C5": "axis", "F5": "axis"}

both = partial(Opening.of_each, {"allied": "the Allies", "axis": "the Axis"})


def _drawn(name: str, clauses: tuple[str, ...], *given: Any) -> Opening:
    return Opening(name, clauses, partial(drawn_up, *given))


OPENINGS = (
    Opening(
        "the set-up",
        ("setup.1", "setup.2", "setup.3", "setup.5"),
        lambda world, rng: world.rulebook.start(world),
    ),
    *both("scattered, {} to move", (*MOVING, *SUPPLY), partial(scattered, "movement")),
    *both("face to face, {} to attack", FIGHTING, face_to_face),
    *both("tired, {} to attack", TIRED, face_to_face, tired=0.4),
    *both("crowded, {} to move", ("stack.1", "stack.2"), face_to_face, phase="movement", hexes=7),
    Opening("the first combat", ("setup.5",), first_combat),
    Opening("the first arrive", ARRIVING, partial(arrivals, (2, 3, 4))),
    Opening("everybody arrives", ("move.1", "move.2", "reinf.4", *ARRIVING), partial(arrivals, (4, 5, 6))),
    _drawn("armour on the river, the Allies move", ("move.5",), "movement", "allied", RIVER, ARMOUR),
    _drawn("armour on the river, the Axis moves", ("move.5",), "movement", "axis", RIVER, ARMOUR),
    _drawn("New Zealanders in the west", ("terrain.8",), "movement", "allied", WESTERN, ("nz",)),
    _drawn("before the Mareth Line", ("terrain.3",), "combat", "allied", MARETH, ("xxx", "nz")),
    _drawn("before Longstop", CHURCHILL, "combat", "allied", LONGSTOP, ("nih", "de334", "broich")),
    Opening("New Zealanders in the hills", ("terrain.9",), new_zealanders_alone),
    _drawn("Germans side by side", CHURCHILL, "combat", "allied", HILLS, ("nih", *GERMANS)),
    _drawn("the Allies break through", ADVANCES, "combat", "allied", PLAIN, ARMOUR),
    _drawn("the Axis breaks through", ADVANCES, "combat", "axis", PLAIN, ARMOUR),
    *both("in the air, {} to attack", AIR, in_the_air),
    Opening("the Churchills alone", ("church.3",), churchills_alone),
)
