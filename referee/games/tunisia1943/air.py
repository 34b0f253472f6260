"""The aviation points of a turn: how many a side has, has used, has left [11a]."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.clock import Date
from referee.engine.position import Position
from referee.games.tunisia1943.facts import this_turn
from referee.games.tunisia1943.notes import AVIATION


def points(position: Position, side: str) -> int:
    """Return the points that a side has this turn by the turn track [11a, C1.3, C2.3, C2.5]."""
    values = this_turn(position)
    return values.group("air").integer(side, 0) if "air" in values else 0


def used(position: Position, side: str) -> Mapping[Date, int]:
    """Return the points that a side has used this turn, by player turn [11g]."""
    return position.note(AVIATION, side) or {}


def left(position: Position, side: str) -> int:
    """Return the points that a side has left this turn."""
    return max(points(position, side) - sum(used(position, side).values()), 0)


def use(position: Position, side: str, count: int) -> Position:
    """Return the position with points of a side used."""
    so_far = used(position, side)
    now = {**so_far, position.date: so_far.get(position.date, 0) + count}
    return position.with_note(AVIATION, side, now)
