"""Moves as the clauses describe them, by counters that have not moved yet: step by step, every path tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from tools.oracles.comparing import Scene
from tools.oracles.games.vitoria1813.board import Board
from tools.oracles.moving import ILLEGAL, LEGAL


class March:
    """One counter of a scene on the march."""

    def __init__(self, scene: Scene, name: str) -> None:
        self.board, self.piece = Board.of(scene.position), scene.position.pieces[name]
        self.points = Fraction(self.piece.factor("mp"))

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known; whether enemy trains bar it no clause says."""
        if self._can_go(path):
            return LEGAL
        return "unproven" if self._can_go(path, trains=False) else ILLEGAL

    def _can_go(self, path: tuple[str, ...], *, trains: bool = True) -> bool:
        spent, start = Fraction(0), path[0]
        for here, there in pairwise(path):
            if here != start and self.board.zone_holders(here, self.piece.side):
                return False  # it has entered an EZOC [3.2a]
            cost = self.board.step(self.piece, start, here, there, trains=trains)
            if cost is None or spent + cost > self.points:
                return False
            spent += cost
        return True

    def drags(self) -> dict[str, str]:
        """The hexes to which a drag is legal: some path leads there; or only one past enemy trains."""
        passing = self.board.reach(self.piece, self.points, trains=False)
        found = {**dict.fromkeys(passing, "unproven"), **dict.fromkeys(self.costs(), LEGAL)}
        return {where: grade for where, grade in found.items() if where != self.piece.where}

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach, and what the cheapest path there costs."""
        return self.board.reach(self.piece, self.points)
