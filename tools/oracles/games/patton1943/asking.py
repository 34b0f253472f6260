"""The questions about a scene, with the answers of the referee's rules and those of the clauses."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.zones import hex_names
from referee.games.patton1943 import facts
from referee.games.patton1943.battle import Fight, attack_modifiers, defence_modifiers, total
from referee.games.patton1943.move import MOVE, Move
from referee.games.patton1943.supply_paths import is_supplied
from tools.oracles.asking import stacking, walks, zones
from tools.oracles.comparing import Scene, each
from tools.oracles.games.patton1943.board import AIR, ASSET, SIDES, UNITS, Board
from tools.oracles.games.patton1943.fighting import can_fly, can_retreat, chart, support
from tools.oracles.games.patton1943.marching import March, before
from tools.oracles.moving import Moves, ruled


def _movers(scene: Scene) -> list[Piece]:
    """The units and ground assets of the active side in its movement phase; a sample if there
    are very many.
    """
    position = scene.position
    if position.phase != "movement":
        return []
    mine = [piece for piece in Board.of(position).pieces if piece.side == position.side]
    mine = [piece for piece in mine if piece.counter.kind != AIR]
    return mine[:: 1 + len(mine) // 8]


LENGTHS = (3, 3, 4, 5, 7, 9)
MOVES = Moves(
    Board,
    {"movement": MOVE},
    _movers,
    Move.of,
    lambda position: facts.the_field(position).scale,
    lambda scene, name: March(scene.position, name, before=before(scene, name)),
    8,
    LENGTHS,
)


def _threats(position: Position, side: str, where: str) -> Iterator[str]:
    around = position.game.map.grid.neighbours(where)
    found = set(facts.threats(position, where, side))
    return (name for name in found if position.pieces[name].where in around)


def _pieces(scene: Scene) -> Iterator[tuple[str, Piece]]:
    for piece in Board.of(scene.position).pieces:
        yield f"{piece.id} in {piece.where}", piece


def _fights(scene: Scene) -> Iterator[tuple[str, Fight]]:
    """The current battle, if its die has not been rolled."""
    fight = scene.position.battle()
    if isinstance(fight, Fight) and not fight.rolled:
        yield f"{fight.stood} on {fight.target}", fight


def _airmen(scene: Scene) -> Iterator[tuple[str, tuple[Fight, Piece]]]:
    """The air assets on the map while a battle has not been rolled for."""
    for _, fight in _fights(scene):
        for piece in Board.of(scene.position).pieces:
            if piece.counter.kind == AIR:
                yield piece.id, (fight, piece)


def _flies(scene: Scene, subject: tuple[Fight, Piece]) -> str:
    fight, piece = subject
    goal = fight.stood if piece.side == fight.side else fight.target
    return "legal" if can_fly(Board.of(scene.position), piece, goal) else "illegal"


def _modified(scene: Scene, fight: Fight) -> str:
    attack, defence = attack_modifiers(scene.position, fight), defence_modifiers(scene.position, fight)
    return f"{total(attack):+d} {total(defence):+d}"


def _sums(scene: Scene, fight: Fight) -> str:
    board = Board.of(scene.position)
    added = chart(board, fight.target, fight.stood)
    attack = added + support(board, fight.stood, fight.side, fight.left_out)
    return f"{attack:+d} {support(board, fight.target, fight.enemy, fight.left_out):+d}"


def _retreats(scene: Scene) -> Iterator[tuple[str, tuple[Fight, Piece, tuple[str, ...]]]]:
    """Paths of the ground pieces of an attacked hex that were rolled for and have not retreated yet."""
    fight, board = scene.position.battle(), Board.of(scene.position)
    if isinstance(fight, Fight) and fight.rolled:
        for piece in board.at(fight.target, fight.enemy, *UNITS, ASSET):
            for path in walks(board, piece, LENGTHS):
                yield f"{piece.id} {'-'.join(path)}", (fight, piece, path)


def _may_retreat(scene: Scene, subject: tuple[Fight, Piece, tuple[str, ...]]) -> str:
    """After a hit that was not returned; assets alone in any case."""
    fight, piece, path = subject
    position = next(before for action, before in scene.actions("roll attack"))
    alone = not Board.of(position).at(fight.target, fight.enemy, *UNITS)
    must = alone or (fight.attack_hit and not fight.defence_hit)
    return "legal" if must and can_retreat(Board.of(scene.position), piece, path) else "illegal"


def _full(position: Position) -> Iterator[str]:
    board = Board.of(position)
    for where in {piece.where for piece in board.pieces}:
        for side in SIDES:
            counts = (len(board.at(where, side, *kinds)) for kinds in (UNITS, (ASSET,), (AIR,)))
            if board.is_too_full(*counts):
                yield where


def _dead(scene: Scene) -> Iterator[tuple[str, Piece]]:
    """The assets in the dead pile of the side whose replacement phase it is."""
    position = scene.position
    for piece in position.at(f"{position.side}-dead") if position.phase == "replacement" else ():
        if piece.counter.kind in (ASSET, AIR):
            yield piece.id, piece


def _offered(scene: Scene, piece: Piece) -> str:
    actions = (played.ruling.action for played in scene.position.options(piece.id))
    return " ".join(sorted({action.target for action in actions if action.verb == "reclaim"})) or "nowhere"


def _free(scene: Scene, piece: Piece) -> str:
    """Friendly airfields without another asset, friendly villages and ports, none of them in an EZOC [7.7h,
    7.7i].
    """
    board = Board.of(scene.position)
    if piece.counter.kind == AIR:
        hexes = [at for at in board.airfields(piece.side) if not board.at(at, piece.side, AIR)]
    else:
        hexes = [at for at in board.towns("village", "port") if board.owner(at) == piece.side]
    fit = [at for at in hexes if not board.is_controlled(piece.side, at) and board.room(at, piece)]
    return " ".join(sorted(at for at in fit if not board.is_enemy_there(at, piece.side))) or "nowhere"


COMPARISONS = (
    zones(
        "9a, 9b",
        _threats,
        lambda position, side: hex_names(position.game, facts.controlled(position, side)),
        lambda position, side, where: Board.of(position).threats(side, where),
        Board,
    ),
    each(
        "supply",
        "7.8b to 7.8d",
        _pieces,
        lambda scene, piece: str(is_supplied(scene.position, piece)),
        lambda scene, piece: str(Board.of(scene.position).is_supplied(piece)),
    ),
    *MOVES.comparisons("8c to 8m, 9c", "7.1b, 8c to 8n, 9c, 9e", "7.1a, 8a, 8c to 8n, 9c"),
    each(
        "flights",
        "7.3a, 7.3d, 7.3j",
        _airmen,
        lambda scene, subject: ruled(scene.position, Action("fly", (subject[1].id,))),
        _flies,
    ),
    each("dice", "10f, 11e to 11j, 12b to 12d", _fights, _modified, _sums),
    each(
        "retreats",
        "14a to 14f",
        _retreats,
        lambda scene, subject: ruled(scene.position, Action("retreat", (subject[1].id,), subject[2])),
        _may_retreat,
    ),
    stacking(("6a", "6b", "6c"), "6a to 6c", _full),
    each("places for the reclaimed", "7.7h to 7.7j", _dead, _offered, _free),
)
