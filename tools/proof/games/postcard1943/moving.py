"""Breaches in movement: paths that keep every rule except one."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.postcard1943.notes import TRAIL
from tools.oracles.games.postcard1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.facts import enemy, stack, units
from tools.proof.games.postcard1943.literal_paths import BARS, BUDGET, STEPS, Walk, walks

breaker = Breaker()
STOPS = ("terrain.6", "move.10")
"""The clauses by which units must stop in a hex."""


def _that_break(moment: Moment, clause: str, beside: str = "") -> Broken:
    """Paths that break a clause that bars steps, and nothing else, or nothing but another given clause.

    No path to the same hex may break another clause: through a swamp, with a roll that the log does not
    contain, or past the enemy.
    """
    for walk in walks(moment, clause):
        barred_by = walk.barred_by()
        if clause not in barred_by or not barred_by <= {clause, beside} or walk.costs_too_much():
            continue
        if clause == "terrain.6" or not any(map(walk.gets_there, _others(clause))):
            yield (Action("move", (walk.unit.id,), walk.path),)


def _too_costly(moment: Moment, clause: str) -> Broken:
    """Paths that cost too much because of a clause and would not without it; for move.1, if they cost too
    much anyway.

    A log may show only their start and end, so no other clause alone may bar them.
    """
    for walk in walks(moment, clause):
        if walk.barred_by() or not walk.costs_too_much():
            continue
        reason = next((other for other in BUDGET if not walk.costs_too_much(other)), "move.1")
        if reason == clause == next((other for other in (BARS, *BUDGET) if walk.gets_there(other)), "move.1"):
            yield (Action("move", (walk.unit.id,), walk.path),)


def _others(clause: str) -> tuple[str, ...]:
    """Other clauses that a log seems to break if it shows only the start and end of the path."""
    if clause == "move.5":  # besides, move.4 is broken, and so by a path of many steps
        return ("", *STOPS, *BUDGET)
    return ("", STEPS, "terrain.6", *BUDGET) if clause == "move.10" else STOPS


breaker.alike(
    _too_costly,
    ("move", "next"),
    farther_than_its_mfs=("move.1", "move.1"),
    fast_on_roads_that_is_not_mobile=("move.2", "move.2"),
    crosses_for_nothing=("move.8", "move.8"),
    fast_next_to_the_enemy=("move.11", "move.11"),
    full_mfs_without_supply=("supply.5", "supply.5"),
    entry_hex_not_paid=("reinf.4", "reinf.4"),
)


@breaker.breaks("move.10", "move")
def goes_on_next_to_the_enemy(moment: Moment) -> Broken:
    """After a move that ended next to the enemy."""
    action, after = moment.action, moment.step.after
    if action.dragged or len(action.pieces) > 1 or action.end in ("", action.path[0]):
        return
    board, unit = Board.of(after), after.pieces[action.piece]
    if board.is_swamp(action.end) or not board.threats(unit.side, action.end):
        return
    for there in board.around(action.end):
        walk = Walk(moment.position, unit.id, (*action.path, there))
        if walk.costs_too_much() or any(map(walk.gets_there, _others("move.10"))):
            continue
        if board.crosses(unit, action.end, there) and not board.is_held_against(unit.side, there):
            yield action, Action("move", (unit.id,), (action.end, there))


breaker.alike(
    _that_break,
    ("move", "next"),
    armour_over_hills=("move.4", "move.4"),
    # Where no road crosses it there are hills all along as well.
    armour_over_the_river=("move.5", "move.5", "move.4"),
    new_zealanders_over_hills=("terrain.8", "terrain.8"),
    over_high_mountains=("move.15", "move.15"),
    stops_a_hex_too_late=("move.10", "move.10"),
    through_a_swamp=("terrain.6", "terrain.6"),
)


@breaker.breaks("terrain.6", "roll swamp", shown=False)
def rolls_twice_for_a_swamp(moment: Moment) -> Broken:
    yield moment.action, moment.action


@breaker.breaks("supply.6", "move", "next", shown=False)
def into_supply_and_on(moment: Moment) -> Broken:
    """Half its MFs are spent to get into supply, and then more than that half.

    In a log that is one move of a unit with half its MFs, supply.5.
    """
    for walk in walks(moment, "supply.6"):
        unit, path = walk.unit, walk.path
        if len(path) < 3 or walk.barred_by():
            continue
        first = evolve(walk, path=path[:-1])
        there = Board.of(walk.position).supply(unit, path[-2]) == "in supply"
        if (
            there
            and not first.costs_too_much()
            and walk.costs_too_much()
            and not walk.costs_too_much("supply.5")
            and walk.costs_too_much("move.8")
        ):
            yield Action("move", (unit.id,), path[:-1]), Action("move", (unit.id,), path[-2:])


def _steps_of(position: Position, piece: Piece) -> Iterator[Action]:
    board = Board.of(position)
    for there in board.around(piece.where):
        if board.crosses(piece, piece.where, there) and not board.is_held_against(piece.side, there):
            yield Action("move", (piece.id,), (piece.where, there))


def _one_moves_who_may_not(moment: Moment, state: str) -> Broken:
    """A unit in a state, or, if none is named, one of the other side in no state."""
    position = moment.position
    side = position.side if state else enemy(position.side)
    for piece in units(position, side) if position.phase == "movement" else ():
        if piece.is_(state) if state else not piece.states:
            yield from ((step,) for step in _steps_of(position, piece))


breaker.alike(
    _one_moves_who_may_not,
    ("move", "next"),
    a_disrupted_unit_moves=("disrupt.1", "disrupted"),
    a_stuck_unit_moves=("terrain.7", "stuck"),
    the_other_side_moves=("seq.2", ""),
)


@breaker.breaks("seq.3", "attack", "next")
def moves_after_an_attack(moment: Moment) -> Broken:
    """By a unit that did not fight, somewhere else; otherwise the move may be a wrong advance."""
    position = moment.position
    rolled = moment.did("roll combat")
    fighting = {name for battle in position.battles for name in battle.attackers}
    fought_over = {battle.target for battle in position.battles}
    if position.phase == "combat" and rolled:
        for piece in units(position, position.side):
            if not piece.states and piece.id not in fighting:
                yield from ((step,) for step in _steps_of(position, piece) if step.end not in fought_over)


def _overfull(moment: Moment, too_many: bool) -> Broken:
    position = moment.position
    if position.phase != "movement":
        return
    for piece in units(position, position.side):
        if piece.states or (TRAIL, piece.id) in position.notes or not piece.counter.stack:
            continue
        for step in _steps_of(position, piece):
            there = [friend for friend in stack(position, step.end) if friend.counter.stack]
            weight = sum(friend.counter.stack for friend in there) + piece.counter.stack
            if weight > 3 and there and (len(there) + 1 > 3) == too_many:
                yield step, Action("next")


breaker.alike(
    _overfull,
    ("move", "next"),
    four_units_in_a_hex=("stack.1", True),
    a_corps_too_many=("stack.2", False),
)
