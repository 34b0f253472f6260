"""The questions about a scene, with the answers of the referee's rules and those of the clauses."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.combat import Odds, rung_label
from referee.engine.position import Piece, Position
from referee.engine.rulings import number
from referee.engine.zones import hex_names
from referee.games.tunisia1943 import facts
from referee.games.tunisia1943.cohesion_tests import stopping_units
from referee.games.tunisia1943.lines import is_supplied
from referee.games.tunisia1943.move import Move
from referee.games.tunisia1943.notes import Breakthrough
from tools.oracles.asking import stacking, walks, zones
from tools.oracles.comparing import Scene, each
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.fighting import Fight, stopping_hexes
from tools.oracles.games.tunisia1943.marching import VERBS, March, before, may_exploit
from tools.oracles.games.tunisia1943.retreating import LENGTH, Retreat
from tools.oracles.moving import Moves, ruled

MOVEMENT = "2.1a to 4.2a, 9.2e, 9.2i, 10b, 10c, C2.4"


def _movers(scene: Scene) -> list[Piece]:
    """The units and EMs of the active side; in exploitation those that are sustained; a sample if there are
    very many.
    """
    position = scene.position
    if position.phase not in VERBS:
        return []
    mine = [piece for _, piece in _pieces(scene) if piece.side == position.side]
    if position.phase == "exploitation":
        mine = [piece for piece in mine if may_exploit(position, piece.id)]
    return mine[:: 1 + len(mine) // 6]


MOVES = Moves(
    Board,
    VERBS,
    _movers,
    Move.of,
    lambda position: facts.the_field(position).scale,
    lambda scene, name: March(scene.position, name, before=before(scene, name)),
)


def _pieces(scene: Scene) -> Iterator[tuple[str, Piece]]:
    """The units and EMs on the map."""
    for piece in Board.of(scene.position).pieces:
        if piece.counter.kind != "garrison":
            yield f"{piece.id} in {piece.where}", piece


def _markers(scene: Scene) -> Iterator[tuple[str, tuple[str, Piece]]]:
    """Markers that may be placed or removed at the check."""
    position = scene.position
    for _, piece in _pieces(scene) if position.phase == "supply" else ():
        marked = ["in supply"] if piece.is_("out-of-supply") else []
        for verb in ("out of supply", *marked) if piece.side == position.side else ():
            yield f"{verb} {piece.id}", (verb, piece)


def _is_right(scene: Scene, subject: tuple[str, Piece]) -> str:
    (verb, piece), board = subject, Board.of(scene.position)
    em = board.em_of(piece) if piece.counter.kind == "unit" else None
    lost = em is not None and em.where.endswith("-lost")
    supplied = board.is_supplied(piece) and not lost
    return "legal" if supplied == (verb == "in supply") else "illegal"


def _breakers(scene: Scene) -> Iterator[tuple[str, tuple[Piece, int]]]:
    """The armour of the active side in an EZOC, with each total of a test."""
    board, side = Board.of(scene.position), scene.position.side
    for unit in board.combat_units(side):
        if unit.counter.extra.flag("armour", False) and board.is_controlled(side, unit.where):
            for total in range(2, 13):
                yield f"{unit.id} in {unit.where}, {total} rolled", (unit, total)


def _stopping(scene: Scene, subject: tuple[Piece, int]) -> str:
    unit, total = subject
    attempt = Breakthrough((unit.id,), unit.id, unit.where, unit.where)
    units = stopping_units(scene.position, attempt, total)
    return " ".join(sorted({scene.position.pieces[name].where for name in units})) or "none"


def _attacks(scene: Scene) -> Iterator[tuple[str, tuple[Action, Position]]]:
    for action, position in scene.actions("attack"):
        yield f"attack on {action.target}", (action, position)


def _odds(scene: Scene, subject: tuple[Action, Position]) -> str:
    """The odds of an attack before aviation, artillery and cohesion."""
    (attack, position), calculate = subject, scene.position.world.rulebook.odds
    assert calculate is not None
    right = calculate(position, attack.target, attack.pieces)
    assert isinstance(right, Odds)
    sums = f"{number(right.attacking)} against {number(right.defending)}"
    return f"{sums}, {rung_label(right.table, right.natural)}, die {right.modifier:+d}"


def _sums(_: Scene, subject: tuple[Action, Position]) -> str:
    attack, position = subject
    fight = Fight(Board.of(position), attack.target, attack.pieces)
    return f"{number(fight.attack)} against {number(fight.defence)}, {fight.ratio}, die {fight.die:+d}"


def _retreats(scene: Scene) -> Iterator[tuple[str, tuple[Piece, tuple[str, ...]]]]:
    """Paths of the combat units that must retreat and have not yet."""
    gone = {name for action, _ in scene.actions("retreat") for name in action.pieces}
    for action, position in scene.actions("attack") if _code(scene).removesuffix("*") in LENGTH else ():
        board = Board.of(position)
        for piece in board.at(action.target, board.enemy(position.side), "unit"):
            for path in walks(board, piece, MOVES.lengths) if piece.id not in gone else ():
                yield f"{piece.id} {'-'.join(path)}", (piece, path)


def _code(scene: Scene) -> str:
    return str(getattr(scene.position.battle(1), "result", ""))


def _may_retreat(scene: Scene, subject: tuple[Piece, tuple[str, ...]]) -> str:
    piece, path = subject
    attack, position = scene.actions("attack")[0]
    company = [unit.id for unit in Board.of(position).at(attack.target, piece.side, "unit", "em")]
    return Retreat(Board.of(scene.position), piece, attack.target, _code(scene), company).grade(path)


def _full(position: Position) -> list[str]:
    board = Board.of(position)
    return [where for where in board.map.grid.names if board.is_too_full(where)]


COMPARISONS = (
    zones(
        "3a, 2.1e, 7.4g",
        facts.controllers,
        lambda position, side: hex_names(position.game, facts.controlled(position, side)),
        lambda position, side, where: Board.of(position).controllers(side, where),
        Board,
    ),
    each(
        "supply",
        "9.1 to 9.1b-5",
        _pieces,
        lambda scene, piece: str(is_supplied(scene.position, piece)),
        lambda scene, piece: str(Board.of(scene.position).is_supplied(piece)),
    ),
    each(
        "supply checks",
        "9.2g, 6.3h",
        _markers,
        lambda scene, subject: ruled(scene.position, Action(subject[0], (subject[1].id,))),
        _is_right,
    ),
    *MOVES.comparisons(MOVEMENT, MOVEMENT, "2.1a to 4.2a, 10b, 10c"),
    each(
        "breakthroughs",
        "4.3f, 9.2d, 12d to 12g, C1.4",
        _breakers,
        _stopping,
        lambda scene, subject: " ".join(stopping_hexes(Board.of(scene.position), *subject)) or "none",
    ),
    each("odds", "2.1a, 7.2b, 7.2c, 9.2b, 9.2c, G.2", _attacks, _odds, _sums),
    each(
        "retreats",
        "7.5a to 7.5f",
        _retreats,
        lambda scene, one: ruled(scene.position, Action("retreat", (one[0].id,), one[1], battle=1)),
        _may_retreat,
    ),
    stacking(("5.1a", "12b", "C1.5"), "5.1a, 5.1e, 12b, C1.5", _full),
)
