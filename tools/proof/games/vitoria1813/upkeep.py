"""Breaches between battles: generals in danger, rallies, the convoy, bridges, claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Date
from referee.engine.position import Piece, Position
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import (
    APPROACH_DIE,
    APPROACHED,
    CASUALTY_DIE,
    FELL_IN,
    FOUGHT_ON,
    MOVED,
    PILLAGE_DIE,
    RALLY_DIE,
    SHIFTED,
    TRAIL,
)
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.facts import (
    ARMS,
    commands,
    current_dice,
    enemy,
    generals,
    is_empty,
    is_fresh,
    is_open,
    stack,
    steps_out,
    units,
    zone_of,
)

breaker = Breaker()
TURN = Action(NEXT.name)
KILLED, NEUTRALISED, OFF = 6, 5, 2
WILD, TAME, MARCH = 6, 1, 2


def _marches(moment: Moment, goals: Iterable[Piece], *arms: str) -> Iterator[tuple[Piece, Action]]:
    """Enemy counters, each with a move of two hexes over open ground by which a unit comes next to it."""
    position, grid = moment.position, moment.position.game.map.grid
    opponent = enemy(position.side)
    fresh = [piece for piece in units(position, position.side, arms) if is_fresh(position, piece)]
    for goal in goals if position.phase == "movement" else ():
        for piece in fresh:
            if grid.distance(piece.where, goal.where) != MARCH + 1 or zone_of(
                position, piece.where, opponent
            ):
                continue
            for first in steps_out(position, piece):
                ends = [
                    there
                    for there in grid.neighbours(first)
                    if grid.are_neighbours(there, goal.where)
                    and is_open(position, first, there)
                    and is_open(position, there, goal.where)
                    and is_empty(position, there)
                ]
                near = grid.distance(first, goal.where) == MARCH
                if ends and near and not zone_of(position, first, opponent):
                    yield goal, Action("move", (piece.id,), (piece.where, first, ends[0]))
                    break


def _lone_generals(moment: Moment) -> list[Piece]:
    """The enemy's generals without units that no unit has come next to."""
    position = moment.position
    return [
        general
        for general in generals(position, enemy(position.side))
        if not stack(position, general.where) and (APPROACHED, general.id) not in position.notes
    ]


@breaker.breaks("9.2a", "move", "enter", walked=True)
def no_roll_for_a_general(moment: Moment) -> Broken:
    for _, ride in _marches(moment, _lone_generals(moment), "cavalry"):
        yield ride, TURN


@breaker.breaks("9.2e", "move", "enter", walked=True)
def he_stays_before_infantry(moment: Moment) -> Broken:
    for _, march in _marches(moment, _lone_generals(moment), "infantry"):
        yield march, TURN


@breaker.breaks("9.2d", "move", "enter", walked=True)
def he_stays_after_the_die(moment: Moment) -> Broken:
    for general, ride in _marches(moment, _lone_generals(moment), "cavalry"):
        yield ride, Action("roll approach", (general.id,), dice=(OFF,)), TURN


@breaker.breaks("9.2f", "roll casualty")
def no_roll_in_melee(moment: Moment) -> Broken:
    fight = _fight_of_the_roll(moment)
    if fight is not None and fight.die in (1, 6) and not fight.is_fire:
        yield (TURN,)


@breaker.breaks("9.2i", "roll casualty")
def no_roll_under_fire(moment: Moment) -> Broken:
    fight = _fight_of_the_roll(moment)
    if fight is not None and fight.die in (1, 6) and fight.is_fire:
        yield (TURN,)


def _fight_of_the_roll(moment: Moment) -> Fight | None:
    """The combat for which a general's die is rolled."""
    number = moment.action.battle
    found = [one for one in moment.position.battles if isinstance(one, Fight) and one.rolled]
    return next((one for one in reversed(found) if number in (0, one.number)), None)


@breaker.breaks("9.2k", "disorder")
def his_fall_shakes_no_unit(moment: Moment) -> Broken:
    """For one who is in the same state as the general's troops."""
    position, grid = moment.position, moment.position.game.map.grid
    unit = position.pieces[moment.action.piece]
    for name, where in position.noted(FELL_IN).items():
        general = position.pieces[name]
        both = general.side == unit.side and where in grid and unit.where in grid
        if both and grid.distance(str(where), unit.where) <= general.factor("range"):
            yield (TURN,)


