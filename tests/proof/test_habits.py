"""Legal games played carelessly: nobody is accused."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.audit import audit
from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.judge import judge_record
from referee.record import Vocabulary, parse
from tools.proof.carelessness import DOUBTED, FOUND, MIXED, break_habits, false_accusations, try_habits
from tools.proof.habits import (
    ADVANCED_FIRST,
    AHEAD,
    AT_THE_END,
    BUTTON,
    CHATTED,
    CORNER,
    DECLARED_FIRST,
    DELETED,
    EARLY,
    FANNED_OUT,
    FORGOTTEN_PHASE,
    FROM_PALETTE,
    HABITS,
    IN_HAND,
    LATE,
    LEFT_ON,
    LOOKED,
    MISDECLARED,
    MOVE_CHANGED,
    ONCE_A_PLAYER_TURN,
    ONCE_A_TURN,
    ONE_ORDERLY,
    OTHER_BOX,
    OVERSHOT,
    PARKED,
    PICKED_UP,
    PUT_RIGHT,
    RESULTS_LATER,
    RIGHT_LATER,
    SEA,
    STRAIGHT,
    STRAY,
    TRIED,
    UNDECLARED,
    WAITING,
    WRONG_BUTTON,
    WRONG_CASUALTY,
    WRONG_COUNTER,
)
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.logs.game_logger import NONE
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step
from tools.proof.proving import scenario_of, world_of

SEEDS, TURNS = (2, 5), 3
CLUBS = Path(__file__).parents[1] / "clubs"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("habit", HABITS)
def test_a_legal_game_played_with_a_careless_habit_accuses_nobody(habit: str, seed: int) -> None:
    assert false_accusations("postcard1943", seed, TURNS, frozenset({habit})) == []


@pytest.mark.parametrize("habit", [CORNER, STRAIGHT, UNDECLARED, BUTTON, ONCE_A_TURN, LATE])
def test_so_it_is_in_a_game_with_dice_for_each_unit(habit: str) -> None:
    assert false_accusations("patton1943", 1, 2, frozenset({habit})) == []


def test_the_dead_lend_no_strength_until_they_are_dragged_into_the_sea() -> None:
    assert false_accusations("tunisia1943", 5013, 1, frozenset({LATE, SEA})) == []


def test_a_die_that_was_taken_for_a_battle_accuses_nobody_in_later_phases() -> None:
    assert false_accusations("postcard1943", 301, 4, frozenset({BUTTON})) == []


def test_a_die_of_bombing_rolled_with_a_wrong_button_bombs_nobody() -> None:
    assert false_accusations("postcard1943", 310014, 2, frozenset({WRONG_BUTTON})) == []


def test_a_casualty_of_an_undeclared_battle_may_be_removed_as_its_own_turn_begins() -> None:
    assert false_accusations("vitoria1813", 51234, 2, frozenset({IN_HAND, UNDECLARED})) == []


def test_who_comes_in_reduced_is_turned_though_battles_are_not_declared() -> None:
    assert false_accusations("patton1943", 5019, 3, frozenset({UNDECLARED})) == []


def test_a_state_set_in_a_phase_that_was_passed_over_may_date_from_the_turn_that_the_track_showed() -> None:
    habits = frozenset({BUTTON, LATE, ONCE_A_TURN, STRAIGHT, STRAY})
    assert _accused_plainly("postcard1943", 9153, 3, habits) == []


def test_both_sides_may_fight_before_the_track_is_advanced() -> None:
    habits = frozenset({CORNER, FORGOTTEN_PHASE, ONCE_A_TURN, STRAIGHT})
    assert false_accusations("postcard1943", 9169, 3, habits) == []


def test_a_reinforcement_dragged_straight_onto_a_full_stack_came_on_elsewhere_and_moved_there() -> None:
    habits = frozenset({DELETED, FORGOTTEN_PHASE, OVERSHOT, STRAIGHT})
    assert _accused_plainly("postcard1943", 22010, 4, habits) == []


def test_a_reinforcement_dragged_straight_before_the_track_is_advanced_moved_only_on_the_hexes() -> None:
    habits = frozenset({CORNER, FORGOTTEN_PHASE, ONCE_A_TURN, STRAIGHT, STRAY})
    assert _accused_plainly("postcard1943", 23008, 3, habits) == []


def test_a_unit_that_recovered_before_the_track_was_advanced_had_its_marker() -> None:
    habits = frozenset({ONCE_A_PLAYER_TURN, ONCE_A_TURN, WAITING})
    assert _accused_plainly("postcard1943", 24002, 4, habits) == []


def test_who_advances_into_a_swamp_where_a_casualty_still_is_gets_stuck_there() -> None:
    habits = frozenset({"corner", "in hand", "looked beneath", "moved back", "once a turn"})
    habits |= {"stack dragged", "wrong counter", "wrong hex"}
    assert false_accusations("postcard1943", 71011, 3, habits) == []


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


SWAMP_FOR_TWO = """
at turn 5, Allied movement; place hart nz on G1; place us9 on C3
move hart nz G1-G2
roll swamp 6 for nz
move nz G2-F2
next
"""


def test_of_two_in_a_swamp_either_may_have_been_rolled_for_with_a_bare_die() -> None:
    for habit in (UNDECLARED, BUTTON):
        assert _found("postcard1943", SWAMP_FOR_TWO, 2, frozenset({habit})) == []


@pytest.mark.parametrize("habit", [AT_THE_END, OTHER_BOX])
def test_steps_lost_may_be_shown_late_and_casualties_put_into_any_box(habit: str) -> None:
    assert _accused_plainly("patton1943", 21000 + (habit == AT_THE_END), 2, frozenset({habit})) == []


LEAVING_A_ZONE = """
at turn 3, French movement; place fr-rey on 2517 steps {} face up; place fr-morgan on 2517 face up
place uk-cadogan on 2617 face up
move fr-rey 2517-2516
{} fr-rey{}
next
"""
LONE_HEADQUARTERS = """
at turn 4, Axis combat; place de-pzg69 on 1818; place us-em-1 on 1819; place us-16 on 0517
attack 1819 with de-pzg69
eliminate us-em-1
advance de-pzg69 1818-1819
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_casualty_may_be_put_into_a_box_of_those_who_left_or_are_to_come(seed: int) -> None:
    record = LEAVING_A_ZONE.format(1, "eliminate", "")
    assert _found("vitoria1813", record, seed, frozenset({OTHER_BOX})) == []


