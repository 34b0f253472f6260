"""Retreats broken: who stays, goes too far, the wrong way, or without cause."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.fighting import can_retreat
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.plain import UNITS, board_of, fight_after, settled, struck

breaker = Breaker()


def _can_leave(board: Board, piece: Piece) -> bool:
    """Tell whether some way of two hexes leads a piece out of its hex."""
    here = piece.where
    ways = [(here, near, far) for near in board.around(here) for far in board.around(near)]
    return any(can_retreat(board, piece, way) for way in ways)


def _beaten(moment: Moment) -> tuple[Fight, Piece] | None:
    """The battle whose last die this is, hit and not hit back, and its unit that can take the loss."""
    fight = fight_after(moment)
    if fight is None or not fight.attack_hit or fight.defence_hit or not fight.defence_die:
        return None
    units = board_of(moment.step.after).at(fight.target, fight.enemy, *UNITS)
    full = [piece for piece in units if piece.counter.steps == 2 and piece.steps == 2]
    return (fight, full[0]) if full else None


def _stay(moment: Moment, fight: Fight, unit: Piece) -> Broken:
    """The unit is reduced, and that is all."""
    loss = Action("lose", (unit.id,), battle=fight.number)
    yield moment.action, loss, Action("settle", battle=fight.number)


@breaker.breaks("14a", "roll defence")
def the_beaten_stay(moment: Moment) -> Broken:
    found = _beaten(moment)
    if found is not None and _can_leave(board_of(moment.step.after), found[1]):
        yield from _stay(moment, *found)


@breaker.breaks("12j", "roll attack")
def lone_assets_stay(moment: Moment) -> Broken:
    """They leave whether they were hit or not."""
    fight, board = fight_after(moment), board_of(moment.step.after)
    if fight is None or board.at(fight.target, fight.enemy, *UNITS) or fight.attack_hit:
        return
    if any(_can_leave(board, piece) for piece in board.at(fight.target, fight.enemy, "support")):
        yield settled(moment, fight)


@breaker.breaks("14i", "roll defence")
def aircraft_are_left_behind_by_a_retreat(moment: Moment) -> Broken:
    found = _beaten(moment)
    if found is not None and board_of(moment.step.after).at(found[0].target, found[0].enemy, "air"):
        yield from _stay(moment, *found)


@breaker.breaks("14f", "roll defence")
def who_cannot_retreat_stays(moment: Moment) -> Broken:
    found = _beaten(moment)
    if found is not None and not _can_leave(board_of(moment.step.after), found[1]):
        yield from _stay(moment, *found)


def _retreats(moment: Moment, length: int) -> Broken:
    """Ways of so many hexes for the piece that retreats in this step, and to where no legal way leads."""
    action, board = moment.action, board_of(moment.position)
    piece, start = moment.position.pieces[action.piece], action.path[0]
    if len(action.pieces) > 1:
        return
    near = [(start, a, b) for a in board.around(start) for b in board.around(a)]
    legal = {way[-1] for way in near if can_retreat(board, piece, way)}
    for way in near:
        path = way if length == 2 else way[:2]
        far = board.distance(start, path[-1]) == length
        if (
            far
            and path[-1] not in legal
            and board.is_ground(path[-1])
            and not board.is_enemy_there(path[-1], piece.side)
        ):
            ends = (path[0], path[-1])
            yield (Action("retreat", (piece.id,), ends, dragged=True, battle=action.battle),)


@breaker.breaks("14b", "retreat")
def a_retreat_of_one_hex(moment: Moment) -> Broken:
    return _retreats(moment, 1)


@breaker.breaks("14e", "retreat")
def a_retreat_through_zones(moment: Moment) -> Broken:
    board, side = board_of(moment.position), moment.position.pieces[moment.action.piece].side
    piece = moment.position.pieces[moment.action.piece]
    for (action,) in _retreats(moment, 2):
        if board.is_controlled(side, action.end) and board.room(action.end, piece):
            yield (action,)


@breaker.breaks("14c", "retreat")
def a_retreat_over_the_scarp(moment: Moment) -> Broken:
    """Two hexes away, where only ways over sides lead that cannot be crossed, through no zone."""
    board, start = board_of(moment.position), moment.action.path[0]
    piece = moment.position.pieces[moment.action.piece]
    side = piece.side
    for (action,) in _retreats(moment, 2):
        if board.is_controlled(side, action.end) or not board.room(action.end, piece):
            continue
        middles = [at for at in board.around(start) if action.end in board.around(at)]
        open_ = [
            at
            for at in middles
            if board.is_ground(at)
            and not board.is_enemy_there(at, side)
            and not board.is_controlled(side, at)
        ]
        if open_ and len(moment.action.pieces) == 1:
            yield (action,)


@breaker.breaks("14d", "retreat")
def a_retreat_to_a_full_hex(moment: Moment) -> Broken:
    board, side = board_of(moment.position), moment.position.pieces[moment.action.piece].side
    piece = moment.position.pieces[moment.action.piece]
    for (action,) in _retreats(moment, 2):
        start = action.path[0]
        free = [
            middle
            for middle in board.around(start)
            if action.end in board.around(middle)
            and not board.is_enemy_there(middle, side)
            and not board.is_controlled(side, middle)
            and board.is_passable(start, middle)
            and board.is_passable(middle, action.end)
        ]
        if free and not board.is_controlled(side, action.end) and not board.room(action.end, piece):
            yield (action,)


@breaker.breaks("14l", "roll defence")
def a_retreat_without_cause(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is None or fight.attack_hit:
        return
    board = board_of(moment.step.after)
    for piece in board.at(fight.target, fight.enemy, *UNITS):
        for way in [(fight.target, a, b) for a in board.around(fight.target) for b in board.around(a)]:
            if can_retreat(board, piece, way):
                yield moment.action, Action("retreat", (piece.id,), way, battle=fight.number)
