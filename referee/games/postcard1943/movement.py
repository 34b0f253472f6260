"""Operational movement: each clause that a move can break.

Whether a move can be made, and which clause forbids it if it cannot, is found in ``move``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.moves import limit
from referee.engine.paths import begins_where_it_stands, goes_from_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.supply import Supply
from referee.engine.wording import name_of
from referee.games.postcard1943.facts import (
    is_unit,
    put,
    supply,
    the_field,
    threatened,
    units_at,
    weight,
)
from referee.games.postcard1943.facts import (
    limit as most_weight,
)
from referee.games.postcard1943.move import Move
from referee.games.postcard1943.notes import (
    BACK_IN_SWAMP,
    CAME_IN_RELIEF,
    RELIEVED,
    SUPPLIED,
    SWAMP_ROLL_DUE,
    SWAMP_ROLLED,
    TRAIL,
    Trail,
)

rules = Section("Stacking and operational movement")


LIMITS = (
    "move.1 move.2 move.4 move.5 move.8 move.10 move.11 move.15 terrain.8 reinf.4 supply.5 supply.6 terrain.6"
)
limit(rules, Move.of, "move", clauses=LIMITS)
rules.on("move", clause="move.1")(goes_from_where_it_stands)
rules.on("retreat", clause="retreat.1")(begins_where_it_stands)
rules.on("advance", clause="advance.1")(begins_where_it_stands)


@rules.on("move", clause="move.10")
def a_unit_does_not_step_from_enemy_to_enemy(position: Position, action: Action) -> Breach | None:
    """In an interpretation that is not adopted: a unit next to the enemy must first move away from him."""
    if position.game.adopted("threatened-to-threatened") == "allowed" or len(action.path) != 2:
        return None
    index, near = position.game.map.grid.index, threatened(position, position.pieces[action.piece].side)
    here, there = action.path
    if near >> index[here] & 1 and near >> index[there] & 1 and not action.dragged:
        name = name_of(position, action.piece)
        says = f"{name} moves from {here} directly to {there}, both next to the enemy; no unit may."
        return Breach(says)
    return None


@rules.on("move", clause="stack.1")
def no_unit_moves_through_a_full_hex(position: Position, action: Action) -> Breach | None:
    """Too many units in a hex during movement is only unproven: by the end there may be room."""
    move = Move.of(position, action)
    if breach := move.breach("stack.1"):
        return breach
    unit, end = position.pieces[action.piece], action.end
    total = weight(position, end, unit.side) + unit.counter.stack
    if move.faults or position.game.adopted("stacking-moment") != "always" or unit.where == end:
        return None
    if total <= most_weight(position) or unit.counter.stack == 0 or move.is_step_onto_friend():
        return None
    says = (
        f"{name_of(position, unit.id)} moves into {end}, where the stack then counts {total}; the limit is"
        f" {most_weight(position)}, and it relieves no unit there."
    )
    return Breach(says, {"unit": unit.id, "hex": end, "weight": total}, Grade.unproven)


@rules.does("move")
def move(position: Position, action: Action) -> Position:
    """Put the unit at the end of its path and remember what it paid; a unit dragged back has not moved."""
    move, unit, end = Move.of(position, action), position.pieces[action.piece], action.end
    trail = move.trail or Trail(action.path[0], supply=move.state)
    after = put(position, unit.id, end)
    if trail.supply is Supply.supplied:
        after = after.with_note(SUPPLIED, unit.id, True)
    index = position.game.map.grid.index
    is_swamp = bool(the_field(position).swamps >> index[end] & 1)
    if move.is_taken_back():
        after = after.without_note(TRAIL, unit.id)
        return after.with_note(BACK_IN_SWAMP, unit.id, end) if is_swamp else after
    if weight(after, end, unit.side) > most_weight(after):
        for friend in units_at(after, end, unit.side):
            after = after.with_note(RELIEVED, friend.id, end)
        if move.is_step_onto_friend():
            after = after.with_note(CAME_IN_RELIEF, unit.id, end)
    after = after.without_note(RELIEVED, unit.id)
    dragged = trail.dragged or action.dragged
    trail = evolve(trail, spent=move.paid(), dragged=dragged, stopped=move.stops_after())
    after = after.with_note(TRAIL, unit.id, trail)
    if is_swamp and end != action.path[0]:
        after = after.with_note(SWAMP_ROLL_DUE, unit.id, end).without_note(SWAMP_ROLLED, unit.id)
    return after


def with_spent(position: Position, name: str, points: Fraction) -> Position:
    """Note that a unit has moved and spent MFs in this phase already."""
    where, scale = position.pieces[name].where, the_field(position).scale
    return position.with_note(TRAIL, name, Trail(where, int(points * scale), supply=supply(position, name)))


@rules.proposes
def moves(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex within reach, by the cheapest path, and the friends next to the unit."""
    grid = position.game.map.grid
    if position.phase != "movement" or piece.side != position.side:
        return
    if piece.where not in grid or not is_unit(position, piece):
        return
    for end, path in Move.everywhere(position, piece).options().items():
        step = Action("move", (piece.id,), (piece.where, end))
        joins = len(path) > 2 and grid.are_neighbours(*step.path)
        onto = joins and Move.of(position, step).is_step_onto_friend()
        yield step if onto else Action("move", (piece.id,), path)
