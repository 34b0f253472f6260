"""Mutators of games with lines of battle: each does what its clause forbids, and is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.test_breaking import Given, assert_broken

TOGETHER = {"ba": "0501", "b1": "0501", "r3": "0601"}
MUTATORS: dict[str, Given] = {
    "attack_alone_horse": (
        '[combat.attack.partners.horse]\nclause = "5.5"\nwho = "armour"\none = "infantry"\n'
        'against = "infantry"',
        "combat",
        TOGETHER,
        "attack",
    ),
    "attack_with_command_though_it_may_not": (
        '[combat.attack.by_hand.command]\nclause = "5.5"\nto = "columns"\nvalues = [1]\nattacker = "guns"',
        "combat",
        {"b1": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_without_nerve": (
        '[checks.nerve]\nclause = "5.5"\nneed = 3\ndice = "weather"\nbefore = "attack"\nwho = "armour"\n'
        'failed = { state = "shaken" }',
        "combat",
        TOGETHER,
        "next",
    ),
    "attack_nothing_marked_after_1": (
        '[combat.attack.natural]\n1 = { clause = "5.5", attacker = { state = "shaken" } }',
        "combat",
        TOGETHER,
        "next",
    ),
    "shaken_by_moving_rough_unmarked": (
        '[states.shaken.by_moving.rough]\nclause = "5.5"\ninto = "wood"',
        "movement",
        {"b1": "0302", "r1": "1008"},
        "next",
    ),
    "nobody_advances_after_DE_of_attack": (
        '[advance]\nmust = "5.5"\nmust_who = "infantry"',
        "combat",
        TOGETHER,
        "next",
    ),
    "an_advance_barred_by_guns_after_DE_of_attack": (
        '[bars.guns]\nclause = "5.5"\nwho = "armour"\nto = "advance"',
        "combat",
        TOGETHER,
        "advance",
    ),
    "an_advance_without_its_marker_after_DR_of_attack": (
        '[advance]\nstate = "shaken"\nstate_clause = "5.5"\nstate_who = "infantry"',
        "combat",
        TOGETHER,
        "next",
    ),
}


@pytest.mark.parametrize("name", MUTATORS)
def test_a_mutator_breaks_its_clause(name: str, tmp_path: Path) -> None:
    assert_broken(tmp_path, name, MUTATORS[name])
