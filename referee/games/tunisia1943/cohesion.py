"""Cohesion tests in combat, the least ratio of an attack, and the ends of the table."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.combat import rung_label
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import listed
from referee.games.tunisia1943.battle import ATTACKS, Attack, attack_of, calculate_odds, has_armour
from referee.games.tunisia1943.duties import is_compulsory
from vassalgen.game.provenance import Provenance

rules = Section("Cohesion in combat", Provenance("rulebook", "7.3"))


@rules.on("roll cohesion", clause="7.3a")
def one_test_if_armour_attacks(position: Position, action: Action) -> Iterator[Breach]:
    attack = attack_of(position, action)
    if attack is None:
        yield Breach(
            "A cohesion test was rolled; an attack must be declared first.",
            {"total": sum(action.dice)},
            Grade.slip,
        )
        return
    if not has_armour(position, attack):
        yield Breach(
            f"A cohesion test was rolled for the attack on {attack.target};"
            " only an attack with armour has one.",
            {"target": attack.target},
            Grade.slip,
        )
    elif attack.tests:
        says = (
            f"A second cohesion test was rolled for the attack on"
            f" {attack.target}; only one is rolled, and the first gave {attack.tests[0]}."
        )
        yield Breach(says, {"first": attack.tests[0], "second": sum(action.dice)}, Grade.unproven)


@rules.on("roll cohesion", "roll breakthrough", clause="0.1f")
def a_test_is_two_dice(position: Position, action: Action) -> Breach | None:
    dice = position.game.dice["cohesion"]
    low, high = dice.count, dice.count * dice.sides
    whole = len(action.dice) == 1 and low <= action.dice[0] <= high
    if whole or (len(action.dice) == dice.count and all(1 <= die <= dice.sides for die in action.dice)):
        return None
    rolled = [str(die) for die in action.dice]
    says = f"The cohesion roll is {listed(rolled)}; {dice.count} dice of {dice.sides} sides are rolled."
    return Breach(says, {"rolled": " ".join(rolled)}, Grade.slip)


@ATTACKS.does(rules, "roll cohesion", stage="waiting")
def test(position: Position, action: Action, attack: Attack) -> Position:
    """Remember the total; the first one rolled counts."""
    changed = evolve(attack, tests=(*attack.tests, sum(action.dice)), column=None, modifier=None)
    return position.with_battle(changed)


@ATTACKS.on(rules, "aviation", "artillery", "no artillery", "roll cohesion", "roll combat", clause="7.3g")
def no_attack_below_one_to_two(position: Position, action: Action, attack: Attack) -> Breach | None:
    """Checked when an attack becomes fixed: until then it may be calculated and dropped [7.3e]."""
    if attack.is_begun or is_compulsory(position, attack.target, attack.attackers):
        return None
    odds = calculate_odds(position, attack)
    hopes = position.game.adopted("ratio-to-declare") == "with-armour" and has_armour(position, attack)
    if odds.natural + hopes >= 0:
        return None
    sums = f"{number(odds.attacking)} to {number(odds.defending)}"
    label = rung_label(odds.table, odds.natural)
    facts: Facts = {"ratio": label, "target": attack.target, "odds": odds.lines()}
    return Breach(
        f"The odds of the attack on {attack.target} are {sums}, which is {label};"
        f" an attack needs at least {odds.table.columns[0]}.",
        facts,
    )
