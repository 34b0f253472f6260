"""Positions to begin short games with, in which rare clauses come up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from attrs import evolve

from referee.engine.position import Mark, Position, World
from tools.oracles.games.tunisia1943.board import Board
from tools.proof.breaking import Opening
from tools.proof.games.tunisia1943.plain import EM, UNIT

ATTACKS = ("6.3a", "7.1a", "7.1b", "7.1c", "7.1h", "7.1i", "7.3e", "7.3g", "8a", "8b", "C1.6", "12c", "C1.5")
SUPPORT = (
    *("0.1l", "6.2a", "6.2b", "6.2d", "6.2e", "6.2f", "6.2h", "6.2j", "6.2k", "6.2l", "9.2a", "9.2h"),
    *("7.2a", "7.2d", "7.2e", "7.2f", "7.3a", "11a", "11c", "11f", "11g", "C1.3", "C2.3", "C2.5"),
)
SUMS = (
    *("0.1f", "2.1a", "2.1b", "6.2g", "6.2i", "7.1g", "7.2b", "7.2c", "7.2g", "7.3b", "7.3c", "7.3f", "7.3h"),
    *("9.2b", "9.2c", "9.2d", "11d", "11e", "12d", "12e", "12f", "C1.4", "G.2", "G.3"),
)
RESULTS = (
    *("0.1h", "0.1i", "6.3b", "6.3c", "7.1f", "7.4a", "7.4b", "7.4c", "7.4d", "7.4e", "7.4f", "7.4g", "7.4h"),
    *("7.4i", "7.5a", "7.5b", "7.5d", "7.5f", "7.6a", "7.6b", "7.6d", "G.5", "G.6", "1b"),
)
MOVES = (
    *("3b", "3c", "4.1a", "4.1f", "4.2b", "4.2c", "4.3a", "4.3b", "4.3c", "4.3d", "4.3f", "4.3i", "4.3l"),
    *("5.1a", "5.1d", "9.2e", "12g", "2.1c", "2.1d", "4.1d", "9.2i", "C2.4"),
)
LAND = 36
"""How many hexes around a place are fought over."""


def face_to_face(phase: str) -> Callable[[World, Random], Position]:
    """Units of both sides crowded together around some place, their headquarters among them."""

    def make(world: World, rng: Random) -> Position:
        position = world.rulebook.empty(world)
        turn, side = rng.randint(1, world.calendar.last_turn), rng.choice(world.calendar.order)
        position = evolve(position, clock=world.calendar.find(turn, phase, side))
        board = Board(position)
        here = list(_around(board, rng))
        owner = {where: rng.choice(("allied", "axis")) for where in here}
        room = {where: 1 if owner[where] == "allied" and turn < 3 else 2 for where in here}
        known = [name for group in world.scenario.setup for name in group.counters]
        known += [name for group in world.scenario.arrivals for name in group.counters]
        names = list(dict.fromkeys(known))
        names = [name for name in names if position.pieces[name].counter.kind in (UNIT, EM)]
        rng.shuffle(names)
        for name in names:
            piece = position.pieces[name]
            hexes = [at for at in here if owner[at] == piece.side and (piece.counter.kind == EM or room[at])]
            if not hexes:
                continue
            where = rng.choice(hexes)
            room[where] -= piece.counter.kind == UNIT
            states = {"out-of-supply": Mark()} if rng.random() < 0.15 else {}
            steps = rng.randint(1, piece.counter.steps)
            position = position.with_piece(name, where=where, steps=steps, states=states)
        return position

    return make


def _around(board: Board, rng: Random) -> Iterator[str]:
    """A place that can be held, and the hexes nearest to it that can be."""
    land = [name for name in board.map.grid.names if not board.is_impassable(name)]
    found = [rng.choice(land)]
    for where in found:
        yield where
        if len(found) < LAND:
            found += [at for at in board.around(where) if at not in found and not board.is_impassable(at)]


OPENINGS = (
    Opening("face to face, in combat", (*ATTACKS, *SUPPORT, *SUMS, *RESULTS), face_to_face("combat")),
    Opening("face to face, in movement", MOVES, face_to_face("movement")),
)
