"""What is asked of a scene, and how the rules of the referee answer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943 import facts
from referee.games.patton1943.battle import Fight, attack_modifiers, defence_modifiers, total
from referee.games.patton1943.supplies import is_supplied
from tools.oracles import wandering
from tools.oracles.comparing import Answers, Scene
from tools.oracles.games.patton1943.board import AIR, SIDES, Board
from tools.oracles.moving import ruled


def front(scene: Scene) -> list[str]:
    """The hexes where pieces stand and those around them."""
    board = Board(scene.position)
    stood = {piece.where for piece in board.pieces}
    return sorted(stood.union(*(board.around(name) for name in stood)))


def movers(scene: Scene) -> list[Piece]:
    """The units and ground assets of the active side in its movement phase; some of very many."""
    position = scene.position
    if position.phase != "movement":
        return []
    mine = [piece for piece in Board(position).pieces if piece.side == position.side]
    mine = [piece for piece in mine if piece.counter.kind != AIR]
    return mine[:: 1 + len(mine) // 8]


def near(scene: Scene, piece: Piece) -> list[str]:
    """Some of the hexes within eight of a piece, mostly those that are near."""
    return wandering.near(Board(scene.position).around, piece.where, 8)


def walks(scene: Scene, piece: Piece) -> Iterator[tuple[str, ...]]:
    """All ways of one and two hexes, and some longer ones, along roads where they can."""
    board = Board(scene.position)
    rng = Random(f"{piece.id} {piece.where}")  # noqa: S311 - no secret
    return wandering.walks(board.around, board.roads, piece.where, (3, 3, 4, 5, 7, 9), rng)


def fight_of(scene: Scene) -> Fight | None:
    """The battle at hand."""
    battle = scene.position.battle()
    return battle if isinstance(battle, Fight) else None


def beaten(scene: Scene) -> list[Piece]:
    """The ground pieces of the attacked hex whose die was rolled and who have not retreated yet."""
    fight = fight_of(scene)
    if fight is None or not fight.rolled:
        return []
    kinds = ("unit", "battlegroup", "support")
    return Board(scene.position).at(fight.target, fight.enemy, *kinds)


def airmen(scene: Scene) -> list[Piece]:
    """The air assets on the map while a battle waits for its die."""
    fight = fight_of(scene)
    if fight is None or fight.rolled:
        return []
    return [piece for piece in Board(scene.position).pieces if piece.counter.kind == AIR]


def dead(scene: Scene) -> list[Piece]:
    """The assets in the dead pile of the side whose replacement phase it is."""
    position = scene.position
    if position.phase != "replacement":
        return []
    return [
        piece for piece in position.at(f"{position.side}-dead") if piece.counter.kind in ("support", "air")
    ]


def zones(scene: Scene) -> Answers:
    """Who controls each hex."""
    position, found = scene.position, {}
    for side in SIDES:
        covered = set(facts.names(position, facts.controlled(position, side)))
        for where in front(scene):
            around = position.game.map.grid.neighbours(where)
            who = sorted(set(facts.threats(position, where, side)))
            who = [name for name in who if position.pieces[name].where in around]
            at_odds = bool(who) != (where in covered)
            found[f"{where} against the {side} side"] = "at odds" if at_odds else " ".join(who) or "nobody"
    return found


def supply(scene: Scene) -> Answers:
    """Who has a supply path."""
    pieces = Board(scene.position).pieces
    return {f"{piece.id} in {piece.where}": str(is_supplied(scene.position, piece)) for piece in pieces}


def flights(scene: Scene) -> Answers:
    """Which aircraft may fly to the current battle."""
    return {piece.id: ruled(scene.position, Action("fly", (piece.id,))) for piece in airmen(scene)}


def dice(scene: Scene) -> Answers:
    """What is added to the dice of a battle."""
    fight, position = fight_of(scene), scene.position
    if fight is None or fight.rolled:
        return {}
    attack, defence = attack_modifiers(position, fight), defence_modifiers(position, fight)
    return {f"{fight.stood} on {fight.target}": f"{total(attack):+d} {total(defence):+d}"}


def retreats(scene: Scene) -> Answers:
    """Whether retreats step by step are legal."""
    return {
        f"{piece.id} {'-'.join(path)}": ruled(scene.position, Action("retreat", (piece.id,), path))
        for piece in beaten(scene)
        for path in walks(scene, piece)
    }


def stacking(scene: Scene) -> Answers:
    """The hexes that are too full."""
    breaches = [breach for breach in scene.position.status() if breach.clause in ("6a", "6b", "6c")]
    return {"too full": " ".join(sorted({str(breach.facts["hex"]) for breach in breaches})) or "none"}


def reclaims(scene: Scene) -> Answers:
    """Where assets may come back from the dead pile."""
    found = {}
    for piece in dead(scene):
        ends = {
            played.ruling.action.target
            for played in scene.position.options(piece.id)
            if played.ruling.action.verb == "reclaim"
        }
        found[piece.id] = " ".join(sorted(ends)) or "nowhere"
    return found
