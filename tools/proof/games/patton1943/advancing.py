"""Advances and breakthroughs broken."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.plain import UNITS, board_of, fight_after, on_map, struck

breaker = Breaker()


@breaker.breaks("7.5a", "advance")
def another_unit_advances(moment: Moment) -> Broken:
    position, board, end = moment.position, board_of(moment.position), moment.action.end
    for where in board.around(end):
        for piece in board.at(where, position.side, *UNITS):
            fought = {name for one in position.battles for name in one.attackers}
            if piece.id not in fought and where != moment.action.path[0]:
                yield (Action("advance", (piece.id,), (where, end), battle=moment.action.battle),)


@breaker.breaks("7.5c", "advance")
def an_advance_to_another_hex(moment: Moment) -> Broken:
    board, start = board_of(moment.position), moment.action.path[0]
    side = moment.position.pieces[moment.action.piece].side
    for end in board.around(start):
        if end != moment.action.end and board.is_passable(start, end) and not board.is_enemy_there(end, side):
            yield (Action("advance", (moment.action.piece,), (start, end), battle=moment.action.battle),)


@breaker.breaks("14j", "roll defence")
def an_advance_into_the_enemy(moment: Moment) -> Broken:
    fight = struck(moment)
    if fight is not None and not fight.attack_hit and fight.unit:
        way = (fight.stood, fight.target)
        yield moment.action, Action("advance", (fight.unit,), way, battle=fight.number)


def _late_advance(moment: Moment) -> Broken:
    """An advance after the battle before the one that this step is about."""
    board, this = board_of(moment.step.after), fight_after(moment)
    rolled = [one for one in moment.position.battles if isinstance(one, Fight) and one.rolled]
    if this is None or not rolled:
        return
    fight = max(rolled, key=lambda one: one.order)
    unit = moment.position.pieces.get(fight.unit)
    empty = not any(board.at(fight.target, side) for side in ("axis", "allied"))
    late = fight.number != this.number and not fight.advanced and this.stood != fight.stood
    if unit is not None and unit.where == fight.stood and empty and late:
        way = (fight.stood, fight.target)
        yield moment.action, Action("advance", (unit.id,), way, battle=fight.number)


@breaker.breaks("7.5b", "attack")
def an_advance_after_the_next_attack(moment: Moment) -> Broken:
    return _late_advance(moment)


@breaker.breaks("14k", "roll attack")
def an_advance_after_the_next_die(moment: Moment) -> Broken:
    return _late_advance(moment)


@breaker.breaks("15a", "advance")
def a_breakthrough_without_a_general(moment: Moment) -> Broken:
    position = moment.step.after
    board, piece = board_of(position), position.pieces[moment.action.piece]
    generals = [
        one.id for one in on_map(position, piece.side, "support") if one.counter.extra.flag("general", False)
    ]
    if piece.counter.kind != "unit" or any(position.pieces[name].where == piece.where for name in generals):
        return
    for end in board.around(piece.where):
        if board.is_passable(piece.where, end) and not board.is_enemy_there(end, piece.side):
            way = (piece.where, end)
            yield moment.action, Action("break through", (piece.id,), way, battle=moment.action.battle)


@breaker.breaks("15d", "break through")
def a_unit_leaves_its_general(moment: Moment) -> Broken:
    """The general goes first, the unit to some other hex."""
    position, action = moment.position, moment.action
    board = board_of(position)
    generals = [name for name in action.pieces if position.pieces[name].counter.extra.flag("general", False)]
    for name in generals[:1]:
        first = Action("break through", (name,), action.path, action.dragged, battle=action.battle)
        side = position.pieces[name].side
        for unit in board.at(action.path[0], side, *UNITS):
            for end in board.around(unit.where):
                open_ = board.is_passable(unit.where, end) and not board.is_enemy_there(end, side)
                if open_ and end != action.end and not board.at(end, side):
                    way = (unit.where, end)
                    yield first, Action("break through", (unit.id,), way, battle=action.battle)


def _broken_through(moment: Moment) -> tuple[Piece, tuple[Action, ...], list[str]] | None:
    """A unit with a general that destroys a lone asset, and another in its breakthrough; hexes with more."""
    position, action = moment.position, moment.action
    board, unit = board_of(position), position.pieces[action.piece]
    generals = [
        one for one in board.at(unit.where, unit.side, "support") if one.counter.extra.flag("general", False)
    ]
    lone = [
        at
        for at in board.around(unit.where)
        if board.is_passable(unit.where, at) and len(_lone(board, unit, at)) == 1
    ]
    if not generals or action.target not in lone or len(lone) < 3 or position.battles:
        return None
    first, second, *others = sorted(lone, key=lambda at: at != action.target)
    steps: list[Action] = []
    for number, at in enumerate((first, second), 1):
        steps += [
            Action("attack", (unit.id,), target=at, battle=number),
            Action("roll attack", dice=(1,), battle=number),
            Action("eliminate", (_lone(board, unit, at)[0].id,), battle=number),
        ]
    return unit, tuple(steps), others


def _lone(board: Board, unit: Piece, where: str) -> list[Piece]:
    """The enemies in a hex, if they are assets alone."""
    there = board.at(where, board.enemy(unit.side))
    return there if all(piece.counter.kind == "support" for piece in there) else []


@breaker.breaks("15b", "attack")
def a_third_attack(moment: Moment) -> Broken:
    found = _broken_through(moment)
    if found is not None:
        unit, steps, others = found
        yield *steps, Action("attack", (unit.id,), target=others[0], battle=3)


@breaker.breaks("15g", "attack")
def a_move_after_the_second_attack(moment: Moment) -> Broken:
    found, board = _broken_through(moment), board_of(moment.position)
    if found is None:
        return
    unit, steps, _ = found
    for end in board.around(unit.where):
        open_ = board.is_passable(unit.where, end) and not board.at(end, board.enemy(unit.side))
        if open_:
            yield *steps, Action("break through", (unit.id,), (unit.where, end), battle=2)
