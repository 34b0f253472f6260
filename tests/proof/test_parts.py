"""Legal games that are sent in several logs, played carelessly: nobody is accused."""

from __future__ import annotations

import pytest

from tools.proof.carelessness import accused_in_parts
from tools.proof.habits import (
    LATE,
    NUDGED,
    ONCE_A_PLAYER_TURN,
    ONCE_A_TURN,
    PRESSED_TWICE,
    REMEMBERED,
    TWO_AT_ONCE,
)
from tools.proof.habits.parts import BEGUN, MISSING, PARTS

CARELESS = frozenset({LATE, ONCE_A_PLAYER_TURN})


@pytest.mark.parametrize("how", PARTS)
def test_a_game_in_parts_accuses_nobody(how: str) -> None:
    assert accused_in_parts("postcard1943", 300302, 2, CARELESS, how) == []


def test_what_was_due_in_phases_that_are_clicked_through_at_once_was_done_before_the_log_begins() -> None:
    assert accused_in_parts("vitoria1813", 702001, 3, frozenset({ONCE_A_TURN}), MISSING) == []


def test_a_step_lost_in_a_battle_before_the_log_may_be_remembered_two_phases_later() -> None:
    habits = frozenset({NUDGED, PRESSED_TWICE, REMEMBERED, TWO_AT_ONCE})
    found = accused_in_parts("patton1943", 702002, 4, habits, BEGUN)
    assert "13h" not in [one.clause for one in found]
