"""Moves as people make them: in several drags, back and forth, taken back, in stacks, in the wrong phase."""

from __future__ import annotations

from referee.audit import audit
from referee.scribe.reading import Certainty
from tests.scribe.playing import Playing, accused, actions, found


def moving(**start: str) -> Playing:
    """A game in the Allied movement of turn 1."""
    return Playing(start or None, stop="Allied Movement")


def test_one_drag_is_a_move_of_which_only_the_ends_are_known() -> None:
    report = moving().move("blade", "C3").audited()
    assert actions(report) == ["move blade B1..C3"]
    assert found(report) == []
    assert report.readings[-1].certainty is Certainty.seen


def test_several_drags_are_one_move() -> None:
    report = moving().move("blade", "C3", "D5").audited()
    assert actions(report) == ["move blade B1..D5"]
    assert report.readings[-1].steps == (1, 2)


def test_who_was_on_the_way_before_a_stack_was_dragged_moved_before_the_others() -> None:
    game = moving(blade="C1", hart="B1").move("blade", "B1").move_stack(("hart", "blade"), "B2")
    assert actions(game.audited()) == ["move blade C1-B1-B2", "move hart B1..B2"]


def test_drags_of_a_hex_each_are_the_way() -> None:
    assert actions(moving().move("blade", "B2", "C3").audited()) == ["move blade B1-B2-C3"]


def test_a_unit_dragged_back_has_not_moved() -> None:
    report = moving().move("blade", "D4", "B1").audited()
    assert actions(report) == []
    assert found(report) == []


def test_who_was_dragged_back_on_his_way_may_have_gone_there_or_not() -> None:
    report = moving().move("blade", "B2", "C3", "B2", "B3").audited()
    assert actions(report) == ["move blade B1..B3"]
    assert found(report) == []


def test_a_unit_that_is_dragged_on_and_back_after_its_move_has_moved_before() -> None:
    game = moving(blade="C2", superga="C3", pz10="B5").move("blade", "C4").attack(1, "C3", "blade")
    report = game.move("blade", "D4", "C4").resolve(1, 2, 3, "1:2", 5, "D").state("superga").audited()
    assert actions(report)[:2] == ["move blade C2..C4", "attack C3 with blade battle 1"]
    assert accused(report) == []


def test_a_unit_dragged_out_of_a_swamp_and_back_has_entered_it_again_if_it_rolls_again() -> None:
    game = moving(blade="F1").move("blade", "G2").declare("blade", "swamp", die=5)
    report = game.move("blade", "F1", "G2").declare("blade", "swamp", die=6).audited()
    assert actions(report) == [
        "move blade F1..G2", "roll swamp 5 for blade",
        "move blade G2..F1", "move blade F1..G2", "roll swamp 6 for blade",
    ]  # fmt: skip
    assert found(report) == []


def test_a_unit_dragged_out_of_a_swamp_and_back_that_does_not_roll_again_has_not_moved() -> None:
    game = moving(blade="F1").move("blade", "G2").declare("blade", "swamp", die=5)
    report = game.move("blade", "F1", "G2").audited()
    assert actions(report) == ["move blade F1..G2", "roll swamp 5 for blade"]
    assert found(report) == []


def test_a_move_that_is_taken_back_has_not_been_made() -> None:
    report = moving().move("blade", "H3").undo().move("blade", "B2").audited()
    assert actions(report) == ["move blade B1..B2"]
    assert found(report) == []


def test_who_vanishes_as_a_stack_is_taken_back_has_not_entered_where_it_comes_back() -> None:
    game = moving(blade="C1", hart="B1", uk78="B1").join("blade", "B1", "hart", "uk78").undo()
    report = game.join("blade", "B1", "hart", "uk78", id_="stack-2").move("hart", "C3").audited()
    assert actions(report) == ["move blade C1..B1", "move hart B1..C3"]


def test_a_drag_too_far_and_then_a_shorter_one_is_only_the_shorter_one() -> None:
    report = moving().move("blade", "H3", "C3").audited()
    assert actions(report) == ["move blade B1..C3"]
    assert found(report) == []


def test_a_stack_dragged_is_a_move_of_each() -> None:
    report = moving(blade="B1", hart="B1", pz10="B5").move_stack(["blade", "hart"], "C3").audited()
    assert actions(report) == ["move blade B1..C3", "move hart B1..C3"]
    assert found(report) == []


def test_drags_between_which_others_move_are_one_move_as_well() -> None:
    report = moving().move("blade", "D4").move("hart", "C2").move("blade", "C3").audited()
    assert [line for line in actions(report) if line.startswith("move")] == [
        "move hart C1..C2",
        "move blade B1..C3",
    ]
    assert found(report) == []


