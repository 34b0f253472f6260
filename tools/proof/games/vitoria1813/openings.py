"""Positions to begin short games with, in which rare clauses come up."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import evolve

from referee.engine.position import Mark, Position, World
from tools.proof.breaking import Opening

MIDDLE = ("0913", "1210", "1512", "1808", "0610", "2011", "2313", "1405")
MOVING = (
    *("3.2a", "3.2c", "3.2d", "3.2e", "4.3a", "4.3b", "4.2c", "4.4a", "4.4c", "11b", "7.7a", "10a", "9.2c"),
    *("4.1a", "4.1d", "4.1e", "8a", "2e", "7.2b", "9.2a", "9.2d", "9.2e", "7.8d", "11f", "11g", "11j"),
)
FIGHTING = (
    *("6.1a", "6.1b", "6.1c", "6.1d", "2h", "7.1f", "6.0b", "2i", "7.1a", "7.1b", "7.1e", "7.7a", "7.8e"),
    *("7.1g", "7.2a", "7.2c", "9.1b", "9.1c", "9.1f", "9.1g", "9.1i", "7.1i", "7.1h", "7.2d", "7.4a", "6.1f"),
    *("7.4b", "6.2b", "4.5c", "7.4d", "7.4c", "7.8a", "7.5c", "7.6", "7.5m", "4.5d", "7.5l", "9.2f", "9.2i"),
    *("9.2k", "8c", "7.2g", "2e"),
)
RALLYING = ("7.9a", "7.9b", "7.9c", "7.7d", "7.8d", "2e")


def close(phase: str, side: str, tired: float = 0.1) -> Callable[[World, Random], Position]:
    """Both armies close together; some units are shaken, some cavalry is charging."""

    def make(world: World, rng: Random) -> Position:
        position, grid = world.rulebook.start(world), world.game.map.grid
        near = grid.within(rng.choice(MIDDLE), 5)
        owner = {name: rng.choice(("allied", "french")) for name in near}
        room = dict.fromkeys(near, 2)
        for name, piece in position.pieces.items():
            position = position.with_piece(name, where="", face="down" if piece.face else "")
        trains = [one for one in position.pieces.values() if one.counter.kind in ("convoy", "park")]
        for piece in [*trains, *position.pieces.values()]:
            is_train = piece.counter.kind in ("convoy", "park")
            free = [one for one in near if owner[one] == piece.side and room[one] >= (2 if is_train else 1)]
            if not free or rng.random() < 0.45:
                continue
            where = rng.choice(free)
            room[where] -= 2 if is_train else piece.counter.kind != "general"
            states: dict[str, Mark] = {}
            if piece.counter.kind in ("infantry", "cavalry", "artillery") and rng.random() < tired:
                states = {rng.choice(("disordered", "routed")): Mark()}
            elif piece.counter.kind == "cavalry" and phase in ("fire", "combat") and piece.side == side:
                states = {"charging": Mark()} if rng.random() < 0.4 else {}
            position = position.with_piece(piece.id, where=where, states=states)
        return evolve(position, clock=world.calendar.find(rng.choice((3, 4, 5)), phase, side))

    return make


OPENINGS = (
    Opening("close, the Allies move", MOVING, close("movement", "allied")),
    Opening("close, the French move", MOVING, close("movement", "french")),
    Opening("close, the Allies fight", FIGHTING, close("fire", "allied")),
    Opening("close, the French fight", FIGHTING, close("fire", "french")),
    Opening("shaken, the French rally", RALLYING, close("rally", "french", 0.6)),
    Opening("shaken, the Allies rally", RALLYING, close("rally", "allied", 0.6)),
)
