"""Breaches in advances and breakthroughs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece
from tools.oracles.games.patton1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import UNITS, fight_after, on_map, struck
from tools.proof.games.patton1943.moving import Waived

breaker = Breaker()


@breaker.breaks("7.5a", "advance")
def another_unit_advances(moment: Moment) -> Broken:
    position, board, end = moment.position, Board.of(moment.position), moment.action.end
    for where in board.around(end):
        for piece in board.at(where, position.side, *UNITS):
            fought = {name for one in position.battles for name in one.attackers}
            if piece.id not in fought and where != moment.action.path[0]:
                yield (Action("advance", (piece.id,), (where, end), battle=moment.action.battle),)


@breaker.breaks("7.5c", "advance")
def an_advance_to_another_hex(moment: Moment) -> Broken:
    board, start = Board.of(moment.position), moment.action.path[0]
    side = moment.position.pieces[moment.action.piece].side
    for end in board.around(start):
        if end != moment.action.end and board.is_passable(start, end) and not board.is_enemy_there(end, side):
            yield (Action("advance", (moment.action.piece,), (start, end), battle=moment.action.battle),)


@breaker.breaks("14j", "roll defence")
def an_advance_into_the_enemy(moment: Moment) -> Broken:
    """The hex is not attacked again later, because the advance might follow that attack."""
    fight = struck(moment)
    later = {step.action.target for step in moment.later("attack")}
    if fight is not None and not fight.attack_hit and fight.unit and fight.target not in later:
        path = (fight.stood, fight.target)
        yield moment.action, Action("advance", (fight.unit,), path, battle=fight.number)


@breaker.breaks("14j", "attack")
def an_advance_where_the_aircraft_flew_off(moment: Moment) -> Broken:
    """The aircraft flies in its own defence before the die, so no piece on the ground is attacked."""
    action, board = moment.action, Board.of(moment.position)
    unit, fight = moment.position.pieces[action.piece], fight_after(moment)
    there = board.at(action.target, board.enemy(unit.side))
    if fight is None or len(there) != 1 or there[0].counter.kind != "air":
        return
    number, path = fight.number, (unit.where, action.target)
    yield (
        action,
        Action("fly", (there[0].id,), battle=number),
        Action("roll attack", dice=(moment.rng.randint(2, 11),), battle=number),
        Action("to box", (there[0].id,), battle=number),
        Action("advance", (unit.id,), path, battle=number),
    )


def _lone(board: Board, unit: Piece, where: str) -> list[Piece]:
    """The enemies in a hex, if they are only assets."""
    there = board.at(where, board.enemy(unit.side))
    return there if all(piece.counter.kind == "support" for piece in there) else []


def _generals(board: Board, unit: Piece) -> list[Piece]:
    """The generals in the hex of a unit."""
    there = board.at(unit.where, unit.side, "support")
    return [one for one in there if one.counter.extra.flag("general", False)]


def _destroyed(board: Board, unit: Piece, where: str, number: int) -> tuple[Action, ...]:
    """An attack that destroys the lone asset in a hex."""
    return (
        Action("attack", (unit.id,), target=where, battle=number),
        Action("roll attack", dice=(1,), battle=number),
        Action("eliminate", (_lone(board, unit, where)[0].id,), battle=number),
    )


def _after_one(moment: Moment) -> Iterator[tuple[Piece, list[Piece], tuple[Action, ...]]]:
    """A unit that destroys a lone asset in its first battle, the generals with it, and the
    actions for that.
    """
    position, action = moment.position, moment.action
    board, unit = Board.of(position), position.pieces[action.piece]
    if len(_lone(board, unit, action.target)) == 1 and not position.battles:
        yield unit, _generals(board, unit), _destroyed(board, unit, action.target, 1)


def _led(moment: Moment) -> Iterator[tuple[Piece, Piece, tuple[Action, ...]]]:
    """The same with a general in the unit's hex, who leads it."""
    return ((unit, generals[0], steps) for unit, generals, steps in _after_one(moment) if generals)


def _broken_through(moment: Moment) -> Iterator[tuple[Piece, tuple[Action, ...], list[str]]]:
    """A unit with a general that destroys a lone asset, and another one in its breakthrough; hexes with
    further ones.
    """
    board = Board.of(moment.position)
    for unit, _, steps in _led(moment):
        near = [at for at in board.around(unit.where) if board.is_passable(unit.where, at)]
        lone = [at for at in near if at != moment.action.target and len(_lone(board, unit, at)) == 1]
        if len(lone) > 1:
            yield unit, (*steps, *_destroyed(board, unit, lone[0], 2)), lone[1:]


