"""Results broken: what a die demands is not done, or more than it demands."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece
from referee.games.vitoria1813.battle import Fight
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.plain import ARMS, commands, generals, is_empty, is_open, stack, units

breaker = Breaker()
TURN = Action(NEXT.name)


def _thrown(moment: Moment) -> Iterator[tuple[Fight, str, str]]:
    """The last combat with a die, and for each side its part of the result."""
    found = [one for one in moment.position.battles if isinstance(one, Fight) and one.rolled]
    for fight in found[-1:]:
        attackers, _, defenders = fight.given.partition("|")
        yield fight, fight.side, "-" if fight.is_fire else attackers
        yield fight, fight.enemy, defenders


def _party(fight: Fight, side: str) -> tuple[str, ...]:
    return fight.attackers if side == fight.side else fight.defenders


@breaker.breaks("7.4a", "lose")
def a_step_too_many(moment: Moment) -> Broken:
    for fight, side, demanded in _thrown(moment):
        piece = moment.position.pieces[moment.action.piece]
        due = next((int(code) for code in demanded.split() if code.isdigit()), 0)
        if (
            piece.side == side
            and piece.id in _party(fight, side)
            and piece.steps > due + 1
            and not fight.lost
        ):
            yield (Action("lose", (piece.id,), words=(str(due + 1),), battle=fight.number),)


@breaker.breaks("7.4a", "lose")
def no_step_is_lost(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("6.1f", "lose", "retreat", "next")
def those_who_fire_lose(moment: Moment) -> Broken:
    for fight, side, _ in _thrown(moment):
        for name in fight.attackers if fight.is_fire and side == fight.side else ():
            if moment.position.pieces[name].steps > 1:
                yield (Action("lose", (name,), words=("1",), battle=fight.number),)


@breaker.breaks("7.4b", "retreat")
def nobody_retreats(moment: Moment) -> Broken:
    if moment.position.pieces[moment.action.piece].counter.kind in ARMS[:2]:
        yield (TURN,)


@breaker.breaks("6.2b", "retreat")
def the_battery_stays(moment: Moment) -> Broken:
    position = moment.position
    piece = position.pieces[moment.action.piece]
    for fight, side, _ in _thrown(moment):
        mates = [name for name in fight.gone if name in _party(fight, side)]
        if piece.counter.kind == "artillery" and piece.side == side and mates:
            yield (TURN,)


@breaker.breaks("7.4b", "retreat")
def too_far_back(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    piece = position.pieces[moment.action.piece]
    for fight, side, demanded in _thrown(moment):
        due = [int(code[1]) for code in demanded.split() if code in ("R1", "R2")]
        if piece.side != side or not due or piece.counter.kind == "general":
            continue
        for there in grid.within(piece.where, due[0] + 2):
            if grid.distance(piece.where, there) == due[0] + 2 and is_empty(position, there):
                way = (piece.where, there)
                yield (Action("retreat", (piece.id,), way, dragged=True, battle=fight.number),)


@breaker.breaks("4.5c", "lose")
def a_retreat_without_cause(moment: Moment) -> Broken:
    position = moment.position
    for fight, side, _ in _thrown(moment):
        involved = {*fight.attackers, *fight.defenders}
        for piece in units(position, side, ("infantry",)):
            near = position.game.map.grid.neighbours(piece.where)
            free = [
                there for there in near if is_open(position, piece.where, there) and is_empty(position, there)
            ]
            if piece.id not in involved and free and side == fight.enemy:
                way = (piece.where, free[0])
                yield (Action("retreat", (piece.id,), way, dragged=True, battle=fight.number),)


@breaker.breaks("7.4d", "eliminate")
def one_is_left(moment: Moment) -> Broken:
    piece = moment.position.pieces[moment.action.piece]
    for _, side, demanded in _thrown(moment):
        if "E" in demanded.split() and piece.side == side and piece.counter.kind in ARMS:
            yield (TURN,)


@breaker.breaks("7.4c", "rout")
def a_rout_too_short(moment: Moment) -> Broken:
    action = moment.action
    if len(action.path) == 6:
        grid = moment.position.game.map.grid
        short = action.path[:4]
        if not grid.edges(short[-1]) and is_empty(moment.position, short[-1]):
            way = (short[0], short[-1])
            yield (Action("rout", action.pieces, way, dragged=True, battle=action.battle),)


@breaker.breaks("7.8a", "mark rout")
def a_rout_without_a_marker(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("7.5c", "advance")
def who_took_no_part_advances(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for fight, _, _ in _thrown(moment):
        end = moment.action.end
        for piece in units(position, position.pieces[moment.action.piece].side, ("infantry", "cavalry")):
            involved = {*fight.attackers, *fight.defenders}
            if piece.id not in involved and grid.are_neighbours(piece.where, end) and not piece.states:
                way = (piece.where, end)
                yield (Action("advance", (piece.id,), way, dragged=True, battle=fight.number),)


@breaker.breaks("7.6", "lose")
def no_step_for_a_zone(moment: Moment) -> Broken:
    if moment.position.note("owes step", moment.action.piece, int) is not None:
        yield (TURN,)


@breaker.breaks("7.5m", "pursue")
def no_pursuit(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("4.5d", "displace")
def nobody_makes_room(moment: Moment) -> Broken:
    position = moment.position
    where = position.pieces[moment.action.piece].where
    if len(stack(position, where)) > 2 and not position.note("forced", where, bool):
        yield (TURN,)


@breaker.breaks("7.5l", "displace")
def nobody_is_pushed_out(moment: Moment) -> Broken:
    position = moment.position
    where = position.pieces[moment.action.piece].where
    if len(stack(position, where)) > 2:
        yield (TURN,)


@breaker.breaks("9.2a", "roll approach")
def nobody_throws_for_a_general(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("9.2e", "withdraw")
def he_stays_before_infantry(moment: Moment) -> Broken:
    position = moment.position
    by = position.note("approached", moment.action.piece, str)
    if by and position.pieces[by].counter.kind != "cavalry":
        yield (TURN,)


@breaker.breaks("9.2d", "withdraw")
def he_stays_after_the_die(moment: Moment) -> Broken:
    if moment.position.note("approach die", moment.action.piece, int):
        yield (TURN,)


@breaker.breaks("9.2f", "roll casualty")
def nobody_throws_in_melee(moment: Moment) -> Broken:
    for fight, _, _ in list(_thrown(moment))[:1]:
        if fight.die in (1, 6) and not fight.is_fire:
            yield (TURN,)


@breaker.breaks("9.2i", "roll casualty")
def nobody_throws_under_fire(moment: Moment) -> Broken:
    for fight, _, _ in list(_thrown(moment))[:1]:
        if fight.die in (1, 6) and fight.is_fire:
            yield (TURN,)


@breaker.breaks("9.2k", "disorder")
def his_fall_shakes_nobody(moment: Moment) -> Broken:
    if moment.position.noted("fell in"):
        yield (TURN,)


@breaker.breaks("7.9a", "roll rally", "recover", "next")
def no_general_of_its_own(moment: Moment) -> Broken:
    position = moment.position
    for unit in _with(moment, "routed") if position.phase == "rally" else ():
        there = [one for one in generals(position, unit.side) if one.where == unit.where]
        die = (moment.rng.randint(1, 6),)
        if not there:
            yield (Action("roll rally", (unit.id,), dice=die),)
        elif len(there) == 1 and not commands(position, there[0], (unit.id,)):
            yield (Action("roll rally", (unit.id, there[0].id), dice=die),)


@breaker.breaks("7.9c", "rally")
def rallied_and_not_unmarked(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("7.9b", "roll rally")
def unmarked_without_a_throw(moment: Moment) -> Broken:
    for piece in _with(moment, "routed"):
        if position_is_quiet(moment, piece):
            yield (Action("rally", (piece.id,)),)


def position_is_quiet(moment: Moment, piece: Piece) -> bool:
    """Tell whether nobody has thrown for a unit."""
    return moment.position.note("rally die", piece.id, int) is None


@breaker.breaks("2e", "move", "attack")
def disorder_taken_off_too_late(moment: Moment) -> Broken:
    if moment.position.phase == "combat" or moment.position.noted("trail"):
        yield from ((Action("recover", (piece.id,)),) for piece in _with(moment, "disordered")[:3])


@breaker.breaks("7.7d", "recover", "next")
def disorder_taken_off_too_soon(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "rally":
        for piece in _with(moment, "disordered"):
            if position.note("fought", piece.id, int) == position.turn - (piece.side == "allied"):
                yield (Action("recover", (piece.id,)),)


def _with(moment: Moment, state: str) -> list[Piece]:
    position = moment.position
    found = units(position, position.side)
    return [piece for piece in found if state in piece.states and "uncontrolled" not in piece.states]


@breaker.breaks("7.8d", "flee")
def the_french_run_west(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in _with(moment, "routed") if position.side == "french" else ():
        west = [there for there in grid.neighbours(piece.where) if int(there[:2]) < int(piece.where[:2])]
        for there in west:
            if is_open(position, piece.where, there) and is_empty(position, there):
                yield (Action("flee", (piece.id,), (piece.where, there), dragged=True),)


@breaker.breaks("8a", "move", "charge")
def a_charge_without_a_run(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position, position.side, ("cavalry",)) if position.phase == "movement" else ():
        if not piece.states and ("trail", piece.id) not in position.notes:
            yield (Action("charge", (piece.id,)),)


@breaker.breaks("8c", "attack", "reveal")
def a_charge_in_the_combat_phase(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position, position.side, ("cavalry",)) if position.phase == "combat" else ():
        if not piece.states and position.battles:
            yield (Action("charge", (piece.id,)),)


@breaker.breaks("11f", "roll pillage")
def nobody_tests(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("11g", "go wild")
def out_of_control_and_yet_not(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("11j", "shift")
def the_convoy_stays(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("10d", "finish", "work")
def a_bridge_too_soon(moment: Moment) -> Broken:
    action = moment.action
    if action.verb == "work":
        word = Action("finish", action.pieces, target=action.target, words=("destroyed",))
        yield action, word
