"""Legal games in which the turn track is advanced too late, too early or not at all: no accusations."""

from __future__ import annotations

import pytest

from referee.audit import audit
from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.record import Vocabulary
from tests.proof.careless import accused_plainly, found_in
from tools.proof.carelessness import false_accusations
from tools.proof.habits import (
    ADVANCED_FIRST,
    AHEAD,
    AT_THE_END,
    BUTTON,
    CORNER,
    EARLY,
    FORGOTTEN_PHASE,
    IN_HAND,
    LATE,
    MISDECLARED,
    ONCE_A_PLAYER_TURN,
    ONCE_A_TURN,
    OTHER_BOX,
    PUT_RIGHT,
    RESULTS_LATER,
    STRAIGHT,
    STRAY,
    WAITING,
)
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.proving import world_of


def test_a_state_set_in_a_phase_that_was_passed_over_may_date_from_the_turn_that_the_track_showed() -> None:
    habits = frozenset({BUTTON, LATE, ONCE_A_TURN, STRAIGHT, STRAY})
    assert accused_plainly("postcard1943", 9153, 3, habits) == []


def test_both_sides_may_fight_before_the_track_is_advanced() -> None:
    habits = frozenset({CORNER, FORGOTTEN_PHASE, ONCE_A_TURN, STRAIGHT})
    assert false_accusations("postcard1943", 9169, 3, habits) == []


def test_a_reinforcement_dragged_straight_before_the_track_is_advanced_moved_only_on_the_hexes() -> None:
    habits = frozenset({CORNER, FORGOTTEN_PHASE, ONCE_A_TURN, STRAIGHT, STRAY})
    assert accused_plainly("postcard1943", 23008, 3, habits) == []


def test_a_unit_that_recovered_before_the_track_was_advanced_had_its_marker() -> None:
    habits = frozenset({ONCE_A_PLAYER_TURN, ONCE_A_TURN, WAITING})
    assert accused_plainly("postcard1943", 24002, 4, habits) == []


def test_a_unit_that_moves_ahead_of_the_track_has_recovered_though_its_marker_comes_off_later() -> None:
    habits = frozenset({AHEAD, AT_THE_END, LATE, "wrong hex"})
    assert false_accusations("postcard1943", 71018, 4, habits) == []


def test_a_reinforcement_may_be_dragged_straight_ahead_of_the_track() -> None:
    habits = frozenset({AHEAD, CORNER, MISDECLARED, "dice by the other", STRAIGHT})
    assert false_accusations("postcard1943", 71027, 4, habits) == []


def test_a_casualty_removed_in_the_next_phase_does_not_show_that_none_was_passed_over() -> None:
    habits = frozenset({AHEAD, EARLY, IN_HAND, MISDECLARED, OTHER_BOX, "advance taken back"})
    habits |= {"moved back", "stack dragged", "wrong hex"}
    assert false_accusations("postcard1943", 71028, 2, habits) == []


STRUCK = """
at turn 4, Axis combat; place de-pzg69 de-pzg86 on 1818; place us-133 on 1819; place de-tiger-a on 1617
attack 1819 with de-pzg69 de-pzg86
roll combat 6
lose us-133
retreat us-133 1819-1820
lose zoc us-133
next
exploit de-tiger-a 1617-1717-1718
exploit de-tiger-a 1718-1719
next
regain zoc us-133
next
"""


REBUILT = """
at turn 5, Axis battles; place de-10pz on 8722; place us-1 on 8721; place us-3 on 8622; place us-9 on 8823
place us-34 on 8624
attack 8721 with de-10pz
no air allied
roll attack 1
roll defence 10
lose us-1
retreat us-1 8721..8620
next
next
next
supply loss de-10pz
next
move us-34 8624..8724
next
next
next
rebuild us-1
next
next
"""


def test_a_step_that_is_rebuilt_in_a_phase_over_which_the_track_passes_was_lost_before() -> None:
    assert found_in("patton1943", REBUILT, 0, frozenset({ONCE_A_TURN})) == []


@pytest.mark.parametrize("seed", range(2))
def test_markers_that_come_off_before_the_last_moves_of_a_phase_do_not_end_it(seed: int) -> None:
    assert found_in("tunisia1943", STRUCK, seed, frozenset({EARLY})) == []


def test_a_casualty_that_is_due_is_of_its_phase_though_another_attack_was_declared_since() -> None:
    assert false_accusations("postcard1943", 53211, 3, frozenset({IN_HAND})) == []


