"""Positions for the start of short games, in which rare clauses come up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from attrs import evolve

from referee.engine.clock import Date
from referee.engine.position import Mark, Position, World
from referee.games.vitoria1813.notes import WORK_BEGUN, WORKED_IN
from tools.proof.breaking import Opening
from tools.proof.games.vitoria1813.facts import commands, enemy
from vassalgen.game.maps import Map

MIDDLE = ("0913", "1210", "1512", "1808", "0610", "2011", "2313", "1405")
MOVING = (
    *("3.2a", "3.2d", "3.2e", "4.3a", "4.3b", "4.2c", "4.4a", "4.4c", "11b", "7.7a", "10a", "9.2c"),
    *("4.1a", "8a", "2e", "7.2b", "9.2a", "9.2d", "9.2e", "7.8d", "11f", "11g", "11j"),
    *("11e", "4.5b", "5.2c", "5.2d", "5.3c", "8b", "7.8c", "9.2b", "2d"),
)
FIGHTING = (
    *("6.1a", "6.1b", "6.1c", "6.1d", "2h", "7.1f", "6.0b", "2i", "7.1a", "7.1b", "7.1e", "7.7a", "7.8e"),
    *("7.1g", "7.2a", "7.2c", "9.1b", "9.1c", "9.1f", "9.1g", "9.1i", "7.1i", "7.1h", "7.2d", "7.4a", "6.1f"),
    *("7.4b", "6.2b", "4.5c", "7.4d", "7.4c", "7.8a", "7.5c", "7.6", "9.2f"),
    *("9.2k", "8c", "7.2g", "2e", "5.3b", "6.2c", "7.3b", "7.7c", "8d", "6.1e", "7.3c"),
    *("7.3d", "7.2e", "7.5i", "7.5j", "7.5k", "7.2f", "7.5d", "4.5f"),
    *("9.2g", "9.2h", "11d", "2d", "9.1a", "2b"),
)
STARTING = ("1.0b", "1.0c", "13a", "12.2a", "12.2b", "12.2h")
LEADING = ("2c", "2g", "4.2a", "4.2b")
RALLYING = ("7.9a", "7.7d", "7.8d", "2e", "2d")
CHARGING = ("7.5m", "7.5o", "7.5p", "8e")
WITH_GENERALS = ("7.9b", "7.9c", "7.9d", "2d")
BUILT_UP = ("village", "town")
BUSY = 0.5
FEW, MANY, FAR = 4, 6, 5


def close(phase: str, side: str, world: World, rng: Random, *, tired: float = 0.1) -> Position:
    """Both armies close together; some units are disordered or routed, some cavalry is charging."""
    position, grid = world.rulebook.start(world), world.game.map.grid
    near = grid.within(rng.choice(MIDDLE), 5)
    owner = {name: rng.choice(("allied", "french")) for name in near}
    room = dict.fromkeys(near, 2)
    for name, piece in position.pieces.items():
        position = position.with_piece(name, where="", face="down" if piece.face else "")
    trains = [one for one in position.pieces.values() if one.counter.kind in ("convoy", "park")]
    for piece in [*trains, *position.pieces.values()]:
        is_train = piece.counter.kind in ("convoy", "park")
        free = [one for one in near if owner[one] == piece.side and room[one] >= (2 if is_train else 1)]
        if not free or rng.random() < 0.45:
            continue
        where = rng.choice(free)
        room[where] -= 2 if is_train else piece.counter.kind != "general"
        states: dict[str, Mark] = {}
        if piece.counter.kind in ("infantry", "cavalry", "artillery") and rng.random() < tired:
            states = {rng.choice(("disordered", "routed")): Mark()}
        elif piece.counter.kind == "cavalry" and phase in ("fire", "combat") and piece.side == side:
            states = {"charging": Mark()} if rng.random() < 0.4 else {}
        position = position.with_piece(piece.id, where=where, states=states)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4, 5)), phase, side))


def towns(side: str, world: World, rng: Random) -> Position:
    """Units about to attack engineers in a town; in a village they only replace a missing road."""
    map_, position = world.game.map, _cleared(world)
    opponent = enemy(side)
    own, enemies = (_foot(position, each) for each in (side, opponent))
    built = [where for where in map_.grid.names if map_.hexes[where].terrain == "town"]
    for name in _foot(position, opponent, "engineer"):
        where = rng.choice(built)
        for each in (name, enemies.pop()):
            position = position.with_piece(each, where=where)
        for near in rng.sample(map_.grid.neighbours(where), 2):
            for each in (own.pop(), own.pop()):
                position = position.with_piece(each, where=near)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "combat", side))


def assaults(is_hard: Callable[[Map, str, str], bool], side: str, world: World, rng: Random) -> Position:
    """Units about to attack one unit each, across a hexside that is known to be hard to cross."""
    map_, position = world.game.map, _cleared(world)
    hard = [
        (here, there)
        for there in map_.grid.names
        for here in map_.grid.neighbours(there)
        if is_hard(map_, here, there)
    ]
    opponent = enemy(side)
    own, enemies = (_foot(position, each) for each in (side, opponent))
    for here, there in rng.sample(hard, min(FEW, len(hard))):
        if not position.at(here) and not position.at(there):
            position = position.with_piece(own.pop(), where=here).with_piece(enemies.pop(), where=there)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "combat", side))


def _is_up_a_slope(map_: Map, here: str, there: str) -> bool:
    """Whether the attack goes up a slope into a wood or similar terrain, away from roads."""
    rises = map_.hexside(here, there).features == frozenset({"slope"})
    rises &= map_.hexes[there].level > map_.hexes[here].level
    return rises and map_.hexes[there].terrain in ("wood", *BUILT_UP) and not _has_roads(map_, there)


def _is_by_a_road(map_: Map, here: str, there: str) -> bool:
    """Whether a hex with a road has no shelter except a wood or similar terrain."""
    is_level = not map_.hexside(here, there).features
    return is_level and map_.hexes[there].terrain in ("wood", *BUILT_UP) and _has_roads(map_, there)


def _has_roads(map_: Map, where: str) -> bool:
    return any(map_.roads_across(where, beside) for beside in map_.grid.neighbours(where))


def hemmed_in(crowd: tuple[int, ...], before: tuple[str, ...], world: World, rng: Random) -> Position:
    """French units in front of the enemy, with a number of units in each of the three hexes behind them.

    Two enemy units are in each of the hexes ``before`` them.
    """
    grid, position = world.game.map.grid, _cleared(world)
    french, allied = (_foot(position, side) for side in ("french", "allied"))
    for front in rng.sample(grid.names, MANY):
        behind, west = (
            [grid.neighbour(front, path) or "" for path in paths] for paths in (("NE", "E", "SE"), before)
        )
        free = all(
            one and not any(position.at(near) for near in grid.within(one, 1)) for one in (*behind, *west)
        )
        if free and len(french) > sum(crowd) and len(allied) >= 2 * len(west):
            rng.shuffle(behind)
            for where, count in zip((front, *behind), (1, *crowd), strict=True):
                for _ in range(count):
                    position = position.with_piece(french.pop(), where=where)
            for where in (*west, *west):
                position = position.with_piece(allied.pop(), where=where)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "combat", "allied"))


def _fields(world: World, rng: Random) -> list[str]:
    """Some hexes surrounded by clear ground, far from each other."""
    map_, found = world.game.map, list[str]()
    for one in rng.sample(map_.grid.names, len(map_.grid.names)):
        near = map_.grid.within(one, 1)
        is_clear = len(near) > MANY and all(map_.hexes[where].terrain == "clear" for where in near)
        if is_clear and all(map_.grid.distance(one, other) > FAR for other in found):
            found.append(one)
    return found[:MANY]


def charges(side: str, world: World, rng: Random) -> Position:
    """Charging cavalry next to infantry in the open, with more infantry not far behind."""
    grid, position = world.game.map.grid, _cleared(world)
    opponent = enemy(side)
    riders, enemies = _foot(position, side, "cavalry"), _foot(position, opponent)
    for where in _fields(world, rng):
        path, opposite = rng.choice((("E", "W"), ("W", "E")))
        front, behind = grid.neighbour(where, path), grid.neighbour(where, opposite)
        if front and behind and len(riders) > 1:
            for _ in range(2):
                position = position.with_piece(riders.pop(), where=front, states={"charging": Mark()})
            position = position.with_piece(enemies.pop(), where=where)
            if rng.random() < BUSY:
                position = position.with_piece(enemies.pop(), where=grid.neighbour(behind, opposite) or "")
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "combat", side))


def surrounded(world: World, rng: Random) -> Position:
    """Allied generals alone among the French, whose cavalry is about to move."""
    grid, position = world.game.map.grid, _cleared(world)
    generals, foot = _foot(position, "allied", "general"), _foot(position, "french")
    riders = _foot(position, "french", "cavalry")
    for where in _fields(world, rng):
        near = grid.neighbours(where)
        if generals and riders and len(foot) > len(near):
            outside = [one for one in grid.within(where, 2) if grid.distance(one, where) == 2]
            position = position.with_piece(generals.pop(), where=where)
            position = position.with_piece(riders.pop(), where=rng.choice(outside))
            for one in near:
                position = position.with_piece(foot.pop(), where=one)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "movement", "french"))


def salients(side: str, world: World, rng: Random) -> Position:
    """Two units together in front of two enemy hexes, all face up."""
    grid, position = world.game.map.grid, _cleared(world)
    opponent = enemy(side)
    own, enemies = (_foot(position, each) for each in (side, opponent))
    for where in _fields(world, rng):
        first, second = rng.sample(grid.neighbours(where), 2)
        for name, place in (
            *((own.pop(), where) for _ in range(2)),
            *((enemies.pop(), first) for _ in range(2)),
            (enemies.pop(), second),
        ):
            position = position.with_piece(name, where=place)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "combat", side))


def under_fire(side: str, world: World, rng: Random) -> Position:
    """Both armies close together, about to fire; generals of the other side are with their troops."""
    position = close("fire", side, world, rng)
    opponent = enemy(side)
    stands = [position.pieces[name].where for name in _foot(position, opponent)]
    stands = [where for where in stands if where]
    for name in _foot(position, opponent, "general") if stands else ():
        position = position.with_piece(name, where=rng.choice(stands))
    return position


def around_generals(side: str, world: World, rng: Random) -> Position:
    """Routed units in the hexes of their generals, far from the enemy."""
    position, fields = _cleared(world), _fields(world, rng)
    for name, piece in position.pieces.items():
        mine = [one for one in _foot(position, side) if commands(position, piece, (one,))]
        if (piece.counter.kind, piece.side) == ("general", side) and fields and mine:
            where = fields.pop()
            position = position.with_piece(name, where=where)
            routed = rng.choice(mine)
            if not position.pieces[routed].where:
                position = position.with_piece(routed, where=where, states={"routed": Mark()})
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "rally", side))


def _cleared(world: World) -> Position:
    """No unit on the map."""
    position = world.rulebook.start(world)
    for name, piece in position.pieces.items():
        position = position.with_piece(name, where="", face="up" if piece.face else "")
    return position


def _foot(position: Position, side: str, kind: str = "infantry") -> list[str]:
    """The infantry of a side, or its units of another kind."""
    return [one.id for one in position.pieces.values() if (one.side, one.counter.kind) == (side, kind)]


def sappers(side: str, world: World, rng: Random) -> Position:
    """Engineers next to bridges, some of them disordered."""
    position, map_ = world.rulebook.start(world), world.game.map
    banks = [
        name
        for name in map_.grid.names
        for near in map_.grid.neighbours(name)
        if "bridge" in map_.hexside(name, near).features and not position.at(name)
    ]
    for name, piece in position.pieces.items():
        if piece.counter.kind == "engineer" and piece.side == side:
            states = {"disordered": Mark()} if rng.random() < BUSY else {}
            position = position.with_piece(name, where=rng.choice(banks), states=states)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "movement", side))


def pillagers(world: World, rng: Random) -> Position:
    """Allied units out of control among the trains, about to move."""
    position = close("movement", "allied", world, rng)
    trains = [one.where for one in position.pieces.values() if one.counter.kind == "convoy" and one.where]
    for name, piece in position.pieces.items():
        wild = piece.side == "allied" and piece.counter.kind in ("infantry", "cavalry") and piece.where
        if wild and trains and rng.random() < BUSY / 2:
            states = {"disordered": Mark(), "uncontrolled": Mark()}
            position = position.with_piece(name, where=trains.pop(), states=states)
    return position


def columns_in_the_way(world: World, rng: Random) -> Position:
    """Two earlier units in each hex in which others are due."""
    position = world.rulebook.start(world)
    turn = rng.choice((3, 4))
    due = [one for one in position.scenario.arrivals if one.turn == turn and one.during == "allied"]
    early = [one for one in position.scenario.arrivals if one.turn < turn and one.during == "allied"]
    bodies = [name for one in early for name in one.counters]
    bodies = [
        name for name in bodies if position.pieces[name].counter.kind in ("infantry", "cavalry", "artillery")
    ]
    for arrival in rng.sample(due, 1) if due else ():
        for where in arrival.entry:
            for name in bodies[:2]:
                position = position.with_piece(name, where=where)
            del bodies[:2]
    return evolve(position, clock=world.calendar.find(turn, "movement", "allied"))


def due(world: World, rng: Random) -> Position:
    """The first units are on the map, others about to arrive."""
    position, turn = world.rulebook.start(world), rng.choice((2, 3, 4))
    for arrival in position.scenario.arrivals:
        for name in arrival.counters if arrival.turn < turn else ():
            inland = rng.choice(position.game.map.grid.within(arrival.entry[0], FEW))
            if not position.at(inland):
                position = position.with_piece(name, where=inland)
    return evolve(position, clock=world.calendar.find(turn, "movement", "allied"))


def by_the_road_to_bayonne(world: World, rng: Random) -> Position:
    """French units about to leave the map by the road; some have."""
    position = _cleared(world)
    exits, foot = position.game.map.zones["exit-bayonne"].hexes, _foot(position, "french")
    for where in (*exits, "left-by-3206", "french-left"):
        position = position.with_piece(foot.pop(), where=where)
    for where in rng.sample(position.game.map.grid.within(next(iter(exits)), MANY), MANY):
        if not position.at(where):
            position = position.with_piece(foot.pop(), where=where)
    return evolve(position, clock=world.calendar.find(rng.choice((3, 4)), "movement", "french"))


def works_in_hand(side: str, world: World, rng: Random) -> Position:
    """Engineers at bridges on which they began to work in the last turn."""
    position = sappers(side, world, rng)
    for name, piece in position.pieces.items():
        if piece.counter.kind == "engineer" and piece.where in position.game.map.grid:
            position = position.with_piece(name, states={"working": Mark(since=position.date)})
            position = position.with_note(WORK_BEGUN, name, Date(position.turn - 1, piece.side))
            position = position.with_note(WORKED_IN, name, piece.where)
    return position


both = partial(Opening.of_each, {"allied": "the Allies", "french": "the French"})

OPENINGS = (
    Opening("the set-up", STARTING, lambda world, _: world.rulebook.start(world)),
    Opening("columns due", ("2f", "12.1a"), due),
    Opening("by the road to Bayonne", ("4.1g",), by_the_road_to_bayonne),
    *both("works in hand of {}", ("10e",), works_in_hand),
    *both("close, {} lead", LEADING, partial(close, "leaders"), tired=0.4),
    Opening("columns in the way of others", ("12.1b",), columns_in_the_way),
    *both("up slopes into woods, {} attack", ("5.3e",), partial(assaults, _is_up_a_slope)),
    *both("woods on roads, {} attack", ("5.3d",), partial(assaults, _is_by_a_road)),
    Opening("overwhelmed", ("4.5f", "7.8a"), partial(hemmed_in, (1, 1, 1), ("NW", "W", "SW"))),
    Opening("no room behind", ("7.5k",), partial(hemmed_in, (2, 1, 1), ("W",))),
    Opening("no room at all", ("4.5d", "7.5l"), partial(hemmed_in, (2, 2, 2), ("W",))),
    *both("{} charge", CHARGING, charges),
    *both("salients, {} attack", ("7.1d", "7.4e"), salients),
    *both("generals under fire, {} fire", ("9.2i",), under_fire),
    *both("routed units with generals of {}", WITH_GENERALS, around_generals),
    Opening("generals surrounded", ("9.2j",), surrounded),
    Opening("pillagers", ("11h",), pillagers),
    *both("sappers of {} at bridges", ("10c", "10d"), sappers),
    *both("engineers in towns, {} attack", ("10g",), towns),
    *both("close, {} move", MOVING, partial(close, "movement")),
    *both("close, {} fight", FIGHTING, partial(close, "fire")),
    *both("shaken, {} rally", RALLYING, partial(close, "rally"), tired=0.6),
)
