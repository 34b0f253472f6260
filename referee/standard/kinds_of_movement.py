"""Moves in phases with several kinds of movement: a log does not say by which of them a unit moved.

It is read as the first that is legal, in the order of rules.toml. The others are noted; what would be legal
after one of them is unproven.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.standard.facts import fits, has_done, may_do, rules_of
from referee.standard.move import Move
from referee.standard.notes import (
    DONE,
    MARGIN,
    OTHER_TRAILS,
    PERHAPS,
    PERHAPS_FAILED,
    TRAIL,
    Trail,
    trail_of,
)
from referee.standard.setting import the_setting
from referee.standard.verbs import OF_ANY_KIND, moves_in
from vassalgen.game.families import Movement


def with_other_kinds(before: Position, after: Position, action: Action) -> Position:
    """Note the other kinds of movement with which a unit may have moved, if none is named."""
    unit, kinds = action.piece, moves_in(rules_of(before), before.phase)
    is_last, said = action.verb not in kinds[:-1], not action.dragged and OF_ANY_KIND not in action.words
    if is_last and action.dragged:
        return after
    if is_last or said:
        return after.without_note(OTHER_TRAILS, unit).without_note(PERHAPS, f"{unit} {action.verb}")
    trails = tuple(
        _trail(before, other)
        for kind in kinds[kinds.index(action.verb) + 1 :]
        if before.world.rulebook.allows(before, other := evolve(action, verb=kind))
    )
    names = tuple(trail.movement for trail in trails)
    after = after.with_note(OTHER_TRAILS, unit, trails)
    return after.with_note(PERHAPS, f"{unit} {action.verb}", names)


def _trail(position: Position, action: Action) -> Trail:
    before = trail_of(position, action.piece, action.verb)
    start = before.start if before else action.path[0]
    if action.verb in rules_of(position).transfers:
        return Trail(start, dragged=True, stopped=True, movement=action.verb)
    move = Move.of(position, action)
    return Trail(start, move.paid(), dragged=True, stopped=move.stops_after(), movement=action.verb)


def otherwise_moved(position: Position, action: Action | None = None) -> Iterator[Position]:
    """Yield positions that are equally likely: those in which dragged units moved by another kind of
    movement.
    """
    yield from by_other_kinds(position).values()


def by_other_kinds(position: Position) -> dict[str, Position]:
    """Return those positions by the other kind of movement."""
    known, found = position.noted(PERHAPS), {}
    for kind in dict.fromkeys(kind for others in known.values() for kind in others):
        other = position
        for about, others in known.items():
            unit, _, read = about.partition(" ")
            if kind in others:
                done = tuple(kind if one == read else one for one in position.note(DONE, unit) or ())
                other = other.with_note(DONE, unit, done)
                trail = trail_of(position, unit, kind)
                other = other.with_note(TRAIL, unit, trail) if trail else other
                for key, margin in position.noted(PERHAPS_FAILED).items():
                    check, whose, by = key.split(" ")
                    if (whose, by) == (unit, kind):
                        other = other.with_note(MARGIN, f"{check} {unit}", margin)
        found[kind] = other
    return found


def movers(position: Position, piece: Piece) -> Iterator[str]:
    """Yield the kinds of movement that a unit may use in this phase."""
    for name, movement in rules_of(position).movement.items():
        if may_do(position, piece, name) and fits(position, piece, movement.who):
            trail = trail_of(position, piece.id, name)
            if trail and trail.movement == name:
                yield name
            elif movement.after and not has_done(position, piece.id, (movement.after,)):
                continue
            elif _starts_from(position, piece, movement) and not has_done(
                position, piece.id, movement.not_after
            ):
                yield name


def _starts_from(position: Position, piece: Piece, movement: Movement) -> bool:
    """Return whether a kind of movement may begin in the hex of a unit."""
    at = position.game.map.grid.index.get(piece.where)
    starts = the_setting(position).hexes(movement.start) if movement.start else -1
    return at is not None and starts >> at & 1 == 1