DRIVEN_OUT = """\
attack 8723 with de-10pz battle 1
roll attack 1 battle 1
roll defence 12 battle 1
lose us-1 battle 1
retreat us-1 8723-8824-8924 battle 1
advance de-10pz 8722-8723 battle 1
"""


LOST_AND_REBUILT = f"""
at turn 5, Axis battles; place de-10pz on 8722; place us-1 on 8723
{DRIVEN_OUT}next
next
next
next
move us-1 8924-8923
next
next
next
rebuild us-1
next
"""


@pytest.mark.parametrize("habits", [{ONCE_A_TURN}, {ONCE_A_TURN, AT_THE_END}])
def test_a_step_lost_and_rebuilt_before_the_track_is_advanced_was_lost(habits: set[str]) -> None:
    assert found_in("patton1943", LOST_AND_REBUILT, 1, frozenset(habits)) == []


@pytest.mark.parametrize("habit", [MISDECLARED, AHEAD, PUT_RIGHT])
def test_what_is_put_right_or_done_before_the_track_is_advanced_accuses_nobody(habit: str) -> None:
    assert accused_plainly("postcard1943", 900007, 3, frozenset({habit})) == []


NO_LEADER_MOVES = """
at turn 3, French leaders; place fr-art-gazan1 on 0512
next
next
move fr-art-gazan1 0512-0413-0514
next
"""


WITHDRAWAL = """
at turn 3, French movement; place fr-tilly on 2417; place uk-dalhousie on 2617
move fr-tilly 2417-2517
roll approach 2 for uk-dalhousie
withdraw uk-dalhousie 2617-2717-2817
next
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_withdrawal_that_is_due_may_come_after_the_track_was_advanced(seed: int) -> None:
    assert found_in("vitoria1813", WITHDRAWAL, seed, frozenset({EARLY})) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_move_may_be_made_before_phases_in_which_nothing_is_done(seed: int) -> None:
    assert found_in("vitoria1813", NO_LEADER_MOVES, seed, frozenset({AHEAD}), walked=range(3)) == []


def test_a_reinforcement_that_waits_in_its_box_enters_once_though_its_first_move_is_made_ahead() -> None:
    assert false_accusations("postcard1943", 55421, 3, frozenset({AHEAD, WAITING})) == []


def test_a_unit_that_is_to_retreat_is_not_attacked_before_it_does() -> None:
    habits = frozenset({AHEAD, RESULTS_LATER, ADVANCED_FIRST})
    assert accused_plainly("postcard1943", 900079, 3, habits) == []


def test_a_log_that_ends_while_the_second_side_sets_up_accuses_nobody() -> None:
    world, opening = world_of("patton1943", ""), opening_of("patton1943", "")
    writer = log_carelessly(opening, play_for_log(world, 120103, 1).steps, 120103, frozenset()).writer
    words = [Vocabulary(world).say(one.action) for one in play_for_log(world, 120103, 1).steps]
    del writer.steps[words.index("complete axis") :]
    report = audit([writer.log("ends.vlog")], world.game, opening.module)
    assert [one.clause for one in report.findings if one.grade is Grade.illegal] == []
    assert report.position.clock == Clock(1)


def test_who_fell_beside_a_unit_is_gone_though_another_loses_steps_in_a_later_battle() -> None:
    assert false_accusations("vitoria1813", 700019, 4, frozenset({LATE, ONCE_A_TURN})) == []


def test_counters_that_are_exchanged_at_once_after_the_track_was_advanced_are_exchanged_in_time() -> None:
    assert false_accusations("patton1943", 960004, 3, frozenset({ONCE_A_PLAYER_TURN, "track ahead"})) == []


def test_a_unit_may_have_moved_in_two_phases_between_which_the_track_was_not_advanced() -> None:
    habits = {
        "copied", "declared twice", "detour", "no dice",
        "once a player turn", "one orderly", "retreat put right", "waiting",
    }  # fmt: skip
    assert false_accusations("tunisia1943", 1000000, 3, frozenset(habits)) == []


def test_a_track_that_is_late_and_a_phase_behind_is_not_put_right_by_another_phase() -> None:
    habits = {ONCE_A_TURN, "parked", "replaced", "track behind", "track set", "tried"}
    assert false_accusations("patton1943", 1000001, 4, frozenset(habits)) == []


def test_a_track_that_is_a_phase_ahead_may_pass_over_phases_too() -> None:
    habits = frozenset({"forgotten phase", "track ahead"})
    assert false_accusations("patton1943", 1040026, 2, habits) == []