def test_a_unit_on_its_way_does_not_count_where_it_is_only_tried() -> None:
    report = moving().move("hart", "D1").move("blade", "B2").move("hart", "C2").audited()
    assert found(report) == []


def test_a_move_that_is_not_legal_as_one_is_read_drag_by_drag() -> None:
    game = moving(uk78="B1", us1a="B1", uk6a="B2", uk46="C2", pz10="B5").move("uk78", "C1")
    game = game.move("us1a", "C1").move("uk6a", "C1").move("uk46", "C1")  # in relief: four, for a moment
    report = game.move("uk78", "D1").turn().audited()
    assert found(report) == []
    assert [line for line in actions(report) if "uk78" in line] == [
        "move uk78 B1..C1",
        "move uk78 C1..D1",
    ]


def test_a_move_over_a_full_hex_is_read_drag_by_drag_before_anything_else_is_done_in_the_phase() -> None:
    where = {"lwreg": "B3", "xxxit": "A4", "impe": "A4", "koch": "B4", "uk46": "C3"}
    game = Playing(where, turn=5, stop="Allied Combat").turn(to="Axis Movement")
    report = game.move("lwreg", "A4", "C6").move("xxxit", "B5").turn().audited()
    assert actions(report) == ["move lwreg B3..A4", "move lwreg A4..C6", "move xxxit A4..B5"]
    assert found(report) == []


def test_what_no_road_allows_is_illegal() -> None:
    report = moving().move("blade", "H3").audited()
    assert accused(report) != []
    assert report.findings[0].units == ("blade",)
    assert report.findings[0].steps == (1,)


def test_one_mistake_is_one_finding_and_the_table_wins() -> None:
    report = moving().move("blade", "H3").turn(to="Allied Movement").move("blade", "H2").audited()
    assert [step for step, _, _ in found(report)] == [1]
    assert report.position.pieces["blade"].where == "H2"


def test_drags_of_a_hex_each_that_are_no_legal_way_are_read_by_their_ends() -> None:
    start = {"blade": "C1", "hart": "C2", "pz10": "B4"}  # the panzers threaten C3, but not D3
    report = moving(**start).move("hart", "C3", "D3").audited()
    assert actions(report) == ["move hart C2..D3"]
    assert found(report) == []
    assert [one.text for one in report.unread] == [
        "hart was dragged C2-C3-D3, which is not a legal path; only its ends count"
    ]


def test_a_counter_laid_off_the_hexes_and_back_is_where_it_was() -> None:
    report = moving().move("blade", "allied-air", "C3").audited()
    assert actions(report) == ["move blade B1..C3"]


def test_a_piece_without_announcements_is_found_by_the_grid() -> None:
    game = moving()
    game.move("blade", "C3")
    game.steps[-1] = game.steps[-1][:1]  # the report is missing
    game.move("hart", "C2")
    assert actions(game.audited()) == ["move blade B1..C3", "move hart C1..C2"]


def test_a_log_without_any_announcement_is_read_by_the_set_up() -> None:
    game = Playing(stop="Allied Movement", memories=False).move("blade", "C3")
    game.steps[-1] = game.steps[-1][:1]
    assert actions(game.audited()) == ["move blade B1..C3"]


def test_units_moved_before_the_track_is_turned_to_their_phase() -> None:
    report = Playing().move("blade", "C3").turn().audited()
    assert actions(report) == ["move blade B1..C3"]
    assert found(report) == []
    assert any(one.certainty is Certainty.inferred for one in report.readings)


def test_units_moved_after_the_track_was_turned_too_early() -> None:
    report = Playing().turn(2).move("blade", "C3").move("hart", "C2").audited()
    assert found(report) == []


def test_a_whole_turn_with_a_track_that_nobody_turns() -> None:
    game = moving().move("blade", "C3").move("pz10", "B4").move("broich", "C4")
    report = game.audited()
    assert actions(report) == ["move blade B1..C3", "move pz10 B5..B4", "move broich B5..C4"]
    assert found(report) == []


def test_two_turns_with_a_track_that_nobody_turns() -> None:
    game = Playing().move("blade", "C3").move("hart", "C2").move("pz10", "B4").move("broich", "C4")
    game = game.attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 2, "Dr")
    game = game.move("blade", "C2").state("blade").move("pz10", "C3")
    game = game.move("us1a", "B1").move("uk78", "B1").move("koch", "B5").move("hart", "D1").move("us1a", "B2")
    report = game.audited()
    assert accused(report) == []
    assert report.position.turn == 2


