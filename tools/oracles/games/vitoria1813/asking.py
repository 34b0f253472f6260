"""The questions about a scene, with the answers of the referee's rules and those of the clauses."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import Piece, Position
from referee.engine.rulings import Grade
from referee.engine.zones import hex_names
from referee.games.vitoria1813.facts import controlled, the_field
from referee.games.vitoria1813.move import Move
from referee.games.vitoria1813.paths import open_paths
from referee.games.vitoria1813.sight import blocked_by
from tools.oracles.comparing import Scene, each
from tools.oracles.games.vitoria1813.board import Board
from tools.oracles.games.vitoria1813.marching import March
from tools.oracles.moving import Moves

MOVEMENT = "3.2a to 3.2e, 4.1 to 4.3, 5.2, 7.7a, 10a"


def _movers(position: Position) -> list[Piece]:
    """The counters of the active side on the map that can move."""
    found = [piece for piece in Board.of(position).pieces if piece.side == position.side]
    return [piece for piece in found if piece.counter.kind != "park"]


def _marchers(scene: Scene) -> list[Piece]:
    """Those of them that move normally; a sample of very many. Routed units move by clauses of their own
    [7.8c, 7.8d].
    """
    found = [piece for piece in _movers(scene.position) if "routed" not in piece.states]
    return found[:: 1 + len(found) // 8]


MOVES = Moves(
    Board,
    {"movement": "move"},
    _marchers,
    Move.of,
    lambda position: the_field(position).scale,
    lambda scene, name: March(Board.of(scene.position), scene.position.pieces[name]),
)


def _batteries(scene: Scene) -> Iterator[tuple[str, tuple[str, str]]]:
    """The hexes of batteries, and the hexes two away from them."""
    grid = scene.position.game.map.grid
    for piece in Board.of(scene.position).pieces:
        for there in grid.within(piece.where, 2) if piece.counter.kind == "artillery" else ():
            if grid.distance(piece.where, there) == 2:
                yield f"{piece.where} at {there}", (piece.where, there)


def _blocked(scene: Scene, subject: tuple[str, str]) -> str:
    blocks = blocked_by(scene.position, *subject)
    doubts = (" unproven" if block.grade == Grade.unproven else "" for block in blocks)
    return " ".join(block.clause + doubt for block, doubt in zip(blocks, doubts, strict=True)) or "sees"


def _retreats(scene: Scene) -> Iterator[tuple[str, tuple[Piece, int]]]:
    """Retreats of one, two and three hexes."""
    for piece in _movers(scene.position):
        yield from ((f"{piece.id} by {length}", (piece, length)) for length in (1, 2, 3))


def _covered(board: Board, side: str) -> list[str]:
    return sorted(name for name in board.grid.names if board.zone_holders(name, side))


def _controlled(scene: Scene, side: str) -> str:
    position = scene.position
    return " ".join(sorted(hex_names(position.game, controlled(position, side))))


COMPARISONS = (
    each(
        "zones of control",
        "3.1a to 3.1d, 3.2h",
        lambda scene: ((f"EZOC of {side}", side) for side in scene.position.game.sides),
        _controlled,
        lambda scene, side: " ".join(_covered(Board.of(scene.position), side)),
    ),
    *MOVES.comparisons(MOVEMENT, MOVEMENT),
    each(
        "lines of sight",
        "6.1b to 6.1d",
        _batteries,
        _blocked,
        lambda scene, subject: Board.of(scene.position).sight(*subject) or "sees",
    ),
    each(
        "retreats",
        "7.4b",
        _retreats,
        lambda scene, one: " ".join(sorted({path[-1] for path in open_paths(scene.position, *one)})),
        lambda scene, one: " ".join(sorted(Board.of(scene.position).retreats(*one))),
    ),
)
