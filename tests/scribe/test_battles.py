"""Battles as people fight them: declared, half declared, not at all; dice rolled twice; markers by hand."""

from __future__ import annotations

import pytest

from referee.scribe.engagements import battles_in
from referee.scribe.facts import Fact, JoinedBattle, Rolled, Shifted
from referee.scribe.reading import Certainty
from tests.scribe.playing import Playing, accused, actions, found, the_game

FIELD = {
    "blade": "C3", "hart": "C1", "pz10": "B4", "broich": "C4", "superga": "A4",
    "lw-afrika": "axis-air", "meaaf": "allied-air",
}  # fmt: skip


def axis_attacks(**more: str) -> Playing:
    """A game in the Axis combat of turn 1: 10th Panzer and von Broich stand before Blade Force."""
    return Playing({**FIELD, **more}, stop="Axis Combat")


def test_a_battle_is_read_from_its_declaration_to_its_end() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr")
    game.declare("blade", "retreat", 1).move("blade", "C2").state("blade")
    report = game.declare("pz10", "advance", 1).move("pz10", "C3").turn().audited()
    assert actions(report) == [
        "attack C3 with pz10 broich battle 1",
        "odds 3:1 attack 6 defence 2 battle 1",
        "roll combat 2 battle 1",
        "result Dr battle 1",
        "retreat blade C3..C2 battle 1",
        "disrupt blade battle 1",
        "advance pz10 B4..C3 battle 1",
    ]
    assert found(report) == []


def test_the_steps_of_an_attack_are_those_in_which_counters_joined() -> None:
    report = axis_attacks().attack(1, "C3", "pz10").resolve(1, 4, 2, "2:1", 6, "DR").audited()
    attack = next(
        one for one in report.readings if one.statement.content and "attack" in str(one.statement.content)
    )
    assert attack.steps == (1, 2)
    assert attack.certainty is Certainty.announced


def test_a_retreat_and_an_advance_that_nobody_announced_are_inferred() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr")
    report = game.state("blade").move("blade", "C2").move("pz10", "C3").turn().audited()
    assert actions(report)[-2:] == ["retreat blade C3..C2 battle 1", "advance pz10 B4..C3 battle 1"]
    assert found(report) == []


def test_consequences_after_the_page_was_turned_still_belong_to_the_battle() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr").turn()
    report = game.move("blade", "C2").state("blade").move("pz10", "C3").audited()
    assert accused(report) == []


def test_an_attack_is_read_before_one_of_the_attacked_falls_though_others_are_added_later() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").eliminate("blade").attack(1, "C1")
    assert actions(game.audited())[0] == "attack C3 with pz10 broich battle 1"


def test_an_attack_is_read_before_one_of_the_attackers_goes_elsewhere_though_others_are_added_later() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").move("broich", "C5").attack(1, "C1")
    assert (
        actions(game.resolve(1, 6, 2, "3:1", 2, "Dr").audited())[0] == "attack C3 with pz10 broich battle 1"
    )


TWO = {**FIELD, "uk78": "B3", "de334": "A4"}


def two_battles() -> Playing:
    """Two attacks in the Axis combat of turn 1: the defenders of the first must retreat."""
    game = Playing(TWO, stop="Axis Combat").attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr")
    return game.attack(2, "B3", "superga", "de334").resolve(2, 5, 4, "1:1", 4, "D").state("uk78")


def test_a_result_carried_out_after_the_next_die_is_carried_out() -> None:
    report = two_battles().move("blade", "C2").state("blade").move("pz10", "C3").turn().audited()
    assert [line for line in actions(report) if line.startswith(("retreat", "advance"))] == [
        "retreat blade C3..C2 battle 1", "advance pz10 B4..C3 battle 1",
    ]  # fmt: skip
    assert found(report) == [(8, "slip", "crt.6"), (10, "slip", "advance.1")]


def test_a_result_that_is_never_carried_out_is_found_when_the_phase_is_over() -> None:
    report = two_battles().turn(2).move("hart", "C2").turn(3).audited()
    assert accused(report) == ["crt.6"]


