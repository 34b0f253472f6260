"""Breaches in movement: drags to hexes to which there is no legal path, or only if one clause
did not exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.patton1943.notes import SETTING_UP, USED_MOVEMENT
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.marching import March
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import (
    GROUND,
    UNITS,
    enemy,
    is_fresh,
    on_map,
)

breaker = Breaker()
Pair: TypeAlias = tuple[Piece, Piece, str, Fraction]
"""Two pieces of a stack, a hex, and the points that the first would have left there."""
LIMITS = ("8n", "8l", "8m", "9c", "8c")
EXTRA, MOST = {"8c": 3, "8j": 12}, 4


class Waived(March):
    """A move in which some clauses are ignored; it has a few more points if the clause is about points."""

    @property
    def points(self) -> Fraction:
        """The points of the piece, and some more."""
        return super().points + sum(EXTRA.get(clause, 0) for clause in self.without)


def ends(position: Position, piece: Piece, clause: str) -> Iterator[str]:
    """Return hexes that a piece could reach without a clause, and could not reach without one of those before
    it.
    """
    legal, found = set(March(position, piece.id).drags()), set(Waived(position, piece.id, clause).reach())
    for earlier in LIMITS[: LIMITS.index(clause)]:
        found -= set(Waived(position, piece.id, earlier).reach())
    yield from sorted(found - legal - {piece.where})


def fresh(moment: Moment) -> list[Piece]:
    """Return the pieces that may move and have not moved, in a movement phase after set-up."""
    position = moment.position
    if position.phase != "movement" or (SETTING_UP, position.side) in position.notes or position.turn == 1:
        return []
    return [piece for piece in on_map(position, position.side, *GROUND) if is_fresh(position, piece)]


def _beyond(moment: Moment, clause: str, zone: bool | None = None) -> Broken:
    pieces, rng = fresh(moment), moment.rng
    board = Board.of(moment.position)
    for piece in rng.sample(pieces, min(MOST, len(pieces))):
        if zone is not None and board.is_controlled(piece.side, piece.where) is not zone:
            continue
        found = [at for at in ends(moment.position, piece, clause) if not _has_gone(moment, piece.side, at)]
        for end in rng.sample(found, min(2, len(found))):
            yield (Action("move", (piece.id,), (piece.where, end), dragged=True),)


def _has_gone(moment: Moment, side: str, where: str) -> bool:
    """Return whether a piece has moved to a hex, so that another might have moved with it [7.1d, 8q]."""
    there = Board.of(moment.position).at(where, side)
    return not all(is_fresh(moment.position, one) for one in there)


breaker.alike(
    _beyond,
    ("move", "next"),
    farther_than_the_points_reach=("8c", "8c"),
    into_the_sea=("8l", "8l"),
    through_the_enemy=("8m", "8m"),
    over_the_scarp=("8n", "8n"),
    through_a_zone_of_control=("9c", "9c", {"zone": False}),
    out_of_a_zone_and_through_the_next=("9e", "9c", {"zone": True}),
)


@breaker.breaks("7.1a", "move", "next")
def the_enemy_moves(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "movement" or position.turn == 1:
        return
    for piece in on_map(position, enemy(position.side), *GROUND):
        for there in Board.of(position).around(piece.where):
            if March(position, piece.id).grade((piece.where, there)) == "legal":
                yield (Action("move", (piece.id,), (piece.where, there)),)


@breaker.breaks("8a", "move", "next")
def aircraft_move(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "movement" or position.turn == 1:
        return
    for piece in on_map(position, position.side, "air"):
        for there in Board.of(position).around(piece.where):
            if Board.of(position).is_passable(piece.where, there):
                yield (Action("move", (piece.id,), (piece.where, there)),)


def _too_many(moment: Moment, *kinds: str, air: bool) -> Broken:
    """A piece of some kinds ends the phase in a full hex of its side, with or without aircraft."""
    position, board = moment.position, Board.of(moment.position)
    for piece in fresh(moment):
        for end in sorted(March(position, piece.id).drags()) if piece.counter.kind in kinds else ():
            full = not board.room(end, piece) and bool(board.at(end, piece.side, "air")) is air
            if full and board.at(end, piece.side, *kinds):
                yield Action("move", (piece.id,), (piece.where, end), dragged=True), Action("next")


breaker.alike(
    _too_many,
    ("next",),
    two_units_in_a_hex=("6a", *UNITS, {"air": False}),
    three_assets_in_a_hex=("6b", "support", {"air": False}),
)


@breaker.breaks("6c", "next")
def four_assets_on_an_airfield(moment: Moment) -> Broken:
    """The third one on the ground is allowed, the fourth with aircraft is not."""
    position, board = moment.position, Board.of(moment.position)
    assets = [piece for piece in fresh(moment) if piece.counter.kind == "support"]
    for field in board.airfields(position.side) if assets else ():
        there = len(board.at(field, position.side, "support", "air"))
        coming = [
            piece for piece in assets if piece.where != field and field in March(position, piece.id).drags()
        ]
        if board.at(field, position.side, "air") and there + len(coming) > 3:
            moves = [
                Action("move", (piece.id,), (piece.where, field), dragged=True)
                for piece in coming[: 4 - there]
            ]
            yield *moves, Action("next")


def _points(position: Position, piece: Piece) -> int:
    return piece.counter.factor("mf", piece.steps)


def _together(moment: Moment, movers: tuple[str, ...], mates: tuple[str, ...]) -> Iterator[Pair]:
    """Pieces of a stack, one with more points and one with fewer, and a hex that only the first can reach.

    The first does not move again in the phase: in a log all its moves are one.
    """
    clock, position = moment.position.clock, moment.position
    later = {
        name
        for step in moment.game[moment.place :]
        if step.before.clock == clock
        for name in step.action.pieces
    }
    pieces = {piece.id: piece for piece in fresh(moment)}
    for mover in pieces.values():
        if mover.counter.kind not in movers or mover.id in later:
            continue
        for mate in Board.of(position).at(mover.where, mover.side, *mates):
            if (
                mate.id in pieces
                and mate.id != mover.id
                and _points(position, mover) > _points(position, mate)
            ):
                reach = March(position, mover.id).reach()
                for end in ends(position, mate, "8c"):
                    if end in reach:
                        yield mover, mate, end, _points(position, mover) - reach[end]


def _one_by_one(mover: Piece, mate: Piece, end: str) -> tuple[Action, ...]:
    return tuple(Action("move", (one.id,), (one.where, end), dragged=True) for one in (mover, mate))


@breaker.breaks("7.1d", "move", "next")
def an_asset_rides_too_far(moment: Moment) -> Broken:
    for mover, mate, end, _ in _together(moment, UNITS, ("support",)):
        yield _one_by_one(mover, mate, end)


@breaker.breaks("8q", "move", "next")
def a_unit_borrows_points(moment: Moment) -> Broken:
    for mover, mate, end, spared in _together(moment, ("support",), UNITS):
        cost = Waived(moment.position, mate.id, "8c").reach()[end]
        if 0 < cost - _points(moment.position, mate) <= spared:
            yield _one_by_one(mover, mate, end)


@breaker.breaks("8j", "move", "next")
def into_a_hex_that_is_too_costly(moment: Moment) -> Broken:
    """The last step of the cheapest path alone costs more than all the points of the piece."""
    position, board = moment.position, Board.of(moment.position)
    pieces = fresh(moment)
    for piece in moment.rng.sample(pieces, min(MOST, len(pieces))):
        points, best = _points(position, piece), Waived(position, piece.id, "8j").reach()
        known = {*March(position, piece.id).drags(), piece.where}
        for clause in LIMITS[:-1]:
            known |= set(Waived(position, piece.id, clause).reach())
        for end in sorted(set(best) - known):
            last = [board.cost(at, end) for at in board.around(end) if _leads(board, best, at, end)]
            dear = bool(last) and all(cost > points for cost in last)
            if dear and not _has_gone(moment, piece.side, end):
                yield (Action("move", (piece.id,), (piece.where, end), dragged=True),)


def _leads(board: Board, best: dict[str, Fraction], here: str, end: str) -> bool:
    """Return whether a cheapest path to a hex comes from this one."""
    known = here in best and board.is_passable(here, end)
    return known and best[here] + board.cost(here, end) == best[end]


@breaker.breaks("7b", "next")
def a_piece_moves_after_its_phase(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "replacement" or not position.side or not moment.did():
        return
    yield from _late(moment, spent=False)


@breaker.breaks("8p", "next")
def a_piece_goes_on_after_its_phase(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "replacement" and position.side and moment.did():
        yield from _late(moment, spent=True)


def _late(moment: Moment, *, spent: bool) -> Broken:
    """Moves out of a hex by pieces that have or have not moved in the movement phase, and were
    not rebuilt.
    """
    position, board = moment.position, Board.of(moment.position)
    done = {name for action in moment.did() for name in action.pieces}
    for piece in on_map(position, position.side, *GROUND):
        if piece.id not in done and ((USED_MOVEMENT, piece.id) in position.notes) is spent:
            for there in board.around(piece.where):
                if board.is_passable(piece.where, there) and not board.is_enemy_there(there, piece.side):
                    yield (Action("move", (piece.id,), (piece.where, there)),)
