"""Legal games of people for whom any battle, button, box or counter serves: there are no accusations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.proof.carelessness import false_accusations
from tools.proof.habits import ANY_BATTLE, ANY_BUTTON, DICE_AT_HOME, MISLAID, PACKED_UP, UNCOVERED

CLUBS = Path(__file__).parents[1] / "clubs"


@pytest.mark.parametrize("seed", [910001, 910002])
def test_losses_in_an_attack_whose_die_was_rolled_at_home_are_its_result(seed: int) -> None:
    assert false_accusations(f"{CLUBS}/orsa", seed, 2, frozenset({DICE_AT_HOME})) == []


@pytest.mark.parametrize("seed", [910002, 920000])
def test_marks_placed_and_removed_after_dice_rolled_at_home_are_their_result(seed: int) -> None:
    assert false_accusations(f"{CLUBS}/dalia", seed, 2, frozenset({DICE_AT_HOME})) == []


def test_units_that_joined_another_attack_by_mistake_are_not_held_to_it() -> None:
    assert false_accusations(f"{CLUBS}/dalia", 910002, 2, frozenset({ANY_BATTLE})) == []


@pytest.mark.parametrize(("game", "seed"), [(f"{CLUBS}/grauwald", 910000), ("vitoria1813", 920000)])
def test_counters_that_are_put_away_in_the_end_are_not_eliminated(game: str, seed: int) -> None:
    assert false_accusations(game, seed, 2, frozenset({PACKED_UP})) == []


def test_a_unit_uncovered_by_a_copy_from_the_palette_is_turned_face_up() -> None:
    assert false_accusations("vitoria1813", 910000, 2, frozenset({UNCOVERED})) == []


def test_a_battle_rolled_with_the_button_of_an_event_is_not_that_event() -> None:
    assert false_accusations("patton1943", 910001, 2, frozenset({ANY_BUTTON})) == []


def test_a_defence_rolled_late_with_the_button_of_an_event_is_not_that_event() -> None:
    assert false_accusations("patton1943", 920001, 2, frozenset({ANY_BUTTON})) == []


def test_defences_without_an_attack_roll_show_that_it_was_rolled_at_home_if_there_are_two() -> None:
    assert false_accusations("patton1943", 910001, 1, frozenset({DICE_AT_HOME})) == []


def test_a_defence_without_an_attack_roll_and_an_attack_roll_without_a_defence_show_dice_at_home() -> None:
    habits = {"by the other", DICE_AT_HOME, "high roll", PACKED_UP, "tested twice"}
    assert false_accusations("patton1943", 1040030, 2, frozenset(habits)) == []


def test_a_battle_rolled_only_with_the_button_for_a_pressed_attack_need_not_be_pressed() -> None:
    habits = {ANY_BUTTON, "declared twice", "no dice", "trails wiped"}
    assert false_accusations("postcard1943", 1040051, 3, frozenset(habits)) == []


def test_an_attack_may_be_rolled_before_one_whose_die_was_rolled_at_home() -> None:
    assert false_accusations("tunisia1943", 910000, 1, frozenset({DICE_AT_HOME})) == []


def test_a_unit_beside_a_marker_that_remained_alone_in_its_hex_is_in_a_new_stack() -> None:
    assert false_accusations("tunisia1943", 1040003, 3, frozenset({"shadow", "swept along"})) == []


def test_an_attack_that_another_unit_joined_and_that_is_never_rolled_is_not_proved() -> None:
    habits = frozenset({ANY_BATTLE, "trophy"})
    assert false_accusations("postcard1943", 1060005, 3, habits) == []


def test_counters_that_an_undo_took_off_the_maps_in_a_stack_are_where_they_were() -> None:
    assert false_accusations("tunisia1943", 820002, 2, frozenset({"undone", "undone twice"})) == []


def test_a_reinforcement_dragged_straight_to_the_end_of_its_exploitation_has_all_its_movement_points() -> (
    None
):
    habits = {"chatted", "declared first", "declared in any order", "straight", "wrong casualty"}
    assert false_accusations("tunisia1943", 1010001, 2, frozenset(habits)) == []


def test_a_battery_that_fires_anew_after_a_fire_that_was_called_off_has_fired() -> None:
    habits = {"piled", UNCOVERED, "swept along", "moved on later", "misdeclared", "pressed twice", "button"}
    assert false_accusations("vitoria1813", 2000003, 3, frozenset(habits)) == []


def test_a_battle_rolled_with_the_button_of_an_event_is_one_after_which_units_break_through() -> None:
    habits = {ANY_BATTLE, "corner", PACKED_UP, "pushed aside", "undone"}
    assert false_accusations("patton1943", 1040016, 2, frozenset(habits)) == []


@pytest.mark.parametrize(("game", "seed"), [("postcard1943", 1200003), (f"{CLUBS}/orsa", 1200000)])
def test_copies_of_reinforcements_that_were_laid_by_mistake_have_not_arrived(game: str, seed: int) -> None:
    assert false_accusations(game, seed, 2, frozenset({MISLAID})) == []
