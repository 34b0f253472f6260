"""Stacking: three units in a hex."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.games.postcard1943.facts import is_sound, limit, units_at, weight
from referee.games.postcard1943.notes import CAME_IN_RELIEF, TRAIL
from vassalgen.game.provenance import Provenance

rules = Section("Stacking", Provenance("rulebook", "Stacking and Operational Movement"))


@rules.always(clause="stack.1 stack.2")
def no_hex_holds_more_than_its_limit(position: Position) -> Iterator[Breach]:
    yield from overfull(position)


@rules.leaving("reinforcements", "movement", "combat", clause="stack.1 stack.2")
def stacks_are_within_the_limit_at_the_end_of_a_phase(position: Position) -> Iterator[Breach]:
    waived = position.turn == 1 and position.phase == "reinforcements"
    late = position.phase == "reinforcements" and position.game.adopted("entry-stacking") == "movement"
    if not waived and not late:
        yield from (breach for breach in overfull(position) if not _may_stand(position, breach))


def _may_stand(position: Position, breach: Breach) -> bool:
    """In an interpretation that is not adopted, an excess after relief stands until a unit can leave
    [stack.4].
    """
    stack = breach.facts["units"]
    if position.game.adopted("relief") == "movable" or not isinstance(stack, tuple):
        return False
    where, side = breach.facts["hex"], position.pieces[stack[0]].side
    if not any(position.note(CAME_IN_RELIEF, unit) == where for unit in stack):
        return False
    own_movement = position.phase == "movement" and position.side == side
    return not (own_movement and any(_could_leave(position, unit) for unit in stack))


def _could_leave(position: Position, unit: str) -> bool:
    """Return whether a unit that has not moved in this phase could have."""
    piece = position.pieces[unit]
    return is_sound(piece) and not piece.is_("stuck") and position.note(TRAIL, unit) is None


def overfull(position: Position) -> Iterator[Breach]:
    """Find every stack over the limit."""
    grid, most = position.game.map.grid, limit(position)
    for where, pieces in position.by_place.items():
        if where in grid and sum(piece.counter.stack for piece in pieces) > most:
            for side in position.game.sides:
                if breach := too_many(position, where, side):
                    yield breach


def too_many(position: Position, where: str, side: str) -> Breach | None:
    """Say what is wrong with the stack of a side in a hex, if anything is.

    It breaks stack.2 if only the weight of corps makes it too high, stack.1 if it has too many units.
    """
    total, most = weight(position, where, side), limit(position)
    if total <= most:
        return None
    stack = units_at(position, where, side)
    counted = sum(piece.counter.stack > 0 for piece in stack)
    facts: Facts = {"hex": where, "units": tuple(piece.id for piece in stack), "weight": total, "limit": most}
    if counted > most:
        says = f"{counted} units are stacked in {where}; the limit is {most}."
        return Breach(says, facts, clause="stack.1")
    says = f"The stack in {where} counts {total} with corps and armies as 2; the limit is {most}."
    return Breach(says, facts, clause="stack.2")
