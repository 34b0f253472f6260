"""Questions for several games: about hexes, paths, control and stacks that are too large."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from random import Random

from referee.engine.position import Piece, Position
from tools.oracles.board import Board, remembered
from tools.oracles.comparing import Comparison, Scene, each


def front(board: Board) -> list[str]:
    """The hexes with pieces and those around them."""
    stood = {piece.where for piece in board.pieces}
    return sorted(stood.union(*(board.around(name) for name in stood)))


def near(board: Board, start: str, most: int) -> list[str]:
    """Some of the hexes within a distance of a hex, mostly those nearby."""
    ring, found = {start}, set[str]()
    for distance in range(most):
        ring = ring.union(*(board.around(name) for name in ring))
        found.update(sorted(ring)[:: 1 + 2 * distance])
    return sorted(found - {start})


def walks(board: Board, piece: Piece, lengths: Iterable[int]) -> Iterator[tuple[str, ...]]:
    """All paths of one and two hexes, and one of each longer length, along roads if possible."""
    start = piece.where
    rng = Random(f"{piece.id} {start}")  # noqa: S311 - no secret
    for first in board.around(start):
        yield start, first
        for second in board.around(first):
            yield start, first, second
    for length in lengths:
        path = [start]
        for _ in range(length):
            ahead = [name for name in board.around(path[-1]) if name not in path]
            along = [name for name in ahead if board.roads(path[-1], name)]
            path.append(rng.choice(along or ahead or board.around(path[-1])))
        yield tuple(path)


def zones(
    clauses: str,
    who: Callable[[Position, str, str], Iterable[str]],
    covered: Callable[[Position, str], Collection[str]],
    literal: Callable[[Position, str, str], Iterable[str]],
    board: type[Board],
) -> Comparison:
    """Return the comparison of which hexes are controlled against a side, one by one and all that are
    ``covered``.
    """

    def asked(scene: Scene) -> Iterator[tuple[str, tuple[str, str]]]:
        for where in front(board.of(scene.position)):
            for side in scene.position.game.sides:
                yield f"{where} against the {side} side", (side, where)

    def fast(scene: Scene, subject: tuple[str, str]) -> str:
        position, (side, where) = scene.position, subject
        known = remembered(position, ("covered", side), lambda: set(covered(position, side)))
        found = _named(who(position, side, where))
        return found if (found == NOBODY) != (where in known) else "at odds"

    return each(
        "zones of control", clauses, asked, fast, lambda scene, one: _named(literal(scene.position, *one))
    )


NOBODY = "nobody"


def _named(names: Iterable[str]) -> str:
    return " ".join(sorted(names)) or NOBODY


def stacking(clauses: Collection[str], said: str, full: Callable[[Position], Iterable[str]]) -> Comparison:
    """Return the comparison of overfull hexes: those of which some clauses are broken."""

    def fast(position: Position) -> set[str]:
        return {str(breach.facts["hex"]) for breach in position.status() if breach.clause in clauses}

    return each(
        "stacking",
        said,
        lambda _: [("too full", ())],
        lambda scene, _: " ".join(sorted(fast(scene.position))) or "none",
        lambda scene, _: " ".join(sorted(full(scene.position))) or "none",
    )
