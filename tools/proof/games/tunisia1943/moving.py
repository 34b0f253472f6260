"""Breaches in movement: steps that plainly break one rule."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.notes import ACTED, TRAIL
from tools.oracles.board import remembered
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.marching import March
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.facts import (
    EM,
    UNIT,
    enemy,
    free_around,
    has_lost_its_em,
    is_armour,
    is_controlled,
    is_free,
    is_fresh,
    is_held,
    is_plain,
    is_sea,
    units,
)

breaker = Breaker()
FAR = 20
"""Hexes that no unit reaches: main roads give two for an MP, and no unit has more than 8."""


def movers(moment: Moment, phase: str = "movement") -> Iterator[Piece]:
    """The units of the active side that have not moved in the phase, in random order."""
    position = moment.position
    if position.phase != phase:
        return
    found = [piece for piece in units(position, position.side) if is_fresh(position, piece)]
    moment.rng.shuffle(found)
    yield from found


def drags(position: Position, piece: Piece) -> dict[str, str]:
    """The ruling on a drag of a piece that has not moved, to every hex [marching.March.drags]."""
    return remembered(position, ("drags", piece.id), lambda: March(position, piece.id).drags())


def step(piece: Piece, there: str, verb: str = "move") -> tuple[Action, ...]:
    """One step of a piece."""
    return (Action(verb, (piece.id,), (piece.where, there)),)


@breaker.breaks("4.1g", "move")
def into_the_sea(moment: Moment) -> Broken:
    for piece in movers(moment):
        for there in moment.position.game.map.grid.neighbours(piece.where):
            if is_sea(moment.position, there):
                yield step(piece, there)


@breaker.breaks("4.1f", "move", "next")
def onto_the_enemy(moment: Moment) -> Broken:
    position = moment.position
    for piece in movers(moment):
        for there in position.game.map.grid.neighbours(piece.where):
            if is_held(position, there, enemy(piece.side)) and not is_sea(position, there):
                yield step(piece, there)


@breaker.breaks("4.1a", "move", "next")
def farther_than_any_unit_goes(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in list(movers(moment))[:4]:
        for there in moment.rng.sample(grid.names, 40):
            free = is_free(position, there) and not is_controlled(position, there, enemy(piece.side))
            if free and grid.distance(piece.where, there) > FAR:
                yield (Action("move", (piece.id,), (piece.where, there), dragged=True),)


@breaker.breaks("3c", "move", "next")
def from_zone_to_zone(moment: Moment) -> Broken:
    position = moment.position
    for piece in movers(moment):
        opponent = enemy(piece.side)
        if is_armour(piece) or not is_controlled(position, piece.where, opponent):
            continue
        for there in position.game.map.grid.neighbours(piece.where):
            open_ = not is_sea(position, there) and not is_held(position, there, opponent)
            if open_ and is_controlled(position, there, opponent) and not lone_em(moment, there, opponent):
                yield step(piece, there)


def lone_em(moment: Moment, where: str, side: str) -> bool:
    """Return whether an EM of a side is in a hex."""
    return any(piece.side == side and piece.counter.kind == "em" for piece in moment.position.at(where))


@breaker.breaks("3b", "move", "next")
def on_after_entering_a_zone(moment: Moment) -> Broken:
    position = moment.position
    for piece in movers(moment):
        opponent, without = enemy(piece.side), has_lost_its_em(position, piece)
        if is_armour(piece) or without or is_controlled(position, piece.where, opponent):
            continue
        reached = drags(position, piece)
        for there in free_around(position, piece.where):
            for beyond in free_around(position, there) if is_controlled(position, there, opponent) else ():
                if beyond not in reached and not is_controlled(position, beyond, opponent):
                    yield (*step(piece, there), Action("move", (piece.id,), (there, beyond)))


@breaker.breaks("4.2a", "move", "next")
def an_em_overruns(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for em in units(position, position.side, EM) if position.phase == "movement" else ():
        for there in board.around(em.where) if is_fresh(position, em) else ():
            near = is_controlled(position, em.where, enemy(em.side)) and is_controlled(
                position, there, enemy(em.side)
            )
            if board.has_lone_em(there, enemy(em.side)) and not near and not is_sea(position, there):
                yield step(em, there)


@breaker.breaks("1b", "move")
def the_inactive_side_moves(moment: Moment) -> Broken:
    """In the movement step: after combat it may be a late retreat."""
    position = moment.position
    others = units(position, enemy(position.side)) if position.phase == "movement" else []
    for piece in moment.rng.sample(others, min(len(others), 3)):
        if position.note(ACTED, position.side):
            yield from (step(piece, there) for there in free_around(position, piece.where))


@breaker.breaks("3e", "move")
def infantry_breaks_through(moment: Moment) -> Broken:
    for piece in list(movers(moment))[:5]:
        if not is_armour(piece):
            goal = moment.position.game.map.grid.neighbours(piece.where)[0]
            yield (Action("break through", (piece.id,), target=goal),)


@breaker.breaks("9.2e", "next", "move")
def two_hexes_out_of_supply(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    if position.phase != "movement":
        return
    for piece in units(position, position.side):
        if "out-of-supply" not in piece.states or (TRAIL, piece.id) in position.notes:
            continue
        opponent = enemy(piece.side)
        for there in grid.neighbours(piece.where):
            for beyond in grid.neighbours(there):
                paths = (there, beyond)
                clear = all(is_plain(position, at) and not position.at(at) for at in paths)
                near = any(is_controlled(position, at, opponent) for at in (piece.where, *paths))
                roads = position.game.map.roads_across(piece.where, there)
                if clear and not near and not roads and beyond != piece.where:
                    yield (Action("move", (piece.id,), (piece.where, there, beyond)),)


@breaker.breaks("10c", "exploit")
def into_a_zone_in_exploitation(moment: Moment) -> Broken:
    position = moment.position
    opponent = enemy(position.side)
    if any("zoc-lost" in piece.states for piece in units(position)):
        return
    for name in moment.action.pieces:
        piece = position.pieces[name]
        if piece.counter.kind == UNIT and is_fresh(position, piece):
            for there in free_around(position, piece.where):
                if is_controlled(position, there, opponent):
                    yield step(piece, there, "exploit")
