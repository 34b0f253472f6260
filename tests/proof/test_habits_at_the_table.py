"""Legal games in which people sort, mark and start over as at a real table: there are no accusations."""

from __future__ import annotations

import pytest

from tests.proof.careless import accused_plainly, found_plainly
from tools.proof.carelessness import false_accusations
from tools.proof.habits import (
    AT_THE_END,
    BATTLE_BOARD,
    DELETED_UNDONE,
    FROM_PALETTE,
    GRABBED_ALL,
    HALF_UNDONE,
    LIFTED,
    LINED_UP,
    MOVED_IN,
    NOTICED_LATE,
    POINTED,
    REPLAYED,
    SORTED,
    STATE_REMINDS,
    TURNED_TO_REMEMBER,
    UNIT_AS_MARKER,
)

AT_THE_TABLE = (
    SORTED, LINED_UP, LIFTED, TURNED_TO_REMEMBER, STATE_REMINDS, UNIT_AS_MARKER,
    REPLAYED, NOTICED_LATE, HALF_UNDONE, GRABBED_ALL, DELETED_UNDONE, POINTED,
)  # fmt: skip


@pytest.mark.parametrize("habit", AT_THE_TABLE)
def test_no_habit_of_the_table_accuses_anybody(habit: str) -> None:
    assert accused_plainly("postcard1943", 800001, 2, frozenset({habit})) == []


def test_a_defender_grabbed_with_others_between_two_battles_and_put_back_was_there_all_the_time() -> None:
    assert accused_plainly("patton1943", 800001, 2, frozenset({GRABBED_ALL})) == []


def test_a_battle_fought_beside_the_map_leaves_nothing_in_doubt() -> None:
    assert found_plainly("postcard1943", 800003, 3, frozenset({BATTLE_BOARD})) == []


def test_a_stack_is_put_back_after_the_track_was_set_back() -> None:
    habits = frozenset({"by the other", "lifted", "noticed late", "rehearsed", "wrong counter"})
    assert false_accusations("postcard1943", 800023, 3, habits) == []


def test_a_general_who_was_only_put_aside_shakes_no_unit() -> None:
    habits = frozenset({"boxes sorted", "stack dragged", "state as reminder", "waiting", LIFTED})
    assert false_accusations("vitoria1813", 800013, 2, habits) == []


def test_what_was_due_in_a_phase_to_which_the_track_is_set_back_may_still_be_done() -> None:
    habits = frozenset({"deletion undone", MOVED_IN, NOTICED_LATE})
    assert false_accusations("vitoria1813", 800100, 2, habits) == []


def test_what_follows_from_a_doubtful_move_is_not_certain() -> None:
    habits = frozenset({AT_THE_END, FROM_PALETTE, MOVED_IN})
    assert false_accusations("vitoria1813", 800000, 2, habits) == []
