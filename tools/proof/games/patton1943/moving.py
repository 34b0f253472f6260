"""Movement broken: drags to where no legal way leads, or would if one clause were not written."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.marching import March
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.plain import (
    GROUND,
    UNITS,
    board_of,
    enemy,
    has_begun,
    is_fresh,
    march_of,
    on_map,
)

breaker = Breaker()
LIMITS = ("8n", "8l", "8m", "9c", "8c")
EXTRA, MOST = {"8c": 3, "8j": 12}, 4


class Lifted(March):
    """A march with one clause taken as not written."""

    def __init__(self, march: March, clause: str) -> None:
        self.position, self.board, self.piece = march.position, march.board, march.piece
        self.before, self.clause = march.before, clause

    @property
    def points(self) -> int:
        """More than a few points are no matter of one clause."""
        return super().points + EXTRA.get(self.clause, 0)

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


def _too_many(moment: Moment, *kinds: str, air: bool) -> Broken:
    """A piece of some kinds ends the phase in a hex of its side that is full, with aircraft or without."""
    position, board = moment.position, board_of(moment.position)
    for piece in fresh(moment):
        for end in sorted(march_of(position, piece.id).drags()) if piece.counter.kind in kinds else ():
            full = not board.room(end, piece) and bool(board.at(end, piece.side, "air")) is air
            if full and board.at(end, piece.side, *kinds):
                yield Action("move", (piece.id,), (piece.where, end), dragged=True), Action("next")


@breaker.breaks("6a", "next")
def two_units_in_a_hex(moment: Moment) -> Broken:
    return _too_many(moment, *UNITS, air=False)


@breaker.breaks("6b", "next")
def three_assets_in_a_hex(moment: Moment) -> Broken:
    return _too_many(moment, "support", air=False)


@breaker.breaks("6c", "next")
def four_assets_on_an_airfield(moment: Moment) -> Broken:
    """The third on the ground may come, the fourth with aircraft may not."""
    position, board = moment.position, board_of(moment.position)
    assets = [piece for piece in fresh(moment) if piece.counter.kind == "support"]
    for field in board.airfields(position.side) if assets else ():
        there = len(board.at(field, position.side, "support", "air"))
        coming = [
            piece
            for piece in assets
            if piece.where != field and field in march_of(position, piece.id).drags()
        ]
        if board.at(field, position.side, "air") and there + len(coming) > 3:
            moves = [
                Action("move", (piece.id,), (piece.where, field), dragged=True)
                for piece in coming[: 4 - there]
            ]
            yield *moves, Action("next")


def _points(position: Position, piece: Piece) -> int:
    return piece.counter.factor("mf", piece.steps)


def _together(moment: Moment) -> Iterator[tuple[Piece, Piece, Fraction]]:
    """Who moves alone in this step and no more, who could go along but for points, what the way costs."""
    position, action = moment.position, moment.action
    if len(action.pieces) != 1 or ("trail move", action.piece) in position.notes or _moves_on(moment):
        return
    mover, here = position.pieces[action.piece], action.path[0]
    for mate in board_of(position).at(here, mover.side, *GROUND):
        if mate.id == mover.id or not is_fresh(position, mate):
            continue
        if action.end in ends(position, mate, "8c"):
            yield mover, mate, Lifted(march_of(position, mate.id), "8c").reach()[action.end]


def _moves_on(moment: Moment) -> bool:
    """Tell whether who moves in this step moves again in the phase: to a log all of it is one move."""
    clock, pieces = moment.position.clock, set(moment.action.pieces)
    later = (step for step in moment.game[moment.place + 1 :] if step.before.clock == clock)
    return any(pieces & set(step.action.pieces) for step in later)


@breaker.breaks("7.1d", "move")
def an_asset_rides_too_far(moment: Moment) -> Broken:
    position, action = moment.position, moment.action
    for mover, mate, _ in _together(moment):
        if mate.counter.kind == "support" and _points(position, mover) > _points(position, mate):
            yield action, Action("move", (mate.id,), (mate.where, action.end), dragged=True)


@breaker.breaks("8q", "move")
def a_unit_borrows_points(moment: Moment) -> Broken:
    position, action = moment.position, moment.action
    for mover, mate, cost in _together(moment):
        spared = _points(position, mover) - cost
        if mate.counter.kind in UNITS and 0 < cost - _points(position, mate) <= spared:
            yield action, Action("move", (mate.id,), (mate.where, action.end), dragged=True)


@breaker.breaks("8j", "move", "next")
def into_a_hex_that_is_too_dear(moment: Moment) -> Broken:
    """The last step of the cheapest way alone costs more than the piece has in all."""
    position, board = moment.position, board_of(moment.position)
    pieces = fresh(moment)
    for piece in moment.rng.sample(pieces, min(MOST, len(pieces))):
        march, points = march_of(position, piece.id), _points(position, piece)
        best = Lifted(march, "8j").reach()
        known = {*march.drags(), piece.where}
        for clause in LIMITS[:-1]:
            known |= set(Lifted(march, clause).reach())
        for end in sorted(set(best) - known):
            last = [board.cost(at, end) for at in board.around(end) if _leads(board, best, at, end)]
            if last and all(cost > points for cost in last):
                yield (Action("move", (piece.id,), (piece.where, end), dragged=True),)


def _leads(board: Board, best: dict[str, Fraction], here: str, end: str) -> bool:
    """Tell whether a cheapest way to a hex comes from this one."""
    known = here in best and board.is_passable(here, end)
    return known and best[here] + board.cost(here, end) == best[end]


@breaker.breaks("7b", "next")
def a_piece_moves_after_its_phase(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "replacement" or not position.side or not has_begun(moment):
        return
    yield from _late(moment, spent=False)


@breaker.breaks("8p", "next")
def a_piece_goes_on_after_its_phase(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "replacement" and position.side and has_begun(moment):
        yield from _late(moment, spent=True)


def _late(moment: Moment, *, spent: bool) -> Broken:
    """Moves of a hex by pieces that have moved in the movement phase, or have not."""
    position, board = moment.position, board_of(moment.position)
    for piece in on_map(position, position.side, *GROUND):
        if (("spent", piece.id) in position.notes) is spent:
            for there in board.around(piece.where):
                if board.is_passable(piece.where, there) and not board.is_enemy_there(there, piece.side):
                    yield (Action("move", (piece.id,), (piece.where, there)),)