def no_unit_advances(retreat: str) -> list[tuple[int, str, str]]:
    """The findings if no unit entered the hex of the first battle when the units of the second retreat."""
    game = Playing(TWO, stop="Axis Combat").attack(1, "C3", "pz10", "broich")
    game.resolve(1, 6, 2, "3:1", 6, "DE").eliminate("blade")
    game.attack(2, "B3", "superga", "de334").resolve(2, 5, 4, "1:1", 6, "Dr")
    game.declare("uk78", "retreat", 2).move("uk78", retreat).state("uk78")
    return found(game.declare("superga", "advance", 2).move("superga", "B3").turn().audited())


def test_nobody_need_enter_a_hex_into_which_others_retreat_before_the_phase_is_over() -> None:
    assert no_unit_advances("B2") == [(6, "illegal", "advance.2")]
    assert no_unit_advances("C3") == []


def test_all_declared_and_all_rolled_before_anybody_moves() -> None:
    game = Playing(TWO, stop="Axis Combat").attack(1, "C3", "pz10", "broich")
    game = game.attack(2, "B3", "superga", "de334")
    game = game.resolve(1, 6, 2, "3:1", 2, "Dr").resolve(2, 5, 4, "1:1", 4, "D")
    game = game.move("blade", "C2").state("blade").state("uk78").move("pz10", "C3").turn()
    assert accused(game.audited()) == []


def test_consequences_two_pages_later_still_belong_to_the_battle() -> None:
    report = two_battles().turn(2).move("blade", "C2").state("blade").move("pz10", "C3").audited()
    assert "retreat blade C3..C2 battle 1" in actions(report)
    assert accused(report) == []


def test_a_unit_that_comes_into_another_battle_may_be_marked_after_that() -> None:
    game = axis_attacks(hart="C2", superga="D2").attack(1, "C3", "pz10", "broich")
    game = game.resolve(1, 6, 2, "3:1", 2, "Dr").declare("blade", "retreat", 1).move("blade", "C2")
    game = game.move("pz10", "C3").attack(2, "C2", "superga").resolve(2, 2, 4, "1:1", 2, "AD")
    report = game.state("superga").state("blade").turn().audited()
    assert any(line.startswith("disrupt blade") for line in actions(report))
    assert accused(report) == []


def test_a_retreat_is_for_the_battle_that_it_was_announced_for() -> None:
    game = axis_attacks(hart="C2", superga="D2").attack(1, "C3", "pz10", "broich").attack(2, "C2", "superga")
    game = game.resolve(1, 6, 2, "3:1", 2, "Dr").declare("blade", "retreat", 1).move("blade", "C2")
    game = game.state("blade").move("pz10", "C3").resolve(2, 1, 3, "1:2", 6, "D")
    game = game.declare("blade", "voluntary-retreat", 2).move("blade", "C1")
    report = game.state("hart").turn().audited()
    assert "retreat blade C2..C1 by choice battle 2" in actions(report)
    assert accused(report) == []


def test_an_attack_counts_from_when_it_was_declared_and_not_from_when_it_is_spoken_of() -> None:
    game = axis_attacks(koch="B3").attack(1, "C3", "koch").attack(2, "C3", "pz10", "broich")
    game = game.resolve(2, 6, 2, "3:1", 2, "Dr").declare("blade", "retreat", 2).move("blade", "C2")
    report = game.state("blade").move("pz10", "C3").call_off(1).turn().audited()
    assert actions(report)[0] == "attack C3 with koch battle 1"
    assert accused(report) == []


def test_nobody_retreats_although_the_result_says_so() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr").state("blade")
    report = game.turn(3).move("hart", "C2").audited()
    assert (5, "illegal", "crt.6") in found(report)


def test_a_battle_that_is_called_off() -> None:
    report = axis_attacks().attack(1, "C3", "pz10").call_off(1).turn().audited()
    assert actions(report) == ["attack C3 with pz10 battle 1", "call off battle 1"]
    assert found(report) == []


def test_an_attack_declared_by_mistake_does_not_show_that_the_phase_of_attacks_had_begun() -> None:
    game = Playing(FIELD, stop="Axis Movement").attack(1, "C3", "pz10").call_off(1)
    report = game.move("broich", "C5").turn().audited()
    assert actions(report) == ["move broich C4..C5"]
    assert found(report) == []


