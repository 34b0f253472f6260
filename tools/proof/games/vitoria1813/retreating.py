"""Breaches in retreats, routs and advances: in what order, and into which hexes."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import CAME_FROM
from tools.oracles.games.vitoria1813.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.facts import enemy, is_empty, party, rolled, stack, zone_of
from tools.proof.games.vitoria1813.results import too_far_back

breaker = Breaker()
TURN = Action(NEXT.name)
NEW = 90
ROUT, FARTHER = 5, 3


@frozen
class Refuge:
    """A hex next to a unit that must retreat: how far east, outside zones, empty, with room."""

    where: str
    home: int
    free: bool
    empty: bool
    roomy: bool


def _refuges(position: Position, piece: Piece, fight: Fight) -> list[Refuge]:
    """The hexes next to a unit; units of its own hex that have gone already do not count against theirs."""
    mates = {name for name, path in fight.gone.items() if path[:1] == (piece.where,)}
    board, grid, found = Board.of(position), position.game.map.grid, list[Refuge]()
    for there in grid.neighbours(piece.where):
        country = board.country("infantry", piece.where, there)
        if country is None or board.is_held(there, enemy(piece.side)):
            continue
        friends = stack(position, there, piece.side)
        home = _across(position, there) - _across(position, piece.where)
        free = not zone_of(position, there, enemy(piece.side))
        strangers = [one for one in friends if one.id not in mates]
        found.append(Refuge(there, home, free, not strangers, len(friends) < 2))
    return found


def _across(position: Position, where: str) -> int:
    grid = position.game.map.grid
    column, row = grid.places[grid.index[where]]
    return 2 * column + grid.is_shifted(row)


def _worse(moment: Moment, better: str) -> Broken:
    """A retreat of one hex into one that is worse than another in one respect, and better in none."""
    position, piece = moment.position, moment.position.pieces[moment.action.piece]
    for fight, side, demanded in rolled(moment.position):
        due = piece.side == side and piece.id in party(fight, side) and "R1" in demanded.split()
        if not due or piece.id in fight.gone or (CAME_FROM, piece.id) in position.notes:
            continue
        found = _refuges(position, piece, fight)
        for bad in found:
            for good in found:
                same = bad.home == good.home
                if same and evolve(bad, where=good.where, **{better: True}) == good != evolve(
                    bad, where=good.where
                ):
                    path = (piece.where, bad.where)
                    yield (Action("retreat", (piece.id,), path, dragged=True, battle=fight.number),)


breaker.alike(
    _worse,
    ("retreat",),
    into_a_zone_without_need=("7.5i", "free"),
    onto_a_friend_without_need=("7.5j", "empty"),
    into_a_full_hex_without_need=("7.5k", "roomy"),
)


def _one_hex(moment: Moment) -> Iterator[tuple[Fight, Piece]]:
    """The combat by which a unit retreats one hex, and the unit."""
    piece = moment.position.pieces[moment.action.piece]
    for fight, side, demanded in rolled(moment.position):
        mine = piece.side == side and piece.id in party(fight, side) and piece.id not in fight.gone
        if mine and "R1" in demanded.split():
            yield fight, piece


@breaker.breaks("7.5f", "retreat")
def across_a_river(moment: Moment) -> Broken:
    board = Board.of(moment.position)
    for fight, piece in _one_hex(moment):
        for there in moment.position.game.map.grid.neighbours(piece.where):
            closed = board.country(piece.counter.kind, piece.where, there) is None
            if closed and not moment.position.at(there):
                path = (piece.where, there)
                yield (Action("retreat", (piece.id,), path, dragged=True, battle=fight.number),)


@breaker.breaks("7.5f", "retreat")
def onto_the_enemy(moment: Moment) -> Broken:
    for fight, piece in _one_hex(moment):
        for there in moment.position.game.map.grid.neighbours(piece.where):
            if stack(moment.position, there, enemy(piece.side)):
                path = (piece.where, there)
                yield (Action("retreat", (piece.id,), path, dragged=True, battle=fight.number),)


@breaker.breaks("7.4c", "rout")
def a_rout_too_long(moment: Moment) -> Broken:
    """Ends more than five hexes from its start."""
    action, position, grid = moment.action, moment.position, moment.position.game.map.grid
    start = position.pieces[action.piece].where
    for there in grid.within(start, ROUT + FARTHER):
        if grid.distance(start, there) > ROUT and not position.at(there):
            yield (Action("rout", action.pieces, (start, there), dragged=True, battle=action.battle),)


def _in_parts(position: Position, broken: Broken) -> Broken:
    """A movement in two drags instead of one, with a stop in an empty hex on the straight path."""
    grid = position.game.map.grid
    for (action,) in broken:
        start, end = action.path
        for stop in grid.within(start, grid.distance(start, end) - 1):
            gaps = grid.distance(start, stop), grid.distance(stop, end)
            if all(gaps) and sum(gaps) == grid.distance(start, end) and is_empty(position, stop):
                yield (evolve(action, path=(start, stop)), evolve(action, path=(stop, end)))


@breaker.breaks("7.4b", "retreat")
def too_far_back_in_parts(moment: Moment) -> Broken:
    yield from _in_parts(moment.position, too_far_back(moment))


@breaker.breaks("7.4c", "rout")
def a_rout_too_long_in_parts(moment: Moment) -> Broken:
    yield from _in_parts(moment.position, a_rout_too_long(moment))


@breaker.breaks("7.4b", "retreat")
def not_far_enough_back(moment: Moment) -> Broken:
    """A straight retreat of two hexes or more, without the last hex."""
    way, grid = moment.action.path, moment.position.game.map.grid
    kind = moment.position.pieces[moment.action.piece].counter.kind
    walked = not moment.action.dragged and len(way) > 2 and kind != "general"
    if walked and grid.distance(way[0], way[-1]) == len(way) - 1 and is_empty(moment.position, way[-2]):
        yield (evolve(moment.action, path=(way[0], way[-2]), dragged=True),)


@breaker.breaks("4.1a", "flee")
def a_flight_too_long(moment: Moment) -> Broken:
    """Farther than any road leads with all points, and farther than the five hexes of a rout; towards the
    east edge.
    """
    position, grid = moment.position, moment.position.game.map.grid
    piece = position.pieces[moment.action.piece]
    far = max(2 * piece.factor("mp"), ROUT) + 1
    for there in grid.within(piece.where, far + FARTHER) if piece.side == "french" else ():
        east = _across(position, there) - _across(position, piece.where)
        if grid.distance(piece.where, there) >= far and east > far and not position.at(there):
            yield (Action("flee", (piece.id,), (piece.where, there), dragged=True),)


@breaker.breaks("7.1b", "attack")
def the_shaken_are_left_alone(moment: Moment) -> Broken:
    """A disordered or routed enemy is left alone, although units next to it are in no zone and could attack
    nothing else.
    """
    position, action = moment.position, moment.action
    begun = moment.begun
    opponents = stack(position, action.target, enemy(position.side))
    if position.phase != "combat" or not opponents or position.battles:
        return
    shaken = all(
        one.states and begun.pieces[one.id].where == one.where and begun.pieces[one.id].states
        for one in opponents
    )
    for name in action.pieces:
        piece = begun.pieces[name]
        ordered = piece in zone_of(begun, action.target, piece.side)
        infantry = piece.counter.kind in ("infantry", "cavalry")
        if shaken and ordered and infantry and not zone_of(begun, piece.where, enemy(piece.side)):
            yield (TURN,)
            return


def _others(moment: Moment, fight: Fight) -> Iterator[Action]:
    """Attacks that can still be made by units that have not fought."""
    position = moment.position
    busy = {name for one in position.battles for name in one.attackers}
    met = {name for one in position.battles if isinstance(one, Fight) for name in one.defenders}
    for piece in position.pieces.values():
        if piece.side != fight.side or piece.counter.kind != "infantry" or piece.id in busy or piece.states:
            continue
        able = piece.face == "up" and piece.where in position.game.map.grid
        for where in position.game.map.grid.neighbours(piece.where) if able else ():
            there = stack(position, where, fight.enemy)
            mine = piece in zone_of(position, where, fight.side)
            if (
                there
                and mine
                and not {one.id for one in there} & met
                and all(one.face == "up" for one in there)
            ):
                yield Action("attack", (piece.id,), target=where, battle=NEW)


@breaker.breaks("7.2f", "retreat")
def the_next_die_before_a_retreat(moment: Moment) -> Broken:
    for fight, side, demanded in list(rolled(moment.position)):
        waits = any(code in ("R1", "R2", "R3") for code in demanded.split())
        still = [name for name in party(fight, side) if name not in fight.gone]
        if waits and still and not fight.is_fire and moment.action.piece in still:
            for attack in _others(moment, fight):
                yield attack, Action("roll combat", dice=(moment.rng.randint(1, 6),), battle=NEW)


@breaker.breaks("7.5d", "advance")
def an_advance_after_the_next_die(moment: Moment) -> Broken:
    for fight, _, _ in list(rolled(moment.position))[:1]:
        for attack in _others(moment, fight):
            die = Action("roll combat", dice=(moment.rng.randint(1, 6),), battle=NEW)
            yield attack, die, evolve(moment.action, battle=fight.number)


@breaker.breaks("7.1d", "attack")
def a_stack_attacks_two_hexes(moment: Moment) -> Broken:
    position, action = moment.position, moment.action
    for first in action.pieces:
        where = position.pieces[first].where
        mates = [one for one in action.pieces if one != first and position.pieces[one].where == where]
        for mate in mates:
            for there in position.game.map.grid.neighbours(where):
                side = position.pieces[first].side
                met = stack(position, there, enemy(side))
                covers = position.pieces[mate] in zone_of(position, there, side)
                if there != action.target and met and covers and all(one.face == "up" for one in met):
                    yield (
                        Action("attack", (first,), target=action.target, battle=NEW),
                        Action("roll combat", dice=(3,), battle=NEW),
                        Action("attack", (mate,), target=there, battle=NEW + 1),
                        Action("roll combat", dice=(3,), battle=NEW + 1),
                    )


@breaker.breaks("7.4e", "lose")
def steps_are_lost_after_the_retreat(moment: Moment) -> Broken:
    position, action = moment.position, moment.action
    board = Board.of(position)
    for fight, side, demanded in rolled(moment.position):
        due = [int(code[1]) for code in demanded.split() if code in ("R1", "R2", "R3")]
        if not due or action.piece not in party(fight, side) or fight.lost or "routed" in demanded:
            continue
        for name in party(fight, side):
            piece = position.pieces[name]
            ends = [one for one in board.retreats(piece, due[0]) if not position.at(one)]
            ends = [one for one in ends if not zone_of(position, one, enemy(side))]
            together = piece.where == fight.stood.get(name) == fight.stood.get(action.piece)
            if name != action.piece and together and ends:
                path = (piece.where, moment.rng.choice(sorted(ends)))
                yield (
                    Action("retreat", (name,), path, dragged=True, battle=fight.number),
                    evolve(action, battle=fight.number),
                )


def goes_as_well(position: Position, action: Action) -> tuple[Action, ...]:
    """The retreat of a unit that lost steps after those beside it had gone: along the same path."""
    piece = position.pieces[action.piece]
    for fight, side, _ in rolled(position):
        for name in party(fight, side) if piece.side == side else ():
            path = fight.gone.get(name)
            if path and name != piece.id and piece.where == path[0] and piece.id not in fight.gone:
                ends = (path[0], path[-1])
                return (Action("retreat", (piece.id,), ends, dragged=True, battle=fight.number),)
    return ()


def _crossing(moment: Moment) -> Iterator[tuple[str, ...]]:
    """The units in order that a rout crosses hex by hex and leaves behind, if there are any."""
    position, action = moment.position, moment.action
    side = position.pieces[action.piece].side
    crossed = [one for where in action.path[1:-1] for one in stack(position, where, side)]
    mates = [one for one in stack(position, action.path[0], side) if one.id not in action.pieces]
    if any(not one.states for one in crossed) and not action.dragged and len(action.pieces) == 1:
        yield tuple(one.id for one in (*crossed, *mates) if not one.states)


@breaker.breaks("4.5f", "rout", walked=True)
def a_unit_crossed_by_a_rout_stays(moment: Moment) -> Broken:
    for shaken in _crossing(moment):
        yield moment.action, Action("mark rout", moment.action.pieces), Action("disorder", shaken), TURN


@breaker.breaks("7.8a", "rout", walked=True)
def a_unit_crossed_by_a_rout_is_not_shaken(moment: Moment) -> Broken:
    for _ in _crossing(moment):
        yield moment.action, Action("mark rout", moment.action.pieces), TURN
