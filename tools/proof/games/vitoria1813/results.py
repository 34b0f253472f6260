"""Breaches in results: what a die requires is not done, or more is done than it requires."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import CROSSED, RETREAT_ENDED_IN, STEPS_DUE
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.facts import (
    ARMS,
    enemy,
    is_empty,
    is_open,
    party,
    rolled,
    stack,
    units,
    zone_of,
)

breaker = Breaker()
TURN = Action(NEXT.name)
TWO, ROUT = 2, 5


@breaker.breaks("7.4a", "lose")
def a_step_too_many(moment: Moment) -> Broken:
    for fight, side, demanded in rolled(moment.position):
        piece = moment.position.pieces[moment.action.piece]
        due = next((int(code) for code in demanded.split() if code.isdigit()), 0)
        if piece.side == side and piece.id in party(fight, side) and piece.steps > due + 1 and not fight.lost:
            yield (Action("lose", (piece.id,), words=(str(due + 1),), battle=fight.number),)


@breaker.breaks("7.4a", "lose")
def no_step_is_lost(moment: Moment) -> Broken:
    """Not the step for a zone of control, but the first one of a result."""
    action, position = moment.action, moment.position
    for fight, side, demanded in rolled(position):
        due = any(code.isdigit() for code in demanded.split())
        mine = action.battle == fight.number and action.piece in party(fight, side)
        if mine and due and position.pieces[action.piece].side == side and not fight.lost:
            yield (TURN,)


@breaker.breaks("6.1f", "lose", "retreat", "next")
def firing_units_lose(moment: Moment) -> Broken:
    for fight, side, _ in rolled(moment.position):
        for name in fight.attackers if fight.is_fire and side == fight.side else ():
            if moment.position.pieces[name].steps > 1:
                yield (Action("lose", (name,), words=("1",), battle=fight.number),)


@breaker.breaks("7.4b", "retreat")
def no_unit_retreats(moment: Moment) -> Broken:
    if moment.position.pieces[moment.action.piece].counter.kind in ARMS[:2]:
        yield (TURN,)


@breaker.breaks("6.2b", "retreat")
def the_battery_stays(moment: Moment) -> Broken:
    position = moment.position
    piece = position.pieces[moment.action.piece]
    for fight, side, _ in rolled(moment.position):
        mates = [name for name in fight.gone if name in party(fight, side)]
        if piece.counter.kind == "artillery" and piece.side == side and mates:
            yield (TURN,)


@breaker.breaks("7.4b", "retreat")
def too_far_back(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    piece = position.pieces[moment.action.piece]
    for fight, side, demanded in rolled(moment.position):
        due = [int(code[1]) for code in demanded.split() if code in ("R1", "R2")]
        if piece.side != side or not due or piece.counter.kind == "general":
            continue
        for there in grid.within(piece.where, due[0] + 2):
            if grid.distance(piece.where, there) == due[0] + 2 and is_empty(position, there):
                path = (piece.where, there)
                yield (Action("retreat", (piece.id,), path, dragged=True, battle=fight.number),)


@breaker.breaks("4.5c", "retreat", walked=True)
def a_retreat_without_cause(moment: Moment) -> Broken:
    """Also no retreat of a unit that another one has crossed."""
    position, action = moment.position, moment.action
    side = position.pieces[action.piece].side
    fought = {name for fight in position.battles for name in fight.attackers}
    fought |= {name for fight in position.battles if isinstance(fight, Fight) for name in fight.defenders}
    for where in () if action.dragged else action.path[1:-1]:
        near = position.game.map.grid.neighbours(where)
        free = [there for there in near if is_open(position, where, there) and is_empty(position, there)]
        for piece in stack(position, where, side) if free else ():
            if piece.id not in fought:
                path = (where, free[0])
                yield action, Action("retreat", (piece.id,), path, dragged=True, battle=action.battle)


@breaker.breaks("7.4d", "eliminate")
def one_is_left(moment: Moment) -> Broken:
    piece = moment.position.pieces[moment.action.piece]
    for _, side, demanded in rolled(moment.position):
        if "E" in demanded.split() and piece.side == side and piece.counter.kind in ARMS:
            yield (TURN,)


@breaker.breaks("7.4c", "rout")
def a_rout_too_short(moment: Moment) -> Broken:
    """So short that no path of the full length ends there.

    Each hex of a rout leads farther from at least one enemy and nearer to none; no path leads farther from an
    enemy than its length. So a rout of five hexes cannot end where the number of enemy hexes times the
    distance is less than five.
    """
    action, position = moment.action, moment.position
    if len(action.path) != ROUT + 1:
        return
    for fight, side, _ in rolled(position):
        opponents = {fight.stood[name] for name in party(fight, enemy(side)) if name in fight.stood}
        if (
            action.piece not in party(fight, side)
            or position.pieces[action.piece].side != side
            or not opponents
        ):
            continue
        short = action.path[: (ROUT - 1) // len(opponents) + 1]
        if len(short) > 1 and not position.game.map.grid.edges(short[-1]) and is_empty(position, short[-1]):
            path = (short[0], short[-1])
            yield (Action("rout", action.pieces, path, dragged=True, battle=action.battle),)


@breaker.breaks("7.5c", "advance")
def a_unit_without_part_advances(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for fight, _, _ in rolled(moment.position):
        end = moment.action.end
        for piece in units(position, position.pieces[moment.action.piece].side, ("infantry", "cavalry")):
            involved = {*fight.attackers, *fight.defenders}
            if piece.id not in involved and grid.are_neighbours(piece.where, end) and not piece.states:
                path = (piece.where, end)
                yield (Action("advance", (piece.id,), path, dragged=True, battle=fight.number),)


@breaker.breaks("7.6", "lose")
def no_step_for_a_zone(moment: Moment) -> Broken:
    """For a general who certainly entered a zone, because he is in it."""
    position, piece = moment.position, moment.position.pieces[moment.action.piece]
    due = position.note(STEPS_DUE, piece.id) is not None
    if due and zone_of(position, piece.where, enemy(piece.side)):
        yield (TURN,)


@breaker.breaks("7.5m", "pursue")
def no_pursuit(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("4.5d", "displace")
def no_unit_makes_room(moment: Moment) -> Broken:
    position = moment.position
    where = position.pieces[moment.action.piece].where
    if len(stack(position, where)) > 2 and not position.note(RETREAT_ENDED_IN, where):
        yield (TURN,)


@breaker.breaks("4.5d", "displace")
def pushed_out_two_hexes(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    name, here = moment.action.piece, position.pieces[moment.action.piece].where
    for there in grid.within(here, TWO) if position.note(CROSSED, name) is None else ():
        if grid.distance(here, there) == TWO and is_empty(position, there):
            yield (evolve(moment.action, path=(here, there), dragged=True),)


@breaker.breaks("7.5l", "displace")
def no_unit_is_pushed_out(moment: Moment) -> Broken:
    position = moment.position
    where = position.pieces[moment.action.piece].where
    if len(stack(position, where)) > 2:
        yield (TURN,)