def test_an_arrival_put_back_into_its_box_has_not_come() -> None:
    game = (
        Playing(turn=2)
        .move("uk78", "B1")
        .move("us1a", "B1")
        .move("frxix", "B1")
        .move("frxix", "allied-north")
    )
    report = game.turn().audited()
    assert actions(report) == ["arrive uk78 on B1", "arrive us1a on B1"]
    assert found(report) == []


def test_who_moves_while_the_other_side_still_moves_is_out_of_turn() -> None:
    report = moving().move("pz10", "B4").move("hart", "C2").turn().audited()
    assert found(report) == [(1, "illegal", "seq.2")]


def test_counters_that_are_none_of_the_game_are_named_and_not_fatal() -> None:
    game = moving().lay_foreign("A coffee cup", "C2").lay_foreign("A coffee cup", "C3", "foreign-2")
    report = game.move("blade", "C3").audited()
    assert [one.text for one in report.unread] == ["A coffee cup is not a counter of this game"]
    assert actions(report) == ["move blade B1..C3"]


def test_a_counter_that_is_there_twice_counts_once() -> None:
    report = moving().lay("hart", "D4", "another").move("blade", "C3").audited()
    assert report.position.pieces["hart"].where == "C1"
    assert "only the first counts" in report.unread[0].text


def test_a_counter_that_is_there_twice_is_named_once_though_the_counters_are_refreshed() -> None:
    game = moving().lay("hart", "D4", "another").take_marker("another").lay("hart", "D4", "another-anew")
    texts = [one.text for one in game.move("blade", "C3").audited().unread]
    assert len([one for one in texts if "only the first counts" in one]) == 1


def test_a_set_up_that_is_changed_is_a_deployment() -> None:
    report = Playing().move("pz10", "A4").turn().audited()
    assert actions(report) == ["deploy pz10 on A4"]
    assert found(report) == []


def test_an_arrival_put_down_wrongly_first_is_where_it_lies_in_the_end() -> None:
    report = Playing(turn=2).move("uk78", "B2", "C1").move("us1a", "B1").audited()
    assert actions(report) == ["arrive uk78 on C1", "arrive us1a on B1"]
    assert found(report) == []


def test_an_arrival_that_moves_on_before_the_track_is_turned() -> None:
    report = Playing(turn=2).move("uk78", "B1", "B2").turn().audited()
    assert [line.split()[0] for line in actions(report)] == ["arrive", "move"]
    assert accused(report) == []


def test_a_reinforcement_dragged_to_its_move_in_the_movement_phase_came_late_once() -> None:
    report = Playing(turn=2, stop="Allied Movement").move("uk78", "B2").turn().audited()
    assert found(report) == [(1, "unproven", "seq.1"), (1, "unproven", "reinf.3")]


def coming_late(*, then: str) -> list[str]:
    """L Force is dragged from its box to the end of its first move, another moves, then it moves on."""
    game = Playing({"lforce": "allied-alamein", "us1": "D3", "xxiit": "F5"}, turn=4, stop="Allied Movement")
    game = game.move("lforce", "G4").move("us1", "B3").move("lforce", then).turn()
    return accused(audit([game.log()], game.game))


def test_who_is_dragged_straight_from_the_box_entered_where_its_later_moves_are_legal_too() -> None:
    assert coming_late(then="F4") == []


def test_no_place_of_entry_excuses_a_later_move_that_is_too_far_from_each() -> None:
    assert coming_late(then="B3") == ["move.1"]


def test_a_loss_after_the_next_die_is_dragged_to_a_hex_of_sea() -> None:
    field = {"blade": "C2", "superga": "C3", "hart": "C5", "pz10": "B5"}
    game = Playing(field, stop="Allied Combat").attack(1, "C3", "blade").resolve(1, 2, 3, "1:2", 2, "AE")
    game = game.attack(2, "B5", "hart").resolve(2, 2, 3, "1:2", 3, "AD").state("hart")
    report = game.move("blade", "A1").turn().audited()
    assert accused(report) == []
    assert ("slip", "crt.2") in [(grade, clause) for _, grade, clause in found(report)]


def test_a_log_that_begins_in_the_middle_is_read_from_there() -> None:
    start = {"blade": "D3", "hart": "C2", "pz10": "B4", "uk78": "allied-lost"}
    report = Playing(start, turn=3, stop="Allied Movement").move("hart", "C1").audited()
    assert found(report) == []
    assert report.readings[0].after.clock == Playing(turn=3, stop="Allied Movement").clock


def test_a_track_that_is_turned_back_hides_nothing_that_was_forgotten() -> None:
    game = Playing(stop="Allied Recovery").move("pz10", "B4")
    game.clock = game.clock.__class__(1, 0)
    assert accused(game.turn().audited()) == []


