"""Legal games told as careless people play: nobody is accused."""

from __future__ import annotations

import pytest

from tools.habits import false_accusations
from tools.proof.habits import BUTTON, CORNER, HABITS, LATE, ONCE_A_TURN, STRAIGHT, UNDECLARED

SEEDS, TURNS = (2, 5), 3


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_legal_game_told_with_a_careless_habit_accuses_nobody(habit: str, seed: int) -> None:
    assert false_accusations("postcard1943", seed, TURNS, habit) == []


@pytest.mark.parametrize("habit", [CORNER, STRAIGHT, UNDECLARED, BUTTON, ONCE_A_TURN, LATE])
def test_so_it_is_in_a_game_with_dice_for_each_unit(habit: str) -> None:
    assert false_accusations("patton1943", 1, 2, habit) == []