def test_a_battle_that_is_declared_and_never_fought_is_nothing() -> None:
    report = axis_attacks().attack(1, "C3", "pz10").turn(3).audited()
    assert actions(report) == []
    assert found(report) == []


def test_what_is_declared_in_a_battle_that_is_given_up_is_nothing() -> None:
    game = axis_attacks(nz="C3").attack(1, "C3", "pz10").declare("nz", "as-infantry", 1)
    report = game.give_up(1).move("broich", "B4").turn().audited()
    assert not any("nz" in line or "attack" in line for line in actions(report))
    assert [one.text for one in report.unread] == [
        "as-infantry was declared in battle 1, which was called off"
    ]


@pytest.mark.parametrize("taking_off", [(), ("hart",)])
def test_who_leaves_a_battle_as_the_page_is_turned_was_in_it(taking_off: tuple[str, ...]) -> None:
    game = axis_attacks(nz="C3", hart="D4").state("hart").attack(1, "C3", "pz10")
    report = game.declare("nz", "as-infantry", 1).give_up(1, taking_off=taking_off).turn().audited()
    assert "defend as infantry nz battle 1" in actions(report)


def test_what_is_declared_in_a_battle_that_is_taken_up_again_counts() -> None:
    game = axis_attacks(nz="C3").attack(1, "C3", "pz10").give_up(1).attack(1, "C3", "pz10", "broich")
    report = game.declare("nz", "as-infantry", 1).turn().audited()
    assert actions(report) == ["attack C3 with pz10 broich battle 1", "defend as infantry nz battle 1"]


def test_who_leaves_a_battle_off_the_map_was_in_it_when_it_was_declared() -> None:
    game = axis_attacks(nz="C3").attack(1, "C3", "pz10", "broich").eliminate("pz10").leave("pz10")
    report = game.declare("nz", "as-infantry", 1).turn().audited()
    assert actions(report)[0] == "attack C3 with pz10 broich battle 1"


def test_a_roll_taken_back_does_not_count_and_is_noted() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 5, "DR").undo()
    report = game.resolve(1, 6, 2, "3:1", 2, "Dr").audited()
    assert [line for line in actions(report) if line.startswith("roll")] == ["roll combat 2 battle 1"]
    assert [one.text for one in report.unread] == ["a roll of 5 was undone by step 4"]


def test_of_dice_rolled_twice_the_one_that_explains_what_followed_counts() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich")
    game.resolve(1, 6, 2, "3:1", 6, "DE").resolve(1, 6, 2, "3:1", 2, "Dr")
    report = game.move("blade", "C2").state("blade").move("pz10", "C3").turn().audited()
    assert "roll combat 2 battle 1" in actions(report)
    assert found(report) == []


def test_of_dice_rolled_twice_the_first_counts_if_both_would_do() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich")
    game.resolve(1, 6, 2, "3:1", 2, "Dr").resolve(1, 6, 2, "3:1", 2, "Dr")
    report = game.move("blade", "C2").state("blade").move("pz10", "C3").turn().audited()
    assert actions(report).count("roll combat 2 battle 1") == 1
    assert [one.step for one in report.unread] == [4]


def test_a_die_without_a_declaration_is_for_the_only_attack_that_fits() -> None:
    start = {"uk78": "C3", "broich": "C4", "pz10": "B5"}
    report = Playing(start, stop="Axis Combat").roll("combat", 6).state("uk78").turn().audited()
    assert [line.rpartition(" battle")[0] for line in actions(report)] == [
        "attack C3 with broich", "roll combat 6", "disrupt uk78",
    ]  # fmt: skip
    assert found(report) == []


def test_a_unit_deleted_from_the_table_is_eliminated() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 6, "DR")
    game.steps.pop()
    game.resolve(1, 6, 2, "3:1", 6, "DE")
    report = game.delete("blade").move("pz10", "C3").turn().audited()
    assert "eliminate blade battle 1" in actions(report)


def test_air_units_fly_by_declaration() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").declare("lw-afrika", "bomb", 1)
    game = game.declare("meaaf", "intercept", 1).declare("lw-afrika", "air-battle", 1, die=2)
    report = game.declare("blade", "bombed", 1, die=5).audited()
    assert actions(report) == [
        "attack C3 with pz10 broich battle 1",
        "bomb C3 with lw-afrika",
        "intercept C3 with meaaf",
        "roll air-battle 2 for lw-afrika",
        "roll bombing 5 for blade battle 1",
    ]
    assert found(report) == []