def test_a_step_may_be_taken_from_the_wrong_counter_and_given_back() -> None:
    record = LEAVING_A_ZONE.format(3, "lose", " 1")
    assert _found("vitoria1813", record, 1, frozenset({WRONG_COUNTER})) == []


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
    assert _found("patton1943", REBUILT, 0, frozenset({ONCE_A_TURN})) == []


def test_who_goes_where_a_unit_was_alone_and_is_destroyed_may_have_attacked_it() -> None:
    assert _found("tunisia1943", LONE_HEADQUARTERS, 1, frozenset({UNDECLARED})) == []


@pytest.mark.parametrize("marked", ["", " out-of-supply"])
def test_an_advance_after_an_attack_without_a_die_is_no_move_of_the_phase_before(marked: str) -> None:
    record = LONE_HEADQUARTERS_ATTACKED_LATE.format(marked)
    assert _found("tunisia1943", record, 0, frozenset({UNDECLARED, IN_HAND})) == []


@pytest.mark.parametrize("seed", range(2))
def test_markers_that_come_off_before_the_last_moves_of_a_phase_do_not_end_it(seed: int) -> None:
    assert _found("tunisia1943", STRUCK, seed, frozenset({EARLY})) == []


def _found(name: str, record: str, seed: int, habits: frozenset[str], walked: range = NONE) -> list[str]:
    """The clauses of what is found illegal in a record that is logged with some habits."""
    scenario = scenario_of(name, "", seed)
    ((_, judged),) = judge_record(parse(f"game {name} scenario {scenario}\ncase one\n{record}"))
    steps = [
        Step(one.statement.content, one.before, one.after, one.ruling)
        for one in judged
        if one.ruling is not None and isinstance(one.statement.content, Action)
    ]
    opening = opening_of(name, scenario)
    logger = log_carelessly(opening, steps, seed, habits, walked=walked)
    report = audit([logger.writer.log("careless.vlog")], steps[0].before.game)
    return [one.clause for one in report.findings if one.grade is Grade.illegal]