@breaker.breaks("7.9a", "roll rally", "recover", "next")
def no_general_of_its_own(moment: Moment) -> Broken:
    position = moment.position
    for unit in _with(moment, "routed") if position.phase == "rally" else ():
        there = [one for one in generals(position, unit.side) if one.where == unit.where]
        die = (moment.rng.randint(1, 6),)
        if len(there) == 1 and not commands(position, there[0], (unit.id,)):
            yield (Action("roll rally", (unit.id, there[0].id), dice=die),)


@breaker.breaks("7.9c", "rally")
def rallied_and_not_unmarked(moment: Moment) -> Broken:
    yield (TURN,)


@breaker.breaks("7.9b", "roll rally")
def unmarked_without_a_roll(moment: Moment) -> Broken:
    for piece in _with(moment, "routed"):
        if position_is_quiet(moment, piece):
            yield (Action("rally", (piece.id,)),)


def position_is_quiet(moment: Moment, piece: Piece) -> bool:
    """Return whether no die was rolled for a unit."""
    return moment.position.note(RALLY_DIE, piece.id) is None


@breaker.breaks("2e", "move", "attack")
def disorder_taken_off_too_late(moment: Moment) -> Broken:
    if moment.position.phase == "combat" or moment.position.noted(TRAIL):
        marked = [one for one in _with(moment, "disordered") if not _is_just_marked(moment, one)]
        yield from ((Action("recover", (piece.id,)),) for piece in marked[:3])


def _is_just_marked(moment: Moment, piece: Piece) -> bool:
    """Return whether a unit was disordered in this phase: removing the marker then corrects a mistake."""
    return any("disordered" not in one.before.pieces[piece.id].states for one in moment.earlier())


