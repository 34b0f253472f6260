"""Breaches in retreats: a unit stays, goes too far, in the wrong direction, or without a cause."""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.fighting import can_retreat
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import UNITS, fight_after, left_as_it_is, struck

breaker = Breaker()


def can_leave(board: Board, piece: Piece) -> bool:
    """Return whether a piece can leave its hex by a path of two hexes."""
    here = piece.where
    paths = [(here, near, far) for near in board.around(here) for far in board.around(near)]
    return any(can_retreat(board, piece, path) for path in paths)


def _beaten(moment: Moment) -> tuple[Fight, Piece] | None:
    """The battle declared by this step, and the full-strength unit in the attacked hex."""
    fight = fight_after(moment)
    if fight is None:
        return None
    units = Board.of(moment.position).at(fight.target, fight.enemy, *UNITS)
    full = [piece for piece in units if piece.counter.steps == 2 and piece.steps == 2]
    return (fight, full[0]) if full else None


def _driven(moment: Moment, fight: Fight, unit: Piece) -> tuple[Action, ...]:
    """The unit is hit, does not hit back and is reduced: now it must retreat."""
    return (
        moment.action,
        Action("roll attack", dice=(1,), battle=fight.number),
        Action("roll defence", dice=(12,), battle=fight.number),
        Action("lose", (unit.id,), battle=fight.number),
    )


def _stay(moment: Moment, fight: Fight, unit: Piece) -> Broken:
    yield from left_as_it_is(moment, fight, *_driven(moment, fight, unit))


@breaker.breaks("14a", "attack")
def the_beaten_stay(moment: Moment) -> Broken:
    found = _beaten(moment)
    if found is not None and can_leave(Board.of(moment.position), found[1]):
        yield from _stay(moment, *found)


@breaker.breaks("14f", "attack")
def a_unit_that_cannot_retreat_stays(moment: Moment) -> Broken:
    found = _beaten(moment)
    if found is not None and not can_leave(Board.of(moment.position), found[1]):
        yield from _stay(moment, *found)


@breaker.breaks("14i", "attack")
def aircraft_are_left_behind_by_a_retreat(moment: Moment) -> Broken:
    found = _beaten(moment)
    if found is not None and Board.of(moment.position).at(found[0].target, found[0].enemy, "air"):
        yield from _stay(moment, *found)


@breaker.breaks("12j", "attack")
def lone_assets_stay(moment: Moment) -> Broken:
    """They must leave whether they were hit or not."""
    fight, board = fight_after(moment), Board.of(moment.position)
    if fight is None or board.at(fight.target, fight.enemy, *UNITS):
        return
    if any(can_leave(board, piece) for piece in board.at(fight.target, fight.enemy, "support")):
        miss = Action("roll attack", dice=(12,), battle=fight.number)
        yield from left_as_it_is(moment, fight, moment.action, miss)


def _goes(moment: Moment, length: int, fits: Callable[[Board, Piece, str], bool]) -> Broken:
    """The beaten unit is dragged some hexes away, to a suitable hex to which no legal path leads."""
    found = _beaten(moment)
    if found is None:
        return
    (fight, unit), board = found, Board.of(moment.position)
    start = unit.where
    near = [(start, a, b) for a in board.around(start) for b in board.around(a)]
    legal = {path[-1] for path in near if can_retreat(board, unit, path)}
    for end in sorted({at for path in near for at in path} - legal):
        free = board.is_ground(end) and not board.is_enemy_there(end, unit.side)
        if free and board.distance(start, end) == length and fits(board, unit, end):
            retreat = Action("retreat", (unit.id,), (start, end), dragged=True, battle=fight.number)
            yield *_driven(moment, fight, unit), retreat


def _middles(board: Board, unit: Piece, end: str) -> list[str]:
    """The hexes between a unit and one two hexes away that are free of enemies and their zones."""
    return [
        at
        for at in board.around(unit.where)
        if end in board.around(at)
        and board.is_ground(at)
        and not board.is_enemy_there(at, unit.side)
        and not board.is_controlled(unit.side, at)
    ]


