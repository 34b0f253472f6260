"""Retreats as the clauses describe them: hex by hex."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import Piece
from tools.oracles.games.tunisia1943.board import Board

LENGTH = {"DD": 1, "SD": 2}
MOST = 6


class Retreat:
    """The retreat paths of a defender out of an attacked hex, and the units that retreat with it."""

    def __init__(self, board: Board, piece: Piece, target: str, result: str, company: list[str]) -> None:
        self.board, self.piece, self.target, self.company = board, piece, target, company
        self.length = LENGTH[result.removesuffix("*")]
        paths = list(self._ways((target,), unproven=False))
        far = [(path, unproven) for path, unproven in paths if self._is_far(path)]
        if any(not unproven for _, unproven in far):  # nearer ends if there is no other route [7.5f]
            paths = far
        self.paths = dict(sorted(paths, key=lambda path: not path[1]))

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known; the beginning of a path may be continued."""
        if path in self.paths:
            return "unproven" if self.paths[path] else "legal"
        return "legal" if any(found[: len(path)] == path for found in self.paths) else "illegal"

    def _is_far(self, path: tuple[str, ...]) -> bool:
        if not self._exits(path[-1], path):
            return True
        return self.board.distance(path[0], path[-1]) == len(path) - 1

    def _ways(self, path: tuple[str, ...], *, unproven: bool) -> Iterator[tuple[tuple[str, ...], bool]]:
        steps = len(path) - 1
        if steps >= self.length and (steps >= MOST or self.board.room(path[-1], self.piece)):
            yield path, unproven
            return
        open_ = [there for there in self.board.around(path[-1]) if self._is_open(there)]
        free = [there for there in open_ if self._is_free(there)]
        if not open_:  # hemmed in: it stays [7.5a, 7.5d]
            yield path, unproven
        for there in open_:
            if there not in path:
                against_the_order = bool(free) and there not in free  # [7.5b]
                yield from self._ways((*path, there), unproven=unproven or against_the_order)

    def _exits(self, here: str, path: tuple[str, ...]) -> bool:
        return any(self._is_open(there) for there in self.board.around(here)) or len(path) - 1 >= self.length

    def _is_open(self, where: str) -> bool:
        """Neither impassable nor held by the enemy, EMs included [7.5a, 7.5d, 7.5f]."""
        enemy = self.board.enemy(self.piece.side)
        return not self.board.is_impassable(where) and not self.board.at(
            where, enemy, "unit", "em", "garrison"
        )

    def _is_free(self, where: str) -> bool:
        """Outside EZOC, or next to a friend that does not retreat with it [7.5b, 7.5c]."""
        side = self.piece.side
        friends = self.board.has_friends(where, side, self.company)
        return friends or not self.board.is_controlled(side, where)
