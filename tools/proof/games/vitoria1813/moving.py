"""Breaches in movement: steps that plainly break one rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import MOVED, MOVED_FIRST, STOOD, TRAIL
from tools.oracles.games.vitoria1813.board import Board
from tools.oracles.games.vitoria1813.marching import March
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.facts import (
    ARMS,
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
SOME = 6
GONE = ("left-by-3206", "allied-left", "french-left")
LATER, FAR = 60, 3


def movers(moment: Moment, kinds: tuple[str, ...] = ("infantry", "cavalry", "artillery")) -> Iterator[Piece]:
    """The active side's units that have not moved, in random order."""
    position = moment.position
    if position.phase == "movement":
        found = [piece for piece in units(position, position.side, kinds) if is_fresh(position, piece)]
        moment.rng.shuffle(found)
        yield from found


def step(piece: Piece, *paths: str) -> Action:
    """A counter is dragged to a hex."""
    return Action("move", (piece.id,), (piece.where, *paths[-1:]), dragged=True)


def _far(moment: Moment, kinds: tuple[str, ...], least: int = 1, most: int = 3) -> Broken:
    """Drags to hexes that cost more than a counter has, at most by a factor, with zones or without."""
    board = Board.of(moment.position)
    for piece in list(movers(moment, kinds))[:3]:
        rode = (MOVED_FIRST, piece.id) in moment.position.notes
        if rode or zone_of(moment.position, piece.where, enemy(piece.side)):
            continue
        points = piece.factor("mp")
        reach = March(board, piece, most * points).reach()
        near = March(board, piece, zones=False).reach()
        far = [where for where, cost in reach.items() if least * points < cost and where not in near]
        free = [where for where in far if is_empty(moment.position, where)]
        for where in moment.rng.sample(free, min(SOME, len(free))):
            yield (step(piece, where),)


breaker.alike(
    _far,
    ("move", "next"),
    farther_than_its_points=("4.1a", ("infantry", "cavalry", "artillery"), 2, 4),
    a_general_rides_too_far=("4.2a", ("general",)),
)


@breaker.breaks("4.1d", "move", "next", turns=2)
def with_points_that_were_saved(moment: Moment) -> Broken:
    for actions in _far(moment, ("infantry", "artillery"), 1, 2):
        if moment.position.note(STOOD, actions[0].piece):
            yield actions


@breaker.breaks("2c", "move", "next")
def a_unit_moves_among_the_leaders(moment: Moment) -> Broken:
    """If something is done in the next phase; otherwise the track may have been advanced too late."""
    position = moment.position
    if position.phase == "leaders" and position.noted(TRAIL):
        for piece in units(position, position.side, ("infantry", "cavalry"))[:SOME]:
            if _others_rally(moment, piece):
                yield from ((step(piece, there),) for there in steps_out(position, piece)[:1])


def _others_rally(moment: Moment, piece: Piece) -> bool:
    """Return whether another unit rallies or recovers in the next phase."""
    return any(
        one.action.verb in ("roll rally", "recover")
        and one.before.date == moment.position.date
        and piece.id not in one.action.pieces
        for one in moment.game[moment.place : moment.place + LATER]
    )


@breaker.breaks("2b", "attack", "hide", "next")
def a_unit_moves_in_the_combat_phase(moment: Moment) -> Broken:
    """Far from the combats, after at least one."""
    position, grid = moment.position, moment.position.game.map.grid
    fought = [one.target for one in position.battles if isinstance(one, Fight) and one.rolled]
    for piece in units(position, kinds=("infantry",)) if position.phase == "combat" and fought else ():
        if all(grid.distance(piece.where, where) > FAR for where in fought):
            yield from ((step(piece, there),) for there in steps_out(position, piece)[:1])


@breaker.breaks("4.2b", "move")
def a_general_rides_twice(moment: Moment) -> Broken:
    position = moment.position
    for piece in generals(position, position.side) if position.phase == "movement" else ():
        if (MOVED_FIRST, piece.id) in position.notes and not _came_back(moment, piece):
            yield from ((step(piece, there),) for there in steps_out(position, piece)[:1])


def _between(moment: Moment, *, same: bool) -> Broken:
    position = moment.position
    for piece in movers(moment, ("infantry", "artillery")):
        opponent = enemy(piece.side)
        first = {one.id for one in zone_of(position, piece.where, opponent)}
        for there in steps_out(position, piece) if first else ():
            second = {one.id for one in zone_of(position, there, opponent)}
            if second and bool(first & second) == same:
                yield (step(piece, there),)