def _is_open(board: Board, unit: Piece, end: str) -> bool:
    """Return whether a path between them crosses only hexsides that can be crossed."""
    return any(
        board.is_passable(unit.where, at) and board.is_passable(at, end) for at in _middles(board, unit, end)
    )


@breaker.breaks("14b", "attack")
def a_retreat_of_one_hex(moment: Moment) -> Broken:
    return _goes(moment, 1, lambda board, unit, end: board.is_passable(unit.where, end))


def _walks(moment: Moment, steps: int, length: int) -> Broken:
    """The beaten unit is dragged hex by hex, over a number of free hexes, to one at a certain distance."""
    found = _beaten(moment)
    if found is None:
        return
    (fight, unit), board = found, Board.of(moment.position)
    paths: list[tuple[str, ...]] = [(unit.where,)]
    for _ in range(steps):
        paths = [
            (*path, at) for path in paths for at in _free_beside(board, unit, path[-1]) if at not in path
        ]
    for path in paths:
        if board.distance(unit.where, path[-1]) == length and board.room(path[-1], unit):
            yield *_driven(moment, fight, unit), Action("retreat", (unit.id,), path, battle=fight.number)


def _free_beside(board: Board, unit: Piece, where: str) -> list[str]:
    """The adjacent hexes that a unit may enter in a retreat."""
    return [
        at
        for at in board.around(where)
        if board.is_passable(where, at)
        and board.is_ground(at)
        and not board.is_enemy_there(at, unit.side)
        and not board.is_controlled(unit.side, at)
    ]


breaker.alike(
    _walks,
    ("attack",),
    walked=True,
    a_retreat_that_bends_back=("14b", 2, 1),
    a_retreat_of_three_hexes=("14b", 3, 3),
)
breaker.alike(
    _walks,
    ("attack",),
    in_parts=True,
    a_retreat_in_parts_that_bends_back=("14b", 2, 1),
    a_retreat_in_parts_of_three_hexes=("14b", 3, 3),
)


@breaker.breaks("14c", "attack")
def a_retreat_over_the_scarp(moment: Moment) -> Broken:
    def fits(board: Board, unit: Piece, end: str) -> bool:
        shut = bool(_middles(board, unit, end)) and not _is_open(board, unit, end)
        return shut and board.room(end, unit) and not board.is_controlled(unit.side, end)

    return _goes(moment, 2, fits)


@breaker.breaks("14d", "attack")
def a_retreat_to_a_full_hex(moment: Moment) -> Broken:
    def fits(board: Board, unit: Piece, end: str) -> bool:
        free = _is_open(board, unit, end) and not board.is_controlled(unit.side, end)
        return free and not board.room(end, unit)

    return _goes(moment, 2, fits)


@breaker.breaks("14e", "attack")
def a_retreat_into_a_zone(moment: Moment) -> Broken:
    def fits(board: Board, unit: Piece, end: str) -> bool:
        return board.is_controlled(unit.side, end) and board.room(end, unit) and _is_open(board, unit, end)

    return _goes(moment, 2, fits)


@breaker.breaks("14e", "attack")
def a_retreat_through_a_zone(moment: Moment) -> Broken:
    """All hexes in between are in zones of control."""

    def fits(board: Board, unit: Piece, end: str) -> bool:
        between = [at for at in board.around(unit.where) if end in board.around(at)]
        passable = any(board.is_passable(unit.where, at) and board.is_passable(at, end) for at in between)
        shut = passable and not _middles(board, unit, end)
        return shut and board.room(end, unit) and not board.is_controlled(unit.side, end)

    return _goes(moment, 2, fits)


@breaker.breaks("14l", "roll defence")
def a_retreat_without_cause(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is None or fight.attack_hit:
        return
    board = Board.of(moment.step.after)
    for piece in board.at(fight.target, fight.enemy, *UNITS):
        for path in [(fight.target, a, b) for a in board.around(fight.target) for b in board.around(a)]:
            if can_retreat(board, piece, path):
                yield moment.action, Action("retreat", (piece.id,), path, battle=fight.number)
