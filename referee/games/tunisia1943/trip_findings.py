"""What a finding says of a move: which clause it breaks, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.engine.rulings import Fact, number
from referee.engine.wording import name_of, names_of
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
    "4.2a": Provenance("rulebook", "4.2"),
    **dict.fromkeys(("4.3d", "4.3g", "4.3h"), Provenance("rulebook", "4.3")),
    **dict.fromkeys(("10b", "10c"), Provenance("rulebook", "10")),
}
"""Movement relies on the map, a reconstruction, but for clauses that rely on the rulebook alone."""


def facts_of(trip: Trip) -> dict[str, Fact]:
    """Return the facts of a trip: the piece, its path, what it costs and what it has."""
    names = trip.position.game.map.grid.names
    facts: dict[str, Fact] = {"unit": trip.piece.id, "path": tuple(names[at] for at in trip.path)}
    if paid := paid_for(trip):
        facts["cost"] = paid
    facts["allowance"] = number(trip.allowance())
    if is_out_of_supply(trip.position, trip.piece):
        facts["supply"] = "out of supply"
    if near := _stopping(trip):
        facts["zone of control of"] = near
    return facts


def paid_for(trip: Trip) -> str:
    """Return the cost of a trip in words, empty if it cannot be known."""
    cost = trip.cost(frozenset({trip.budget_clause, "4.3g"}))
    return number(Fraction(cost, the_field(trip.position).scale)) if cost is not None else ""


def says(trip: Trip, clause: str) -> str:
    """Say what is wrong with a trip by a clause."""
    position, unit = trip.position, name_of(trip.position, trip.piece.id)
    names = position.game.map.grid.names
    here, there = names[trip.path[0]], names[trip.path[-1]]
    needs = _needs(trip, there, has(trip))
    said = {
        "4.1g": f"The path of {unit} from {here} to {there} leads through impassable terrain;"
        " no unit may enter or cross it.",
        "4.1f": _says_held(trip),
        "4.2a": _says_overrun(trip, needs),
        "4.3d": f"{unit} declared its breakthrough into {_goal(trip)} but goes elsewhere first.",
        "4.3h": f"{_goal(trip)} is in an enemy ZOC: {unit} may go on only by a new breakthrough.",
        "4.3g": f"A breakthrough costs the usual MP. {needs}",
        "3c": f"{unit} moves directly from one enemy ZOC to another; only a breakthrough may.",
        "3b": _says_stopped(trip),
        "10c": f"{unit} enters an enemy ZOC in exploitation, in {there} or on its path there; no unit may.",
        "C2.4": _of_cap(trip, clause, there, "is short of fuel"),
        "6.3h": _of_cap(trip, clause, there, "is out of supply because its EM is destroyed"),
        "9.2e": _of_cap(trip, clause, there, "is out of supply"),
        "9.2i": _of_cap(trip, clause, there, "is out of supply"),
        "4.1d": f"MP that were not spent in the movement step are lost. {needs}",
        "2.1b": f"The wadis are in flood. {needs}",
        "2.1d": f"Crossing water without a road costs MP. {needs}",
        "2.1c": f"No road joins all hexes of this path. {needs}",
        "2.1a": f"The hexsides on this path cost MP as well. {needs}",
        "4.1c": f"Every hex entered costs the MP of its terrain. {needs}",
        "4.1a": needs,
        "10b": f"Exploitation has an allowance of its own. {needs}",
    }
    return said[clause]


def has(trip: Trip) -> str:
    """Return in words what MP a unit has, and what leaves it fewer than its counter says."""
    limits = caps(trip.position, trip.piece)
    clause = min(limits, key=lambda one: limits[one], default="")
    if not clause or limits[clause] >= movement(trip.position, trip.piece):
        return f"{number(trip.allowance())} MP"
    why = "because of the fuel shortage" if clause == "C2.4" else "because it is out of supply"
    return f"{number(trip.allowance())} MP {why}"


def _needs(trip: Trip, there: str, most: str) -> str:
    """Say what a unit needs for a trip and what it has."""
    return (
        f"{name_of(trip.position, trip.piece.id)} needs"
        f" {_paid_or_more(trip)} to reach {there}; it has {most}."
    )


def _paid_or_more(trip: Trip) -> str:
    return f"{paid} MP" if (paid := paid_for(trip)) else "more MP than it has"


def _of_cap(trip: Trip, clause: str, there: str, why: str) -> str:
    most, unit = caps(trip.position, trip.piece).get(clause, 0), name_of(trip.position, trip.piece.id)
    return f"{unit} {why}: it has {most} MP and needs {_paid_or_more(trip)} to reach {there}."


def _goal(trip: Trip) -> str:
    """Return the hex named for a breakthrough, or the one that the piece has reached by it."""
    return trip.attempt.goal if trip.attempt else trip.position.game.map.grid.names[trip.path[0]]


def _says_held(trip: Trip) -> str:
    enemy, names = other(trip.piece.side), trip.position.game.map.grid.names
    for at in trip.path[1:]:
        found = [piece.id for piece in units_at(trip.position, names[at], enemy)]
        garrison = garrison_at(trip.position, names[at])
        found += [garrison.id] if garrison and garrison.side == enemy else []
        if found:
            unit = name_of(trip.position, trip.piece.id)
            return (
                f"{unit} enters {names[at]}, which {names_of(trip.position, found)}"
                f" {'holds' if len(found) == 1 else 'hold'}; no unit may enter it."
            )
    return (
        f"All paths of {name_of(trip.position, trip.piece.id)} lead through hexes that the enemy holds;"
        " no unit may enter one."
    )


def _says_stopped(trip: Trip) -> str:
    """Of a trip that is known by its ends alone, whom it met on its way is not reported."""
    unit = name_of(trip.position, trip.piece.id)
    if near := _stopping(trip):
        return (
            f"{unit} moves on after entering the ZOC of"
            f" {names_of(trip.position, near)}; it had to stop there."
        )
    there = trip.position.game.map.grid.names[trip.path[-1]]
    return f"All paths of {unit} to {there} lead through enemy ZOCs, in which it has to stop."


def _says_overrun(trip: Trip, needs: str) -> str:
    enemy, names = other(trip.piece.side), trip.position.game.map.grid.names
    found = [piece.id for at in trip.path[1:] for piece in ems_at(trip.position, names[at], enemy)]
    overrun = names_of(trip.position, found) or "an EM"
    if is_em(trip.piece):
        return f"{name_of(trip.position, trip.piece.id)} is an EM and cannot overrun {overrun}."
    return f"Overrunning {overrun} costs 2 MP more. {needs}"


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