def _accused_plainly(name: str, seed: int, turns: int, habits: frozenset[str]) -> list[str]:
    """The clauses of what is found illegal in a legal game logged with some habits and no others."""
    world, opening = world_of(name, ""), opening_of(name, "")
    logger = log_carelessly(opening, play_for_log(world, seed, turns).steps, seed, habits)
    report = audit([logger.writer.log("careless.vlog")], world.game, opening.module)
    return [one.clause for one in report.findings if one.grade is Grade.illegal]


def test_a_stray_die_may_come_before_that_of_a_battle_nobody_declared() -> None:
    assert false_accusations("postcard1943", 2, TURNS, frozenset({STRAY, UNDECLARED})) == []


def test_a_game_is_logged_once_for_each_habit_and_once_with_several() -> None:
    assert set(try_habits("postcard1943", 1, 1)["told"]) == {*HABITS, MIXED}


def test_of_each_habit_it_is_counted_what_becomes_of_a_breach() -> None:
    breaches = break_habits("postcard1943", 2)["breaches"]
    assert {one[0] for one in breaches} == {*HABITS, MIXED}
    assert {one[2] for one in breaches} <= {FOUND, DOUBTED}


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

TWO_ATTACKS = f"""
at turn 5, Axis battles; place de-10pz on 8722; place de-21pz on 8621; place us-1 on 8723; place us-9 on 8521
{DRIVEN_OUT}attack 8521 with de-21pz battle 2
roll attack 12 battle 2
roll defence 12 battle 2
next
"""


def test_an_advance_comes_at_once_though_other_attacks_were_declared_before_the_die() -> None:
    assert _found("patton1943", TWO_ATTACKS, 1, frozenset({DECLARED_FIRST})) == []


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
    assert _found("patton1943", LOST_AND_REBUILT, 1, frozenset(habits)) == []


@pytest.mark.parametrize("seed", range(3))
def test_a_retreat_may_be_put_right_when_the_enemy_has_advanced(seed: int) -> None:
    assert _found("patton1943", TWO_ATTACKS, seed, frozenset({RIGHT_LATER})) == []


def test_a_retreat_that_is_not_put_right_is_found() -> None:
    too_short = TWO_ATTACKS.replace("8723-8824-8924", "8723-8824")
    assert "14b" in _found("patton1943", too_short, 1, frozenset())


@pytest.mark.parametrize("habit", [MISDECLARED, AHEAD, PUT_RIGHT])
def test_what_is_put_right_or_done_before_the_track_is_advanced_accuses_nobody(habit: str) -> None:
    assert _accused_plainly("postcard1943", 900007, 3, frozenset({habit})) == []


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
    assert _found("vitoria1813", WITHDRAWAL, seed, frozenset({EARLY})) == []


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
    assert _found("vitoria1813", DUE_HEXES_FULL, 0, frozenset({habit})) == []


@pytest.mark.parametrize("habit", [WAITING, STRAIGHT])
def test_a_reinforcement_enters_where_it_is_due_if_too_few_others_arrive(habit: str) -> None:
    one_other = DUE_HEXES_FULL.replace("enter uk-wanson on 0108\n", "").replace(
        "move uk-wanson 0108-0208\n", ""
    )
    found = _found("vitoria1813", one_other, 0, frozenset({habit}))
    assert found == ["12.1a"]


@pytest.mark.parametrize("game", ["grauwald", "dalia"])
def test_a_bare_die_may_rally_a_unit_in_a_game_by_data(game: str) -> None:
    assert false_accusations(f"{CLUBS}/{game}", 1, 2, frozenset({UNDECLARED})) == []


