"""Movement broken: drags to where no legal way leads, or would if one clause were not written."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from tools.oracles.games.patton1943.marching import March
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.plain import GROUND, board_of, enemy, has_begun, is_fresh, march_of, on_map

breaker = Breaker()
LIMITS = ("8n", "8l", "8m", "9c", "8c")
FAR, MOST = 3, 4


class Lifted(March):
    """A march with one clause taken as not written."""

    def __init__(self, march: March, clause: str) -> None:
        self.position, self.board, self.piece = march.position, march.board, march.piece
        self.before, self.clause = march.before, clause

    @property
    def points(self) -> int:
        """More than a few points are no matter of one clause."""
        return super().points + (FAR if self.clause == "8c" else 0)

    def _can_step(self, here: str, there: str) -> bool:
        board, side = self.board, self.piece.side
        closed = {
            "8n": "impassable" in board.lies(here, there),
            "8l": not board.is_ground(there),
            "8m": board.is_enemy_there(there, side),
        }
        return not any(barred for clause, barred in closed.items() if clause != self.clause)

    def stops(self, here: str) -> bool:
        """An EZOC, unless that clause is lifted."""
        return self.clause != "9c" and super().stops(here)


def ends(position: Position, piece: Piece, clause: str) -> Iterator[str]:
    """Return hexes that a piece could reach if a clause were not written, and by lifting none before it."""
    march = march_of(position, piece.id)
    legal, found = set(march.drags()), set(Lifted(march, clause).reach())
    for earlier in LIMITS[: LIMITS.index(clause)]:
        found -= set(Lifted(march, earlier).reach())
    yield from sorted(found - legal - {piece.where})


def fresh(moment: Moment) -> list[Piece]:
    """Return the pieces that may move and have not, in a movement phase of a game that has begun."""
    position = moment.position
    if position.phase != "movement" or ("setting up", position.side) in position.notes or position.turn == 1:
        return []
    return [piece for piece in on_map(position, position.side, *GROUND) if is_fresh(position, piece)]


def _beyond(moment: Moment, clause: str, zone: bool | None = None) -> Broken:
    pieces, rng = fresh(moment), moment.rng
    board = board_of(moment.position)
    for piece in rng.sample(pieces, min(MOST, len(pieces))):
        if zone is not None and board.is_controlled(piece.side, piece.where) is not zone:
            continue
        found = list(ends(moment.position, piece, clause))
        for end in rng.sample(found, min(2, len(found))):
            yield (Action("move", (piece.id,), (piece.where, end), dragged=True),)


@breaker.breaks("8c", "move", "next")
def farther_than_the_points_reach(moment: Moment) -> Broken:
    return _beyond(moment, "8c")


@breaker.breaks("8l", "move", "next")
def into_the_sea(moment: Moment) -> Broken:
    return _beyond(moment, "8l")


@breaker.breaks("8m", "move", "next")
def through_the_enemy(moment: Moment) -> Broken:
    return _beyond(moment, "8m")


@breaker.breaks("8n", "move", "next")
def over_the_scarp(moment: Moment) -> Broken:
    return _beyond(moment, "8n")


@breaker.breaks("9c", "move", "next")
def through_a_zone_of_control(moment: Moment) -> Broken:
    return _beyond(moment, "9c", zone=False)


@breaker.breaks("9e", "move", "next")
def out_of_a_zone_and_through_the_next(moment: Moment) -> Broken:
    return _beyond(moment, "9c", zone=True)


@breaker.breaks("7.1a", "move", "next")
def the_enemy_moves(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "movement" or position.turn == 1:
        return
    for piece in on_map(position, enemy(position.side), *GROUND):
        for there in board_of(position).around(piece.where):
            if march_of(position, piece.id).grade((piece.where, there)) == "legal":
                yield (Action("move", (piece.id,), (piece.where, there)),)


@breaker.breaks("8a", "move", "next")
def aircraft_move(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "movement" or position.turn == 1:
        return
    for piece in on_map(position, position.side, "air"):
        for there in board_of(position).around(piece.where):
            if board_of(position).is_passable(piece.where, there):
                yield (Action("move", (piece.id,), (piece.where, there)),)


@breaker.breaks("6a", "next")
def two_units_in_a_hex(moment: Moment) -> Broken:
    position = moment.position
    for piece in fresh(moment):
        if piece.counter.kind in ("unit", "battlegroup"):
            for end in march_of(position, piece.id).drags():
                if board_of(position).at(end, piece.side, "unit", "battlegroup"):
                    yield Action("move", (piece.id,), (piece.where, end), dragged=True), Action("next")


@breaker.breaks("7b", "next")
def a_piece_moves_after_its_phase(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "replacement" or not position.side or not has_begun(moment):
        return
    for piece in on_map(position, position.side, *GROUND):
        if ("spent", piece.id) not in position.notes:
            for there in board_of(position).around(piece.where):
                if march_of(position, piece.id).grade((piece.where, there)) == "legal":
                    yield (Action("move", (piece.id,), (piece.where, there)),)
