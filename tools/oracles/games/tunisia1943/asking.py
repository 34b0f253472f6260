"""What is asked of a scene, and how the rules of the referee answer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.engine.actions import Action
from referee.engine.combat import Odds, rung_label
from referee.engine.position import Piece
from referee.engine.rulings import number
from referee.games.tunisia1943 import facts
from referee.games.tunisia1943.cohesion_tests import stopping_units
from referee.games.tunisia1943.lines import is_supplied
from referee.games.tunisia1943.notes import Breakthrough
from tools.oracles import wandering
from tools.oracles.comparing import Answers, Scene
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.marching import VERBS, may_exploit
from tools.oracles.games.tunisia1943.retreating import LENGTH
from tools.oracles.moving import ruled


def front(scene: Scene) -> list[str]:
    """The hexes where pieces stand and those around them."""
    board = Board(scene.position)
    stood = {piece.where for piece in board.pieces}
    return sorted(stood.union(*(board.around(name) for name in stood)))


def movers(scene: Scene) -> list[Piece]:
    """The units and EMs of the active side, in exploitation those that are sustained; some of very many."""
    position = scene.position
    if position.phase not in VERBS:
        return []
    mine = [piece for piece in Board(position).pieces if piece.side == position.side]
    mine = [piece for piece in mine if piece.counter.kind != "garrison"]
    if position.phase == "exploitation":
        mine = [piece for piece in mine if may_exploit(scene, piece.id)]
    return mine[:: 1 + len(mine) // 6]


def near(scene: Scene, piece: Piece) -> list[str]:
    """Some of the hexes within six of a piece, mostly those that are near."""
    return wandering.near(Board(scene.position).around, piece.where, 6)


def walks(scene: Scene, piece: Piece) -> Iterator[tuple[str, ...]]:
    """All ways of one and two hexes, and some longer ones."""
    board = Board(scene.position)
    rng = Random(f"{piece.id} {piece.where}")  # noqa: S311 - no secret
    return wandering.walks(board.around, board.ground.roads, piece.where, (3, 3, 4, 5, 6), rng)


def defenders(scene: Scene) -> list[Piece]:
    """The combat units that must retreat and have not yet."""
    code = str(getattr(scene.position.battle(1), "result", ""))
    found = []
    for action, before in scene.actions("attack") if code.removesuffix("*") in LENGTH else []:
        board = Board(before)
        enemy = board.enemy(before.side)
        found += board.at(action.target, enemy, "unit")
    gone = {name for action, _ in scene.actions("retreat") for name in action.pieces}
    return [piece for piece in found if piece.id not in gone]


def zones(scene: Scene) -> Answers:
    """Who controls each hex."""
    position, found = scene.position, {}
    for side in position.game.sides:
        covered = set(facts.names(position, facts.controlled(position, side)))
        for where in front(scene):
            who = facts.controllers(position, side, where)
            text = " ".join(sorted(who)) or "nobody"
            found[f"{where} against the {side} side"] = text if bool(who) == (where in covered) else "at odds"
    return found


def supply(scene: Scene) -> Answers:
    """Who can trace a line of supply."""
    pieces = Board(scene.position).pieces
    return {
        f"{piece.id} in {piece.where}": str(is_supplied(scene.position, piece))
        for piece in pieces
        if piece.counter.kind != "garrison"
    }


def checks(scene: Scene) -> Answers:
    """Whether markers may be put down or taken off at the check."""
    position = scene.position
    if position.phase != "supply":
        return {}
    mine = [piece for piece in Board(position).pieces if piece.side == position.side]
    return {
        f"{verb} {piece.id}": ruled(position, Action(verb, (piece.id,)))
        for piece in mine
        if piece.counter.kind != "garrison"
        for verb in ("out of supply", *(["in supply"] if piece.is_("out-of-supply") else []))
    }


def retreats(scene: Scene) -> Answers:
    """Whether retreats step by step are legal."""
    return {
        f"{piece.id} {'-'.join(path)}": ruled(scene.position, Action("retreat", (piece.id,), path, battle=1))
        for piece in defenders(scene)
        for path in walks(scene, piece)
    }


def stacking(scene: Scene) -> Answers:
    """The hexes that are too full."""
    clauses = ("5.1a", "12b", "C1.5")
    breaches = [breach for breach in scene.position.status() if breach.clause in clauses]
    return {"too full": " ".join(sorted(str(breach.facts["hex"]) for breach in breaches)) or "none"}


def breakers(scene: Scene) -> list[Piece]:
    """The armour of the active side that stands in an EZOC."""
    board, side = Board(scene.position), scene.position.side
    tanks = [unit for unit in board.combat_units(side) if unit.counter.extra.flag("armour", False)]
    return [unit for unit in tanks if board.is_controlled(side, unit.where)]


def tests(scene: Scene) -> Answers:
    """The hexes that stop a breakthrough, by what is rolled."""
    position, found = scene.position, {}
    for unit in breakers(scene):
        attempt = Breakthrough((unit.id,), unit.id, unit.where, unit.where)
        for total in range(2, 13):
            hexes = {position.pieces[name].where for name in stopping_units(position, attempt, total)}
            found[f"{unit.id} in {unit.where}, {total} rolled"] = " ".join(sorted(hexes)) or "none"
    return found


def odds(scene: Scene) -> Answers:
    """The odds of an attack before aviation, artillery and cohesion."""
    calculate, found = scene.position.world.rulebook.odds, {}
    assert calculate is not None
    for attack, before in scene.actions("attack"):
        right = calculate(before, attack.target, attack.pieces)
        assert isinstance(right, Odds)
        sums = f"{number(right.attacking)} against {number(right.defending)}"
        label = rung_label(right.table, right.natural)
        found[f"attack on {attack.target}"] = f"{sums}, {label}, die {right.modifier:+d}"
    return found
