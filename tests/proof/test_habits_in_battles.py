"""Legal games whose dice and battles are declared carelessly or not at all: there are no accusations."""

from __future__ import annotations

import pytest

from tests.proof.careless import found_in
from tools.proof.carelessness import false_accusations
from tools.proof.habits import (
    AT_THE_END,
    BUTTON,
    CORNER,
    DECLARED_FIRST,
    FROM_PALETTE,
    IN_HAND,
    LATE,
    ONCE_A_TURN,
    RIGHT_LATER,
    STRAIGHT,
    STRAY,
    TESTED_TWICE,
    UNDECLARED,
    WRONG_BUTTON,
)

SEEDS, TURNS = (2, 5), 3


@pytest.mark.parametrize("habit", [CORNER, STRAIGHT, UNDECLARED, BUTTON, ONCE_A_TURN, LATE])
def test_so_it_is_in_a_game_with_dice_for_each_unit(habit: str) -> None:
    assert false_accusations("patton1943", 1, 2, frozenset({habit})) == []


def test_a_die_that_was_taken_for_a_battle_accuses_nobody_in_later_phases() -> None:
    assert false_accusations("postcard1943", 301, 4, frozenset({BUTTON})) == []


def test_a_die_of_bombing_rolled_with_a_wrong_button_bombs_nobody() -> None:
    assert false_accusations("postcard1943", 310014, 2, frozenset({WRONG_BUTTON})) == []


def test_a_casualty_of_an_undeclared_battle_may_be_removed_as_its_own_turn_begins() -> None:
    assert false_accusations("vitoria1813", 51234, 2, frozenset({IN_HAND, UNDECLARED})) == []


def test_who_comes_in_reduced_is_turned_though_battles_are_not_declared() -> None:
    assert false_accusations("patton1943", 5019, 3, frozenset({UNDECLARED})) == []


SWAMP_FOR_TWO = """
at turn 5, Allied movement; place hart nz on G1; place us9 on C3
move hart nz G1-G2
roll swamp 6 for nz
move nz G2-F2
next
"""


def test_of_two_in_a_swamp_either_may_have_been_rolled_for_with_a_bare_die() -> None:
    for habit in (UNDECLARED, BUTTON):
        assert found_in("postcard1943", SWAMP_FOR_TWO, 2, frozenset({habit})) == []


LONE_HEADQUARTERS = """
at turn 4, Axis combat; place de-pzg69 on 1818; place us-em-1 on 1819; place us-16 on 0517
attack 1819 with de-pzg69
eliminate us-em-1
advance de-pzg69 1818-1819
"""


LONE_HEADQUARTERS_ATTACKED_LATE = """
at turn 4, Axis movement; place de-pzg69 on 1818; place de-pzg86 on 1015
place us-em-1 on 1819; place us-em-34 on 1318{}; place us-16 on 1517
move de-pzg86 1015..1418
next
attack 1819 with de-pzg69
eliminate us-em-1
advance de-pzg69 1818-1819
attack 1318 with de-pzg86
eliminate us-em-34
advance de-pzg86 1418-1318
next
next
"""


def test_who_goes_where_a_unit_was_alone_and_is_destroyed_may_have_attacked_it() -> None:
    assert found_in("tunisia1943", LONE_HEADQUARTERS, 1, frozenset({UNDECLARED})) == []


@pytest.mark.parametrize("marked", ["", " out-of-supply"])
def test_an_advance_after_an_attack_without_a_die_is_no_move_of_the_phase_before(marked: str) -> None:
    record = LONE_HEADQUARTERS_ATTACKED_LATE.format(marked)
    assert found_in("tunisia1943", record, 0, frozenset({UNDECLARED, IN_HAND})) == []


def test_a_stray_die_may_come_before_that_of_a_battle_nobody_declared() -> None:
    assert false_accusations("postcard1943", 2, TURNS, frozenset({STRAY, UNDECLARED})) == []


DRIVEN_OUT = """\
attack 8723 with de-10pz battle 1
roll attack 1 battle 1
roll defence 12 battle 1
lose us-1 battle 1
retreat us-1 8723-8824-8924 battle 1
advance de-10pz 8722-8723 battle 1
"""


TWO_ATTACKS = f"""
at turn 5, Axis battles; place de-10pz on 8722; place de-21pz on 8621; place us-1 on 8723; place us-9 on 8521
{DRIVEN_OUT}attack 8521 with de-21pz battle 2
roll attack 12 battle 2
roll defence 12 battle 2
next
"""


def test_an_advance_comes_at_once_though_other_attacks_were_declared_before_the_die() -> None:
    assert found_in("patton1943", TWO_ATTACKS, 1, frozenset({DECLARED_FIRST})) == []


