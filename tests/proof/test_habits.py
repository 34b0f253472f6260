"""Legal games played carelessly: nobody is accused."""

from __future__ import annotations

import pytest

from tools.proof.carelessness import FOUND, MIXED, break_habits, false_accusations, try_habits
from tools.proof.habits import BUTTON, CORNER, HABITS, LATE, ONCE_A_TURN, SEA, STRAIGHT, UNDECLARED

SEEDS, TURNS = (2, 5), 3


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_legal_game_played_with_a_careless_habit_accuses_nobody(habit: str, seed: int) -> None:
    assert false_accusations("postcard1943", seed, TURNS, frozenset({habit})) == []


@pytest.mark.parametrize("habit", [CORNER, STRAIGHT, UNDECLARED, BUTTON, ONCE_A_TURN, LATE])
def test_so_it_is_in_a_game_with_dice_for_each_unit(habit: str) -> None:
    assert false_accusations("patton1943", 1, 2, frozenset({habit})) == []


def test_the_dead_lend_no_strength_until_they_are_dragged_into_the_sea() -> None:
    assert false_accusations("tunisia1943", 5013, 1, frozenset({LATE, SEA})) == []


def test_a_die_that_was_taken_for_a_battle_accuses_nobody_in_later_phases() -> None:
    assert false_accusations("postcard1943", 301, 4, frozenset({BUTTON})) == []


def test_who_comes_in_reduced_is_turned_though_battles_are_not_declared() -> None:
    assert false_accusations("patton1943", 5019, 3, frozenset({UNDECLARED})) == []


def test_a_game_is_logged_once_for_each_habit_and_once_with_several() -> None:
    assert set(try_habits("postcard1943", 1, 1)["told"]) == {*HABITS, MIXED}


def test_of_each_habit_it_is_counted_what_becomes_of_a_breach() -> None:
    breaches = break_habits("postcard1943", 2)["breaches"]
    assert {one[0] for one in breaches} == {*HABITS, MIXED}
    assert all(orderly == FOUND for _, _, orderly, _, _ in breaches)