def test_an_air_unit_laid_over_an_attacked_hex_bombs_it() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").move("lw-afrika", "C3")
    report = game.resolve(1, 6, 2, "4:1", 2, "DR").audited()
    assert "bomb C3 with lw-afrika" in actions(report)


def test_no_retreat_said_by_several_units_is_said_once() -> None:
    game = axis_attacks(hart="C3").attack(1, "C3", "pz10", "broich")
    report = game.declare("blade", "no-retreat", 1).declare("hart", "no-retreat", 1).turn().audited()
    assert actions(report).count("no retreat battle 1") == 1
    assert found(report) == []


def test_an_unlabelled_roll_for_the_swamp_is_for_the_unit_that_entered_one() -> None:
    game = Playing({"hart": "F2", "pz10": "B5"}, stop="Allied Movement").move("hart", "G2")
    report = game.roll("swamp", 5).move("hart", "G1").audited()
    assert actions(report) == ["move hart F2..G2", "roll swamp 5 for hart", "move hart G2..G1"]
    assert found(report) == []


def test_recovery_pressed_before_the_page_is_turned_is_recovery_in_its_phase() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 3, "BD")
    game.steps.pop()
    game.resolve(1, 6, 2, "3:1", 4, "DR")
    game = game.move("blade", "C1").state("blade").move("pz10", "C3")
    game = game.turn(to="Allied Movement").turn().state("blade", on=False).turn(2)
    assert accused(game.audited()) == []


def test_what_the_track_does_by_itself_happens_in_the_phase_that_begins() -> None:
    start = {"uk78": "C3", "broich": "C4", "pz10": "B5"}
    game = Playing(start, stop="Axis Combat").attack(1, "C3", "broich").resolve(1, 2, 4, "1:2", 6, "D")
    game.state("uk78").turn(to="Allied Combat").recover_silently("uk78").turn()
    report = game.audited()
    assert "recover uk78" in actions(report)
    assert accused(report) == []


def test_chat_that_looks_like_an_announcement_is_chat() -> None:
    report = axis_attacks().say("Battle 1: cancelled (Axis)").audited()
    assert actions(report) == []


def test_a_disrupted_unit_that_moves_in_its_own_movement_does_not_retreat_late() -> None:
    game = Playing({"us1a": "B4", "superga": "A4", "pz10": "B5"}, stop="Allied Combat")
    game = game.attack(1, "A4", "us1a").resolve(1, 4, 2, "2:1", 2, "D").state("superga").turn(2)
    report = game.move("superga", "B5").audited()
    assert accused(report)[-1:] == ["disrupt.1"]


def test_new_zealanders_say_that_they_defend_as_infantry() -> None:
    game = axis_attacks(blade="C2", nz="C3").attack(1, "C3", "pz10", "broich")
    report = game.declare("nz", "as-infantry", 1).turn().audited()
    assert "defend as infantry nz battle 1" in actions(report)
    assert accused(report) == []


def test_no_retreat_said_in_a_players_own_words_explains_who_stays() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").say("we stand: no retreat!")
    report = game.resolve(1, 6, 2, "3:1", 2, "Dr").state("blade").turn().audited()
    assert "no retreat battle 1" in actions(report)
    assert found(report) == []


def test_such_words_mean_nothing_if_they_retreat() -> None:
    game = (
        axis_attacks().attack(1, "C3", "pz10", "broich").say("no retreat?").resolve(1, 6, 2, "3:1", 2, "Dr")
    )
    report = game.move("blade", "C2").state("blade").move("pz10", "C3").turn().audited()
    assert "no retreat battle 1" not in actions(report)
    assert found(report) == []


def test_such_words_after_the_die_come_too_late() -> None:
    game = axis_attacks().attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr").say("No Retreat")
    assert accused(game.state("blade").turn().audited()) == ["crt.6"]


