"""The texts of findings about moves: which clause a move breaks, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
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
    from referee.games.tunisia1943.move import Move

_ZONES = Provenance("rulebook", "3")
PROVENANCE = {
    "4.1f": Provenance("rulebook", "4.1"),
    "3b": _ZONES,
    "3c": _ZONES,
    "4.2a": Provenance("rulebook", "4.2"),
    **dict.fromkeys(("4.3d", "4.3g", "4.3h"), Provenance("rulebook", "4.3")),
    **dict.fromkeys(("10b", "10c"), Provenance("rulebook", "10")),
}
"""Movement relies on the map, a reconstruction, except for clauses that need only the rulebook."""


def facts_of(move: Move) -> dict[str, Fact]:
    """Return the facts of a move: the piece, its path, what it costs and what it has."""
    names = move.position.game.map.grid.names
    facts: dict[str, Fact] = {"unit": move.piece.id, "path": tuple(names[at] for at in move.path)}
    if paid := paid_for(move):
        facts["cost"] = paid
    facts["allowance"] = number(move.allowance())
    if is_out_of_supply(move.position, move.piece):
        facts["supply"] = "out of supply"
    if near := _stopping(move):
        facts["zone of control of"] = near[1]
    return facts


def paid_for(move: Move) -> str:
    """Return a text for the cost of a move, empty if it cannot be known."""
    cost = move.cost(frozenset({move.budget_clause, "4.3g"}))
    return number(Fraction(cost, the_field(move.position).scale)) if cost is not None else ""


def says(move: Move, clause: str) -> str:
    """Say what is wrong with a move by a clause."""
    position, unit = move.position, name_of(move.position, move.piece.id)
    names = position.game.map.grid.names
    here, there = names[move.path[0]], names[move.path[-1]]
    needs = _needs(move, there, has(move))
    said = {
        "4.1g": f"The path of {unit} from {here} to {there} leads through impassable terrain;"
        " no unit may enter or cross it.",
        "4.1f": _says_held(move),
        "4.2a": _says_overrun(move, needs),
        "4.3d": f"{unit} declared its breakthrough into {_goal(move)} but goes elsewhere first.",
        "4.3h": f"{_goal(move)} is in an enemy ZOC: {unit} may go on only by a new breakthrough.",
        "4.3g": f"A breakthrough costs the usual MP. {needs}",
        "3c": f"{unit} moves directly from {_zones_between(move)}; only a breakthrough may.",
        "3b": _says_stopped(move),
        "10c": f"{unit} enters {_zone_entered(move)} in exploitation; no unit may.",
        "C2.4": _of_cap(move, clause, there, "is short of fuel"),
        "6.3h": _of_cap(move, clause, there, "is out of supply because its EM is destroyed"),
        "9.2e": _of_cap(move, clause, there, "is out of supply"),
        "9.2i": _of_cap(move, clause, there, "is out of supply"),
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


def has(move: Move) -> str:
    """Return a text for the MP of a unit, and what leaves it fewer than its counter says."""
    limits = caps(move.position, move.piece)
    clause = min(limits, key=lambda one: limits[one], default="")
    if not clause or limits[clause] >= movement(move.position, move.piece):
        return f"{number(move.allowance())} MP"
    why = "because of the fuel shortage" if clause == "C2.4" else "because it is out of supply"
    return f"{number(move.allowance())} MP {why}"


def _needs(move: Move, there: str, most: str) -> str:
    """Say what a unit needs for a move and what it has."""
    return (
        f"{name_of(move.position, move.piece.id)} needs"
        f" {_paid_or_more(move)} to reach {there}; it has {most}."
    )


def _paid_or_more(move: Move) -> str:
    return f"{paid} MP" if (paid := paid_for(move)) else "more MP than it has"


def _of_cap(move: Move, clause: str, there: str, why: str) -> str:
    most, unit = caps(move.position, move.piece).get(clause, 0), name_of(move.position, move.piece.id)
    return f"{unit} {why}: it has {most} MP and needs {_paid_or_more(move)} to reach {there}."


def _goal(move: Move) -> str:
    """Return the hex named for a breakthrough, or the one that the piece has reached by it."""
    return move.attempt.goal if move.attempt else move.position.game.map.grid.names[move.path[0]]


def _says_held(move: Move) -> str:
    enemy, names = other(move.piece.side), move.position.game.map.grid.names
    for at in move.path[1:]:
        found = [piece.id for piece in units_at(move.position, names[at], enemy)]
        garrison = garrison_at(move.position, names[at])
        found += [garrison.id] if garrison and garrison.side == enemy else []
        if found:
            unit = name_of(move.position, move.piece.id)
            return (
                f"{unit} enters {names[at]}, which {names_of(move.position, found)}"
                f" {'holds' if len(found) == 1 else 'hold'}; no unit may enter it."
            )
    return (
        f"All paths of {name_of(move.position, move.piece.id)} lead through hexes that the enemy holds;"
        " no unit may enter one."
    )


def _says_stopped(move: Move) -> str:
    """If only the ends of a move are known, the enemies that it met on its way are not reported."""
    unit = name_of(move.position, move.piece.id)
    if near := _stopping(move):
        return (
            f"{unit} moves on after entering the ZOC of"
            f" {names_of(move.position, near[1])} in {near[0]}; it had to stop there."
        )
    there = move.position.game.map.grid.names[move.path[-1]]
    return f"All paths of {unit} to {there} lead through enemy ZOCs, in which it has to stop."


def _zones_between(move: Move) -> str:
    """A text for the first EZOCs between which a path leads directly, as far as it is known."""
    names = move.position.game.map.grid.names
    for here, there in pairwise(names[at] for at in move.path if not move.dragged):
        near = [controllers(move.position, move.piece.side, where) for where in (here, there)]
        if all(near):
            first, second = (names_of(move.position, found) for found in near)
            return f"the ZOC of {first} in {here} to that of {second} in {there}"
    return "one enemy ZOC to another"


def _zone_entered(move: Move) -> str:
    """A text for the first EZOC that a move is known to enter."""
    names = move.position.game.map.grid.names
    for where in (names[at] for at in move.path[1:]):
        if near := controllers(move.position, move.piece.side, where):
            return f"the ZOC of {names_of(move.position, near)} in {where}"
    return f"an enemy ZOC on its path to {names[move.path[-1]]}"


def _says_overrun(move: Move, needs: str) -> str:
    enemy, names = other(move.piece.side), move.position.game.map.grid.names
    found = [piece.id for at in move.path[1:] for piece in ems_at(move.position, names[at], enemy)]
    overrun = names_of(move.position, found) or "an EM"
    if is_em(move.piece):
        return f"{name_of(move.position, move.piece.id)} is an EM and cannot overrun {overrun}."
    each = " each" if len(found) > 1 and move.position.game.adopted("overrun-cost") == "each-em" else ""
    return f"Overrunning {overrun} costs 2 MP more{each}. {needs}"


def _stopping(move: Move) -> tuple[str, tuple[str, ...]] | None:
    """The first hex of a move in which zones of control stopped it, and the units that exert them."""
    if move.position.phase == EXPLOITATION:
        return None
    names = move.position.game.map.grid.names
    for at in _passed(move):
        if found := controllers(move.position, move.piece.side, names[at]):
            return names[at], found
    return None


def _passed(move: Move) -> Iterator[int]:
    if move.has_stopped():
        yield move.path[0]
    yield from move.path[1:-1]
