"""Step losses: how a unit changes, and the second counter of four-step units."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import counted, name_of
from referee.games.tunisia1943.account import Account, is_destroyed, paid, side_of
from referee.games.tunisia1943.battle import (
    Attack,
    attack_for,
    attacks,
    kept,
    late_attack,
    outcomes,
    participants,
)
from referee.games.tunisia1943.companions import fights_beside
from referee.games.tunisia1943.facts import LOST, is_em
from referee.games.tunisia1943.headquarters import an_em_is_destroyed_for_a_reason
from referee.games.tunisia1943.headquarters import destroyed as em_destroyed
from referee.games.tunisia1943.notes import FOUGHT, LOST_IN_ERROR, REMOVED, TAKEN_OFF
from vassalgen.game.provenance import Provenance

rules = Section("Steps", Provenance("rulebook", "0.1"))

PIECES = 2
"""Counters of a unit of four steps, each with two of them."""


@rules.on("restore", clause="0.1h")
def no_step_comes_back(position: Position, action: Action) -> Breach | None:
    """Steps lost in an unsettled battle, or without a cause, may have been lost by mistake."""
    attack = _open(position, action.piece)
    if attack is not None and attack.lost.get(action.piece, 0):
        return None
    if position.note(LOST_IN_ERROR, action.piece):
        return None
    piece = position.pieces[action.piece]
    return Breach(
        f"{name_of(position, piece.id)} regains a step; no rule restores a lost step.",
        {"unit": piece.id, "steps": piece.steps},
    )


def _open(position: Position, unit: str) -> Attack | None:
    """The last unsettled battle in which a unit fought, or lost a step without taking part."""
    found = [
        attack
        for attack in attacks(position)
        if unit in (*participants(attack), *attack.lost) and not attack.settled
    ]
    return found[-1] if found else None


def spared_in(position: Position, unit: str) -> str:
    """Return the hex of a unit that an open attack need not have destroyed; empty if it was not lost so."""
    attack, removed = _open(position, unit), position.note(REMOVED, unit)
    if attack is None or removed is None or not is_destroyed(position, unit):
        return ""
    if unit not in (*attack.attackers, *attack.defenders):
        return ""
    side = side_of(attack, unit)
    spares = any(Account.of(position, one, side).spares(unit) for one in outcomes(attack))
    return removed[0] if spares else ""


def with_spared(position: Position, unit: str) -> Position:
    """Return the position with such a unit as before it was taken off; its steps must be lost again."""
    if not spared_in(position, unit):
        return position
    attack, (where, steps) = _open(position, unit), position.note(REMOVED, unit) or ("", 1)
    if attack is not None:
        lost = {**attack.lost, unit: attack.steps.get(unit, steps) - steps}
        position = kept(position, evolve(attack, lost=lost))
    position = position.without_note(TAKEN_OFF, unit).without_note(LOST_IN_ERROR, unit)
    return position.with_piece(unit, where=where, steps=steps)


@rules.on("exchange", clause="0.1j 0.1k")
def the_second_counter_follows_the_first(position: Position, action: Action) -> Iterator[Breach]:
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "steps": piece.steps, "hex": action.target}
    if piece.counter.pieces < PIECES:
        yield Breach(
            f"{name_of(position, piece.id)} has only one counter and cannot be exchanged.",
            facts,
            clause="0.1k",
        )
    elif piece.steps > piece.counter.steps // PIECES:
        says = (
            f"{name_of(position, piece.id)} is exchanged for its second counter while its first still has"
            f" {counted(piece.steps - PIECES, 'step')}; it must lose them first."
        )
        yield Breach(says, facts, clause="0.1k")
    elif piece.where != action.target:
        where = piece.where or "nowhere"
        yield Breach(
            f"{name_of(position, piece.id)} is in {where}; its second counter must be put there.",
            facts,
            clause="0.1j",
        )


@rules.does("restore")
def restore(position: Position, action: Action) -> Position:
    """Give the step back, also in the account of the battle; a unit destroyed in it is back on the map."""
    attack, piece = _open(position, action.piece), position.pieces[action.piece]
    if attack is not None and attack.lost.get(piece.id, 0):
        lost = {**attack.lost, piece.id: attack.lost[piece.id] - 1}
        position = kept(position, evolve(attack, lost=lost))
        if is_destroyed(position, piece.id) and piece.id in participants(attack):
            back = attack.retreated.get(piece.id, (attack.stood.get(piece.id, attack.target),))[-1]
            return position.with_piece(piece.id, where=back, steps=1)
    else:
        position = position.without_note(LOST_IN_ERROR, piece.id)
    return position.with_piece(piece.id, steps=min(piece.steps + 1, piece.counter.steps))


@rules.does("lose")
def lose(position: Position, action: Action) -> Position:
    """One step less; with the last one the unit is removed."""
    return lost_steps(position, action, 1)


@rules.does("eliminate")
def eliminate(position: Position, action: Action) -> Position:
    """All steps are lost at once."""
    return lost_steps(position, action, position.pieces[action.piece].steps)


def lost_steps(position: Position, action: Action, count: int) -> Position:
    """Return the position with steps of a unit lost, in the account of its battle as well."""
    piece, attack = position.pieces[action.piece], attack_for(position, action)
    counted, late = 0, late_attack(position, piece.id)
    if late is not None:
        entered = paid(position, late, piece.id, count)
        counted = entered.lost.get(piece.id, 0) - late.lost.get(piece.id, 0)
        position = position.with_note(FOUGHT, str(entered.number), entered)
    if attack is not None and attack.rolled:
        if piece.id in (*attack.attackers, *attack.defenders) and piece.where in position.game.map.grid:
            position = position.with_note(REMOVED, piece.id, (piece.where, piece.steps))
        entered = paid(position, attack, piece.id, count)
        counted = entered.lost.get(piece.id, 0) - attack.lost.get(piece.id, 0)
        position = kept(position, entered)
    in_error = counted < count
    if in_error:
        position = position.with_note(LOST_IN_ERROR, piece.id, True)
    if count < piece.steps:
        left = piece.steps - count
        position = position.with_piece(piece.id, steps=left)
        second = piece.counter.steps // PIECES
        fresh = piece.counter.pieces >= PIECES and left <= second < piece.steps
        if fresh and position.game.adopted("second-counter") == "fresh":
            return _forgetting(position, piece.id)
        return position
    if is_em(piece):
        in_error = an_em_is_destroyed_for_a_reason(position, action) is not None
        position = position.with_note(REMOVED, piece.id, (piece.where, piece.steps))
    if in_error and piece.where in position.game.map.grid:
        position = position.with_note(TAKEN_OFF, piece.id, (piece.where, piece.steps - counted))
    return destroyed(position, piece.id)


def _forgetting(position: Position, unit: str) -> Position:
    """The position without any notes about what a unit did and suffered [0.1j]."""
    notes = {key: note for key, note in position.notes.items() if key[1] != unit}
    return evolve(position.with_piece(unit, states={}), notes=notes)


def destroyed(position: Position, name: str) -> Position:
    """Take a piece off the map, with its states; an EM will return [6.3e]."""
    piece = position.pieces[name]
    if is_em(piece):
        if not fights_beside(position, name):  # whatever is wrong with it was reported
            for attack in attacks(position):
                others = {em: where for em, where in attack.own_ems.items() if em != name}
                position = position.with_battle(evolve(attack, own_ems=others))
        return em_destroyed(position, name)
    return position.with_piece(name, where=LOST[piece.side], steps=piece.counter.steps, states={})


def broken_by_missing_loss(position: Position, units: tuple[str, ...], clause: str) -> str:
    """Return the clause that a missing loss breaks: that on one-step or reduced units, or that of the result.

    A one-step unit is removed by its first loss, a reduced one by its next [0.1h, 0.1i].
    """
    pieces = [position.pieces[name] for name in units if not is_destroyed(position, name)]
    if pieces and all(piece.counter.steps == 1 for piece in pieces):
        return "0.1i"
    two = [piece for piece in pieces if piece.counter.steps == PIECES]
    return "0.1h" if two and len(two) == len(pieces) and all(piece.steps == 1 for piece in two) else clause
