"""Legal games in which counters are handled carelessly: there are no accusations."""

from __future__ import annotations

import pytest

from tests.proof.careless import accused_plainly, found_in
from tools.proof.carelessness import false_accusations
from tools.proof.habits import (
    ADVANCED_FIRST,
    AHEAD,
    AT_THE_END,
    CORNER,
    DELETED,
    FANNED_OUT,
    FORGOTTEN_PHASE,
    LATE,
    LEFT_ON,
    LOOKED,
    MOVE_CHANGED,
    OTHER_BOX,
    OVERSHOT,
    PARKED,
    PICKED_UP,
    RESULTS_LATER,
    SEA,
    STRAIGHT,
    STRAY,
    TRIED,
    WAITING,
    WRONG_BUTTON,
    WRONG_CASUALTY,
    WRONG_COUNTER,
)


def test_the_dead_lend_no_strength_until_they_are_dragged_into_the_sea() -> None:
    assert false_accusations("tunisia1943", 5013, 1, frozenset({LATE, SEA})) == []


def test_a_reinforcement_dragged_straight_onto_a_full_stack_came_on_elsewhere_and_moved_there() -> None:
    habits = frozenset({DELETED, FORGOTTEN_PHASE, OVERSHOT, STRAIGHT})
    assert accused_plainly("postcard1943", 22010, 4, habits) == []


def test_who_advances_into_a_swamp_where_a_casualty_still_is_gets_stuck_there() -> None:
    habits = frozenset({"corner", "in hand", "looked beneath", "moved back", "once a turn"})
    habits |= {"stack dragged", "wrong counter", "wrong hex"}
    assert false_accusations("postcard1943", 71011, 3, habits) == []


@pytest.mark.parametrize("habit", [AT_THE_END, OTHER_BOX])
def test_steps_lost_may_be_shown_late_and_casualties_put_into_any_box(habit: str) -> None:
    assert accused_plainly("patton1943", 21000 + (habit == AT_THE_END), 2, frozenset({habit})) == []