@pytest.mark.parametrize("seed", range(3))
def test_a_retreat_may_be_put_right_when_the_enemy_has_advanced(seed: int) -> None:
    assert found_in("patton1943", TWO_ATTACKS, seed, frozenset({RIGHT_LATER})) == []


def test_a_retreat_that_is_not_put_right_is_found() -> None:
    too_short = TWO_ATTACKS.replace("8723-8824-8924", "8723-8824")
    assert "14b" in found_in("patton1943", too_short, 1, frozenset())


BEATEN_IN_THE_AIR = """
at turn 5, Axis battles; place de-10pz on 8415; place us-1 on 8416; place de-air1 on 8412
place uk-air2 on 8821
attack 8416 with de-10pz
fly de-air1
fly uk-air2
roll air 5 for de-air1
roll air 9 for uk-air2
lose uk-air2
to box uk-air2
roll attack 12
roll defence 12
to box de-air1
next
return de-air1 on 8412
return uk-air2 on 8821
next
"""


def test_a_step_lost_in_the_air_may_be_marked_when_the_aircraft_is_back() -> None:
    assert found_in("patton1943", BEATEN_IN_THE_AIR, 1, frozenset({AT_THE_END})) == []


def test_what_a_bare_die_did_in_the_air_may_show_when_the_aircraft_is_back() -> None:
    habits = frozenset({BUTTON, AT_THE_END, FROM_PALETTE})
    assert false_accusations("patton1943", 61007, 4, habits) == []


def test_a_retreat_after_an_undeclared_battle_may_be_put_right_in_the_next_phase() -> None:
    mixed = "advanced first+by the other+edge+forgotten phase+late+put right later+results later"
    habits = frozenset(f"{mixed}+stack dragged+too soon+undeclared".split("+"))
    assert false_accusations("patton1943", 61020, 2, habits) == []


def test_aircraft_that_never_show_the_step_lost_in_the_air_are_accused() -> None:
    unmarked = BEATEN_IN_THE_AIR.replace("lose uk-air2\n", "")
    assert found_in("patton1943", unmarked, 1, frozenset({AT_THE_END})) == ["10d"]


ONE_DIE_IN_THE_AIR = """
at turn 5, Axis battles; place de-10pz on 8415; place us-1 on 8416; place de-air1 on 8412
place uk-air2 on 8821
attack 8416 with de-10pz
fly de-air1
fly uk-air2
roll air 5 for de-air1
roll attack 12
roll defence 12
to box de-air1
to box uk-air2
next
return de-air1 on 8412
return uk-air2 on 8821
next
"""


def test_a_die_that_a_battle_lacks_may_be_the_one_of_another_button_beside_it() -> None:
    assert found_in("patton1943", ONE_DIE_IN_THE_AIR, 3, frozenset({WRONG_BUTTON})) == []
    assert found_in("patton1943", ONE_DIE_IN_THE_AIR, 3, frozenset()) == ["10a"]


@pytest.mark.parametrize(("game", "seed"), [("tunisia1943", 62003), ("patton1943", 62001)])
def test_a_die_that_was_not_due_beside_a_bare_one_is_that_of_a_wrong_button(game: str, seed: int) -> None:
    assert false_accusations(game, seed, 2, frozenset({WRONG_BUTTON})) == []


def test_dice_of_a_wrong_button_in_an_earlier_phase_do_not_count_for_patton() -> None:
    habits = {"at the end", "button", "declared first", "misdeclared", "spare hex", "wrong button"}
    assert false_accusations("patton1943", 150008, 4, frozenset(habits)) == []


def test_a_roll_that_is_made_again_by_agreement_may_count() -> None:
    assert false_accusations("patton1943", 1001, 4, frozenset({TESTED_TWICE})) == []


def test_attackers_who_were_in_the_attacked_hex_for_the_die_have_not_retreated_yet() -> None:
    habits = {"changed mind", "moved in", "parked", "track leafed through", "track set", "wrong casualty"}
    assert false_accusations("vitoria1813", 820002, 2, frozenset(habits)) == []


def test_a_step_that_was_lost_before_the_die_is_not_missing_after_it() -> None:
    habits = {"button", "die afterwards", "pressed twice", "wrong counter"}
    assert false_accusations("vitoria1813", 1000000, 3, frozenset(habits)) == []


def test_a_log_that_shows_none_of_the_battles_proves_nothing_about_their_results() -> None:
    habits = {"at the end", "boxes sorted", "detour", "late", "moved back", "no dice", "stray", "undeclared"}
    assert false_accusations("vitoria1813", 970000, 3, frozenset(habits)) == []
