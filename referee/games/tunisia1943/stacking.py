"""Stacking: two combat units in a hex."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import counted
from referee.games.tunisia1943.battle import attacks
from referee.games.tunisia1943.facts import (
    AXIS,
    is_tiger,
    stack_weight,
    stacking_limit,
    units_at,
)
from referee.games.tunisia1943.notes import OVERFULL
from vassalgen.game.provenance import Provenance

rules = Section("Stacking", Provenance("rulebook", "5"))

STACKING = "5.1a 12b C1.5"


@rules.always(clause=STACKING)
def no_hex_holds_more_than_its_limit(position: Position) -> Iterator[Breach]:
    yield from overfull(position)


@rules.leaving("movement", "combat", "exploitation", clause=STACKING)
def stacks_are_within_the_limit_at_the_end_of_a_step(position: Position) -> Iterator[Breach]:
    if position.phase == "movement" or position.game.adopted("stacking-later") == "every-step":
        for breach in _mistakes(position):
            if _is_reported(position, breach):
                continue
            reported = position.note(OVERFULL, str(breach.facts["hex"])) or ()
            if set(_units(breach)) - set(reported):
                yield breach


def _mistakes(position: Position) -> Iterator[Breach]:
    """The stacks that are too high; Allied ones may be those of the set-up until the Allies have moved.

    What is unproven at set-up proves nothing before they could separate [5.1b, C1.5].
    """
    set_up = position.turn == 1 and position.side == AXIS
    return (breach for breach in overfull(position) if not (set_up and breach.clause == "C1.5"))


def _is_reported(position: Position, breach: Breach) -> bool:
    """Whether units retreated into a stack and must move on [7.5e], or too many advanced into a
    hex [7.6b].
    """
    hex_, units = breach.facts["hex"], _units(breach)
    return any(
        any(path[-1] == hex_ and name in units for name, path in attack.retreated.items())
        or (attack.target == hex_ and set(units) <= set(attack.advanced))
        for attack in attacks(position)
    )


@rules.following("combat", "exploitation", "supply")
def reported_once(position: Position) -> Position:
    """A stack that is too high is not a new mistake at the end of the next step, unless it has grown."""
    found = {str(breach.facts["hex"]): _units(breach) for breach in _mistakes(position)}
    for where in position.noted(OVERFULL):
        if where not in found:
            position = position.without_note(OVERFULL, where)
    for where, units in found.items():
        position = position.with_note(OVERFULL, where, units)
    return position


def _units(breach: Breach) -> tuple[str, ...]:
    units = breach.facts["units"]
    return units if isinstance(units, tuple) else ()


def overfull(position: Position) -> Iterator[Breach]:
    """Find every stack over the limit, which is one unit at least."""
    for where, pieces in position.by_place.items():
        if len(pieces) > 1 and where in position.game.map.grid:
            for side in position.game.sides:
                if breach := too_many(position, where, side):
                    yield breach


def too_many(position: Position, where: str, side: str) -> Breach | None:
    """Say what is wrong with the stack of a side in a hex, if anything is; a single unit is never wrong.

    It breaks C1.5 if only the campaign's limit makes it too high, 12b if only a second Tiger does.
    """
    stack = units_at(position, where, side)
    if len(stack) < 2:
        return None
    ending = position.phase in ("sustain", "movement")
    weight, limit = stack_weight(position, stack), stacking_limit(position, side, ending=ending)
    tigers = sum(is_tiger(position, piece) for piece in stack)
    barred = tigers > 1 and position.game.adopted("second-tiger") == "barred"
    if weight <= limit and not barred:
        return None
    facts: Facts = {"hex": where, "units": tuple(piece.id for piece in stack), "limit": limit}
    usual = min(each.limit for each in position.game.stacking)
    if barred:
        return Breach(
            f"{tigers} Tigers are in {where}; only one may be there beyond the stacking limit.",
            facts,
            clause="12b",
        )
    if weight <= usual:
        return Breach(
            f"{counted(weight, 'combat unit')} are in {where}; this turn the Allied limit is {limit}.",
            facts,
            clause="C1.5",
        )
    if tigers > 1 and len(stack) - tigers <= limit:
        return Breach(
            f"Two Tigers are in {where}; only one may be there beyond the stacking limit.",
            facts,
            clause="12b",
        )
    return Breach(
        f"{counted(weight, 'combat unit')} are in {where}; the limit is {limit}.", facts, clause="5.1a"
    )
