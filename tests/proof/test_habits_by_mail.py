"""Legal games of people who play by mail: moves are tried out, dice rolled elsewhere, the track is off."""

from __future__ import annotations

import pytest

from tools.proof.carelessness import false_accusations
from tools.proof.habits import (
    ANY_ORDER,
    FLIPPED_FIRST,
    MOVED_IN,
    MOVED_ON,
    NO_DICE,
    REHEARSED,
    REMEMBERED,
    RESOLVED_TWICE,
    TRACK_AHEAD,
    TRACK_BEHIND,
)


def accused(name: str, seed: int, turns: int, *habits: str) -> list[str]:
    """The clauses that are found illegal in a legal game logged with habits."""
    return [one.clause for one in false_accusations(name, seed, turns, frozenset(habits)) or ()]


@pytest.mark.parametrize(
    ("game", "seed"),
    [("patton1943", 700002), ("vitoria1813", 700005), ("tunisia1943", 700002), ("postcard1943", 700001)],
)
@pytest.mark.parametrize("habit", [TRACK_AHEAD, TRACK_BEHIND])
def test_a_track_that_is_always_a_phase_off_accuses_nobody(game: str, seed: int, habit: str) -> None:
    assert accused(game, seed, 2, habit) == []


@pytest.mark.parametrize(
    ("game", "seed", "turns"),
    [("patton1943", 700002, 4), ("vitoria1813", 700003, 3), ("tunisia1943", 700005, 2)],
)
def test_what_dice_rolled_elsewhere_led_to_accuses_nobody(game: str, seed: int, turns: int) -> None:
    assert accused(game, seed, turns, NO_DICE) == []


def test_a_step_lost_may_be_marked_when_the_phase_after_the_next_has_begun() -> None:
    assert accused("patton1943", 700012, 2, REMEMBERED) == []


def test_a_stack_that_moves_on_when_another_unit_has_entered_a_zone_moved_before_it() -> None:
    assert accused("tunisia1943", 700005, 4, MOVED_ON) == []


@pytest.mark.parametrize("habits", [{RESOLVED_TWICE}, {RESOLVED_TWICE, ANY_ORDER}])
def test_the_die_counts_that_explains_a_loss_taken_when_others_have_fought(habits: set[str]) -> None:
    assert accused("tunisia1943", 700206, 2, *habits) == []


@pytest.mark.parametrize("habit", [REHEARSED, MOVED_IN, RESOLVED_TWICE])
def test_moves_tried_out_and_dice_rolled_on_top_of_the_enemy_accuse_nobody(habit: str) -> None:
    assert accused("patton1943", 700001, 2, habit) == []


def test_the_die_counts_by_which_least_is_wrong_if_what_others_declare_follows_it() -> None:
    assert accused("tunisia1943", 700207, 3, FLIPPED_FIRST, RESOLVED_TWICE) == []
