"""Breaches after a breakthrough test: moving on too far or too expensively, and compulsory attacks."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.notes import BOUND, BREAKTHROUGH, TRAIL, WAS_ATTACKED, Breakthrough
from tools.oracles.games.tunisia1943.board import TIGERS, Board
from tools.oracles.games.tunisia1943.fighting import passes
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.attacking import attack, attacks_of, strong
from tools.proof.games.tunisia1943.attempts import attempted
from tools.proof.games.tunisia1943.facts import enemy, is_held, is_sea
from tools.proof.games.tunisia1943.legal_actions import left

breaker = Breaker()
ON = Action(NEXT.name)
ANSWERED = ("move", "stop with", "next")
COMBAT = ("attack", "next", "lose", "retreat", "roll combat")


def current(position: Position) -> Breakthrough | None:
    """The breakthrough that was answered, while the armour is still in the hex where it was declared."""
    attempt = position.note(BREAKTHROUGH)
    if attempt is None or not attempt.is_answered or position.phase != "movement":
        return None
    return attempt if position.pieces[attempt.armour].where == attempt.at else None


def passing_units(position: Position, attempt: Breakthrough) -> list[Piece]:
    """The units whose cohesion passes the rolled test, without Tigers [4.3f]."""
    armour, board = position.pieces[attempt.armour], Board(position)
    near = [position.pieces[name] for name in board.controllers(armour.side, armour.where)]
    tiger = armour.id in TIGERS
    return [one for one in near if one.id not in TIGERS and passes(board, one, attempt.total, int(tiger))]


def is_through(position: Position, attempt: Breakthrough) -> bool:
    """Return whether no unit stops a breakthrough."""
    board, armour = Board(position), position.pieces[attempt.armour]
    hexes = [position.pieces[name].where for name in board.controllers(armour.side, armour.where)]
    tigers = any(board.position.pieces[name].where in hexes for name in TIGERS)
    return attempt.waived or not (tigers or passing_units(position, attempt))


@attempted(breaker, "4.3h", *ANSWERED)
def on_from_zone_to_zone_after_a_breakthrough(moment: Moment) -> Broken:
    position, attempt = moment.position, current(moment.position)
    if attempt is None or not is_through(position, attempt):
        return
    board, armour = Board(position), position.pieces[attempt.armour]
    costs = board.cost(attempt.at, attempt.goal)
    if not board.is_controlled(armour.side, attempt.goal) or position.at(attempt.goal):
        return
    for beyond in board.around(attempt.goal):
        free = not position.at(beyond) and not is_sea(position, beyond)
        far = board.distance(attempt.at, beyond) == 2
        if free and far and costs + board.cost(attempt.goal, beyond) <= left(position, armour):
            yield (Action("move", (armour.id,), (attempt.at, attempt.goal, beyond)),)


@attempted(breaker, "4.3g", *ANSWERED)
def a_companion_goes_through_without_points(moment: Moment) -> Broken:
    position, attempt = moment.position, current(moment.position)
    if attempt is None or not is_through(position, attempt) or position.at(attempt.goal):
        return
    for name in attempt.pieces:
        piece = position.pieces[name]
        dear = left(position, piece) < Board(position).cost(attempt.at, attempt.goal)
        trail = position.note(TRAIL, name)
        back = trail is not None and trail.start == attempt.goal
        if name != attempt.armour and piece.where == attempt.at and dear and not back:
            yield (Action("move", (name,), (attempt.at, attempt.goal)),)


@attempted(breaker, "12g", *ANSWERED)
def past_a_tiger_and_its_stack(moment: Moment) -> Broken:
    position, attempt = moment.position, current(moment.position)
    if attempt is None or attempt.waived or not attempt.total or passing_units(position, attempt):
        return
    board, armour = Board(position), position.pieces[attempt.armour]
    near = board.controllers(armour.side, armour.where)
    tigers = {position.pieces[name].where for name in TIGERS} - {""}
    shielded = [name for name in near if name not in TIGERS and position.pieces[name].where in tigers]
    if shielded and not position.at(attempt.goal):
        yield (Action("move", (armour.id,), (attempt.at, attempt.goal)),)


@breaker.breaks("12b", "move", "next")
def two_tigers_with_two_units_in_a_hex(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    if position.phase != "movement" or position.side != "axis":
        return
    for name, other in (TIGERS, TIGERS[::-1]):
        piece, there = position.pieces[name], position.pieces[other].where
        beside = piece.where in board.map.hexes and there in board.around(piece.where)
        free = (TRAIL, name) not in position.notes and "out-of-supply" not in piece.states
        near = beside and board.is_controlled("axis", piece.where) and board.is_controlled("axis", there)
        if beside and free and not near and len(board.at(there, "axis", "unit")) == 3:
            yield (Action("move", (name,), (piece.where, there)), ON)


def bound_armour(position: Position) -> Iterator[tuple[Piece, list[str]]]:
    """Armour that was stopped and has not attacked, with the hexes that it may attack [4.3j]."""
    fought = {name for one in attacks_of(position) for name in one.attackers}
    grid = position.game.map.grid
    for name, bound in position.noted(BOUND).items():
        piece = position.pieces[name]
        if position.phase != "combat" or name in fought:
            continue
        hexes = {position.pieces[one].where for one in bound.targets}
        near = [at for at in hexes if at in grid and grid.are_neighbours(piece.where, at)]
        open_ = [
            at for at in near if not any((WAS_ATTACKED, one.id) in position.notes for one in position.at(at))
        ]
        if near and open_ == near:
            yield piece, near


@breaker.breaks("4.3j", *COMBAT)
def stopped_armour_does_not_attack(moment: Moment) -> Broken:
    if any(True for _ in bound_armour(moment.position)):
        yield (ON,)


@breaker.breaks("4.3j", *COMBAT)
def stopped_armour_attacks_another_unit(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece, hexes in bound_armour(position):
        for there in grid.neighbours(piece.where):
            hurt = any((WAS_ATTACKED, one.id) in position.notes for one in position.at(there))
            is_enemy = is_held(position, there, enemy(piece.side)) and there not in hexes
            if is_enemy and not hurt and strong(position, there, (piece,)):
                yield attack(there, (piece,))