breaker.alike(
    _between,
    ("move", "next"),
    from_zone_to_zone=("3.2d", {"same": False}),
    sideways_in_one_zone=("4.3a", {"same": True}),
)


@breaker.breaks("3.2e", "move", "next")
def cavalry_between_zones_of_cavalry(moment: Moment) -> Broken:
    position = moment.position
    for piece in movers(moment, ("cavalry",)):
        opponent = enemy(piece.side)
        first = zone_of(position, piece.where, opponent)
        for there in steps_out(position, piece) if first else ():
            riders = [one for one in zone_of(position, there, opponent) if one.counter.kind == "cavalry"]
            if riders:
                yield (step(piece, there),)


@breaker.breaks("3.2a", "move", "next")
def on_after_entering_a_zone(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in movers(moment):
        opponent = enemy(piece.side)
        if zone_of(position, piece.where, opponent):
            continue
        for there in steps_out(position, piece):
            if zone_of(position, there, opponent):
                for beyond in grid.neighbours(there):
                    if (
                        is_open(position, there, beyond)
                        and is_empty(position, beyond)
                        and beyond != piece.where
                    ):
                        yield step(piece, there), Action("move", (piece.id,), (there, beyond), dragged=True)


@breaker.breaks("4.3b", "move")
def away_without_losing_a_step(moment: Moment) -> Broken:
    position = moment.position
    for piece in movers(moment, ("infantry", "artillery")):
        opponent = enemy(piece.side)
        for there in steps_out(position, piece) if zone_of(position, piece.where, opponent) else ():
            if not zone_of(position, there, opponent) and piece.steps > 1:
                yield step(piece, there), TURN


@breaker.breaks("4.3b", "move", "next")
def farther_than_after_leaving_a_zone(moment: Moment) -> Broken:
    position, board = moment.position, Board.of(moment.position)
    for piece in list(movers(moment, ("infantry", "artillery")))[:SOME]:
        if not zone_of(position, piece.where, enemy(piece.side)):
            continue
        points = piece.factor("mp")
        reach = March(board, piece, points + 2).reach()
        for where, cost in reach.items():
            is_far = not position.game.map.grid.are_neighbours(piece.where, where)
            if is_far and points < cost <= points + 2 and is_empty(position, where):
                yield (step(piece, where),)


@breaker.breaks("4.1e", "move", shown=False)
def taken_up_again(moment: Moment) -> Broken:
    """A step, a step of another unit elsewhere, and another step of the first, all far from the enemy."""
    position = moment.position
    quiet = [piece for piece in movers(moment) if not zone_of(position, piece.where, enemy(piece.side))]
    for first, second in pairwise(quiet):
        paths = [_quiet_steps(position, piece, piece.where)[:1] for piece in (first, second)]
        if all(paths) and paths[0] != paths[1] and first.where != second.where:
            there, aside = paths[0][0], paths[1][0]
            near = (first.where, aside, *position.game.map.grid.neighbours(first.where))
            onward = [one for one in _quiet_steps(position, first, there) if one not in near]
            for beyond in onward[:1]:
                again = Action("move", (first.id,), (there, beyond), dragged=True)
                yield step(first, there), step(second, aside), again


def _quiet_steps(position: Position, piece: Piece, where: str) -> list[str]:
    """The adjacent empty hexes over open ground, outside the zones of a unit's enemies."""
    return [
        there
        for there in position.game.map.grid.neighbours(where)
        if is_open(position, where, there)
        and is_empty(position, there)
        and not zone_of(position, there, enemy(piece.side))
    ]


@breaker.breaks("4.2c", "move")
def a_general_alone_in_a_zone(moment: Moment) -> Broken:
    position = moment.position
    for piece in movers(moment, ("general",)):
        for there in steps_out(position, piece):
            if zone_of(position, there, enemy(piece.side)):
                yield step(piece, there), TURN


@breaker.breaks("4.4a", "move", "next")
def a_third_unit_in_a_hex(moment: Moment) -> Broken:
    position = moment.position
    for piece in movers(moment):
        for there in position.game.map.grid.neighbours(piece.where):
            if is_open(position, piece.where, there) and len(stack(position, there, piece.side)) == 2:
                yield step(piece, there), TURN


def _onto_a_train(moment: Moment, *kinds: tuple[str, ...]) -> Broken:
    position = moment.position
    for piece in movers(moment, *kinds) if position.side == "french" else ():
        for there in position.game.map.grid.neighbours(piece.where):
            trains = [one for one in position.at(there) if one.counter.kind == "convoy"]
            if trains and is_open(position, piece.where, there):
                yield step(piece, there), TURN


breaker.alike(
    _onto_a_train,
    ("move", "next"),
    with_a_train=("4.4c",),
    two_elements_together=("11b", ("convoy",)),
)


@breaker.breaks("7.7a", "move", "next")
def the_disordered_into_a_zone(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "movement":
        return
    for piece in units(position, position.side, ("infantry", "cavalry", "artillery")):
        opponent = enemy(piece.side)
        moved = (TRAIL, piece.id) in position.notes
        if set(piece.states) == {"disordered"} and not moved and not zone_of(position, piece.where, opponent):
            for there in steps_out(position, piece):
                if zone_of(position, there, opponent):
                    yield (step(piece, there),)


@breaker.breaks("10a", "move", "next")
def engineers_into_a_zone(moment: Moment) -> Broken:
    for piece in movers(moment, ("engineer",)):
        for there in steps_out(moment.position, piece):
            if zone_of(moment.position, there, enemy(piece.side)):
                yield (step(piece, there),)


@breaker.breaks("11e", "move", "next")
def the_park_moves(moment: Moment) -> Broken:
    for piece in movers(moment, ("park",)):
        yield from ((step(piece, there),) for there in steps_out(moment.position, piece)[:2])


@breaker.breaks("9.2c", "move", "next")
def the_neutralised_ride(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position, position.side, ("general",)) if position.phase == "movement" else ():
        if "neutralised" in piece.states:
            yield from ((step(piece, there),) for there in steps_out(position, piece)[:2])


@breaker.breaks("13a", "next")
def set_up_elsewhere(moment: Moment) -> Broken:
    position = moment.position
    if position.turn == 1 and position.phase == "leaders" and position.side == "allied":
        for piece in moment.rng.sample(units(position, "french", ("infantry", "cavalry")), 3):
            wrong = [
                there for there in position.game.map.grid.names if not _is_its_place(position, piece, there)
            ]
            there = moment.rng.choice(wrong)
            if is_empty(position, there):
                yield (Action("deploy", (piece.id,), target=there),)


def _is_its_place(position: Position, piece: Piece, where: str) -> bool:
    """Return whether the scenario allows a counter to start in a hex."""
    zones = position.game.map.zones
    return any(
        where == placement.at or (placement.zone and where in zones[placement.zone].hexes)
        for placement in position.scenario.setup
        if piece.id in placement.counters
    )


def _waiting(moment: Moment) -> Iterator[tuple[Piece, int, tuple[str, ...]]]:
    position = moment.position
    for arrival in position.scenario.arrivals if position.phase == "movement" else ():
        for name in arrival.counters:
            if position.pieces[name].where == arrival.waiting and arrival.during == position.side:
                yield position.pieces[name], arrival.turn, arrival.entry


@breaker.breaks("2f", "move", "enter")
def a_reinforcement_comes_early(moment: Moment) -> Broken:
    for piece, turn, entry in _waiting(moment):
        if turn > moment.position.turn and is_empty(moment.position, entry[0]):
            yield (Action("enter", (piece.id,), target=entry[0]),)


@breaker.breaks("12.1a", "move", "enter")
def a_reinforcement_comes_elsewhere(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    edge = [name for name in grid.names if grid.edges(name)]
    for piece, turn, entry in _waiting(moment):
        far = [
            one
            for one in edge
            if min(grid.distance(one, due) for due in entry) > 12 and is_empty(position, one)
        ]
        if turn <= position.turn and far and any(is_empty(position, due) for due in entry):
            yield (Action("enter", (piece.id,), target=moment.rng.choice(far)),)


@breaker.breaks("4.1g", "move", "enter", "next")
def back_on_the_map(moment: Moment) -> Broken:
    position = moment.position
    for piece in position.pieces.values() if position.phase == "movement" else ():
        if piece.where in GONE and piece.side == position.side:
            edge = [name for name in position.game.map.grid.names if position.game.map.grid.edges(name)]
            yield (Action("enter", (piece.id,), target=moment.rng.choice(edge)),)


@breaker.breaks("1.0b", "next")
def face_up_at_set_up(moment: Moment) -> Broken:
    position = moment.position
    if position.turn == 1 and position.phase == "leaders" and position.side == "allied":
        yield from ((Action("reveal", (piece.id,)),) for piece in units(position, "french")[:SOME])


@breaker.breaks("1.0c", "move", "next")
def face_up_far_from_all_units(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    if position.phase != "movement" or not position.noted(MOVED):
        return
    opponents = [piece.where for piece in units(position, enemy(position.side))]
    for piece in units(position, position.side):
        if piece.face == "down" and all(grid.distance(piece.where, opponent) > 3 for opponent in opponents):
            yield (Action("reveal", (piece.id,)),)


@breaker.breaks("7.2b", "move", "next", "attack")
def face_down_in_a_zone(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position):
        if piece.face == "up" and zone_of(position, piece.where, enemy(piece.side)):
            yield (Action("hide", (piece.id,)),)


@breaker.breaks("7.2g", "hide")
def left_face_up(moment: Moment) -> Broken:
    yield (TURN,)


class Joined(Board):
    """The board as if all roads of adjacent hexes were joined [5.2c]."""

    def roads(self, here: str, there: str) -> frozenset[str]:
        """The kinds of road that both hexes have."""
        mine, theirs = (
            {kind for near in self.around(one) for kind in self.map.roads_across(one, near)}
            for one in (here, there)
        )
        return frozenset(mine & theirs)


class Crowded(Board):
    """The board as if several units could use the road together [5.2d]."""

    def has_road(self, piece: Piece, start: str, there: str) -> bool:
        """Always."""
        return True


class Followed(Board):
    """The board as if units that have moved did not block roads: they may have moved along [5.2d]."""

    def has_road(self, piece: Piece, start: str, there: str) -> bool:
        """The hexes without units that have not moved."""
        others = (one for one in self.position.at(there) if one.id != piece.id)
        moved = not any(is_fresh(self.position, one) for one in others)
        return moved or super().has_road(piece, start, there)


class Unwatched(Board):
    """The board without zones of control [3.2]."""

    def zone_holders(self, where: str, side: str) -> list[Piece]:
        """None."""
        return []


def _by_road(moment: Moment, board: Board, *others: Board) -> Broken:
    """Drags to hexes that are within reach on one board only."""
    position = moment.position
    for piece in list(movers(moment))[:SOME]:
        if zone_of(position, piece.where, enemy(piece.side)):
            continue
        able, loose = March(Board.of(position), piece).reach(), March(board, piece).reach()
        able = able | {where: cost for other in others for where, cost in March(other, piece).reach().items()}
        far = [where for where in loose if where not in able and is_empty(position, where)]
        for where in moment.rng.sample(far, min(2, len(far))):
            yield (step(piece, where),)


@breaker.breaks("5.2c", "move", "next")
def by_roads_that_do_not_join(moment: Moment) -> Broken:
    position = moment.position
    return _by_road(moment, Joined(position), Unwatched(position), Followed(position))


@breaker.breaks("5.2d", "move", "next")
def by_a_road_that_is_taken(moment: Moment) -> Broken:
    position = moment.position
    return _by_road(moment, Crowded(position), Unwatched(position), Joined(position), Followed(position))


@breaker.breaks("2g", "move", "next", walked=True)
def a_general_who_rode_a_little_rides_on(moment: Moment) -> Broken:
    """Away from the enemy, and from where he began: a general who came back has not ridden."""
    position, grid = moment.position, moment.position.game.map.grid
    begun = position.phase == "movement" and position.noted(TRAIL)
    for piece in generals(position, position.side) if begun else ():
        spent = position.note(MOVED_FIRST, piece.id)
        near = any(stack(position, one, enemy(piece.side)) for one in grid.neighbours(piece.where))
        if spent is None or spent > piece.factor("mp") or near or _came_back(moment, piece):
            continue
        for there in _quiet_steps(position, piece, piece.where):
            for beyond in _quiet_steps(position, piece, there):
                if beyond != piece.where:
                    yield (Action("move", (piece.id,), (piece.where, there, beyond)),)


def _came_back(moment: Moment, piece: Piece) -> bool:
    """Return whether a counter is where it was when the player turn began."""
    begun = next(one.before for one in moment.game if one.before.date == moment.position.date)
    return begun.pieces[piece.id].where == piece.where


@breaker.breaks("4.5b", "move", "next", walked=True)
def past_a_train_in_good_order(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in movers(moment, ("infantry", "cavalry")) if position.side == "french" else ():
        for there in grid.neighbours(piece.where):
            trains = [one for one in position.at(there) if one.counter.kind == "convoy"]
            for beyond in grid.neighbours(there) if trains and is_open(position, piece.where, there) else ():
                if is_open(position, there, beyond) and is_empty(position, beyond) and beyond != piece.where:
                    yield Action("move", (piece.id,), (piece.where, there, beyond)), TURN


@breaker.breaks("11h", "move", "next")
def the_uncontrolled_march_on(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position, position.side) if position.phase == "movement" else ():
        if "uncontrolled" in piece.states and (TRAIL, piece.id) not in position.notes:
            yield from ((step(piece, there),) for there in steps_out(position, piece)[:2])


@breaker.breaks("12.1b", "move", "enter", "next")
def farther_from_a_hex_that_is_taken(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    edge = [name for name in grid.names if grid.edges(name) and is_empty(position, name)]
    for piece, turn, entry in _waiting(moment):
        full = all(len(stack(position, where, piece.side)) > 1 for where in entry)
        if turn > position.turn or not full:
            continue
        quiet = [one for one in edge if not zone_of(position, one, enemy(piece.side))]
        gaps = {one: min(grid.distance(one, due) for due in entry) for one in quiet}
        far = [one for one in quiet if min(gaps.values()) + 1 < gaps[one] < 8]
        for where in moment.rng.sample(far, min(2, len(far))):
            yield (Action("enter", (piece.id,), target=where),)


@breaker.breaks("5.2d", "move", "next")
def two_by_a_road_that_bears_one(moment: Moment) -> Broken:
    """Two of a kind from one hex to another that the second can reach only if the road is empty."""
    position = moment.position
    for first in list(movers(moment))[:SOME]:
        mates = [one for one in stack(position, first.where, first.side) if one.id != first.id]
        alike = [one for one in mates if one.counter.kind == first.counter.kind and is_fresh(position, one)]
        points = first.factor("mp")
        if not alike or alike[0].factor("mp") != points or zone_of(position, first.where, enemy(first.side)):
            continue
        second, reach = alike[0], March(Board.of(position), first).reach()
        ends = [where for where, cost in reach.items() if cost == points and is_empty(position, where)]
        for where in [one for one in ends if not zone_of(position, one, enemy(first.side))][:SOME]:
            shared = Board(position.with_piece(first.id, where=where))
            if where not in March(shared, second).reach():
                yield step(first, where), step(second, where)


@breaker.breaks("12.1b", "enter")
def among_enemies(moment: Moment) -> Broken:
    """A counter arrives in a hex with an enemy, which is not moved."""
    position, action = moment.position, moment.action
    opponents = units(position, enemy(position.pieces[action.piece].side))
    for opponent in sorted(
        opponents, key=lambda one: position.game.map.grid.distance(one.where, action.target)
    )[:SOME]:
        yield (evolve(action, target=opponent.where),)


@breaker.breaks("4.2c", "advance")
def a_general_advances_without_his_troops(moment: Moment) -> Broken:
    """Into a hex in his zone that the enemy left, instead of a unit."""
    position, action = moment.position, moment.action
    piece = position.pieces[action.piece]
    there = [one for one in generals(position, piece.side) if one.where == piece.where]
    opponents = zone_of(position, action.end, enemy(piece.side))
    if there and opponents and piece.counter.kind in ARMS and not stack(position, action.end, piece.side):
        yield evolve(action, pieces=(there[0].id,)), TURN


@breaker.breaks("10a", "advance")
def engineers_advance_into_a_zone(moment: Moment) -> Broken:
    position, action = moment.position, moment.action
    piece = position.pieces[action.piece]
    opponents = zone_of(position, action.end, enemy(piece.side))
    mates = [one for one in stack(position, piece.where, piece.side) if one.counter.kind == "engineer"]
    yield from ((evolve(action, pieces=(one.id,)),) for one in mates if opponents)