def test_a_die_of_a_wrong_button_is_not_for_the_unit_that_rolls_its_own_next() -> None:
    game = Playing({"hart": "F2", "pz10": "B5"}, stop="Allied Movement").move("hart", "G2")
    report = game.roll("swamp", 1).declare("hart", "swamp", 0, 6).move("hart", "G1").audited()
    assert actions(report) == ["move hart F2..G2", "roll swamp 6 for hart", "move hart G2..G1"]
    assert accused(report) == []


def test_a_roll_pressed_twice_counts_once_and_is_noted() -> None:
    game = Playing({"hart": "F2", "pz10": "B5"}, stop="Allied Movement").move("hart", "G2")
    game = game.declare("hart", "swamp", 0, 5).declare("hart", "swamp", 0, 2).move("hart", "G1")
    report = game.audited()
    assert [one.text for one in report.unread] == ["swamp was rolled again: 2; the first roll counts"]
    assert found(report) == []


FAR_FROM_THE_START = {
    "blade": "C3", "hart": "D4", "pz10": "D3", "broich": "C4", "superga": "E3",
    "lw-afrika": "axis-air", "meaaf": "allied-air",
}  # fmt: skip


def test_nobody_is_accused_for_a_battle_in_a_hex_that_cannot_be_named() -> None:
    game = Playing(FAR_FROM_THE_START, turn=3, stop="Axis Combat", memories=False)
    game.attack(1, "C3", "pz10", "broich").declare("lw-afrika", "bomb", 1).declare("blade", "no-retreat", 1)
    report = game.resolve(1, 6, 2, "3:1", 2, "Dr").turn().audited()
    assert accused(report) == []
    assert [one.step for one in report.unread] == [3, 4, 5]


def test_hexes_are_known_by_what_is_said_of_counters_where_nobody_has_moved_yet() -> None:
    game = Playing(FAR_FROM_THE_START, turn=3, stop="Axis Combat", memories=False)
    game.declare("pz10", "retreat").declare("superga", "retreat").declare("hart", "retreat")
    report = game.attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr").audited()
    assert "attack C3 with pz10 broich battle 1" in actions(report)


def test_an_attack_that_is_declared_again_before_it_is_called_off_is_the_same_one() -> None:
    game = axis_attacks().attack(1, "C3", "pz10").attack(2, "C3", "pz10", "broich").call_off(1)
    game = game.resolve(2, 6, 2, "3:1", 2, "Dr").declare("blade", "retreat", 2).move("blade", "C2")
    report = game.state("blade").declare("pz10", "advance", 2).move("pz10", "C3").turn().audited()
    assert accused(report) == []
    assert actions(report)[1:3] == ["call off battle 1", "attack C3 with pz10 broich battle 2"]


@pytest.mark.parametrize("again", [True, False])
def test_a_compulsory_attack_that_is_called_off_and_declared_again_accuses_nobody(again: bool) -> None:
    where = {"us1": "D4", "us9": "E4", "superga": "D5", "pz10": "E5"}
    game = Playing(where, turn=5, stop="Allied Combat").attack(1, "D5", "us1")
    game = (
        game.resolve(1, 4, 2, "2:1", 4, "Dr")
        .declare("superga", "retreat", 1)
        .move("superga", "C6")
        .state("superga")
        .move("us1", "D5")
    )
    game = game.attack(2, "E5", "us9").call_off(2)
    if again:
        game = game.attack(3, "E5", "us9").resolve(3, 4, 4, "1:1", 4, "D").state("pz10")
    report = game.turn(2).audited()
    assert {clause for _, grade, clause in found(report) if grade == "illegal"} == (
        set() if again else {"combat.7"}
    )


def test_an_attacked_unit_that_is_deleted_has_not_left_its_battle() -> None:
    game = axis_attacks().attack(1, "C3", "pz10").declare("pz10", "advance", 1).move("pz10", "C3")
    game = game.delete("blade").turn()
    assert "attack C3 with pz10 battle 1" in actions(game.audited())


def test_an_attack_is_meant_if_dice_were_rolled_before_it_was_declared() -> None:
    game = axis_attacks().roll("combat", 5).attack(1, "C3", "pz10").state("blade").turn()
    report = game.audited()
    assert "attack C3 with pz10 battle 1" in actions(report)
    assert accused(report) == []


