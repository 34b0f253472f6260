"""Attacks broken: who may attack what, and how often."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from referee.games.patton1943.notes import BROKE_THROUGH
from tools.oracles.games.patton1943.fighting import chart, support
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import (
    UNITS,
    board_of,
    enemy,
    fight_after,
    fights_in,
    has_attacked,
    has_begun,
    on_map,
    rest_of_phase,
    struck,
)

breaker = Breaker()


def _attacks(moment: Moment, side: str, *kinds: str) -> Broken:
    """Attacks by pieces of a side that have not attacked, on the hexes next to them."""
    position = moment.position
    if position.phase != "battles" or any(not getattr(one, "rolled", True) for one in position.battles):
        return
    board = board_of(position)
    for piece in on_map(position, side, *kinds):
        for target in board.around(piece.where):
            if (
                board.is_enemy_there(target, side)
                and not has_attacked(position, piece.id)
                and board.is_passable(piece.where, target)
            ):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("7a", "attack", "next")
def the_other_side_attacks(moment: Moment) -> Broken:
    """Hexes out of which nobody attacks, or it could not be known in which battle their losses are."""
    position = moment.position
    attacks = (step for step in rest_of_phase(moment, self_too=True) if step.action.verb == "attack")
    hexes = {step.before.pieces[name].where for step in attacks for name in step.action.pieces}
    hexes |= {fight.stood for fight in position.battles if isinstance(fight, Fight)}
    for (action,) in _attacks(moment, enemy(position.side), *UNITS) if position.side else ():
        if action.target not in hexes:
            yield (action,)


@breaker.breaks("7.2b", "attack", "next")
def attacks_from_afar(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "battles":
        return
    board, side = board_of(position), position.side
    for piece in on_map(position, side, *UNITS):
        ring = {there for here in board.around(piece.where) for there in board.around(here)}
        for target in sorted(ring - {piece.where, *board.around(piece.where)}):
            if board.is_enemy_there(target, side) and not has_attacked(position, piece.id):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("7.2c", "attack", "next")
def assets_attack_alone(moment: Moment) -> Broken:
    board = board_of(moment.position)
    for (action,) in _attacks(moment, moment.position.side, "support") if moment.position.side else ():
        where = moment.position.pieces[action.piece].where
        if not board.at(where, moment.position.side, *UNITS):
            yield (action,)


@breaker.breaks("11b", "attack", "next")
def attacks_over_the_scarp(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "battles":
        return
    board, side = board_of(position), position.side
    for piece in on_map(position, side, *UNITS):
        for target in board.around(piece.where):
            if board.is_enemy_there(target, side) and not board.is_passable(piece.where, target):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("11c", "attack")
def units_attack_together(moment: Moment) -> Broken:
    position, board = moment.position, board_of(moment.position)
    side, target = position.side, moment.action.target
    for where in board.around(target):
        for piece in board.at(where, side, *UNITS):
            if (
                piece.id not in moment.action.pieces
                and board.is_passable(where, target)
                and not has_attacked(position, piece.id)
            ):
                yield (Action("attack", (*moment.action.pieces, piece.id), target=target),)


@breaker.breaks("7.4c", "attack", "next")
def a_unit_attacks_again(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "battles" or any(not getattr(one, "rolled", True) for one in position.battles):
        return
    board, side = board_of(position), position.side
    generals = {"de-rommel", "us-patton", "it-messe", "de-arnim", "uk-monty"}
    for piece in on_map(position, side, *UNITS):
        near = {one.id for one in board.at(piece.where, side)}
        second = any(one.second and piece.id in one.attackers for one in fights_in(position))
        broke = second or (BROKE_THROUGH, piece.id) in position.notes
        known = has_attacked(position, piece.id) and not broke
        if not known or near & generals:
            continue
        for target in board.around(piece.where):
            if board.is_enemy_there(target, side) and board.is_passable(piece.where, target):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("7.2d", "roll defence")
def the_next_die_before_the_result(moment: Moment) -> Broken:
    """After the last die of a battle that costs somebody something."""
    fight, board, side = struck(moment), board_of(moment.position), moment.position.side
    if fight is None or not (fight.attack_hit or fight.defence_hit):
        return
    for piece in on_map(moment.position, side, *UNITS):
        for target in board.around(piece.where):
            if (
                board.is_enemy_there(target, side)
                and board.is_passable(piece.where, target)
                and not has_attacked(moment.position, piece.id)
                and target != fight.target
            ):
                attack = Action("attack", (piece.id,), target=target)
                yield moment.action, attack, Action("roll attack", dice=(moment.rng.randint(2, 11),))


@breaker.breaks("7.2a", "next")
def an_attack_after_the_battles(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "replacement" or not position.side or not has_begun(moment):
        return
    board, side = board_of(position), position.side
    for piece in on_map(position, side, *UNITS):
        for target in board.around(piece.where):
            open_ = board.is_enemy_there(target, side) and board.is_passable(piece.where, target)
            if open_ and not has_attacked(position, piece.id):
                yield (Action("attack", (piece.id,), target=target),)


@breaker.breaks("12i", "roll attack")
def assets_alone_strike_back(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is not None and not board_of(moment.position).at(fight.target, fight.enemy, *UNITS):
        roll = Action("roll defence", dice=(moment.rng.randint(2, 11),), battle=fight.number)
        yield moment.action, roll


@breaker.breaks("11d", "attack")
def another_unit_rolls_the_die(moment: Moment) -> Broken:
    """One near that has another combat factor, with which the module compares the die."""
    fight, position = fight_after(moment), moment.position
    if fight is None or not fight.unit:
        return
    board = board_of(position)
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
