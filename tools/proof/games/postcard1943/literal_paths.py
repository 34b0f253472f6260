"""Paths of units, read literally: what bars them, what they cost, and which clause is the reason."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.position import Piece, Position
from referee.games.postcard1943.notes import ARRIVED, SWAMP_ROLL_DUE, TRAIL
from tools.oracles.games.postcard1943.board import Board
from tools.oracles.games.postcard1943.marching import March
from tools.proof.breaking import Moment
from tools.proof.games.postcard1943.facts import stack, units

LONGEST = 9
WALKS, WALKERS = 24, 6
ON_ROADS = 0.6
BUDGET = ("reinf.4", "move.11", "move.8", "supply.5", "move.2")
"""The clauses that can make a path too costly, the most special first; move.1 is the remaining one."""
STEPS, BARS = "steps", "bars"
"""All clauses that bar steps, and together with them those that make units stop."""
CLOSED = ("move.4", "move.5", "move.15", "terrain.8")
MEANT = {STEPS: CLOSED, BARS: (*CLOSED, "move.10", "terrain.6")}


@frozen
class Walk:
    """A path of a unit that begins to move, read literally."""

    position: Position
    name: str
    path: tuple[str, ...]

    @property
    def unit(self) -> Piece:
        """The unit."""
        return self.position.pieces[self.name]

    def without(self, clause: str) -> March:
        """How the unit may move without a clause, or without those for which a word stands."""
        return March(self.position, self.name, *MEANT.get(clause, (clause,)), "stack.1")

    def barred_by(self) -> set[str]:
        """The clauses that bar a step or a hex on the path, regardless of its cost."""
        board, unit, march = Board.of(self.position), self.unit, self.without("")
        found = {clause for step in pairwise(self.path) for clause in board.bars(unit, *step)}
        for there in self.path[1:]:
            closed = not board.is_land(there) or board.is_held_against(unit.side, there)
            found |= {"never"} if closed or march.is_full(there) else set()
        for there in self.path[1:-1]:
            found |= {"move.10"} if board.threats(unit.side, there) else set()
            found |= {"terrain.6"} if board.is_swamp(there) else set()
        return found

    def costs_too_much(self, waived: str = "") -> bool:
        """Return whether the path costs more MFs than the unit has, without a clause."""
        march = March(self.position, self.name, *MEANT[BARS], "stack.1", waived)
        cost = march.cost(self.path)
        return cost is None or cost > march.points

    def gets_there(self, waived: str) -> bool:
        """Whether a path leads to its end without a clause, regardless of full hexes."""
        return self.path[-1] in self.without(waived).reach()


def walks(moment: Moment, clause: str) -> Iterator[Walk]:
    """Yield paths of random units that have not moved and can, and for which a clause matters.

    They are random, or, for a clause of the BUDGET, all those that lead farther without it.
    """
    position, rng = moment.position, moment.rng
    if position.phase != "movement" or not moment.did():
        return  # the first move may be a retreat from an undeclared battle
    board = Board.of(position)
    fresh = [
        piece
        for piece in units(position, position.side)
        if not piece.states
        and (TRAIL, piece.id) not in position.notes
        and position.note(SWAMP_ROLL_DUE, piece.id) is None
        and _matters(board, piece, clause)
    ]
    if clause in BUDGET:
        for unit in rng.sample(fresh, min(len(fresh), WALKERS)):
            first = Walk(position, unit.id, (unit.where,))
            legal = first.without("").reach()
            for end, cheapest in first.without(clause).paths().items():
                if end not in legal:
                    yield evolve(first, path=cheapest)
        return
    for _ in range(WALKS if fresh else 0):
        unit = rng.choice(fresh)
        path = [unit.where]
        for _ in range(LONGEST):
            onward = [there for there in board.around(path[-1]) if there not in path]
            by_road = [there for there in onward if board.roads(path[-1], there)]
            if not onward:
                break
            path.append(rng.choice(by_road if by_road and rng.random() < ON_ROADS else onward))
            if len(path) == 2 and stack(position, path[1], unit.side):
                continue  # a step onto a friend is always possible
            yield Walk(position, unit.id, tuple(path))
            if clause != "move.10" and board.threats(unit.side, path[-1]):
                break


def _matters(board: Board, piece: Piece, clause: str) -> bool:
    """Return whether a clause can bar a unit."""
    armour, supplied = board.is_armour(piece), board.is_supplied(piece)
    mobile = piece.counter.extra.flag("mobile", False)
    known = {
        "move.4": armour and piece.id != "nz",
        "move.5": armour and piece.id != "nz",
        "terrain.8": piece.id == "nz",
        "move.8": not armour,
        "reinf.4": board.position.note(ARRIVED, piece.id) is not None,
        "move.2": supplied and not mobile,
        "move.11": supplied and mobile,
        "supply.5": not supplied,
        "supply.6": not supplied,
    }
    return known.get(clause, True)