def test_who_advances_after_an_undeclared_battle_is_not_yet_in_the_next_phase_in_a_game_by_data() -> None:
    assert false_accusations(f"{CLUBS}/orsa", 21, 2, frozenset({UNDECLARED})) == []


def test_a_unit_that_a_bare_die_rallies_may_show_it_when_the_track_has_been_advanced() -> None:
    assert _accused_plainly(f"{CLUBS}/dalia", 23, 2, frozenset({UNDECLARED, LEFT_ON})) == []


def test_a_casualty_may_be_put_into_any_box_in_a_game_by_data() -> None:
    assert false_accusations(f"{CLUBS}/dalia", 1, 2, frozenset({OTHER_BOX})) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_move_may_be_made_before_phases_in_which_nothing_is_done(seed: int) -> None:
    assert _found("vitoria1813", NO_LEADER_MOVES, seed, frozenset({AHEAD}), walked=range(3)) == []


def test_a_reinforcement_that_waits_in_its_box_enters_once_though_its_first_move_is_made_ahead() -> None:
    assert false_accusations("postcard1943", 55421, 3, frozenset({AHEAD, WAITING})) == []


def test_a_unit_that_is_to_retreat_is_not_attacked_before_it_does() -> None:
    habits = frozenset({AHEAD, RESULTS_LATER, ADVANCED_FIRST})
    assert _accused_plainly("postcard1943", 900079, 3, habits) == []


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
    assert _found("patton1943", BEATEN_IN_THE_AIR, 1, frozenset({AT_THE_END})) == []


def test_what_a_bare_die_did_in_the_air_may_show_when_the_aircraft_is_back() -> None:
    habits = frozenset({BUTTON, AT_THE_END, FROM_PALETTE})
    assert false_accusations("patton1943", 61007, 4, habits) == []


def test_a_retreat_after_an_undeclared_battle_may_be_put_right_in_the_next_phase() -> None:
    mixed = "advanced first+by the other+edge+forgotten phase+late+put right later+results later"
    habits = frozenset(f"{mixed}+stack dragged+too soon+undeclared".split("+"))
    assert false_accusations("patton1943", 61020, 2, habits) == []


def test_a_counter_put_aside_twice_is_put_back_where_it_was_first() -> None:
    habits = frozenset({AHEAD, CORNER, LOOKED, LEFT_ON, RESULTS_LATER, STRAIGHT, STRAY})
    assert false_accusations("patton1943", 61009, 3, habits) == []


def test_a_move_put_right_between_an_entry_and_its_breakthrough_is_no_other_move() -> None:
    habits = frozenset({ADVANCED_FIRST, CORNER, DELETED, FORGOTTEN_PHASE, MOVE_CHANGED, TRIED})
    assert false_accusations("tunisia1943", 82203, 2, habits) == []


