"""Breaches in attacks: who may attack what, and how often."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.patton1943.battle import Fight
from referee.games.patton1943.notes import BROKE_THROUGH
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.fighting import chart, support
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import (
    UNITS,
    enemy,
    fight_after,
    fights_in,
    has_attacked,
    on_map,
    struck,
)

breaker = Breaker()
GENERALS = {"de-rommel", "us-patton", "it-messe", "de-arnim", "uk-monty"}


def _beside(position: Position, side: str, *kinds: str, scarp: bool = False) -> Iterator[tuple[Piece, str]]:
    """Pieces of a side that have not attacked, and the adjacent hexes with enemies, or those
    beyond a scarp.
    """
    board = Board.of(position)
    for piece in on_map(position, side, *kinds):
        for target in board.around(piece.where) if not has_attacked(position, piece.id) else ():
            if board.is_enemy_there(target, side) and board.is_passable(piece.where, target) is not scarp:
                yield piece, target


def _may_declare(position: Position) -> bool:
    """Return whether attacks may be declared in this phase, and no attack is waiting for its die."""
    return position.phase == "battles" and all(getattr(one, "rolled", True) for one in position.battles)


@breaker.breaks("7a", "attack", "next")
def the_other_side_attacks(moment: Moment) -> Broken:
    """From hexes from which no unit attacks: otherwise it would not be known to which battle their losses
    belong.
    """
    position = moment.position
    attacks = [step for step in (moment.step, *moment.later()) if step.action.verb == "attack"]
    hexes = {step.before.pieces[name].where for step in attacks for name in step.action.pieces}
    hexes |= {fight.stood for fight in position.battles if isinstance(fight, Fight)}
    if position.side and _may_declare(position):
        for piece, target in _beside(position, enemy(position.side), *UNITS):
            if target not in hexes:
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("7.2b", "attack", "next")
def attacks_from_afar(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "battles":
        return
    board, side = Board.of(position), position.side
    for piece in on_map(position, side, *UNITS):
        ring = {there for here in board.around(piece.where) for there in board.around(here)}
        for target in sorted(ring - {piece.where, *board.around(piece.where)}):
            if board.is_enemy_there(target, side) and not has_attacked(position, piece.id):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("7.2c", "attack", "next")
def assets_attack_alone(moment: Moment) -> Broken:
    position, side = moment.position, moment.position.side
    for piece, target in _beside(position, side, "support") if side and _may_declare(position) else ():
        if not Board.of(position).at(piece.where, side, *UNITS):
            yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("11b", "attack", "next")
def attacks_over_the_scarp(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "battles":
        for piece, target in _beside(position, position.side, *UNITS, scarp=True):
            yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("11c", "attack")
def units_attack_together(moment: Moment) -> Broken:
    action = moment.action
    for piece, target in _beside(moment.position, moment.position.side, *UNITS):
        if target == action.target and piece.id not in action.pieces:
            yield (Action("attack", (*action.pieces, piece.id), target=target),)


@breaker.breaks("7.4c", "attack", "next")
def a_unit_attacks_again(moment: Moment) -> Broken:
    position, side = moment.position, moment.position.side
    board = Board.of(position)
    for piece in on_map(position, side, *UNITS) if _may_declare(position) else ():
        near = {one.id for one in board.at(piece.where, side)}
        second = any(one.second and piece.id in one.attackers for one in fights_in(position))
        broke = second or (BROKE_THROUGH, piece.id) in position.notes
        if not has_attacked(position, piece.id) or broke or near & GENERALS:
            continue
        for target in board.around(piece.where):
            if board.is_enemy_there(target, side) and board.is_passable(piece.where, target):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("7.2d", "roll defence")
def the_next_die_before_the_result(moment: Moment) -> Broken:
    """After the last die of a battle that causes a loss."""
    fight = struck(moment)
    if fight is not None and (fight.attack_hit or fight.defence_hit):
        for piece, target in _beside(moment.position, moment.position.side, *UNITS):
            if target != fight.target:
                attack = Action("attack", (piece.id,), target=target)
                yield moment.action, attack, Action("roll attack", dice=(moment.rng.randint(2, 11),))


@breaker.breaks("7.2a", "next")
def an_attack_after_the_battles(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "replacement" and position.side and moment.did():
        for piece, target in _beside(position, position.side, *UNITS):
            yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("12i", "roll attack")
def assets_alone_strike_back(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is not None and not Board.of(moment.position).at(fight.target, fight.enemy, *UNITS):
        roll = Action("roll defence", dice=(moment.rng.randint(2, 11),), battle=fight.number)
        yield moment.action, roll


@breaker.breaks("11d", "attack")
def another_unit_rolls_the_die(moment: Moment) -> Broken:
    """A unit nearby whose combat factor is different; the module compares the die with that factor."""
    fight, position = fight_after(moment), moment.position
    if fight is None or not fight.unit:
        return
    board = Board.of(position)
    factor = _combat(position.pieces[fight.unit])
    around = {at for near in board.around(fight.stood) for at in (near, *board.around(near))}
    for where in sorted(around - {fight.stood}):
        for unit in board.at(where, fight.side, *UNITS):
            if _combat(unit) != factor and not has_attacked(position, unit.id):
                die = moment.rng.randint(2, 11)
                roll = Action("roll attack", (unit.id,), dice=(die,), battle=fight.number)
                added = chart(board, fight.target, fight.stood) + support(board, fight.stood, fight.side)
                result = "hit" if die + added <= _combat(unit) else "miss"
                words = (result, f"factor {_combat(unit)}")
                yield moment.action, roll, Action("attack result", words=words, battle=fight.number)


def _combat(unit: Piece) -> int:
    return unit.counter.factor("combat", unit.steps)
