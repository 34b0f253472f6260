"""How limits of a whole phase, and duties at its end, are broken for the proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.test_breaking import Given, assert_broken

WORKS = '[markers.works]\nclause = "5.5"\nmarker = "m-mines"\nlaid_by = "infantry"\n'
MUTATORS: dict[str, Given] = {
    "alone_at_the_end": (
        '[words.beside]\nnear = "enemy"\nhexes = 1\n[bars.alone]\nclause = "5.5"\n'
        'who = "guns and beside"\nends = "movement"',
        "movement",
        {"bg": "0401", "r1": "0601"},
        "next",
    ),
    "move_by_too_many": (
        '[movement.move]\nmost = 2\nmost_of = { guns = 2 }\nmost_clause = "15.4"',
        "movement",
        {"bg": "0101", "b1": "0301", "r1": "1008"},
        "move",
    ),
    "works_is_laid_after_a_move": (
        WORKS + 'points = "half"',
        "movement",
        {"b1": "0301", "r1": "1008"},
        "add",
    ),
    "the_captured_stay_2": (
        '[captured]\nclause = "15.1"\nwho = "guns"\nby = "infantry"\n[captured.more.armour]\n'
        'clause = "15.4"\nwho = "armour"\nby = "infantry"',
        "movement",
        {"b1": "0501", "ra": "0601"},
        "next",
    ),
    "attack_halved_twice": (
        '[combat.attack]\nhalved_once = "5.5"\n[combat.attack.terms.mud]\nclause = "7.2"\nto = "attack"\n'
        'times = "1/2"\n[combat.attack.terms.dusk]\nclause = "7.3"\nto = "attack"\ntimes = "1/2"',
        "combat",
        {"ba": "0501", "b1": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_a_column_too_high": (
        '[combat.attack]\nodds = "7.5"',
        "combat",
        {"b1": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_without_points": (
        '[sequence.movement]\ndoes = "move attack"\n[combat.attack]\npoints = 4\npoints_clause = "7.5"',
        "movement",
        {"ba": "0401", "r1": "0601"},
        "attack",
    ),
    "another_unit_returns": (
        '[replacements]\npoints = { blue = 5 }\nrebuild = "15.3"\nrebuild_who = "infantry"\nhexes = "open"',
        "rally",
        {"ba": "blue-lost", "r1": "1008"},
        "regain",
    ),
    "east_is_left_elsewhere": (
        '[sequence.movement]\ndoes = "move exit"',
        "movement",
        {"b1": "0301", "r1": "1008"},
        "exit",
    ),
    "capital_is_left": (
        '[garrisons.capital]\nclause = "5.5"\nwho = "blue"\nhexes = "0301"\nwhen = "movement"',
        "movement",
        {"b1": "0301", "r1": "1008"},
        "next",
    ),
    "attack_on_too_many": (
        '[combat.attack]\nagainst_most = 1\nagainst_most_clause = "5.5"',
        "combat",
        {"b1": "0501", "r1": "0601", "r2": "0601"},
        "attack",
    ),
    "DR_retreat_into_a_zone_of_the_defender": (
        "[results.crt.DR]\ndefender = { retreat = 1 }",
        "combat",
        {"ba": "0501", "b1": "0501", "b2": "0702", "r1": "0601"},
        "retreat",
    ),
}


@pytest.mark.parametrize("name", MUTATORS)
def test_a_mutator_breaks_its_clause(name: str, tmp_path: Path) -> None:
    given = MUTATORS[name]
    if "m-mines" in given[0]:
        counters = (Path(__file__).parent / "divisions" / "counters.csv").read_text()
        (tmp_path / "counters.csv").write_text(f"{counters}m-mines,marker,,Works,,,,,printed\n")
    assert_broken(tmp_path, name, given)


def test_works_stay_where_nobody_keeps_them(tmp_path: Path) -> None:
    counters = (Path(__file__).parent / "divisions" / "counters.csv").read_text()
    (tmp_path / "counters.csv").write_text(f"{counters}m-mines,marker,,Works,,,,,printed\n")
    rules = WORKS + 'kept_by = "infantry"\nremoved_clause = "5.3"'
    given = (rules, "movement", {"b1": "0301", "r1": "1008"}, "next")
    assert_broken(tmp_path, "works_stays_alone", given, "0301")