LEAVING_A_ZONE = """
at turn 3, French movement; place fr-rey on 2517 steps {} face up; place fr-morgan on 2517 face up
place uk-cadogan on 2617 face up
move fr-rey 2517-2516
{} fr-rey{}
next
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_casualty_may_be_put_into_a_box_of_those_who_left_or_are_to_come(seed: int) -> None:
    record = LEAVING_A_ZONE.format(1, "eliminate", "")
    assert found_in("vitoria1813", record, seed, frozenset({OTHER_BOX})) == []


def test_a_step_may_be_taken_from_the_wrong_counter_and_given_back() -> None:
    record = LEAVING_A_ZONE.format(3, "lose", " 1")
    assert found_in("vitoria1813", record, 1, frozenset({WRONG_COUNTER})) == []


DUE_HEXES_FULL = """
at turn 3, Allied movement
enter uk-skerrett on 0107
enter uk-wanson on 0108
enter pt-stubbs on 0109
move uk-skerrett 0107-0207
move uk-wanson 0108-0208
move pt-stubbs 0109-0209-0310
next
"""


@pytest.mark.parametrize("habit", [WAITING, STRAIGHT])
def test_a_reinforcement_entered_while_others_were_where_it_was_due(habit: str) -> None:
    assert found_in("vitoria1813", DUE_HEXES_FULL, 0, frozenset({habit})) == []


@pytest.mark.parametrize("habit", [WAITING, STRAIGHT])
def test_a_reinforcement_enters_where_it_is_due_if_too_few_others_arrive(habit: str) -> None:
    one_other = DUE_HEXES_FULL.replace("enter uk-wanson on 0108\n", "").replace(
        "move uk-wanson 0108-0208\n", ""
    )
    found = found_in("vitoria1813", one_other, 0, frozenset({habit}))
    assert found == ["12.1a"]


SOME_DUE_HEXES_FULL = """
at turn 3, Allied movement; place uk-art-hill on 0115; place uk-ocallaghan on 0114; place fr-braun on 0212
enter pt-dacosta on 0116
enter pt-ashworth on 0117
move pt-ashworth 0117..0517
move pt-dacosta 0116..0317
next
"""


def test_a_reinforcement_entered_while_another_was_in_the_only_hex_that_was_free() -> None:
    straight = frozenset({STRAIGHT})
    alone = SOME_DUE_HEXES_FULL.replace("enter pt-dacosta on 0116\n", "")
    alone = alone.replace("move pt-dacosta 0116..0317\n", "")
    assert found_in("vitoria1813", SOME_DUE_HEXES_FULL, 1, straight) == []
    assert found_in("vitoria1813", alone, 1, straight) == ["12.1b"]


NEAREST_HEXES_FULL = """
at turn 3, Allied movement; place uk-cadogan on 0109
enter pt-stubbs on 0107
enter uk-skerrett on 0108
enter uk-valten on 0106
enter uk-wanson on 0105
move pt-stubbs 0107..0305
move uk-skerrett 0108-0208-0207
move uk-valten 0106..0405
move uk-wanson 0105-0104-0103-0202-0201
next
"""


def test_a_reinforcement_entered_farther_off_while_others_were_in_the_nearest_hexes_too() -> None:
    straight = frozenset({STRAIGHT})
    alone = "\n".join(line for line in NEAREST_HEXES_FULL.splitlines() if "valten" not in line)
    assert found_in("vitoria1813", NEAREST_HEXES_FULL, 1, straight) == []
    assert found_in("vitoria1813", alone, 1, straight) == ["12.1a"]


MOVED_ON_IN_ITS_TURN = """
at turn 3, reinforcements; place hart on H6
arrive hg on A4
next
next
next
next
move hg A4-B5
next
next
next
next
arrive koch on B5
next
next
next
next
move hg B5..E1
next
"""


def test_a_reinforcement_dragged_straight_has_not_arrived_a_turn_later() -> None:
    assert found_in("postcard1943", MOVED_ON_IN_ITS_TURN, 1, frozenset({STRAIGHT})) == []


REPLACED_AND_DRIVEN_OUT = """
at turn 5, Axis battles; place de-10pz on 8722; place us-1 on 8723 steps 1; place us-bg1 in allied-pool
attack 8723 with de-10pz
roll attack 1
roll defence 12
eliminate us-1
battlegroup us-bg1 on 8723
retreat us-bg1 8723-8824-8924
next
"""


def test_a_counter_that_replaces_another_in_a_battle_is_dragged_straight_to_where_it_retreats() -> None:
    assert found_in("patton1943", REPLACED_AND_DRIVEN_OUT, 0, frozenset({STRAIGHT})) == []


def test_a_counter_put_aside_twice_is_put_back_where_it_was_first() -> None:
    habits = frozenset({AHEAD, CORNER, LOOKED, LEFT_ON, RESULTS_LATER, STRAIGHT, STRAY})
    assert false_accusations("patton1943", 61009, 3, habits) == []


def test_a_move_put_right_between_an_entry_and_its_breakthrough_is_no_other_move() -> None:
    habits = frozenset({ADVANCED_FIRST, CORNER, DELETED, FORGOTTEN_PHASE, MOVE_CHANGED, TRIED})
    assert false_accusations("tunisia1943", 82203, 2, habits) == []


@pytest.mark.parametrize(
    ("habit", "seed"),
    [
        (PARKED, 62002),
        (PICKED_UP, 62007),
        (FANNED_OUT, 62006),
        (WRONG_BUTTON, 62007),
        (WRONG_CASUALTY, 62002),
    ],
)
def test_a_counter_put_aside_for_a_moment_and_a_wrong_button_accuse_nobody(habit: str, seed: int) -> None:
    assert false_accusations("patton1943", seed, 2, frozenset({habit})) == []


def test_a_counter_parked_in_a_box_after_its_battle_attacks_from_where_it_was() -> None:
    parked = frozenset(
        {"declared first", "detour", "dice by the other", "parked", "spare hex", "stack dragged"}
    )
    assert false_accusations("tunisia1943", 110201, 2, parked) == []
