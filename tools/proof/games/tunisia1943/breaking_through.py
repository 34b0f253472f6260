"""Breaches in breakthroughs, stacking, the sequence of play and supply lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece
from referee.games.tunisia1943.notes import ACTED, BREAKTHROUGH, TRAIL
from tools.oracles.games.tunisia1943.board import TIGERS, Board
from tools.oracles.games.tunisia1943.fighting import passes
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.games.tunisia1943.attempts import attempted
from tools.proof.games.tunisia1943.facts import (
    UNIT,
    enemy,
    is_armour,
    is_controlled,
    is_held,
    is_sea,
    units,
)
from tools.proof.games.tunisia1943.fights import led_up_to
from tools.proof.games.tunisia1943.legal_actions import done
from tools.proof.games.tunisia1943.moving import movers
from tools.proof.games.tunisia1943.paying import Spending

breaker = Breaker()
FEW = 8


def halted(moment: Moment) -> Iterator[Piece]:
    """Armour that has just entered a zone of control, with no current breakthrough."""
    position = moment.position
    if position.phase != "movement" or position.note(BREAKTHROUGH) is not None:
        return
    for piece in units(position, position.side):
        trail = position.note(TRAIL, piece.id)
        entered = trail is not None and trail.stopped and not trail.since and trail.start != piece.where
        if is_armour(piece) and entered and is_controlled(position, piece.where, enemy(piece.side)):
            yield piece


def declare(goal: str, *pieces: Piece) -> tuple[Action, ...]:
    """A breakthrough of pieces."""
    return (Action("break through", tuple(piece.id for piece in pieces), target=goal),)


def halts(moment: Moment) -> Iterator[tuple[tuple[Action, ...], Moment]]:
    """Steps after armour has entered a zone of control, with its move."""
    position, board = moment.position, Board(moment.position)
    armour = [piece for piece in movers(moment) if is_armour(piece)]
    for piece in armour[:FEW]:
        for there in board.around(piece.where):
            if board.is_controlled(piece.side, there) and there in Spending(position, piece).ends():
                moved = done(position, Action("move", (piece.id,), (piece.where, there)))
                steps = (moved, done(moved.after, Action(NEXT.name)))
                yield (moved.action,), Moment(steps, 1, moment.rng)


def after_a_halt(clause: str, *verbs: str) -> Callable[[Mutate], Mutate]:
    """Register a mutator for what follows when armour enters a zone of control."""
    return led_up_to(breaker, clause, verbs, ("move", "next"), halts)


@after_a_halt("4.3d", "break through", "move", "next")
def through_to_a_hex_that_the_enemy_holds(moment: Moment) -> Broken:
    position = moment.position
    for piece in halted(moment):
        for goal in position.game.map.grid.neighbours(piece.where):
            if is_held(position, goal, enemy(piece.side)):
                yield declare(goal, piece)


@after_a_halt("4.3b", "break through", "move", "next")
def a_companion_from_elsewhere(moment: Moment) -> Broken:
    position = moment.position
    for piece in halted(moment):
        trail = position.note(TRAIL, piece.id)
        for other in position.at(piece.where):
            strange = other.counter.kind == "unit" and other.id != piece.id and not is_armour(other)
            began = position.note(TRAIL, other.id)
            start = began.start if began is not None else other.where
            if strange and trail is not None and start != trail.start:
                for goal in position.game.map.grid.neighbours(piece.where):
                    if not position.at(goal) and not is_sea(position, goal):
                        yield declare(goal, piece, other)


@breaker.breaks("4.3c", "move", "next")
def armour_breaks_through_that_moved_before(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "movement":
        return
    for piece in units(position, position.side):
        trail = position.note(TRAIL, piece.id)
        stopped = is_armour(piece) and trail is not None and trail.stopped
        since = [position.pieces[name] for name in trail.since] if trail is not None and stopped else []
        if any(other.where != piece.where for other in since):  # a unit with it may have come along
            for goal in position.game.map.grid.neighbours(piece.where):
                if not position.at(goal) and not is_sea(position, goal):
                    yield declare(goal, piece)


@breaker.breaks("4.3a", "exploit")
def a_breakthrough_in_exploitation(moment: Moment) -> Broken:
    """Not as the first action of the step: it may be a movement with the turn track advanced late."""
    position = moment.position
    for piece in units(position, position.side)[:20] if moment.did() else ():
        near = is_controlled(position, piece.where, enemy(piece.side))
        for goal in position.game.map.grid.neighbours(piece.where) if is_armour(piece) and near else ():
            if not position.at(goal) and not is_sea(position, goal) and position.phase == "exploitation":
                yield declare(goal, piece)


@after_a_halt("5.1d", "break through", "move", "next")
def through_into_a_full_hex(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for piece in halted(moment):
        for goal in position.game.map.grid.neighbours(piece.where):
            if is_held(position, goal, piece.side) and not board.room(goal, piece):
                yield declare(goal, piece)


@attempted(breaker, "4.3i", "stop with", "next", "move")
def armour_that_was_stopped_goes_on(moment: Moment) -> Broken:
    position = moment.position
    attempt = position.note(BREAKTHROUGH)
    if attempt is None or not attempt.total or attempt.waived or position.phase != "movement":
        return
    armour, board = position.pieces[attempt.armour], Board(position)
    if armour.where != attempt.at:
        return
    near = [position.pieces[name] for name in board.controllers(armour.side, armour.where)]
    tiger = armour.id in TIGERS
    stopped = [one for one in near if one.id not in TIGERS and passes(board, one, attempt.total, int(tiger))]
    if stopped and not position.at(attempt.goal):
        yield (Action("move", (armour.id,), (attempt.at, attempt.goal)),)


@attempted(breaker, "4.3l", "stop with", "next", "move")
def stopped_by_a_unit_that_failed(moment: Moment) -> Broken:
    position = moment.position
    attempt = position.note(BREAKTHROUGH)
    if attempt is None or not attempt.passed or attempt.stopper:
        return
    far = [one for one in units(position, enemy(position.side)) if one.id not in attempt.passed]
    for piece in far:
        if position.game.map.grid.distance(piece.where, attempt.at) > 1:
            yield (Action("stop with", (piece.id,)),)


@attempted(breaker, "4.3f", "roll breakthrough", "stop with")
def the_test_rolled_again(moment: Moment) -> Broken:
    position, rng = moment.position, moment.rng
    attempt = position.note(BREAKTHROUGH)
    if attempt is not None and attempt.total:
        yield (Action("roll breakthrough", dice=(rng.randint(1, 6), rng.randint(1, 6))),)


@breaker.breaks("5.1a", "next")
def three_units_in_a_hex(moment: Moment) -> Broken:
    position, grid, board = moment.position, moment.position.game.map.grid, Board(moment.position)
    for piece in list(movers(moment))[:25]:
        if is_controlled(position, piece.where, enemy(piece.side)) or piece.id in TIGERS:
            continue
        for there in grid.neighbours(piece.where):
            roads = position.game.map.roads_across(piece.where, there)
            full = len(board.at(there, piece.side, "unit")) > 1 and not board.room(there, piece)
            if roads and full:
                yield (Action("move", (piece.id,), (piece.where, there)), Action(NEXT.name))


@breaker.breaks("C1.5", "move", "next")
def two_allied_units_in_a_hex(moment: Moment) -> Broken:
    position, grid, board = moment.position, moment.position.game.map.grid, Board(moment.position)
    early = position.scenario.id == "campaign1" and position.turn < 3 and position.side == "allied"
    for piece in list(movers(moment))[:25] if early else ():
        for there in grid.neighbours(piece.where):
            near = is_controlled(position, piece.where, "axis") and is_controlled(position, there, "axis")
            one = len(board.at(there, "allied", "unit")) == 1
            if one and not near and position.game.map.roads_across(piece.where, there):
                yield (Action("move", (piece.id,), (piece.where, there)), Action(NEXT.name))


@breaker.breaks("1a", "sustain", "next", "move")
def the_second_side_begins(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    first = position.world.calendar.order[0]
    if position.side != first or position.note(ACTED, first) or position.phase != "movement":
        return
    for piece in units(position, enemy(first))[:10]:
        for there in grid.neighbours(piece.where):
            if not position.at(there) and not is_sea(position, there):
                yield (Action("move", (piece.id,), (piece.where, there)),)


@breaker.breaks("1c", "exploit", "next")
def a_unit_moves_after_combat(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    if position.phase != "supply":
        return
    for piece in units(position, position.side)[:20]:
        for there in grid.neighbours(piece.where):
            if not position.at(there) and not is_sea(position, there):
                yield (Action("exploit", (piece.id,), (piece.where, there)),)


@breaker.breaks("S.1", "move", "sustain", "next")
def set_up_elsewhere(moment: Moment) -> Broken:
    position = moment.position
    if position.clock != position.world.calendar.find(1, "sustain", position.world.calendar.order[0]):
        return
    fixed = [one for one in position.scenario.setup if one.at in position.game.map.grid]
    for one in moment.rng.sample(fixed, 5):
        land = [at for at in position.game.map.grid.names if not position.at(at) and not is_sea(position, at)]
        if len(one.counters) == 1 and position.pieces[one.counters[0]].counter.kind == UNIT:
            far = [at for at in land if position.game.map.grid.distance(at, one.at) > 25]
            yield from ((Action("deploy", one.counters, target=at),) for at in far[:1])