def test_several_logs_are_one_game_and_what_changed_between_them_is_taken_over() -> None:
    first = moving().move("blade", "C3")
    second = Playing({**first.where, "hart": "D1"}, stop="Allied Movement").move("hart", "C2")
    report = audit([first.log("one.vlog"), second.log("two.vlog")], first.game)
    moves = [line for line in actions(report) if line.startswith("move")]
    assert moves == ["move blade B1..C3", "move hart D1..C2"]
    assert "two.vlog does not begin where the log before it ended: hart" in [
        one.text for one in report.unread
    ]
    assert found(report) == []


def test_a_stack_of_which_one_is_marked_on_its_way_goes_on_as_a_stack() -> None:
    game = moving(blade="B1", hart="B1").move_stack(("hart", "blade"), "B2").state("hart")
    report = game.move_stack(("hart", "blade"), "B3").audited()
    assert [line for line in actions(report) if line.startswith("move blade")] == [
        "move blade B1..B2", "move blade B2..B3",
    ]  # fmt: skip


def test_the_last_reinforcement_may_have_moved_on_ahead_of_the_track_if_it_moves_no_more() -> None:
    arrived = Playing(turn=2, side="allied").move("uk78", "C2").turn().move("blade", "C1")
    assert {grade for _, grade, _ in found(arrived.audited())} == {"unproven"}


def test_a_reinforcement_may_have_moved_on_while_its_side_moves_ahead_of_the_track() -> None:
    arrived = Playing(turn=2, side="allied").move("uk78", "C2")
    moved_again = arrived.turn().move("blade", "C1").move("uk78", "C5")
    assert (1, "illegal", "reinf.3") in found(moved_again.audited())
    arrived = Playing(turn=2, side="allied").move("uk78", "C2")
    assert found(arrived.move("blade", "C1").turn().audited()) == [(1, "unproven", "reinf.3")]


def test_a_reinforcement_dragged_along_with_others_and_back_by_itself_has_not_moved() -> None:
    game = moving(uk1para="allied-north", blade="B1").move("uk1para", "B1")
    report = game.move_stack(("blade", "uk1para"), "C5").move("uk1para", "B1").audited()
    assert actions(report) == ["arrive uk1para on B1", "move blade B1..C5"]
    assert "move.1" not in accused(report)


def test_a_reinforcement_that_waited_for_its_side_is_not_of_the_next_turn() -> None:
    game = Playing(turn=2, stop="Axis Movement").move("koch", "B5").move("hg", "A4").move("superga", "B4")
    game = game.turn(to="Reinforcements").move("de334", "A4").turn(to="Axis Combat").move("blade", "C3")
    report = game.attack(1, "C3", "superga").resolve(1, 1, 1, "1:1", 2, "D").audited()
    assert "reinf.1" not in accused(report)
    arrived = [one for one in report.readings if getattr(one.statement.content, "pieces", ()) == ("koch",)]
    assert arrived[0].before.clock.turn == 2


def test_a_reinforcement_dragged_to_its_move_before_the_track_is_advanced_to_it_is_ahead_of_the_track() -> (
    None
):
    game = Playing(turn=2, stop="Allied Recovery").move("koch", "C4").turn().move("superga", "B4")
    assert accused(game.audited()) == []
    game = Playing(turn=2, stop="Allied Movement").move("koch", "C4").move("blade", "C1").turn()
    assert accused(game.audited()) == ["seq.1", "reinf.3"]


def test_a_reinforcement_laid_on_a_wrong_hex_and_moved_on_entered_where_it_was_put_right() -> None:
    game = Playing({"uk78": "allied-north", "us1a": "allied-north", "superga": "C1"}, turn=2)
    game = game.move("uk78", "C1", "B1").move("us1a", "B1").move("uk78", "B2").turn()
    assert accused(game.audited()) == []


def test_a_counter_of_the_other_side_put_aside_does_not_show_that_its_turn_goes_on() -> None:
    game = Playing(stop="Allied Recovery").move("superga", "B4").move("blade", "C2").move("blade", "B1")
    assert accused(game.turn().audited()) == []
    game = Playing(stop="Allied Recovery").move("superga", "B4").move("blade", "C2").turn()
    assert accused(game.audited()) != []


def test_a_reinforcement_dragged_to_its_move_ahead_of_the_track_may_move_on_as_far_as_it_can() -> None:
    arrived = Playing(turn=2).move("uk78", "C2").turn()
    assert {grade for _, grade, _ in found(arrived.move("uk78", "C3").audited())} == {"unproven"}
    assert "illegal" in {grade for _, grade, _ in found(arrived.move("uk78", "C5").audited())}
