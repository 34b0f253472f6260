"""Terrain effects on combat, and units with rules of their own, beyond what they are worth in odds."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import name_of
from referee.games.postcard1943.battle import (
    ATTACKS,
    Attack,
    attack_of,
    attacks,
    defenders,
    is_churchill,
    lone_churchills,
)
from referee.games.postcard1943.facts import the_field
from referee.games.postcard1943.outcomes import duty
from vassalgen.game.provenance import Provenance

rules = Section("Terrain effects on combat", Provenance("rulebook", "Terrain Effects on Combat"))

BAD_FOR_CHURCHILLS = ("BD", "AD", "AE")


@rules.on("defend as infantry", clause="terrain.9")
def it_is_declared_before_the_die(position: Position, action: Action) -> Breach | None:
    """In an interpretation that is not adopted, the bonus depends on it; otherwise it has no effect."""
    attack, unit = attack_of(position, action), action.piece
    name = name_of(position, unit)
    if attack is None:
        says = f"{name} is declared to defend as infantry; an attack must be declared first."
        return Breach(says, {"unit": unit}, Grade.slip)
    if not the_field(position).is_(unit, "infantry-in-defence"):
        says = f"{name} is declared to defend as infantry; only the New Zealand Division may choose."
        return Breach(says, {"unit": unit}, Grade.slip)
    if unit not in [piece.id for piece in defenders(position, attack)]:
        says = f"{name} is declared to defend {attack.target} as infantry; only a unit in that hex may be."
        return Breach(says, {"unit": unit}, Grade.slip)
    if attack.rolled:
        says = f"{name} is declared to defend as infantry after the combat die; it must be declared before."
        return Breach(says, {"die": attack.die}, Grade.slip)
    return None


@ATTACKS.does(rules, "defend as infantry", stage="waiting")
def defend_as_infantry(position: Position, action: Action, attack: Attack) -> Position:
    """Remember the declaration; after the die it changes nothing."""
    chosen = (*attack.as_infantry, action.piece)
    return position.with_battle(evolve(attack, as_infantry=chosen, column=None))


@duty(rules, clause="church.2")
def bad_results_destroy_attacking_churchills(position: Position, attack: Attack) -> Iterator[Breach]:
    fought = list(attack.attackers)
    if position.game.adopted("churchills-defending") == "lost":
        fought += attack.defenders
    for name in fought:
        if is_churchill(position, name) and attack.result in BAD_FOR_CHURCHILLS and name not in attack.lost:
            churchills = name_of(position, name)
            says = f"{churchills} must be eliminated by the {attack.result} at {attack.target}; it is not."
            yield Breach(says, {"unit": name, "result": attack.result})


@rules.leaving("combat", clause="church.3")
def churchills_attacked_alone_are_lost_without_a_die(position: Position) -> Iterator[Breach]:
    """It is not always announced that the attack was called off."""
    for attack in attacks(position):
        if attack.rolled or not lone_churchills(position, attack):
            continue
        for piece in defenders(position, attack):
            name = name_of(position, piece.id)
            says = (
                f"{name} was attacked alone in {attack.target} and must be eliminated; it is still there. The"
                " attack may have been called off."
            )
            yield Breach(says, {"unit": piece.id, "hex": attack.target}, Grade.unproven)


@duty(rules, clause="church.3")
def lone_churchills_do_not_survive_an_attack(position: Position, attack: Attack) -> Iterator[Breach]:
    if not lone_churchills(position, attack):
        return
    for name in attack.defenders:
        if name not in attack.lost and name not in attack.retreated:
            churchills = name_of(position, name)
            says = f"{churchills} was attacked alone in {attack.target} and must be eliminated; it is not."
            yield Breach(says, {"unit": name, "hex": attack.target})
