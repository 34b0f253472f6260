"""Moves as the clauses describe them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.position import Position
from tools.oracles import moving
from tools.oracles.comparing import Scene
from tools.oracles.games.patton1943.board import Board


@frozen
class Before:
    """What a piece has done in this phase: what it paid, whether it stopped in an EZOC, which pieces moved
    since.
    """

    spent: Fraction = Fraction(0)
    moved: bool = False
    stopped: bool = False
    resumed: bool = False


STILL = Before()


class March(moving.March):
    """One unit or ground asset that moves, ``without`` some clauses."""

    board: Board

    def __init__(self, position: Position, name: str, *without: str, before: Before = STILL) -> None:
        super().__init__(Board.of(position), position.pieces[name], before.spent)
        self.before, self.without = before, without

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""
        return "legal" if not self.before.resumed and self._can_walk(path) else "illegal"

    def drags(self) -> dict[str, str]:
        """The hexes to which a drag is legal: some path leads there, or it is the next hex [8k]."""
        if self.before.resumed:
            return {}
        here = self.piece.where
        found = {there for there in self.board.around(here) if self._can_walk((here, there))}
        return dict.fromkeys((found | set(self.costs())) - {here}, "legal")

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach, and what the cheapest path there costs."""
        return {} if self.before.stopped else self.reach()

    def stops(self, here: str) -> bool:
        """Return whether a piece that enters a hex ends its move there [9c]."""
        return "9c" not in self.without and self.board.is_controlled(self.piece.side, here)

    @property
    def points(self) -> Fraction:
        """The movement factor of the side that shows [2a, 2c]."""
        return Fraction(self.piece.counter.factor("mf", self.piece.steps))

    def step(self, here: str, there: str) -> Fraction | None:
        """Over a passable hexside, to a hex without enemy pieces [8l, 8m, 8n]."""
        closed = {
            "8n": "impassable" in self.board.lies(here, there),
            "8l": not self.board.is_ground(there),
            "8m": self.board.is_enemy_there(there, self.piece.side),
        }
        if any(barred for clause, barred in closed.items() if clause not in self.without):
            return None
        return self.board.cost(here, there)

    def _can_walk(self, path: tuple[str, ...]) -> bool:
        """A piece that has entered an EZOC stops; it pays for each hex, or moves only one [8c,
        8k, 9c, 9e].
        """
        cost = None if self.before.stopped else self.cost(path)
        if cost is None:
            return False
        return cost <= self.points or (len(path) == 2 and not self.before.moved)


def before(scene: Scene, name: str) -> Before:
    """Return what a piece has done in this phase, from the moves themselves, each of them step by step.

    Pieces that start in one hex may move in turns, as a stack [7.1b, 7.1c].
    """
    found, starts = Before(), dict[str, str]()
    moves = scene.actions("move")
    for action, position in moves:
        for mover in action.pieces:
            starts.setdefault(mover, position.pieces[mover].where)
    start = starts.get(name, scene.position.pieces[name].where)
    for action, position in moves:
        if name not in action.pieces:
            others = any(starts[mover] != start for mover in action.pieces)
            found = evolve(found, resumed=found.moved and (found.resumed or others))
            continue
        board = Board.of(position)
        spent = found.spent + sum(board.cost(here, there) for here, there in pairwise(action.path))
        found = Before(spent, True, board.is_controlled(position.pieces[name].side, action.end))
    return found
