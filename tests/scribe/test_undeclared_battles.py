"""Attacks that nobody declared, or rolled: dice without a declaration, and attacks without a die."""

from __future__ import annotations

from tests.scribe.playing import Playing, accused, actions, found
from tests.scribe.test_battles import axis_attacks


def undeclared(stop: str = "Axis Combat") -> Playing:
    """10th Panzer and Superga stand before the 78th Division; the one has 1:1, the other 1:2, both 3:2."""
    return Playing({"uk78": "C3", "pz10": "B4", "superga": "C4"}, stop=stop)


def attacks(game: Playing) -> list[str]:
    return [line.rpartition(" battle")[0] for line in actions(game.audited()) if line.startswith("attack")]


def test_a_die_is_for_those_attackers_whose_odds_explain_what_followed() -> None:
    assert attacks(undeclared().roll("combat", 4).state("uk78").turn()) == ["attack C3 with pz10"]
    assert attacks(undeclared().roll("combat", 6).state("uk78").turn()) == ["attack C3 with superga"]


def test_a_die_that_only_the_attackers_suffered_from() -> None:
    assert attacks(undeclared().roll("combat", 2).state("pz10").turn()) == ["attack C3 with pz10"]


def test_who_advanced_was_among_the_attackers() -> None:
    game = undeclared().roll("combat", 5).move("uk78", "C2").state("uk78")
    assert attacks(game.move_stack(["pz10", "superga"], "C3").turn()) == ["attack C3 with pz10 superga"]


def test_of_attacks_that_fit_alike_the_one_with_fewest_units_is_read_and_nobody_accused() -> None:
    game = Playing({"uk78": "C3", "pz10": "B4", "broich": "C4"}, stop="Axis Combat").roll("combat", 4)
    report = game.state("uk78").turn().audited()
    assert attacks(game) == ["attack C3 with pz10"]
    assert found(report) == []


def test_a_die_without_a_declaration_after_pages_that_were_turned_without_anybody_acting() -> None:
    game = undeclared("Allied Combat").turn(to="Axis Combat").roll("combat", 4).state("uk78")
    assert attacks(game.turn()) == ["attack C3 with pz10"]


def test_a_die_without_a_declaration_after_the_page_was_turned_too_early() -> None:
    game = undeclared("Axis Movement").turn().move("superga", "D4").turn().roll("combat", 4).state("uk78")
    assert attacks(game.turn()) == ["attack C3 with pz10"]


def test_a_die_of_which_nothing_came_is_not_read() -> None:
    report = undeclared().roll("combat", 4).turn().audited()
    assert actions(report) == []
    assert [one.text for one in report.unread] == [
        "Combat die: 4; the log does not show what it was rolled for"
    ]


def test_a_die_for_which_several_attacks_would_fit_accuses_nobody() -> None:
    game = axis_attacks().roll("combat", 2).move("blade", "C2").state("blade").move("pz10", "C3")
    report = game.turn().audited()
    assert found(report) == []
    assert report.position.pieces["blade"].where == "C2"
    assert report.position.pieces["blade"].is_("disrupted")


def test_a_die_that_no_legal_attack_explains_is_for_the_one_that_explains_most_and_proves_nothing() -> None:
    game = axis_attacks().roll("combat", 2).move("blade", "C2").state("blade").move("pz10", "C3", "C4")
    report = game.turn().audited()
    assert [line for line in actions(report) if line.startswith("attack")] != []
    assert accused(report) == []
    assert found(report) != []


def test_an_attack_that_is_only_spoken_of_is_the_one_the_die_was_for() -> None:
    game = undeclared().say("10th Panzer Division and superga attack C3").roll("combat", 5)
    assert attacks(game.move("uk78", "C2").state("uk78").move("pz10", "C3").turn()) == [
        "attack C3 with pz10 superga"
    ]


def test_a_result_that_is_not_carried_out_is_named_where_the_attack_was_only_spoken_of() -> None:
    report = undeclared().say("C3, with pz10 alone").roll("combat", 4).turn().audited()
    assert accused(report) == []
    assert [(grade, clause) for _, grade, clause in found(report)] == [("unproven", "crt.5")]


