"""Results that differ from the dice: a hit as a miss, a miss as a hit, too much or too little.

The dice are chosen with the literal reading of the sums, and the module announces the correct result.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.fighting import can_retreat
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import left_as_it_is
from tools.proof.games.patton1943.losing import declared, rolled
from tools.proof.games.patton1943.retreating import can_leave

breaker = Breaker()


def _full(moment: Moment) -> Iterator[tuple[Fight, Piece, Piece]]:
    """The battle declared by this step, its attacker and the attacked unit, both with two steps."""
    found = declared(moment)
    if found is not None and found[1]:
        fight, (unit, *_) = found
        attacker = moment.position.pieces[fight.unit]
        if (attacker.steps, unit.steps) == (2, 2):
            yield fight, attacker, unit


def _paths(board: Board, piece: Piece) -> Iterator[tuple[str, ...]]:
    """The paths on which a piece could retreat."""
    for near in board.around(piece.where):
        for far in board.around(near):
            path = (piece.where, near, far)
            if can_retreat(board, piece, path):
                yield path


def _retreat_although_both_hit(moment: Moment, paying: int) -> Broken:
    """The defender hit back and would stay: it retreats, with the attacker's loss or without it."""
    for fight, attacker, unit in _full(moment):
        steps = rolled(moment, fight, hit=True, back=True)
        for path in _paths(Board.of(moment.position), unit) if steps else ():
            losers = (attacker, unit)[-paying:]
            losses = (Action("lose", (one.id,), battle=fight.number) for one in losers)
            yield *steps, *losses, Action("retreat", (unit.id,), path, battle=fight.number)


breaker.alike(
    _retreat_although_both_hit,
    ("attack",),
    a_retreat_although_both_hit=("14l", 2),
    a_defence_that_hit_is_carried_out_as_a_miss=("14l", 1),
)


@breaker.breaks("13a", "attack")
def a_beaten_full_unit_is_eliminated(moment: Moment) -> Broken:
    """It must retreat, and can."""
    for fight, _, unit in _full(moment):
        if can_leave(Board.of(moment.position), unit) and (
            steps := rolled(moment, fight, hit=True, back=False)
        ):
            yield *steps, Action("eliminate", (unit.id,), battle=fight.number)


@breaker.breaks("13b", "attack")
def a_full_unit_becomes_a_battlegroup_at_once(moment: Moment) -> Broken:
    """Its battlegroup enters although the unit has only been reduced."""
    for fight, _, unit in _full(moment):
        steps = rolled(moment, fight, hit=True, back=True)
        for group in moment.position.at(f"{unit.side}-pool") if steps else ():
            if group.counter.kind == "battlegroup":
                loss = Action("lose", (unit.id,), battle=fight.number)
                yield *steps, loss, Action("battlegroup", (group.id,), target=unit.where, battle=fight.number)


@breaker.breaks("14f", "attack")
def a_missed_lone_asset_is_eliminated(moment: Moment) -> Broken:
    """It only has to retreat, and can."""
    found = declared(moment)
    if found is None or found[1]:
        return
    fight, board = found[0], Board.of(moment.position)
    steps = rolled(moment, fight, hit=False, back=None)
    for asset in board.at(fight.target, fight.enemy, "support") if steps else ():
        if can_leave(board, asset):
            yield *steps, Action("eliminate", (asset.id,), battle=fight.number)


@breaker.breaks("14a", "attack")
def an_asset_stays_where_its_unit_was_beaten(moment: Moment) -> Broken:
    for fight, _, unit in _full(moment):
        board = Board.of(moment.position)
        assets = board.at(fight.target, fight.enemy, "support")
        steps = rolled(moment, fight, hit=True, back=False)
        if steps and assets and all(can_leave(board, asset) for asset in assets):
            for path in _paths(board, unit):
                loss = Action("lose", (unit.id,), battle=fight.number)
                retreat = Action("retreat", (unit.id,), path, battle=fight.number)
                yield from left_as_it_is(moment, fight, *steps, loss, retreat)
