"""States that players put their units into, or take them out of, as they choose."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, number
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.attackers import move_of
from referee.standard.facts import allowed, clauses_of, fits, has_done, on_map, puts_right, set_state
from referee.standard.notes import TRAIL, Trail
from referee.standard.states_by_moving import may_be_due
from referee.standard.track import number_of
from vassalgen.game.families import PhaseId, StateRule
from vassalgen.game.game import Game


def beginning(found: Section, game: Game, state: str, rule: StateRule) -> None:
    """Register a state that players may put their units into."""
    clause = rule.begins_clause or rule.clause

    @found.on(f"mark {state}", clause=clauses_of(clause, rule.begins_who_clause))
    def the_state_begins_when_it_may(position: Position, action: Action) -> Iterator[Breach]:
        unit = action.piece
        if not puts_right(position, unit, state) and not may_be_due(position, unit, state):
            yield from against_choice(position, unit, state, rule)

    @found.does(f"mark {state}")
    def mark(position: Position, action: Action) -> Position:
        marked = set_state(position, action.piece, state)
        own = position.side in ("", position.pieces[action.piece].side)
        return paid_for(marked, action.piece, rule) if own else marked

    propose_beginnings(found, game, state, rule)


def propose_beginnings(found: Section, game: Game, state: str, rule: StateRule) -> None:
    """Propose that players put their units into a state."""

    @found.proposes
    def beginnings(position: Position, piece: Piece) -> Iterator[Action]:
        able = piece.counter.kind in game.states[state].kinds and piece.where in position.game.map.grid
        own = position.side in ("", piece.side)
        if able and position.phase in (rule.begins if own else rule.reacts) and not piece.is_(state):
            yield Action(f"mark {state}", (piece.id,))


def against_choice(position: Position, unit: str, state: str, rule: StateRule) -> Iterator[Breach]:
    """Find why a unit may not enter a state now by its owner's choice."""
    does, clause = f"becomes {position.game.states[state].title.lower()}", rule.begins_clause or rule.clause
    if position.phase in rule.reacts and position.side not in ("", position.pieces[unit].side):
        if not fits(position, position.pieces[unit], rule.reacts_who):
            says = f"{name_of(position, unit)} {does} in the enemy player turn; only"
            yield Breach(f"{says} {allowed(position, rule.reacts_who)} may.", {"unit": unit}, clause=clause)
        return
    yield from _not_when_it_may(position, unit, state, rule, rule.begins, does, clause)


def giving_up(found: Section, game: Game, state: str, rule: StateRule) -> None:
    """Register a state that players may take their units out of."""
    title = game.states[state].title.lower()
    clause = rule.given_up_clause or rule.begins_clause or rule.clause

    @found.on(f"clear {state}", clause=clause)
    def the_state_is_given_up_when_it_may(position: Position, action: Action) -> Iterator[Breach]:
        unit = action.piece
        done = is_over(position, unit, rule) or puts_right(position, unit, state)
        if position.pieces[unit].is_(state) and not done:
            does = f"is no longer {title}"
            yield from _not_when_it_may(position, unit, state, rule, rule.given_up, does, clause)

    @found.does(f"clear {state}")
    def clear(position: Position, action: Action) -> Position:
        if not position.pieces[action.piece].is_(state):
            return position
        return paid_for(position.with_state(action.piece, state, None), action.piece, rule)

    @found.proposes
    def endings(position: Position, piece: Piece) -> Iterator[Action]:
        if position.phase in rule.given_up and piece.is_(state) and piece.where in position.game.map.grid:
            yield Action(f"clear {state}", (piece.id,))


def is_over(position: Position, unit: str, rule: StateRule) -> bool:
    """Return whether a unit has done what ends a state, though its marker may still be there."""
    return bool(has_done(position, unit, rule.ends_by))


def _not_when_it_may(
    position: Position,
    unit: str,
    state: str,
    rule: StateRule,
    phases: tuple[PhaseId, ...],
    does: str,
    clause: str,
) -> Iterator[Breach]:
    """Find why a unit may not enter or leave a state by its owner's choice."""
    piece, who, facts = position.pieces[unit], name_of(position, unit), {"unit": unit}
    mine = on_map(position, piece.side) if rule.most else ()
    already = [one.id for _, one in mine if one.is_(state) and one.id != unit]
    if position.phase not in phases:
        says = f"{who} {does} in the {position.phase} phase; only the {listed(phases, 'or')} phase allows it."
        yield Breach(says, facts, clause=clause)
    elif position.side not in ("", piece.side):
        says = f"{who} {does} in the enemy player turn; it may do so only in its own."
        yield Breach(says, facts, clause=clause)
    elif phases is rule.begins and not fits(position, piece, rule.beginners):
        says = f"{who} {does}; only {allowed(position, rule.beginners)} may."
        yield Breach(says, facts, clause=rule.begins_who_clause or clause)
    elif phases is rule.begins and rule.most and len(already) >= number_of(position, rule.most, piece.side):
        says = f"{who} {does} after {names_of(position, already)}"
        most = counted(number_of(position, rule.most, piece.side), "unit")
        yield Breach(f"{says}; {most} of a side may be so at a time.", facts, clause=clause)
    elif rule.points and (move := move_of(position, unit)) is not None:
        if rule.points == "all":
            if move.spent:
                says = f"{who} {does} after it has moved; that takes its whole move."
                yield Breach(says, facts, clause=clause)
        elif move.spent + int(rule.points) * move.setting.scale > move.budget:
            left = number(Fraction(max(move.budget - move.spent, 0), move.setting.scale))
            costs = counted(int(rule.points), move.movement.unit)
            yield Breach(f"{who} {does}; that costs {costs}, and it has {left} left.", facts, clause=clause)


def paid_for(position: Position, unit: str, rule: StateRule) -> Position:
    """Subtract the movement points that a state costs from a unit."""
    move = move_of(position, unit) if rule.points else None
    if move is None:
        return position
    trail = move.trail or Trail(move.start, movement=move.name)
    whole = rule.points == "all"
    spent = move.budget if whole else move.spent + int(rule.points) * move.setting.scale
    return position.with_note(TRAIL, unit, evolve(trail, spent=spent, stopped=trail.stopped or whole))
