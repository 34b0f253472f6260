"""How markers, captures, advances, retreats and replacements are broken for the proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standard.test_breaking import Given, assert_broken

MINES = '[markers.mines]\nclause = "5.5"\nmarker = "m-mines"\n'
MUTATORS: dict[str, Given] = {
    "mines_is_laid_in_another_phase": (
        MINES + 'laid = "arrival"\nside = "blue"',
        "combat",
        {"b1": "0301"},
        "add",
    ),
    "mines_is_laid_elsewhere": (
        MINES + 'laid = "movement"\nlaid_by = "infantry"',
        "movement",
        {"b1": "0301"},
        "add",
    ),
    "mines_is_laid_too_often": (
        MINES + 'laid = "movement"\nmost = 1',
        "movement",
        {"b1": "0301", "b2": "0401"},
        "add",
    ),
    "the_captured_stay": (
        '[captured]\nclause = "5.5"\nwho = "guns or armour"',
        "movement",
        {"b1": "0501", "ra": "0601"},
        "next",
    ),
    "flee_is_not_made": (
        '[sequence.movement]\ndoes = "flee"\n[movement.flee]\nclause = "15.1"\npoints = "mp"\nmust = "15.2"\n'
        'homeward = { blue = "west" }',
        "movement",
        {"ba": "0501"},
        "next",
    ),
    "flee_leads_elsewhere": (
        '[sequence.movement]\ndoes = "flee"\n[movement.flee]\nclause = "15.1"\npoints = "mp"\nmust = "15.2"\n'
        'homeward = { blue = "west" }',
        "movement",
        {"ba": "0501"},
        "next",
    ),
    "retreat_from_home_by_DR_of_the_defender": (
        '[retreat]\ntoward = "9.5"\nhome = { red = "east", blue = "west" }',
        "combat",
        {"ba": "0505", "b1": "0605", "r1": "0506"},
        "retreat",
    ),
    "retreat_into_a_full_hex_by_DR_of_the_defender": (
        "",
        "combat",
        {"ba": "0501", "b1": "0501", "r1": "0601", "r2": "0801", "r3": "0801"},
        "retreat",
    ),
    "retreat_with_no_way_out_by_DR_of_the_defender": (
        "",
        "combat",
        {"ba": "0501", "b1": "0602", "b2": "0701", "r1": "0601"},
        "next",
    ),
    "too_many_advance_after_DR_of_attack": (
        "",
        "combat",
        {"b2": "0501", "b1": "0501", "r1": "0601"},
        "advance",
    ),
    "nobody_advances_after_DR_of_attack": ("", "combat", {"ba": "0501", "b1": "0501", "r1": "0601"}, "next"),
    "an_advance_too_far_after_DR_of_attack": (
        '[advance]\nhexes = { guns = 2 }\nhexes_clause = "15.1"',
        "combat",
        {"b2": "0501", "b1": "0501", "r1": "0601"},
        "advance",
    ),
    "a_bystander_advances_after_DR_of_attack": (
        "",
        "combat",
        {"ba": "0501", "b1": "0501", "b3": "0602", "r1": "0601"},
        "advance",
    ),
    "a_lost_unit_returns_elsewhere": (
        '[replacements]\npoints = { blue = 2 }\nrebuild = "15.3"\nhexes = "town"',
        "rally",
        {"b1": "blue-lost"},
        "regain",
    ),
    "comes_on_in_a_zone": ("", "arrival", {"bn": "blue-pool", "r1": "0201", "r2": "0203"}, "enter"),
}


@pytest.mark.parametrize("name", MUTATORS)
def test_a_mutator_breaks_its_clause(name: str, tmp_path: Path) -> None:
    (tmp_path / "counters.csv").write_text("id,kind,name,count\nm-mines,marker,Mines,4\n")
    assert_broken(tmp_path, name, MUTATORS[name])


def test_a_trench_stays_under_the_enemy(tmp_path: Path) -> None:
    (tmp_path / "counters.csv").write_text("id,kind,name,count\nm-mines,marker,Mines,4\n")
    given = MINES + 'removed_by = "blue"', "movement", {"b1": "0301"}, "next"
    assert_broken(tmp_path, "mines_stays_under_the_enemy", given, "0401")


def test_a_marker_is_taken_off_where_nobody_may_do_it(tmp_path: Path) -> None:
    (tmp_path / "counters.csv").write_text("id,kind,name,count\nm-mines,marker,Mines,4\n")
    given = MINES + 'lifted_by = "guns"', "movement", {"b1": "0301"}, "next"
    assert_broken(tmp_path, "mines_is_taken_off", given, "0401")


def test_a_marker_is_left_on(tmp_path: Path) -> None:
    (tmp_path / "counters.csv").write_text("id,kind,name,count\nm-mines,marker,Mines,4\n")
    given = MINES + 'gone = "movement"', "movement", {"b1": "0301"}, "next"
    assert_broken(tmp_path, "mines_is_left_on", given, "0401")
