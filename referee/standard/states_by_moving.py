"""States that units enter by moving: disordered in rough ground, or by crossing a ford."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import name_of
from referee.standard.facts import closed_features, fits, rules_of
from referee.standard.notes import CAME_THROUGH, PERHAPS_THROUGH, TRAIL
from referee.standard.setting import the_setting
from vassalgen.game.families import NOWHERE, ByMoving, Families, StateId


def section(rules: Families) -> Section:
    """Return which units must be marked after their moves."""
    found = Section("States by moving", rules.provenance)
    if not any(rule.by_moving for rule in rules.states.values()):
        return found
    phases = tuple(
        name for name, rule in rules.sequence.items() if set(rule.activities) & set(rules.movement)
    )
    for state, rule in rules.states.items():
        for name, one in rule.by_moving.items():
            _marked(found, phases, state, name, one)

    @found.follows(*rules.movement)
    def the_ground_is_noted(before: Position, after: Position, action: Action) -> Position:
        unit = action.piece
        if after.note(TRAIL, unit) is None:  # it was taken back
            return after.without_note(CAME_THROUGH, unit).without_note(PERHAPS_THROUGH, unit)
        if action.dragged:
            return after.with_note(PERHAPS_THROUGH, unit, True)
        known = before.note(CAME_THROUGH, unit) or ()
        new = tuple(key for key, one in _entries(rules) if _leads_through(before, action, one))
        return after.with_note(CAME_THROUGH, unit, tuple(dict.fromkeys((*known, *new))))

    @found.proposes
    def markings(position: Position, piece: Piece) -> Iterator[Action]:
        if position.note(TRAIL, piece.id) is not None and piece.where in position.game.map.grid:
            for state in rules.states:
                if not piece.is_(state) and _is_due(position, piece, state):
                    yield Action(f"mark {state}", (piece.id,))

    return found


def may_be_due(position: Position, unit: str, state: str) -> bool:
    """Return whether a unit may have entered a state by its move. Where a drag went is not known."""
    piece, rule = position.pieces[unit], rules_of(position).states.get(StateId(state))
    if rule is None or not rule.by_moving or position.note(TRAIL, unit) is None:
        return False
    dragged = position.note(PERHAPS_THROUGH, unit)
    return _is_due(position, piece, state) or bool(
        dragged and any(fits(position, piece, one.who) for one in rule.by_moving.values())
    )


def _is_due(position: Position, piece: Piece, state: str) -> bool:
    rule = rules_of(position).states[StateId(state)]
    return any(_must_be(position, piece, state, name, one) for name, one in rule.by_moving.items())


def _must_be(position: Position, piece: Piece, state: str, name: str, one: ByMoving) -> bool:
    """Return whether a unit has certainly entered a state by its move."""
    trail = position.note(TRAIL, piece.id)
    if trail is None or (one.movements and trail.movement not in one.movements):
        return False
    if not fits(position, piece, one.who) or piece.counter.kind not in position.game.states[state].kinds:
        return False
    ends = piece.where != trail.start and _is_in(position, piece.where, one)
    return ends or f"{state} {name}" in (position.note(CAME_THROUGH, piece.id) or ())


def _marked(found: Section, phases: tuple[str, ...], state: str, name: str, one: ByMoving) -> None:
    @found.leaving(*phases, clause=one.clause)
    def units_are_marked_after_their_moves(position: Position) -> Iterator[Breach]:
        title, rule = position.game.states[state].title.lower(), rules_of(position).states[StateId(state)]
        for unit in position.noted(TRAIL):
            piece = position.pieces[unit]
            marked = piece.is_(state) or piece.is_(str(rule.again))
            if (
                piece.where in position.game.map.grid
                and not marked
                and _must_be(position, piece, state, name, one)
            ):
                says = f"{name_of(position, unit)} has moved to {piece.where} and must be marked as {title}"
                yield Breach(f"{says}; no marker was placed.", {"unit": unit, "hex": piece.where})


def _entries(rules: Families) -> Iterator[tuple[str, ByMoving]]:
    for state, rule in rules.states.items():
        for name, one in rule.by_moving.items():
            yield f"{state} {name}", one


def _leads_through(position: Position, action: Action, one: ByMoving) -> bool:
    """Return whether a path that is known hex by hex leads through such ground."""
    grid, setting, shut = position.game.map.grid, the_setting(position), closed_features(position)
    for here, there in pairwise(action.path):
        if here not in grid or there not in grid or not grid.are_neighbours(here, there):
            continue
        at, to = grid.index[here], grid.index[there]
        features = setting.features(at, grid.adjacent[at].index(to), shut)
        if _is_in(position, there, one) or features & {*one.across}:
            return True
    return False


def _is_in(position: Position, where: str, one: ByMoving) -> bool:
    at = position.game.map.grid.index.get(where)
    return one.into != NOWHERE and at is not None and bool(the_setting(position).hexes(one.into) >> at & 1)
