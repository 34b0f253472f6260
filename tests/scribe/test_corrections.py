"""What players put right themselves, and what they do in an order of their own."""

from __future__ import annotations

from collections.abc import Callable

from referee.audit import Report
from tests.scribe.playing import Playing, accused, actions, found

FIELD = {
    "blade": "C3", "hart": "C1", "pz10": "B4", "broich": "C4", "superga": "A4",
    "lw-afrika": "axis-air", "meaaf": "allied-air",
}  # fmt: skip


def routed(**more: str) -> Playing:
    """The Axis combat of turn 1: Blade Force must retreat a hex before 10th Panzer and von Broich."""
    game = Playing({**FIELD, **more}, stop="Axis Combat").attack(1, "C3", "pz10", "broich")
    return game.resolve(1, 6, 2, "3:1", 2, "Dr")


def carried_out(game: Playing) -> Playing:
    """The retreat, its marker and the advance, and the phase is over."""
    return game.move("blade", "C2").state("blade").move("pz10", "C3").turn()


def test_a_marker_set_taken_off_and_set_again_is_set_once() -> None:
    game = routed().state("blade").state("blade", on=False).state("blade").move("blade", "C2")
    report = game.move("pz10", "C3").turn().audited()
    assert actions(report).count("disrupt blade battle 1") == 1
    assert found(report) == []


def test_a_wrong_unit_marked_and_unmarked_was_not_disrupted() -> None:
    report = carried_out(routed().state("hart").state("hart", on=False)).audited()
    assert found(report) == []
    assert not report.position.pieces["hart"].states


def test_a_marker_taken_off_by_mistake_and_set_again_was_never_off() -> None:
    game = carried_out(routed()).state("blade", on=False).state("blade").turn()
    assert found(game.audited()) == []


def test_a_marker_taken_off_too_early_for_good_is_found() -> None:
    game = carried_out(routed()).state("blade", on=False).turn()
    assert accused(game.audited()) == ["disrupt.5"]


def test_a_marker_set_and_taken_off_by_a_unit_that_moved_between_is_no_correction() -> None:
    game = routed().state("blade").move("blade", "C2").state("blade", on=False).move("pz10", "C3")
    assert "disrupt.5" in accused(game.turn().audited())


def test_an_attacker_who_comes_before_the_defender_has_left_advances_after_him() -> None:
    report = routed().move("pz10", "C3").move("blade", "C2").state("blade").turn().audited()
    assert actions(report)[-3:] == [
        "retreat blade C3..C2 battle 1", "advance pz10 B4..C3 battle 1", "disrupt blade battle 1",
    ]  # fmt: skip
    assert found(report) == []


def test_an_attacker_who_comes_too_early_advances_after_the_whole_stack_that_leaves() -> None:
    game = Playing({**FIELD, "hart": "C3"}, stop="Axis Combat").attack(1, "C3", "pz10", "broich")
    game = game.resolve(1, 6, 3, "2:1", 1, "Dr").move("pz10", "C3").move_stack(("blade", "hart"), "C2")
    report = game.state("blade").state("hart").turn().audited()
    assert actions(report)[-5:-2] == [
        "retreat blade C3..C2 battle 1", "retreat hart C3..C2 battle 1", "advance pz10 B4..C3 battle 1",
    ]  # fmt: skip
    assert not [line for line in actions(report) if line.startswith("place")]


def test_an_attacker_who_comes_too_early_advances_after_a_retreat_that_was_put_right() -> None:
    report = routed().move("pz10", "C3").move("blade", "D3", "C2").state("blade").turn().audited()
    assert actions(report)[-3:] == [
        "retreat blade C3..C2 battle 1", "advance pz10 B4..C3 battle 1", "disrupt blade battle 1",
    ]  # fmt: skip
    assert found(report) == []


def test_a_retreat_may_be_put_right_after_the_attacker_has_advanced() -> None:
    game = routed().declare("blade", "retreat", 1).move("blade", "B3").state("blade")
    game = game.declare("pz10", "advance", 1).move("pz10", "C3").move("blade", "C2").turn()
    assert accused(game.audited()) == []


def test_who_is_put_aside_while_a_die_is_rolled_and_put_back_has_not_moved() -> None:
    game = Playing(FIELD, stop="Axis Combat").attack(1, "C3", "pz10", "broich").move("hart", "D1")
    game = carried_out(game.resolve(1, 6, 2, "3:1", 2, "Dr").move("hart", "C1"))
    assert found(game.audited()) == []


def test_who_is_put_aside_while_a_die_is_rolled_and_stays_there_has_moved() -> None:
    game = Playing(FIELD, stop="Axis Combat").attack(1, "C3", "pz10", "broich").move("hart", "D1")
    assert found(carried_out(game.resolve(1, 6, 2, "3:1", 2, "Dr")).audited()) == [(3, "unproven", "seq.2")]


def test_an_attacker_who_comes_too_early_is_where_he_was_until_he_advances() -> None:
    game = routed().move("pz10", "C3").state("pz10").move("blade", "C2").state("blade").turn()
    lines = actions(game.audited())
    assert not [line for line in lines if line.startswith("place")]
    assert lines.index("retreat blade C3..C2 battle 1") < lines.index("advance pz10 B4..C3 battle 1")
    assert game.audited().position.pieces["pz10"].is_("disrupted")


def test_an_attacker_who_comes_too_early_and_goes_back_does_not_advance() -> None:
    game = routed().move("pz10", "C3").move("pz10", "B4").move("blade", "C2").state("blade")
    report = game.move("broich", "C3").turn().audited()
    assert [line for line in actions(report) if line.startswith("advance")] == [
        "advance broich C4..C3 battle 1"
    ]
    assert found(report) == []


