"""How the clauses answer, read literally."""

from __future__ import annotations

from referee.engine.rulings import number
from tools.oracles.comparing import Answers, Scene
from tools.oracles.games.tunisia1943.asking import breakers, defenders, front, walks
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.fighting import Fight, stopping_hexes
from tools.oracles.games.tunisia1943.retreating import Retreat


def zones(scene: Scene) -> Answers:
    """Who controls each hex."""
    board = Board(scene.position)
    return {
        f"{where} against the {side} side": " ".join(sorted(board.controllers(side, where))) or "nobody"
        for side in scene.position.game.sides
        for where in front(scene)
    }


def supply(scene: Scene) -> Answers:
    """Who can trace a line of supply."""
    board = Board(scene.position)
    return {
        f"{piece.id} in {piece.where}": str(board.is_supplied(piece))
        for piece in board.pieces
        if piece.counter.kind != "garrison"
    }


def checks(scene: Scene) -> Answers:
    """Whether markers may be put down or taken off at the check."""
    position, found = scene.position, {}
    if position.phase != "supply":
        return {}
    board = Board(position)
    for piece in board.pieces:
        if piece.side != position.side or piece.counter.kind == "garrison":
            continue
        em = board.em_of(piece) if piece.counter.kind == "unit" else None
        supplied, lost = board.is_supplied(piece), em is not None and em.where.endswith("-lost")
        found[f"out of supply {piece.id}"] = "illegal" if supplied and not lost else "legal"
        if piece.is_("out-of-supply"):
            found[f"in supply {piece.id}"] = "legal" if supplied and not lost else "illegal"
    return found


def retreats(scene: Scene) -> Answers:
    """Whether retreats step by step are legal."""
    board, found = Board(scene.position), dict[str, str]()
    for piece in defenders(scene):
        attack, before = scene.actions("attack")[0]
        code = str(getattr(scene.position.battle(1), "result", ""))
        there = Board(before)
        company = there.at(attack.target, piece.side, "unit", "em")
        retreat = Retreat(board, piece, attack.target, code, [unit.id for unit in company])
        found |= {f"{piece.id} {'-'.join(path)}": retreat.grade(path) for path in walks(scene, piece)}
    return found


def stacking(scene: Scene) -> Answers:
    """The hexes that are too full."""
    board = Board(scene.position)
    full = [where for where in board.map.grid.names if board.is_too_full(where)]
    return {"too full": " ".join(sorted(full)) or "none"}


def tests(scene: Scene) -> Answers:
    """The hexes that stop a breakthrough, by what is rolled."""
    board, found = Board(scene.position), {}
    for unit in breakers(scene):
        for total in range(2, 13):
            hexes = stopping_hexes(board, unit, total)
            found[f"{unit.id} in {unit.where}, {total} rolled"] = " ".join(hexes) or "none"
    return found


def odds(scene: Scene) -> Answers:
    """The odds of an attack before aviation, artillery and cohesion."""
    found = {}
    for attack, before in scene.actions("attack"):
        fight = Fight(Board(before), attack.target, attack.pieces)
        sums = f"{number(fight.attack)} against {number(fight.defence)}"
        found[f"attack on {attack.target}"] = f"{sums}, {fight.ratio}, die {fight.die:+d}"
    return found
