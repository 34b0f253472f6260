"""At the table: where a unit may go and what stops it, and the odds of an attack."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.combat import Odds
from referee.engine.position import Position
from referee.engine.rulings import Breach, Grade, Ruling, number
from vassalgen.game.game import unknown
from vassalgen.problems import BadInput, Problem

MOVE = "move"


@frozen
class Destination:
    """A hex that a unit might move to: the ruling on it, and if it is legal the cheapest way and its cost.

    The cost is in movement points, those spent before in the phase included.
    """

    hex: str
    ruling: Ruling
    cost: Fraction | None = None
    way: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Tell whether the unit may go there."""
        return self.ruling.grade == Grade.legal

    @property
    def stopped_by(self) -> tuple[Breach, ...]:
        """What stops it."""
        return self.ruling.breaches


def moves(position: Position, unit: str) -> tuple[Destination, ...]:
    """Return for every hex of the map whether a unit may move there; BadInput if it is not on the map."""
    where = _piece(position, unit)
    found = []
    for name in position.game.map.grid.names:
        if name == where:
            continue
        action = Action(MOVE, (unit,), (where, name), dragged=True)
        ruling = position.judge(action)
        price = position.world.rulebook.price if ruling.grade == Grade.legal else None
        cost, way = price(position, action) if price else (None, ())
        found.append(Destination(name, ruling, cost, way))
    return tuple(found)


def odds(position: Position, target: str, units: tuple[str, ...]) -> tuple[Ruling, Odds]:
    """Return the ruling on an attack and its odds; BadInput if the game has none or a unit is unknown."""
    for unit in units:
        _piece(position, unit)
    reckon = position.world.rulebook.odds
    if reckon is None:
        raise BadInput(Problem(position.game.id, "", "its rules reckon no odds"))
    ruling = position.judge(Action("attack", units, target=target))
    return ruling, reckon(position, target, units)


def _piece(position: Position, unit: str) -> str:
    if unit not in position.pieces:
        raise BadInput(Problem("", unit, "there is no such unit", unknown(unit, tuple(position.pieces))))
    where = position.pieces[unit].where
    if where not in position.game.map.grid:
        raise BadInput(Problem("", unit, f"is not on the map but in {where or 'no place'}"))
    return where


def say_moves(position: Position, destinations: tuple[Destination, ...], near: int = 1) -> Iterator[str]:
    """Tell where a unit may go, cheapest first, and of the other hexes near any of those what stops it."""
    reached = sorted(
        (each for each in destinations if each.is_open), key=lambda each: (each.cost or 0, each.hex)
    )
    for each in reached:
        cost = number(each.cost) if each.cost is not None else "?"
        yield f"{each.hex}: {cost} by {'-'.join(each.way)}"
    grid = position.game.map.grid
    for each in destinations:
        ends = (open_.hex for open_ in reached)
        if not each.is_open and any(grid.distance(each.hex, end) <= near for end in ends):
            told = "; ".join(f"{breach.clause} {breach.says}" for breach in each.stopped_by)
            yield f"{each.hex}: no: {told}"


def say_odds(ruling: Ruling, reckoned: Odds) -> Iterator[str]:
    """Tell the odds with all their parts, and what forbids the attack if anything does."""
    yield from reckoned.lines()
    for breach in ruling.breaches:
        yield f"{breach.grade.name} {breach.clause}: {breach.says}"
