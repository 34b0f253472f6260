"""How rules by data are broken for the proof: each mutator does what its clause forbids, and is found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.position import LAID, TO_BEGIN
from referee.games import find_rules
from tools.proof.breaking import Moment
from tools.proof.playing import Step
from tools.proof.standard import breaker_of
from vassalgen.game.finding import open_game

GAME = Path(__file__).parent / "divisions"
Given = tuple[str, str, dict[str, str], str]
"""Rules, a phase, where counters are, and the verb by which the clause is broken."""
MUTATORS = {
    "attack_at_a_range_for_all": (
        '[combat.attack]\nat_range_clause = "7.5"\n[combat.attack.at_range]\n1 = { times = 2, who = "guns" }',
        "combat",
        {"ba": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_without_its_range": (
        '[combat.attack]\nat_range_clause = "7.5"\n[combat.attack.at_range]\n1 = { times = 2, who = "guns" }',
        "combat",
        {"bg": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_left_before_the_dice": (
        '[retreat]\nbefore = "9.1"\nbefore_from = "not armour"',
        "combat",
        {"ba": "0501", "r1": "0601"},
        "retreat",
    ),
    "attack_beyond_its_limit": (
        '[combat.attack]\ncolumns_within = [-1, 1]\nwithin_clause = "7.4"\n'
        '[combat.attack.terms.armour]\nclause = "7.2"\nto = "columns"\nworth = 2\nattacker = "armour"',
        "combat",
        {"ba": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_with_support_not_paid": (
        '[combat.attack.by_hand.air]\nclause = "7.2"\nto = "columns"\nvalues = [1]\n'
        '[stores.air]\nclause = "15.2"\npoints = { blue = 0 }\ncosts = { air = 1 }',
        "combat",
        {"ba": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_and_goes_on": (
        '[sequence.movement]\ndoes = "move attack"\n[combat.attack]\ngoes_on = "never"\n'
        'goes_on_clause = "7.4"',
        "movement",
        {"ba": "0501", "r1": "0601"},
        "move",
    ),
    "attack_where_barred_by_towns": (
        '[bars.towns]\nclause = "5.5"\nwho = "armour"\ninto = "town"\nto = "attack"',
        "combat",
        {"ba": "0505", "r1": "0506"},
        "attack",
    ),
    "attack_from_two_hexes": (
        '[combat.attack]\none_hex = "7.4"',
        "combat",
        {"ba": "0501", "b1": "0701", "r1": "0601"},
        "attack",
    ),
    "comes_though_barred_by_late": (
        '[bars.late]\nclause = "5.5"\nwho = "bn"\nto = "enter"',
        "arrival",
        {"bn": "blue-pool"},
        "enter",
    ),
    "weather_is_not_rolled": (
        '[rolls.weather]\nclause = "3.6"\ndice = "weather"\nphase = "movement"\nsets = "weather"\n'
        'values = { 1-6 = "mud" }',
        "movement",
        {"b1": "0301"},
        "next",
    ),
    "move_too_far_by_road": (
        '[movement.move]\nroad_bonus = 1\nroad_bonus_clause = "5.3"\npoints = 1\nminimum = "5.1"',
        "movement",
        {"b1": "0101"},
        "move",
    ),
    "move_as_if_without_5.5": (
        '[movement.move]\ndistance = 2\ndistance_clause = "5.5"\n[bars.mountains]\nclause = "5.4"',
        "movement",
        {"b1": "0301", "r1": "0601"},
        "move",
    ),
    "move_as_if_without_15.3": (
        '[movement.move]\nnot_through = "guns"\nnot_through_clause = "15.3"\npoints = 4',
        "movement",
        {"b1": "0201", "bg": "0301", "r1": "1008"},
        "move",
    ),
    "move_as_if_without_15.4": (
        '[movement.move]\nseason_clause = "15.4"',
        "movement",
        {"b1": "0203", "r1": "1008"},
        "move",
    ),
    "move_ends_elsewhere": (
        '[movement.move]\nend = "town"\nends_clause = "15.4"',
        "movement",
        {"b1": "0203", "r1": "1008"},
        "next",
    ),
    "attack_is_not_made": (
        '[combat.attack]\nmust_attack = "15.4"',
        "combat",
        {"b1": "0501", "r1": "0601"},
        "next",
    ),
    "attack_leaves_an_enemy_out": (
        '[combat.attack]\nmust_be_attacked = "15.4"',
        "combat",
        {"b1": "0501", "r1": "0601"},
        "next",
    ),
    "attack_from_too_many_hexes": (
        '[combat.attack]\nfrom_most = 1\nfrom_most_clause = "15.4"',
        "combat",
        {"ba": "0501", "b1": "0701", "r1": "0601"},
        "attack",
    ),
    "move_a_hex_beyond_its_points": (
        '[movement.move]\nminimum = "5.3"\nminimum_who = "not guns"\npoints = 0',
        "movement",
        {"bg": "0201", "b1": "0301"},
        "move",
    ),
}


def assert_broken(folder: Path, name: str, given: Given, *marked: str) -> None:
    """What a mutator does breaks its clause; ``marked`` are hexes with a marker."""
    rules, phase, places, verb = given
    (folder / "rules.toml").write_text(rules)
    (folder / "game.toml").write_text('[dice]\nweather = { title = "Weather" }\n')
    game = open_game(GAME, [folder])
    assert game.families is not None
    world = find_rules(game).world(game, "")
    empty = world.rulebook.empty(world)
    pieces = {one: evolve(piece, where=places.get(one, "")) for one, piece in empty.pieces.items()}
    start = evolve(empty, clock=world.calendar.find(2, phase, "blue"), pieces=pieces)
    start = start.with_note(TO_BEGIN, "", True)
    for where in marked:
        start = start.with_note(LAID, where, ("m-mines",))
    onward = Action(NEXT.name)
    moment = Moment((Step(onward, start, start, start.play(onward).ruling),), 0, Random(1))
    (mutator,) = [one for one in breaker_of(game, game.families).mutators if one.name == name]
    found = list(mutator.mutate(moment))
    assert found
    for *before, last in found:
        position = start
        for action in before:
            position = position.play(action).position
        assert last.verb == verb
        assert mutator.clause in {breach.clause for breach in position.play(last).ruling.breaches}


@pytest.mark.parametrize("name", MUTATORS)
def test_a_mutator_breaks_its_clause(name: str, tmp_path: Path) -> None:
    assert_broken(tmp_path, name, MUTATORS[name])