def test_a_retreat_too_far_in_a_declared_battle_is_unproven_after_a_die_that_nobody_declared() -> None:
    game = axis_attacks(hart="D4").roll("combat", 5).attack(1, "C3", "pz10", "broich")
    game = game.resolve(1, 6, 2, "3:1", 2, "Dr").declare("blade", "retreat", 1).move("blade", "D1")
    report = game.state("blade").move("pz10", "C3").turn().audited()
    assert "retreat blade C3..D1 battle 1" in actions(report)
    assert found(report) == [(6, "unproven", "move.4")]


def test_an_attack_is_meant_if_more_dice_than_one_were_rolled_for_the_battle_before_it() -> None:
    joined = [
        JoinedBattle(step=step, counter=name, battle=battle, role=role, place=place)
        for step, name, battle, role, place in (
            (1, "blade", 1, "D", "C3"), (2, "pz10", 1, "A", "B4"),
            (5, "hart", 2, "D", "D4"), (6, "superga", 2, "A", "E4"),
        )
    ]  # fmt: skip
    one, other = (Rolled(step=step, dice="combat", faces=(5,), battle=1) for step in (3, 4))

    def is_meant(*dice: Rolled) -> bool:
        story = [*joined[:2], *dice, *joined[2:]]
        return battles_in(the_game(), story, {}, frozenset({"combat"}))[len(story) - 1].meant

    assert is_meant(one, other)
    assert not is_meant(one)


def test_a_casualty_after_a_die_that_nobody_declared_may_be_removed_as_its_own_turn_begins() -> None:
    report = axis_attacks().roll("combat", 6).turn(to="Allied Movement").eliminate("blade").turn().audited()
    assert (6, "unproven", "crt.1") in found(report)
    assert accused(report) == []


def test_the_first_loss_of_a_phase_may_be_of_a_battle_of_which_the_log_shows_nothing() -> None:
    game = Playing({"hart": "C2", "blade": "E1", "superga": "C3"}, stop="Allied Movement")
    report = game.move("blade", "F1").turn().move("superga", "axis-lost").turn().audited()
    assert found(report) == [(3, "unproven", "crt.1")]


def test_a_loss_after_a_battle_was_fought_is_of_no_other() -> None:
    game = Playing({"hart": "C2", "superga": "C3", "pz10": "B5"}, stop="Allied Combat")
    game = game.attack(1, "C3", "hart").resolve(1, 1, 3, "1:3", 4, "AD").move("pz10", "axis-lost")
    assert "crt.1" in accused(game.turn().audited())


def test_a_casualty_of_a_battle_of_which_only_dice_are_known_may_be_removed_a_phase_later() -> None:
    game = Playing({"hart": "C2", "blade": "E1", "superga": "C3", "pz10": "D2"}, stop="Allied Movement")
    game = game.move("blade", "F1").turn().roll("combat", 6).turn().move("pz10", "axis-lost")
    assert accused(game.turn().audited()) == []


def test_an_attack_whose_attackers_have_since_declared_another_was_declared_again() -> None:
    def joined(step: int, battle: int) -> list[Fact]:
        return [
            JoinedBattle(step=step, counter="blade", battle=battle, role="D", place="C3"),
            JoinedBattle(step=step + 1, counter="pz10", battle=battle, role="A", place="B4"),
        ]

    lost = Shifted(step=6, counter="blade", origin="C3", target="allied-lost")
    die = Rolled(step=5, dice="combat", faces=(5,), battle=2)
    story = [*joined(1, 1), *joined(3, 2), die, lost]
    found = battles_in(the_game(), story, {}, frozenset({"combat"}))
    assert not found[0].meant
    assert found[2].meant
    assert battles_in(the_game(), [*joined(1, 1), lost], {}, frozenset({"combat"}))[0].meant


def test_a_die_that_cannot_be_read_leaves_open_what_a_unit_far_from_all_enemies_did() -> None:
    game = Playing({"hart": "C2", "superga": "C3", "uk78": "F1", "pz10": "B5"}, stop="Allied Combat")
    report = game.roll("combat", 2).roll("combat", 3).move("uk78", "F2").turn().audited()
    assert (3, "unproven", "seq.3") in found(report)
    assert accused(report) == []