def test_aircraft_that_never_show_the_step_lost_in_the_air_are_accused() -> None:
    unmarked = BEATEN_IN_THE_AIR.replace("lose uk-air2\n", "")
    assert _found("patton1943", unmarked, 1, frozenset({AT_THE_END})) == ["10d"]


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
next
return de-air1 on 8412
next
"""


def test_what_is_wrong_with_a_battle_is_not_excused_by_a_wrong_button_beside_its_die() -> None:
    assert _found("patton1943", ONE_DIE_IN_THE_AIR, 3, frozenset({WRONG_BUTTON})) == ["10a"]


@pytest.mark.parametrize(("game", "seed"), [("tunisia1943", 62003), ("patton1943", 62001)])
def test_a_die_that_was_not_due_beside_a_bare_one_is_that_of_a_wrong_button(game: str, seed: int) -> None:
    assert false_accusations(game, seed, 2, frozenset({WRONG_BUTTON})) == []


@pytest.mark.parametrize(
    ("game", "seed", "turns", "mixture"),
    [
        ("patton1943", 95002, 3, "at the end+fanned out+other box+overshot+parked"),
        (
            "patton1943",
            95006,
            4,
            "advance taken back+advanced first+other box+pressed twice+spare hex+waiting",
        ),
        ("patton1943", 150002, 4, "other box+undeclared"),
        ("patton1943", 72002, 4, "declared first+pressed twice+wrong button"),
        ("patton1943", 170000, 4, "at the end"),
        ("patton1943", 171008, 4, "early+two at once"),
        ("patton1943", 170005, 3, "once a turn"),
        ("patton1943", 170005, 3, "fanned out+looked beneath+two at once"),
        ("patton1943", 170008, 3, "in hand"),
        ("postcard1943", 83102, 3, "ahead+forgotten phase"),
        ("vitoria1813", 95003, 4, "ahead+late+moved back+spare hex+straight+undone"),
        ("vitoria1813", 95003, 4, "advance taken back+advanced first+ahead+deleted+too soon+wrong counter"),
        ("vitoria1813", 150004, 2, "detour+from the palette+picked up+replaced+wrong hex"),
        ("vitoria1813", 170006, 4, "ahead+move changed later"),
        ("vitoria1813", 171001, 3, "declared first"),
        (
            "vitoria1813",
            171001,
            3,
            "declared first+detour+looked beneath+move changed later+picked up+piecemeal",
        ),
        ("vitoria1813", 61003, 3, "at the end+retreat put right"),
        ("vitoria1813", 61006, 3, "put right later+retreat put right"),
        ("vitoria1813", 72004, 3, "ahead+at the end"),
    ],
    ids=[
        "a box for a moment",
        "two stars put right",
        "lost into a box of the enemy",
        "a die by a button, then by its command",
        "lost again before the first loss was marked",
        "moved on after the track was advanced too early",
        "rebuilt as the enemy beside it is gone",
        "looked at while sides set up",
        "an aircraft lost on its airfield",
        "before a forgotten phase",
        "moved in part ahead of the track",
        "retreat along",
        "laid anew, corner by corner",
        "ahead and once more",
        "fire over a unit that an earlier battle drives away",
        "a defender looked at is put back before the die",
        "a stack put right",
        "put right twice",
        "losses marked when the enemy has begun to move",
    ],
)
def test_what_is_put_right_amid_other_habits_accuses_nobody(
    game: str, seed: int, turns: int, mixture: str
) -> None:
    assert false_accusations(game, seed, turns, frozenset(mixture.split("+"))) == []


@pytest.mark.parametrize(
    ("game", "seed", "habits"),
    [
        ("postcard1943", 73000, {CHATTED}),
        ("patton1943", 73002, {CHATTED}),
        ("postcard1943", 73001, {ONE_ORDERLY, CORNER, LATE, STRAY}),
        ("patton1943", 73001, {ONE_ORDERLY, AT_THE_END, CORNER, WRONG_BUTTON}),
    ],
)
def test_battles_announced_in_the_chat_and_a_careless_player_with_an_orderly_one_accuse_nobody(
    game: str, seed: int, habits: set[str]
) -> None:
    assert false_accusations(game, seed, 2, frozenset(habits)) == []


def test_a_counter_parked_in_a_box_after_its_battle_attacks_from_where_it_was() -> None:
    parked = frozenset(
        {"declared first", "detour", "dice by the other", "parked", "spare hex", "stack dragged"}
    )
    assert false_accusations("tunisia1943", 110201, 2, parked) == []


def test_a_log_that_ends_while_the_second_side_sets_up_accuses_nobody() -> None:
    world, opening = world_of("patton1943", ""), opening_of("patton1943", "")
    writer = log_carelessly(opening, play_for_log(world, 120103, 1).steps, 120103, frozenset()).writer
    words = [Vocabulary(world).say(one.action) for one in play_for_log(world, 120103, 1).steps]
    del writer.steps[words.index("complete axis") :]
    report = audit([writer.log("ends.vlog")], world.game, opening.module)
    assert [one.clause for one in report.findings if one.grade is Grade.illegal] == []
    assert report.position.clock == Clock(1)


def test_dice_of_a_wrong_button_in_an_earlier_phase_do_not_count_for_patton() -> None:
    habits = {"at the end", "button", "declared first", "misdeclared", "spare hex", "wrong button"}
    assert false_accusations("patton1943", 150008, 4, frozenset(habits)) == []
