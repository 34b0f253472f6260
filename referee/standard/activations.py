"""Activations: in a phase units act only while a leader of theirs is active, one leader after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.actions import Action
from referee.engine.position import Note, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import counted, listed, name_of
from referee.standard.attackers import kind_for
from referee.standard.bans import verbs_for
from referee.standard.facts import fits, on_map, rules_of, side_in_turn
from referee.standard.notes import (
    ACTIVATED,
    ACTIVE,
    ATTACKED,
    CHECKED,
    DONE,
    HELD_UP,
    MARGIN,
    OTHER_TRAILS,
    PERHAPS,
    TARGETS,
    TRAIL,
    UNMARKED,
)
from referee.standard.own_words import judged_now
from referee.standard.verbs import ATTACK, done_by
from vassalgen.game.families import Activations, Activity, Families, PhaseId
from vassalgen.game.words import formations_of, likeness

OF_UNITS: tuple[Note[Any], ...] = (
    *(ATTACKED, CHECKED, DONE, HELD_UP, MARGIN, OTHER_TRAILS, PERHAPS, TARGETS, TRAIL),
)
"""The notes about units that act, which are forgotten when the next activation begins."""


def section(rules: Families, rule: Activations) -> Section:
    """Return the rules of activations."""
    found, mark = Section("Activations", rules.provenance), f"mark {rule.state}"
    phase = rules.sequence.get(rule.phase)
    does = phase.does if phase else ()
    acts = verbs_for(rules, tuple(one for one in does if one != "recover"))

    if rule.once:

        @found.on(mark, clause=rule.once)
        def a_leader_is_activated_once_a_turn(position: Position, action: Action) -> Breach | None:
            piece = position.pieces[action.piece]
            most, known = _most(position, piece, rule), position.note(ACTIVATED, piece.id) or 0
            if known < most or piece.is_(rule.state) or _is_marked_late(position, piece.id):
                return None
            times = "once" if most == 1 else counted(most, "time")
            says = (
                f"{name_of(position, piece.id)} is activated again in this turn; the limit is {times} a turn."
            )
            grade = Grade.unproven if position.note(UNMARKED, piece.id) else Grade.illegal
            return Breach(says, {"unit": piece.id, "times": most}, grade)

    @found.follows(mark)
    def an_activation_begins(before: Position, after: Position, action: Action) -> Position:
        if before.phase != rule.phase or before.pieces[action.piece].is_(rule.state):
            return after
        if _is_marked_late(before, action.piece):
            return after.with_note(UNMARKED, action.piece, 0)
        return begun(after, action.piece, rule)

    if acts:

        @found.on(*acts, clause=rule.clause)
        def only_those_who_are_activated_act(position: Position, action: Action) -> Iterator[Breach]:
            for name in action.pieces if _needs_a_leader(position, action, rule, does) else ():
                piece, leader = position.pieces[name], position.note(ACTIVE)
                if leader and _acts_with(position, piece, position.pieces[leader], rule):
                    continue
                if phase and phase.by == "active" and side_in_turn(position) not in ("", piece.side):
                    continue  # the sequence of play reports it
                leaders = [name_of(position, one.id) for one in _leaders(position, piece, rule)]
                only = f"it acts only while {listed(leaders, 'or')} is active"
                says = only if leaders else "none is left that could be activated for it"
                does_it = f"{name_of(position, name)} {done_by(action.verb, rules)}"
                yield Breach(f"{does_it}; {says}.", {"unit": name})

        @found.follows(*acts)
        def a_leader_was_activated_unmarked(before: Position, after: Position, action: Action) -> Position:
            other = next(unmarked(before, action), None)
            if other is None or not _needs_a_leader(before, action, rule, does):
                return after
            leader = other.note(ACTIVE) or ""
            count = other.note(ACTIVATED, leader) or 0
            return after.with_noted((ACTIVE, "", leader), (ACTIVATED, leader, count), (UNMARKED, leader, 1))

    return found


def _is_marked_late(position: Position, leader: str) -> bool:
    """Return whether units act under a leader that has not been marked yet."""
    return position.note(ACTIVE) == leader and (position.note(UNMARKED, leader) or 0) > 0


def unmarked(position: Position, action: Action) -> Iterator[Position]:
    """Yield the positions in which a leader of the acting units has been activated, if that is
    possible now.
    """
    rule = rules_of(position).activations
    if rule is None or position.phase != rule.phase or not action.pieces:
        return
    piece, active = position.pieces[action.piece], position.note(ACTIVE)
    if active and _acts_with(position, piece, position.pieces[active], rule):
        return
    begins = rules_of(position).states.get(rule.state)
    for leader in _leaders(position, piece, rule):
        often = (position.note(ACTIVATED, leader.id) or 0) < _most(position, leader, rule)
        if often and (begins is None or fits(position, leader, begins.beginners)):
            yield begun(position, leader.id, rule)


def begun(position: Position, leader: str, rule: Activations) -> Position:
    """Return the position in which the activation of a leader has begun: earlier actions of
    units are over.
    """
    for piece in position.pieces.values():
        if piece.id != leader and piece.is_(rule.state):
            position = position.with_state(piece.id, rule.state, None)
    notes = position.notes
    for kind in OF_UNITS:
        notes = notes.changed(kind, {})
    count = position.note(ACTIVATED, leader) or 0
    position = position.with_notes(notes).with_note(ACTIVE, "", leader)
    return judged_now(position.with_note(ACTIVATED, leader, count + 1))


def _most(position: Position, leader: Piece, rule: Activations) -> int:
    """How many times a leader may be activated in a turn."""
    if not rule.once:
        return 99
    return next((times for who, times in rule.times.items() if fits(position, leader, who)), 1)


def _leaders(position: Position, piece: Piece, rule: Activations) -> tuple[Piece, ...]:
    """The leaders on the map with whom a unit acts."""
    kinds = position.game.states[rule.state].kinds
    return tuple(
        one
        for _, one in on_map(position, piece.side)
        if one.counter.kind in kinds and _acts_with(position, piece, one, rule)
    )


def _acts_with(position: Position, piece: Piece, leader: Piece, rule: Activations) -> bool:
    """Whether a unit acts while a leader is active."""
    if piece.side != leader.side:
        return False
    if rule.of == "side" or fits(position, piece, rule.free):
        return True
    if rule.of == "formation":
        return leader.counter.formation in formations_of(position.game, piece.counter)
    own = likeness(piece.counter, rule.of)
    return bool(own) and own == likeness(leader.counter, rule.of)


def _needs_a_leader(
    position: Position, action: Action, rule: Activations, does: tuple[Activity, ...]
) -> bool:
    """Whether only activated units may carry out an action in the phase of activations."""
    if PhaseId(position.phase) != rule.phase:
        return False
    return action.verb != ATTACK or kind_for(position, action) in (*does, ATTACK)