def test_a_unit_eliminated_by_mistake_and_put_back_has_retreated() -> None:
    report = carried_out(routed().eliminate("blade")).audited()
    assert found(report) == []


def test_the_die_of_a_declared_attack_rolled_by_the_plain_button() -> None:
    game = Playing(FIELD, stop="Axis Combat").attack(1, "C3", "pz10", "broich").roll("combat", 2)
    report = carried_out(game).audited()
    assert "roll combat 2 battle 1" in actions(report)
    assert found(report) == []


def test_a_plain_die_that_does_not_fit_the_declared_attack_proves_nothing_and_is_not_explained_away() -> None:
    game = Playing(FIELD, stop="Axis Combat").attack(1, "C3", "pz10", "broich").roll("combat", 6)
    report = carried_out(game).audited()
    assert accused(report) == []
    assert {grade for _, grade, _ in found(report)} == {"unproven"}


def test_an_attacker_who_helped_without_being_declared_advances_wrongly_at_most() -> None:
    game = Playing(FIELD, stop="Axis Combat").attack(1, "C3", "pz10").resolve(1, 4, 2, "2:1", 4, "Dr")
    game = game.move("blade", "C2").state("blade").move_stack(["pz10", "broich"], "C3")
    assert accused(game.turn().audited()) == ["advance.1"]


def test_players_who_look_results_up_themselves_roll_the_die_alone() -> None:
    """As the module does where its preference for looking results up is switched off."""
    game = Playing(FIELD, stop="Axis Combat").attack(1, "C3", "pz10", "broich").roll("combat", 2)
    game.declare("blade", "retreat", 1).move("blade", "C2").state("blade")
    report = game.declare("pz10", "advance", 1).move("pz10", "C3").turn().audited()
    assert "roll combat 2 battle 1" in actions(report)
    assert accused(report) == []


def test_who_fought_from_where_it_had_moved_and_is_put_back_there_was_there() -> None:
    game = Playing({"superga": "E2", "hart": "E4"}, turn=2, stop="Axis Movement").turn().move("superga", "F3")
    game = game.attack(1, "E4", "superga").resolve(1, 2, 2, "1:1", 5, "D").state("hart").move("superga", "E2")
    game = game.move("hart", "F3", "E4").move("superga", "F3").declare("hart", "voluntary-retreat", 1)
    game = game.move("hart", "D4", "D5").declare("superga", "advance", 1).move("superga", "E4")
    assert accused(game.audited()) == []


def put_aside_beneath(between: Callable[[Playing], Playing], *, to: str) -> list[str]:
    """While the Allies move, Superga is dragged to a hex of sea, and back to where it was or elsewhere."""
    game = Playing({"hart": "C5", "superga": "A4", "blade": "C2"}, turn=2, stop="Allied Movement")
    game = between(game.move("hart", "D5").move("superga", "A3").move("blade", "C3")).move("superga", to)
    return accused(game.turn().audited())


def test_who_is_put_aside_and_put_back_after_the_track_was_advanced_by_a_phase_has_not_moved() -> None:
    assert put_aside_beneath(Playing.turn, to="A4") == []


def test_who_is_put_aside_and_stays_there_or_comes_elsewhere_or_after_a_die_has_moved() -> None:
    assert put_aside_beneath(Playing.turn, to="B4") != []
    assert put_aside_beneath(lambda game: game.turn().roll("combat", 3), to="A4") != []


def driven_back(*to: str, turns: int = 1) -> Playing:
    """The Allied combat of turn 3: von Broich, who cannot be Disrupted, must retreat 2 hexes and goes 1."""
    field = {**FIELD, "uk78": "C3", "us1a": "D3", "pz10": "B5"}
    game = Playing(field, turn=3, stop="Allied Combat").attack(1, "C4", "blade", "uk78", "us1a")
    game = game.resolve(1, 8, 4, "2:1", 5, "DR").move("broich", "C5").move("blade", "C4").turn(turns)
    for hex_ in to:
        game = game.move("broich", hex_)
    return game.turn(2)


def test_a_retreat_too_short_may_have_ended_with_the_next_drag_which_is_a_move_besides() -> None:
    report = driven_back("D6").audited()
    assert accused(report) == []
    assert [clause for _, grade, clause in found(report) if grade == "unproven"] == ["crt.7"]


def test_a_retreat_that_ends_in_its_own_movement_phase_may_have_been_too_short_and_the_end_a_move() -> None:
    def unproven(report: Report) -> list[str]:
        return [clause for _, grade, clause in found(report) if grade == "unproven"]

    in_its_own_phase, before = (driven_back("C6", turns=turns).audited() for turns in (2, 1))
    assert accused(in_its_own_phase) == accused(before) == []
    assert (unproven(in_its_own_phase), unproven(before)) == (["crt.7"], [])


def test_a_retreat_too_short_without_another_drag_is_found() -> None:
    assert accused(driven_back().audited()) == ["crt.7"]


def test_counters_that_are_put_away_when_the_game_is_over_were_not_eliminated() -> None:
    game = carried_out(routed())
    for name in ("blade", "hart", "pz10", "broich", "superga"):
        game.eliminate(name)
    assert accused(game.audited()) == []


def test_units_of_one_side_that_are_taken_off_at_the_end_are_found() -> None:
    game = Playing(FIELD, stop="Axis Movement").eliminate("pz10").eliminate("superga").eliminate("broich")
    assert {clause for _, _, clause in found(game.audited())} == {"crt.1"}