def _late_advance(moment: Moment, *, rolled: bool) -> Broken:
    """An advance after another attack was declared, or after its die roll."""
    board = Board.of(moment.position)
    for unit, _, steps in _after_one(moment):
        advance = Action("advance", (unit.id,), (unit.where, moment.action.target), battle=1)
        for other in on_map(moment.position, unit.side, *UNITS):
            for target in board.around(other.where) if other.id != unit.id else ():
                open_ = board.is_passable(other.where, target) and board.is_enemy_there(target, unit.side)
                if open_ and target != moment.action.target:
                    attack = Action("attack", (other.id,), target=target, battle=2)
                    die = Action("roll attack", dice=(moment.rng.randint(2, 11),), battle=2)
                    yield (*steps, attack, die, advance) if rolled else (*steps, attack, advance)


breaker.alike(
    _late_advance,
    ("attack",),
    an_advance_after_the_next_attack=("7.5b", {"rolled": False}),
    an_advance_after_the_next_die=("14k", {"rolled": True}),
)


def _ends(board: Board, unit: Piece) -> list[str]:
    """The adjacent hexes that a unit could enter."""
    near = [at for at in board.around(unit.where) if board.is_passable(unit.where, at)]
    return [at for at in near if not board.is_enemy_there(at, unit.side)]


def _breaks_through(piece: Piece, start: str, end: str, battle: int = 1) -> Action:
    return Action("break through", (piece.id,), (start, end), battle=battle)


@breaker.breaks("15a", "attack")
def a_breakthrough_without_a_general(moment: Moment) -> Broken:
    for unit, generals, steps in _after_one(moment):
        for end in _ends(Board.of(moment.position), unit) if not generals else ():
            yield *steps, _breaks_through(unit, unit.where, end)


@breaker.breaks("15c", "attack")
def a_breakthrough_too_far(moment: Moment) -> Broken:
    """To a hex that takes a few more points, also through zones of control."""
    for unit, _, steps in _led(moment):
        after = moment.position.with_piece(steps[-1].piece, where="gone")
        near = {unit.where, *Board.of(moment.position).around(unit.where)}
        for clause in ("", "8n", "8l", "8m"):
            near |= set(Waived(after, unit.id, "9c", clause).reach())
        for end in sorted(set(Waived(after, unit.id, "9c", "8c").reach()) - near):
            yield *steps, evolve(_breaks_through(unit, unit.where, end), dragged=True)


@breaker.breaks("15d", "attack")
def a_unit_and_its_general_part(moment: Moment) -> Broken:
    """The general breaks through to one hex, the unit to another."""
    for unit, general, steps in _led(moment):
        for first, second in permutations(_ends(Board.of(moment.position), unit), 2):
            goes = _breaks_through(general, unit.where, first)
            yield *steps, goes, _breaks_through(unit, unit.where, second)


@breaker.breaks("11a", "attack")
def an_asset_attacks_with_the_next(moment: Moment) -> Broken:
    """A unit breaks through to the hex of another one that has attacked, and that one's asset
    counts again.
    """
    board = Board.of(moment.position)
    for unit, general, _ in _led(moment):
        cleared = _destroyed(board, unit, moment.action.target, 2)
        for near in _ends(board, unit):
            assets = [
                one for one in board.at(near, unit.side, "support") if one not in _generals(board, unit)
            ]
            for first in board.at(near, unit.side, *UNITS) if assets else ():
                goes = [_breaks_through(one, unit.where, near, 2) for one in (general, unit)]
                for target in board.around(near):
                    if board.is_passable(near, target) and board.at(target, board.enemy(unit.side), *UNITS):
                        again = Action("attack", (unit.id,), target=target, battle=3)
                        die = Action("roll attack", dice=(6,), battle=3)
                        yield *_missed(first, target), *cleared, *goes, again, die


def _missed(unit: Piece, target: str) -> tuple[Action, ...]:
    """The first attack of the phase; both attack and defence miss."""
    return (
        Action("attack", (unit.id,), target=target, battle=1),
        Action("roll attack", dice=(12,), battle=1),
        Action("roll defence", dice=(12,), battle=1),
    )


@breaker.breaks("15b", "attack")
def a_third_attack(moment: Moment) -> Broken:
    for unit, steps, others in _broken_through(moment):
        yield *steps, Action("attack", (unit.id,), target=others[0], battle=3)


@breaker.breaks("15g", "attack")
def a_move_after_the_second_attack(moment: Moment) -> Broken:
    for unit, steps, _ in _broken_through(moment):
        for end in _ends(Board.of(moment.position), unit):
            yield *steps, _breaks_through(unit, unit.where, end, 2)


@breaker.breaks("15g", "attack")
def an_asset_moves_after_the_second_attack(moment: Moment) -> Broken:
    """Not the general, but another piece of the stack."""
    board = Board.of(moment.position)
    for unit, steps, _ in _broken_through(moment):
        for asset in board.at(unit.where, unit.side, "support"):
            for end in _ends(board, asset):
                yield *steps, _breaks_through(asset, asset.where, end, 2)
