"""How the clauses answer, read literally."""

from __future__ import annotations

from tools.oracles.comparing import Answers, Scene
from tools.oracles.games.patton1943.asking import (
    airmen,
    beaten,
    dead,
    fight_of,
    front,
    walks,
)
from tools.oracles.games.patton1943.board import AIR, ASSET, SIDES, UNITS, Board
from tools.oracles.games.patton1943.fighting import can_fly, can_retreat, chart, support


def zones(scene: Scene) -> Answers:
    """Who controls each hex."""
    board = Board(scene.position)
    return {
        f"{where} against the {side} side": " ".join(sorted(board.threats(side, where))) or "nobody"
        for side in SIDES
        for where in front(scene)
    }


def supply(scene: Scene) -> Answers:
    """Who has a supply path."""
    board = Board(scene.position)
    return {f"{piece.id} in {piece.where}": str(board.is_supplied(piece)) for piece in board.pieces}


def flights(scene: Scene) -> Answers:
    """Which aircraft may fly to the current battle."""
    fight, board, found = fight_of(scene), Board(scene.position), {}
    for piece in airmen(scene):
        assert fight is not None
        goal = fight.stood if piece.side == fight.side else fight.target
        found[piece.id] = "legal" if can_fly(board, piece, goal) else "illegal"
    return found


def dice(scene: Scene) -> Answers:
    """What is added to the dice of a battle."""
    fight, board = fight_of(scene), Board(scene.position)
    if fight is None or fight.rolled:
        return {}
    left = fight.left_out
    attack = chart(board, fight.target, fight.stood) + support(board, fight.stood, fight.side, left)
    defence = support(board, fight.target, fight.enemy, left)
    return {f"{fight.stood} on {fight.target}": f"{attack:+d} {defence:+d}"}


def retreats(scene: Scene) -> Answers:
    """Whether retreats step by step are legal: after a hit without one in return, and of assets alone."""
    fight, board, found = fight_of(scene), Board(scene.position), dict[str, str]()
    for piece in beaten(scene):
        assert fight is not None
        position = next(before for action, before in scene.actions("roll attack"))
        alone = not Board(position).at(fight.target, fight.enemy, *UNITS)
        must = alone or (fight.attack_hit and not fight.defence_hit)
        for path in walks(scene, piece):
            legal = must and can_retreat(board, piece, path)
            found[f"{piece.id} {'-'.join(path)}"] = "legal" if legal else "illegal"
    return found


def stacking(scene: Scene) -> Answers:
    """The hexes that are too full."""
    board = Board(scene.position)
    full = set()
    for where in {piece.where for piece in board.pieces}:
        for side in SIDES:
            counts = [len(board.at(where, side, *kinds)) for kinds in (UNITS, (ASSET,), (AIR,))]
            if board.is_too_full(*counts):
                full.add(where)
    return {"too full": " ".join(sorted(full)) or "none"}


def reclaims(scene: Scene) -> Answers:
    """Own airfields without another, own villages and ports, none of them in an EZOC [7.7h, 7.7i]."""
    board, found = Board(scene.position), {}
    for piece in dead(scene):
        if piece.counter.kind == AIR:
            hexes = [at for at in board.airfields(piece.side) if not board.at(at, piece.side, AIR)]
        else:
            hexes = [at for at in board.towns("village", "port") if owner(board, at) == piece.side]
        fit = [at for at in hexes if not board.is_controlled(piece.side, at) and board.room(at, piece)]
        free = [at for at in fit if not board.is_enemy_there(at, piece.side)]
        found[piece.id] = " ".join(sorted(free)) or "nowhere"
    return found


def owner(board: Board, where: str) -> str:
    """Whose a town is to which nobody has come: Allied in Algeria and on the crests of both armies [7.7i]."""
    zones = ("algeria", "second-corps", "eighth-army")
    return "allied" if any(where in board.map.zones[zone].hexes for zone in zones) else "axis"