@breaker.breaks("7.7d", "recover", "next", turns=2)
def disorder_taken_off_too_soon(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "rally":
        for piece in _with(moment, "disordered"):
            if _fought_since(position, piece):
                yield (Action("recover", (piece.id,)),)


def _fought_since(position: Position, piece: Piece) -> bool:
    """Return whether a unit fought in the enemy's player turn just over."""
    fought = position.note(FOUGHT_ON, piece.id)
    before = Date(position.turn - (piece.side == "allied"), enemy(piece.side))
    return fought == before


def _with(moment: Moment, state: str) -> list[Piece]:
    position = moment.position
    found = units(position, position.side)
    return [piece for piece in found if state in piece.states and "uncontrolled" not in piece.states]


def _running(moment: Moment) -> list[Piece]:
    """The routed units that have not made their rout move yet."""
    turn = moment.position.turn
    return [one for one in _with(moment, "routed") if moment.position.note(MOVED, one.id) != turn]


@breaker.breaks("7.8d", "flee")
def the_french_run_west(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in _running(moment) if position.side == "french" else ():
        west = [there for there in grid.neighbours(piece.where) if int(there[:2]) < int(piece.where[:2])]
        for there in west:
            if is_open(position, piece.where, there) and is_empty(position, there):
                yield (Action("flee", (piece.id,), (piece.where, there), dragged=True),)


def _to_the_convoy(moment: Moment) -> Iterator[tuple[Piece, Action]]:
    """Elements that the Allies may pillage, and the move of a unit that comes next to each."""
    position = moment.position
    names = position.game.values["pillage"].values.words("elements")
    there = [piece for piece in units(position, enemy(position.side), ("convoy",)) if piece.id in names]
    if position.side == "allied":
        yield from _marches(moment, there, *ARMS[:2])


@breaker.breaks("11f", "move", "enter", walked=True)
def no_test_is_rolled(moment: Moment) -> Broken:
    for _, march in _to_the_convoy(moment):
        yield march, TURN


@breaker.breaks("11g", "move", "enter", walked=True)
def out_of_control_and_yet_not(moment: Moment) -> Broken:
    for _, march in _to_the_convoy(moment):
        yield march, Action("roll pillage", march.pieces, dice=(WILD,)), TURN


@breaker.breaks("11j", "move", "enter", walked=True)
def the_convoy_stays(moment: Moment) -> Broken:
    """Although there is room beside it."""
    for element, march in _to_the_convoy(moment):
        if any(_is_away(moment, march, there) for there in _room(moment, element, march)):
            yield march, Action("roll pillage", march.pieces, dice=(TAME,)), TURN


@breaker.breaks("11j", "move", "enter", walked=True)
def the_convoy_comes_no_further_away(moment: Moment) -> Broken:
    """Only if no other unit has resisted it, possibly elsewhere."""
    if moment.position.noted(PILLAGE_DIE):
        return
    for element, march in _to_the_convoy(moment):
        for there in _room(moment, element, march):
            if not _is_away(moment, march, there):
                roll = Action("roll pillage", march.pieces, dice=(TAME,))
                yield march, roll, Action("shift", (element.id,), (element.where, there))


def _room(moment: Moment, element: Piece, march: Action) -> list[str]:
    """The free hexes next to an element that has not shifted yet, after a move that ends next to it."""
    if (SHIFTED, element.id) in moment.position.notes:
        return []
    return [there for there in steps_out(moment.position, element) if there != march.end]


def _is_away(moment: Moment, march: Action, there: str) -> bool:
    """Return whether a hex next to an element is not next to the end of a move to it."""
    return not moment.position.game.map.grid.are_neighbours(there, march.end)


@breaker.breaks("10d", "finish", "work")
def a_bridge_too_soon(moment: Moment) -> Broken:
    action = moment.action
    if action.verb == "work":
        word = Action("finish", action.pieces, target=action.target, words=("destroyed",))
        yield action, word


def _wrong_fates(moment: Moment, die: int | None, mildest: str) -> Broken:
    """The results that a die does not have for a general."""
    position, action = moment.position, moment.action
    piece = position.pieces[action.piece]
    right = "eliminate" if die == KILLED else "neutralise" if die == NEUTRALISED else mildest
    if die is None or piece.counter.kind != "general":
        return
    if right != "eliminate":
        yield (Action("eliminate", (piece.id,)),)
    if right != "neutralise":
        yield (Action("neutralise", (piece.id,)),)


@breaker.breaks("9.2b", "eliminate", "neutralise", "withdraw")
def another_fate_than_the_riders_die(moment: Moment) -> Broken:
    return _wrong_fates(moment, moment.position.note(APPROACH_DIE, moment.action.piece), "withdraw")


@breaker.breaks("9.2g", "eliminate", "neutralise", "lose", "retreat", "hide")
def another_fate_than_the_die(moment: Moment) -> Broken:
    for name in moment.position.noted(CASUALTY_DIE):
        die = moment.position.note(CASUALTY_DIE, name)
        here = moment.position.pieces[name].where in moment.position.game.map.grid
        if here and moment.position.note(APPROACH_DIE, name) is None:
            yield from _wrong_fates(_about(moment, name), die, "nothing")


def _about(moment: Moment, name: str) -> Moment:
    """The same step, with another counter."""
    game = list(moment.game)
    game[moment.place] = evolve(moment.step, action=Action("withdraw", (name,)))
    return evolve(moment, game=game)


@breaker.breaks("9.2h", "roll casualty")
def no_roll_for_a_general_who_lost_his_troops(moment: Moment) -> Broken:
    """Only if no unsettled combat requires the same roll by its die."""
    dice = current_dice(moment.position)
    if dice and dice.isdisjoint((1, 6)):
        yield (TURN,)


@breaker.breaks("9.2j", "move", "next")
def the_surrounded_slips_away(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    side, die = position.side, (moment.rng.randint(1, NEUTRALISED - 1),)
    riders = units(position, side, ("cavalry",)) if position.phase == "movement" else []
    for general in generals(position, enemy(side)) if riders else ():
        around = grid.neighbours(general.where)
        if not all(stack(position, near, side) for near in around):
            continue
        off = [there for there in grid.within(general.where, OFF) if is_empty(position, there)]
        for rider in riders:
            for near in around if grid.distance(rider.where, general.where) == OFF else ():
                ride = Action("move", (rider.id,), (rider.where, near))
                rolled = Action("roll approach", (general.id,), dice=die)
                for there in off if grid.are_neighbours(rider.where, near) else ():
                    away = Action("withdraw", (general.id,), (general.where, there), dragged=True)
                    yield ride, rolled, away


@breaker.breaks("2d", "move", "fire", "attack", "hide", "next")
def a_rally_after_its_phase(moment: Moment) -> Broken:
    """Not before the phase: the turn track may have been advanced too late."""
    position = moment.position
    done = {"movement": position.noted(TRAIL), "fire": position.battles, "combat": position.battles}
    for unit in _with(moment, "routed") if done.get(position.phase) else ():
        there = [one for one in generals(position, unit.side) if one.where == unit.where]
        if len(there) == 1 and commands(position, there[0], (unit.id,)):
            die = (moment.rng.randint(1, 6),)
            yield (Action("roll rally", (unit.id, there[0].id), dice=die),)


@breaker.breaks("7.9d", "roll rally", "recover", "rally", "next")
def rolled_for_again(moment: Moment) -> Broken:
    position = moment.position
    last = moment.game[moment.place - 1].action if moment.place else moment.action
    for unit in _with(moment, "routed") if position.phase == "rally" else ():
        there = [one for one in generals(position, unit.side) if one.where == unit.where]
        failed = position.note(RALLY_DIE, unit.id) is not None and last.pieces[:1] != (unit.id,)
        if failed and there:
            die = (moment.rng.randint(1, 6),)
            yield (Action("roll rally", (unit.id, there[0].id), dice=die),)


@breaker.breaks("7.8c", "flee")
def the_allies_run_on(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in _running(moment) if position.side == "allied" else ():
        home = [
            one
            for arrival in position.scenario.arrivals
            if piece.id in arrival.counters
            for one in arrival.entry
        ]
        for there in steps_out(position, piece) if home else ():
            gaps = [min(grid.distance(where, due) for due in home) for where in (piece.where, there)]
            if gaps[1] > gaps[0]:
                yield (Action("flee", (piece.id,), (piece.where, there), dragged=True),)


def _bridges(moment: Moment, piece: Piece) -> list[str]:
    position = moment.position
    near = position.game.map.grid.neighbours(piece.where)
    return [one for one in near if "bridge" in position.game.map.hexside(piece.where, one).features]


@breaker.breaks("10c", "move", "next")
def the_disordered_work(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position, position.side, ("engineer",)) if position.phase == "movement" else ():
        for there in _bridges(moment, piece) if "disordered" in piece.states else ():
            yield (Action("work", (piece.id,), target=there),)


@breaker.breaks("10e", "finish", turns=2)
def they_stay_when_it_is_done(moment: Moment) -> Broken:
    position = moment.position
    if (TRAIL, moment.action.piece) not in position.notes:
        yield moment.action, TURN


@breaker.breaks("11d", "attack", "next", "hide")
def the_park_attacks(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    parks = units(position, position.side, ("park",)) if position.phase == "combat" else []
    for park in parks:
        for there in grid.neighbours(park.where):
            if stack(position, there, enemy(park.side)) and is_open(position, park.where, there):
                yield (Action("attack", (park.id,), target=there, battle=90),)


def _claims(moment: Moment, *words: str) -> Broken:
    yield from ((Action("claim", words=(word,)),) for word in words)


def _holds_all(moment: Moment, side: str) -> bool:
    """Whether a side has a unit in each of the three hexes that count."""
    position = moment.position
    return all(stack(position, where, side) for where in ("3206", "3218", "2020"))


@breaker.breaks("12.2a", "next", apart=True)
def a_french_victory_with_the_convoy_here(moment: Moment) -> Broken:
    trains = units(moment.position, "french", ("convoy",))
    return _claims(moment, "french-strategic") if trains else ()


@breaker.breaks("12.2b", "next", apart=True)
def an_allied_victory_without_the_hexes(moment: Moment) -> Broken:
    return () if _holds_all(moment, "allied") else _claims(moment, "allied-strategic")


@breaker.breaks("12.2h", "next", apart=True)
def a_draw_at_the_outset(moment: Moment) -> Broken:
    """While there are no losses, the French are ahead by the hexes they hold."""
    lost = any(piece.where.endswith("-lost") for piece in moment.position.pieces.values())
    return _claims(moment, "draw") if moment.position.turn == 1 and not lost else ()