def test_of_attacks_spoken_of_the_last_comes_first() -> None:
    game = undeclared().say("superga attacks C3?").say("no, pz10 attacks C3").roll("combat", 4).state("uk78")
    report = game.turn().audited()
    assert found(report) == []


def test_a_battle_rolled_with_dice_of_wood_accuses_nobody() -> None:
    report = axis_attacks().say("4!").move("blade", "C2").state("blade").turn().audited()
    assert accused(report) == []


def test_an_attack_from_afar_is_in_doubt_though_its_die_is_not_in_the_log() -> None:
    game = axis_attacks().attack(1, "C1", "superga").say("the dice server says 4").turn()
    assert [one[1:] for one in found(game.audited())] == [("unproven", "combat.3")]


def test_an_attack_declared_again_with_other_units_was_meant_so_though_no_die_is_in_the_log() -> None:
    game = axis_attacks().attack(1, "C3", "superga").attack(2, "C3", "pz10").say("4").turn()
    assert found(game.audited()) == []


def test_a_die_of_which_nothing_came_is_unproven_if_every_attack_would_lead_to_something() -> None:
    report = undeclared().roll("combat", 4).turn().audited()
    assert found(report) == [(2, "unproven", "crt.5")]


def test_a_press_die_is_unproven_where_no_attack_could_be_pressed() -> None:
    game = Playing({"uk78": "C3", "superga": "C4"}, stop="Axis Combat").roll("press", 2)
    assert found(game.turn().audited()) == [(2, "unproven", "pressed.1")]


def test_a_press_die_may_be_for_an_attack_that_was_called_off() -> None:
    assert found(undeclared().roll("press", 2).turn().audited()) == []


def test_who_advances_after_a_battle_that_others_fought_is_unproven() -> None:
    game = Playing({"uk78": "C3", "pz10": "B4", "superga": "C4", "broich": "D6"}, stop="Axis Combat")
    game = game.say("10th Panzer Division and superga attack C3").roll("combat", 5).move("uk78", "C2")
    report = game.state("uk78").move("broich", "D4").turn().audited()
    assert found(report) == [(5, "unproven", "seq.3"), (6, "unproven", "advance.2")]


def test_results_of_two_battles_are_told_apart_by_who_fought_in_them() -> None:
    start = {"uk78": "C3", "pz10": "B4", "hart": "F2", "superga": "F3"}
    game = Playing(start, stop="Axis Combat").roll("combat", 4).roll("combat", 4)
    assert found(game.state("hart").state("uk78").turn().audited()) == []


def test_an_attack_from_afar_that_is_never_rolled_is_unproven() -> None:
    game = axis_attacks().attack(1, "C1", "superga").declare("lw-afrika", "bomb", 1)
    game = (
        game.attack(2, "C3", "pz10", "broich")
        .resolve(2, 6, 2, "3:1", 2, "Dr")
        .declare("blade", "retreat", 2)
        .move("blade", "C2")
    )
    report = game.state("blade").turn().audited()
    assert {one[1:] for one in found(report) if one[2] == "combat.3"} == {("unproven", "combat.3")}


def test_an_attack_from_afar_that_is_rolled_is_illegal() -> None:
    report = axis_attacks().attack(1, "C1", "superga").resolve(1, 2, 1, "2:1", 6, "DR").turn().audited()
    assert ("illegal", "combat.3") in {one[1:] for one in found(report)}


def test_a_unit_marked_after_a_die_of_unknown_purpose_may_have_been_dragged_as_a_result() -> None:
    game = Playing({"superga": "B2", "pz10": "B5"}, turn=2, stop="Reinforcements").roll("press", 4)
    report = game.state("superga").move("superga", "C3").audited()
    assert {grade for _, grade, clause in found(report) if clause == "disrupt.1"} == {"unproven"}


def test_a_unit_marked_without_any_die_that_is_dragged_moves_disrupted() -> None:
    game = Playing({"superga": "B2", "pz10": "B5"}, turn=2, stop="Reinforcements")
    assert "disrupt.1" in accused(game.state("superga").move("superga", "C3").audited())
