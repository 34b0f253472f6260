"""The pressed attack."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.postcard1943.battle import ATTACKS, Attack, attack_of, calculate_odds
from referee.games.postcard1943.swamps import says_yes
from vassalgen.game.provenance import Provenance

rules = Section("Pressed attack", Provenance("rulebook", "Pressed Attack"))


@ATTACKS.on(rules, "roll press", clause="pressed.1", stage="waiting")
def pressing_needs_even_odds(position: Position, action: Action, attack: Attack) -> Breach | None:
    odds = calculate_odds(position, evolve(attack, pressed=0))
    least = position.game.values["combat"].values.text("pressed_from")
    place = odds.table.columns.index(least)
    before, after = odds.natural >= place and not odds.below, odds.column >= place
    reading = position.game.adopted("pressing-odds")
    if {"either": before or after, "before": before, "after": after}[reading]:
        return None
    facts: Facts = {"column": odds.label, "before shifts": odds.table.columns[odds.natural]}
    column = odds.table.columns[odds.natural] if reading == "before" else odds.label
    says = f"The attack on {attack.target} is pressed at {column}; pressing needs at least {least}."
    return Breach(says, facts)


@rules.on("roll press", clause="pressed.2")
def one_press_roll_before_the_combat_die(position: Position, action: Action) -> Iterator[Breach]:
    attack = attack_of(position, action)
    if attack is None:
        yield Breach("A press roll is made; an attack must be declared first.", {}, Grade.unproven)
    elif attack.rolled:
        says = f"The attack on {attack.target} is pressed after its combat die; the press roll comes first."
        yield Breach(says, {"die": attack.die})
    elif attack.pressed:
        says = f"The attack on {attack.target} is pressed a second time; an attack has 1 press roll."
        yield Breach(says, {"rolled": action.dice[0]})
    elif attack.repressed:
        says = (
            f"The attack on {attack.target} is pressed again after it was pressed and called off;"
            " it may have only 1 press roll."
        )
        yield Breach(says, {"rolled": action.dice[0]}, Grade.unproven)


@ATTACKS.does(rules, "roll press", stage="waiting")
def press(position: Position, action: Action, attack: Attack) -> Position:
    """Remember the direction of the shift; a second roll, or a late one, changes nothing."""
    if attack.pressed:
        return position
    up = says_yes(position, "press", action.dice[0])
    return position.with_battle(evolve(attack, pressed=1 if up else -1, column=None))
