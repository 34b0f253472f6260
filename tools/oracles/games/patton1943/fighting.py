"""Battles as the clauses describe them: modifiers, where aircraft fly, where beaten pieces go."""

from __future__ import annotations

from itertools import pairwise

from referee.engine.position import Piece
from tools.oracles.games.patton1943.board import ASSET, Board


def chart(board: Board, target: str, stood: str) -> int:
    """The highest modifier of the terrain in the target hex or on the hexside between [11e,
    11f, 11g, 11h].
    """
    game = board.position.game
    found = [game.terrain[board.map.hexes[target].terrain].effects.integer("modifier", 0)]
    worth = game.modifiers["terrain"].places
    found += [
        worth[place.kind]
        for place in board.map.places.values()
        if place.hex == target and place.kind in worth
    ]
    found += [game.features[name].effects.integer("modifier", 0) for name in board.lies(stood, target)]
    return max(found)


def support(board: Board, where: str, side: str, left_out: tuple[str, ...] = ()) -> int:
    """What the best two assets of a stack subtract from a die [11i, 11j, 12c, 12d]."""
    there = [piece for piece in board.at(where, side, ASSET) if piece.id not in left_out]
    worth = sorted(piece.counter.factor("support", piece.steps) for piece in there)
    return sum(worth[:2])


def can_fly(board: Board, piece: Piece, goal: str) -> bool:
    """Return whether an air asset on an airfield reaches a hex [7.3a, 7.3d, 7.3j]."""
    fields = {where for side in ("axis", "allied") for where in board.map.zones[f"{side}-airfields"].hexes}
    reach = piece.counter.factor("range", piece.steps)
    return piece.where in fields and board.distance(piece.where, goal) <= reach


def can_retreat(board: Board, piece: Piece, path: tuple[str, ...]) -> bool:
    """Two hexes, ending two away, through no enemy, zone of control or scarp, to a hex with room [14b to
    14e].
    """
    if len(path) != 3 or board.distance(path[0], path[-1]) != 2:
        return False
    for here, there in pairwise(path):
        if not board.is_passable(here, there) or board.is_enemy_there(there, piece.side):
            return False
        if board.is_controlled(piece.side, there):
            return False
    return board.room(path[-1], piece)
