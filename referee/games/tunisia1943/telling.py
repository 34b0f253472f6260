"""How it is told which clause a move breaks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.engine.rulings import Fact, number
from referee.games.tunisia1943.facts import (
    EXPLOITATION,
    caps,
    controllers,
    ems_at,
    garrison_at,
    is_em,
    is_out_of_supply,
    movement,
    other,
    the_field,
    units_at,
)
from vassalgen.game.provenance import Provenance

if TYPE_CHECKING:
    from referee.games.tunisia1943.trip import Trip

_ZONES = Provenance("rulebook", "3")
PROVENANCE = {
    "4.1f": Provenance("rulebook", "4.1"),
    "3b": _ZONES,
    "3c": _ZONES,
    "10c": Provenance("rulebook", "10"),
    "4.3d": Provenance("rulebook", "4.3"),
    "4.3h": Provenance("rulebook", "4.3"),
}
"""Movement leans on the map, a reconstruction, but for clauses that lean on the rulebook alone."""


def facts_of(trip: Trip) -> dict[str, Fact]:
    """Return the facts of a trip: the piece, its way, what it costs and what it has."""
    names = trip.position.game.map.grid.names
    facts: dict[str, Fact] = {"unit": trip.piece.id, "way": tuple(names[at] for at in trip.path)}
    if paid := paid_for(trip):
        facts["cost"] = paid
    facts["allowance"] = number(trip.allowance())
    if is_out_of_supply(trip.position, trip.piece):
        facts["supply"] = "out of supply"
    if near := _stopping(trip):
        facts["zone of control of"] = near
    return facts


def paid_for(trip: Trip) -> str:
    """Return what a trip costs in words, nothing where it cannot be told."""
    cost = trip.cost(frozenset({trip.budget_clause, "4.3g"}))
    return number(Fraction(cost, the_field(trip.position).scale)) if cost is not None else ""


def says(trip: Trip, clause: str) -> str:
    """Say what is wrong with a trip by a clause."""
    position, unit = trip.position, trip.piece.id
    names = position.game.map.grid.names
    here, there = names[trip.path[0]], names[trip.path[-1]]
    needs = f"{paid_for(trip) or 'more'} MP needed of {has(trip)}"
    said = {
        "4.1g": f"the way from {here} to {there} leads through impassable terrain",
        "4.1f": _says_held(trip),
        "4.2a": _says_overrun(trip, needs),
        "4.3d": f"the breakthrough of {unit} was declared into {_goal(trip)}",
        "4.3h": f"{_goal(trip)} is in an enemy zone of control: a new breakthrough is needed",
        "4.3g": f"a breakthrough costs the usual MP: {needs}",
        "3c": f"{unit} steps from one enemy zone of control to another",
        "3b": _says_stopped(trip),
        "10c": f"no enemy zone of control may be entered in exploitation; {there} or the way there is in one",
        "C2.4": f"want of fuel: {_of_cap(trip, clause)}",
        "6.3h": f"the EM of {unit} is destroyed, the unit is out of supply: {_of_cap(trip, clause)}",
        "9.2e": f"{unit} is out of supply: {_of_cap(trip, clause)}",
        "9.2i": f"{unit} is out of supply: {_of_cap(trip, clause)}",
        "4.1d": f"MP that were not spent are lost: {needs}",
        "2.1b": f"the wadis are in flood: {needs}",
        "2.1d": f"no road carries {unit} over the water, which costs its MP: {needs}",
        "2.1c": f"no road joins all hexes of the way: {needs}",
        "2.1a": f"hexsides cost more MP: {needs}",
        "4.1c": f"the terrain entered costs more MP: {needs}",
        "4.1a": f"the cheapest way from {here} to {there}: {needs}",
        "10b": f"the cheapest way from {here} to {there} in exploitation: {needs}",
    }
    return said[clause]


def has(trip: Trip) -> str:
    """Return in words what MP a unit has, and what leaves it fewer than its counter says."""
    limits = caps(trip.position, trip.piece)
    clause = min(limits, key=lambda one: limits[one], default="")
    if not clause or limits[clause] >= movement(trip.position, trip.piece):
        return number(trip.allowance())
    return f"{number(trip.allowance())}, {'for want of fuel' if clause == 'C2.4' else 'out of supply'}"


def _of_cap(trip: Trip, clause: str) -> str:
    most = caps(trip.position, trip.piece).get(clause, 0)
    return f"{paid_for(trip) or 'more'} MP needed of {most}"


def _goal(trip: Trip) -> str:
    return trip.attempt.goal if trip.attempt else ""


def _says_held(trip: Trip) -> str:
    enemy, names = other(trip.piece.side), trip.position.game.map.grid.names
    for at in trip.path[1:]:
        found = [piece.id for piece in units_at(trip.position, names[at], enemy)]
        garrison = garrison_at(trip.position, names[at])
        found += [garrison.id] if garrison and garrison.side == enemy else []
        if found:
            return f"{names[at]} is held by {', '.join(found)}"
    return "the way leads through hexes that the enemy holds"


def _says_stopped(trip: Trip) -> str:
    """Of a trip that is known by its ends alone, whom it met on its way is not told."""
    if near := _stopping(trip):
        return f"{trip.piece.id} had to stop on entering the zone of control of {', '.join(near)}"
    there = trip.position.game.map.grid.names[trip.path[-1]]
    return (
        f"all ways of {trip.piece.id} to {there} lead through enemy zones of control, in which it has to stop"
    )


def _says_overrun(trip: Trip, needs: str) -> str:
    enemy, names = other(trip.piece.side), trip.position.game.map.grid.names
    found = [piece.id for at in trip.path[1:] for piece in ems_at(trip.position, names[at], enemy)]
    if is_em(trip.piece):
        return f"an EM does not overrun {', '.join(found) or 'another'}"
    return f"to overrun {', '.join(found) or 'an EM'} costs 2 MP more: {needs}"


def _stopping(trip: Trip) -> tuple[str, ...]:
    """The enemies whose zone of control stopped a trip, in the first such hex."""
    if trip.position.phase == EXPLOITATION:
        return ()
    names = trip.position.game.map.grid.names
    for at in _passed(trip):
        if found := controllers(trip.position, trip.piece.side, names[at]):
            return found
    return ()


def _passed(trip: Trip) -> Iterator[int]:
    if trip.trail and trip.trail.stopped:
        yield trip.path[0]
    yield from trip.path[1:-1]
