"""Which result of an attack was carried out: the announced one, or the correct one if they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import wraps

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.outcomes import grade_of_outcome
from referee.engine.position import Position
from referee.engine.rules import Found, Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.postcard1943.battle import (
    ATTACKERS_SUFFER,
    SETTLING,
    Attack,
    attack_for,
    attacks,
    is_churchill,
    lone_churchills,
    suffers_disruption,
)
from referee.games.postcard1943.retreat_paths import retreat_paths
from vassalgen.game.provenance import weakest
from vassalgen.game.values import fraction

Duty = Callable[[Position, Attack], Iterable[Breach]]
duties: list[Duty] = []
"""Everything that results require, from all sections."""


def duty(rules: Section, clause: str) -> Callable[[Duty], Duty]:
    """Register something that results require; it is checked for the result that was carried out."""

    def register(find: Duty) -> Duty:
        duties.append(find)

        @wraps(find)
        def of_the_result_carried_out(position: Position, attack: Attack) -> Iterable[Breach]:
            return find(position, carried_out(position, attack))

        SETTLING.rule(rules, clause)(of_the_result_carried_out)
        return find

    return register


def by_either_result(
    find: Callable[[Position, Action, Attack], Found],
) -> Callable[[Position, Action], Iterator[Breach]]:
    """Make a rule on an action of an attack: it breaks nothing if the announced or the correct result allows
    it.
    """

    @wraps(find)
    def find_by_either(position: Position, action: Action) -> Iterator[Breach]:
        attack = attack_for(position, action)
        if attack is not None:
            found = [_all(find(position, action, each)) for each in results_of(attack)]
            yield from min(found, key=lambda breaches: max((each.grade for each in breaches), default=0))

    return find_by_either


def _all(found: Found) -> tuple[Breach, ...]:
    return () if found is None else (found,) if isinstance(found, Breach) else tuple(found)


def results_of(attack: Attack) -> tuple[Attack, ...]:
    """Return an attack with the announced result and, if that is another, with the correct one."""
    if attack.result == attack.right or not attack.right:
        return (attack,)
    return attack, evolve(attack, result=attack.right, printed=attack.right)


def carried_out(position: Position, attack: Attack) -> Attack:
    """Return an attack with the correct result if that was carried out, otherwise with the announced one."""
    right = results_of(attack)[-1]
    if right is attack or not _allows_all_that_was_done(position, right):
        return attack
    return attack if any(True for find in duties for _ in find(position, right)) else right


def _allows_all_that_was_done(position: Position, attack: Attack) -> bool:
    return (
        all(
            suffers_disruption(attack, name) or _is_disrupted_by_another(position, attack, name)
            for name in attack.disrupted
        )
        and all(may_be_lost(_with(position, attack, name), attack, name) for name in attack.lost)
        and (not attack.retreated or attack.result in ("D", "Dr", "DR"))
    )


def _is_disrupted_by_another(position: Position, attack: Attack, name: str) -> bool:
    """Return whether bombs or another attack Disrupt a unit, so that its marker proves nothing about this
    one.
    """
    others = (each for each in attacks(position) if each.rolled and each.number != attack.number)
    return name in attack.disrupted_before or any(
        suffers_disruption(result, name) for each in others for result in results_of(each)
    )


def _with(position: Position, attack: Attack, unit: str) -> Position:
    """Return the position with a unit back in the hex where it fought."""
    return position.with_piece(unit, where=attack.stood.get(unit, attack.target))


def another_result(position: Position, attack: Attack) -> Iterator[Breach]:
    """Find that a wrong result was carried out because the odds or the result were wrong."""
    if attack.mistake is None or carried_out(position, attack).result == attack.right:
        return
    table = position.game.tables["crt"]
    fought = [position.pieces[name].counter.provenance for name in (*attack.attackers, *attack.defenders)]
    data = weakest(table.provenance, position.game.map.hexes[attack.target].provenance, *fought)
    grade = grade_of_outcome(attack.result, attack.right, data)
    if attack.mistake.grade is Grade.unproven:
        grade = min(grade, Grade.unproven)
    says = (
        f"{attack.result} was carried out for the attack on {attack.target}; the right result of a roll of"
        f" {attack.die} is {attack.right}; {attack.mistake.right}."
    )
    facts: Facts = {"die": attack.die, "played": attack.result, "right": attack.right}
    yield Breach(says, facts, grade, attack.mistake.clause, data)


def may_be_lost(position: Position, attack: Attack, unit: str) -> bool:
    """Return whether a result eliminates a unit, or may."""
    if unit in attack.defenders:
        if attack.result == "DE" or lone_churchills(position, attack):
            return True
        cornered = not retreat_paths(position, attack, unit, 2 if attack.result == "DR" else 1)
        eliminated = position.game.adopted("no-way-to-retreat") == "eliminated"
        if cornered and (attack.result == "DR" or (attack.result == "Dr" and eliminated)):
            return True
        lost = position.game.adopted("churchills-defending") == "lost"
        return lost and is_churchill(position, unit) and attack.result in ATTACKERS_SUFFER
    if unit not in attack.attackers:
        return False
    if is_churchill(position, unit) and attack.result in ATTACKERS_SUFFER:
        return True
    return attack.result == "AE" and attack_factor(position, unit) <= worth(position, attack)


def attack_factor(position: Position, unit: str) -> Fraction:
    """Return the printed attack factor of a unit."""
    piece = position.pieces[unit]
    return fraction(piece.counter.factor("attack", piece.steps))


def worth(position: Position, attack: Attack) -> Fraction:
    """Return the printed defence factors of the defenders [crt.2]."""
    pieces = [position.pieces[name] for name in attack.defenders]
    return sum((fraction(piece.counter.factor("defence", piece.steps)) for piece in pieces), Fraction(0))
