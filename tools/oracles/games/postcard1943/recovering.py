"""Recovery from Disruption, stacking and victory as the clauses describe them."""

from __future__ import annotations

from referee.engine.clock import Date
from referee.engine.position import Piece, Position
from tools.oracles.games.postcard1943.board import LIMIT, Board

HALVES = ("allied", "axis")


def recovery(unit: Piece, since: Date) -> Date:
    """The half-turn at the end of which a unit recovers [disrupt.5, disrupt.6]."""
    enemy = "axis" if unit.side == "allied" else "allied"
    if unit.counter.nation not in ("uk", "nz", "de"):
        return Date(since.turn + 1, enemy)
    has_ended = HALVES.index(unit.side) < HALVES.index(since.side)
    return Date(since.turn + has_ended, unit.side)


def recovers(position: Position, unit: Piece, since: Date | None) -> str:
    """Rule on removing a unit's marker now, if it was Disrupted at all."""
    if since is None:
        return "slip"
    due = recovery(unit, since)
    at_end = position.phase in ("recovery", "end")
    now = (position.turn, HALVES.index(position.date.side))
    then = (due.turn, HALVES.index(due.side))
    if now < then or (now == then and not at_end):
        return "illegal"
    return "legal" if now == then and position.phase == "recovery" else "slip"


def too_full(position: Position) -> list[str]:
    """The hexes that hold more than three units of a side [stack.1 to stack.3]."""
    board = Board(position)
    return [
        where
        for where in board.map.grid.names
        if any(board.weight(where, side) > LIMIT for side in position.game.sides)
    ]


def allies_have_won(position: Position) -> bool:
    """Return whether both towns are held in supply at the end of a turn [win.1]."""
    board = Board(position)
    towns = [place.hex for place in board.map.places.values() if place.name in ("Tunis", "Bizerte")]
    return position.phase == "end" and all(
        any(board.is_supplied(unit) for unit in board.at(town, "allied")) for town in towns
    )


def disrupted_since(unit: Piece) -> Date | None:
    """When a unit was Disrupted, if it is."""
    mark = unit.states.get("disrupted")
    return mark.since if mark else None
