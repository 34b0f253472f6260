"""Moves as the clauses describe them: step by step, every path tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from attrs import frozen

from tools.oracles.comparing import Scene
from tools.oracles.games.patton1943.board import Board


@frozen
class Before:
    """What a piece has done in this phase: what it paid, whether it stopped in an EZOC, who moved since."""

    spent: Fraction = Fraction(0)
    moved: bool = False
    stopped: bool = False
    resumed: bool = False


class March:
    """One unit or ground asset of a scene on the march."""

    def __init__(self, scene: Scene, name: str) -> None:
        self.position, self.board = scene.position, Board(scene.position)
        self.piece = scene.position.pieces[name]
        self.before = before(scene, name)

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""
        return "legal" if not self.before.resumed and self._can_walk(path) else "illegal"

    def drags(self) -> dict[str, str]:
        """The hexes to which a drag is legal: some path leads there, or it is the next hex [8k]."""
        if self.before.resumed:
            return {}
        around = self.board.around(self.piece.where)
        found = {there for there in around if self._can_walk((self.piece.where, there))} | set(self.costs())
        return dict.fromkeys(found - {self.piece.where}, "legal")

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach, and what the cheapest path there costs."""
        return {} if self.before.stopped else self.reach()

    def reach(self) -> dict[str, Fraction]:
        """Every hex that some path leads to, and what the cheapest costs: costs go down until none does."""
        start = self.piece.where
        best = {start: self.before.spent}
        waiting = [start]
        while waiting:
            here = waiting.pop(0)
            if here != start and self.stops(here):
                continue
            for there in self.board.around(here):
                if not self._can_step(here, there):
                    continue
                cost = best[here] + self.board.cost(here, there)
                if cost <= self.points and cost < best.get(there, cost + 1):
                    best[there] = cost
                    waiting.append(there)
        return best

    def stops(self, here: str) -> bool:
        """Return whether a piece that enters a hex ends its move there [9c]."""
        return self.board.is_controlled(self.piece.side, here)

    @property
    def points(self) -> int:
        """The movement factor of the side that shows [2a, 2c]."""
        return self.piece.counter.factor("mf", self.piece.steps)

    def _can_walk(self, path: tuple[str, ...]) -> bool:
        """A piece that has entered an EZOC stops; it pays for each hex or moves one only [8c, 8k, 9c, 9e]."""
        if self.before.stopped or not all(self._can_step(*step) for step in pairwise(path)):
            return False
        if any(self.board.is_controlled(self.piece.side, here) for here in path[1:-1]):
            return False
        cost = self.before.spent + sum(self.board.cost(*step) for step in pairwise(path))
        return cost <= self.points or (len(path) == 2 and not self.before.moved)

    def _can_step(self, here: str, there: str) -> bool:
        """Over a passable side, to no enemy piece [8l, 8m, 8n]."""
        board = self.board
        return board.is_passable(here, there) and not board.is_enemy_there(there, self.piece.side)


def before(scene: Scene, name: str) -> Before:
    """Return what a piece has done in this phase, by the moves themselves, each of them step by step.

    Pieces that start in one hex may move by turns, as a stack [7.1b, 7.1c].
    """
    found, start = Before(), scene.position.pieces[name].where
    starts: dict[str, str] = {}
    for action, position in scene.actions("move"):
        for mover in action.pieces:
            starts.setdefault(mover, position.pieces[mover].where)
    start = starts.get(name, start)
    for action, position in scene.actions("move"):
        if name not in action.pieces:
            others = [mover for mover in action.pieces if starts[mover] != start]
            found = Before(
                found.spent, found.moved, found.stopped, found.moved and (found.resumed or bool(others))
            )
            continue
        board = Board(position)
        spent = found.spent + sum(board.cost(here, there) for here, there in pairwise(action.path))
        stopped = board.is_controlled(position.pieces[name].side, action.end)
        found = Before(spent, True, stopped, False)
    return found
