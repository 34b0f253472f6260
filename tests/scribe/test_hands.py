"""Changes made on the table by hand: states set by the menu, units put into boxes, aircraft put on hexes."""

from __future__ import annotations

from referee.audit import audit
from referee.engine.rulings import Grade
from tests.scribe.playing import Playing, accused, actions, found

FIELD = {
    "hart": "C1", "broich": "B5", "uk78": "G1", "us1": "H1", "superga": "A4", "pz10": "D5",
    "lw-afrika": "axis-air", "meaaf": "allied-air",
}  # fmt: skip


def moving(**more: str) -> Playing:
    """The Allied movement of turn 3."""
    return Playing({**FIELD, **more}, turn=3, stop="Allied Movement")


def doubted(game: Playing) -> list[tuple[str, str]]:
    """Grades and clauses of all findings."""
    return [(one.grade.name, one.clause) for one in game.audited().findings]


def test_a_unit_that_its_roll_got_stuck_is_marked_and_freed_in_its_own_movement() -> None:
    game = moving().move("uk78", "G2").declare("uk78", "swamp", die=2).state("uk78", "stuck")
    report = game.turn(to="Allied Movement").state("uk78", "stuck", on=False).move("uk78", "G1").audited()
    assert found(report) == []
    assert not [line for line in actions(report) if line.startswith("mark")]


def test_a_unit_that_is_marked_stuck_before_its_roll() -> None:
    game = moving().move("uk78", "G2").state("uk78", "stuck").declare("uk78", "swamp", die=2)
    assert found(game.turn().turn().audited()) == []


def test_a_unit_in_the_open_is_marked_stuck() -> None:
    assert doubted(moving().state("us1", "stuck")) == [("illegal", "terrain.6")]


def test_a_wrong_unit_marked_stuck_and_corrected_at_once() -> None:
    game = moving().state("us1", "stuck").state("us1", "stuck", on=False)
    assert found(game.audited()) == []


def test_a_stuck_unit_that_is_freed_before_its_time_and_attacks() -> None:
    game = moving(superga="H2").move("uk78", "G2").declare("uk78", "swamp", die=2).state("uk78", "stuck")
    assert accused(game.turn().state("uk78", "stuck", on=False).audited()) == ["terrain.7"]


def test_an_axis_unit_lent_by_hand_is_bookkeeping_and_an_allied_one_is_the_players_affair() -> None:
    report = moving().state("superga", "lent").state("uk78", "lent").audited()
    assert [(one.grade, one.clause) for one in report.findings] == [(Grade.slip, "players.2")]
    assert actions(report)[-2:] == ["lend superga", "lend uk78"]


def test_a_unit_put_into_a_box_without_a_result_is_doubtful() -> None:
    assert doubted(moving().move("us1", "allied-north").turn()) == [("unproven", "crt.1")]


def test_a_unit_put_into_a_box_for_a_moment_comes_back_without_a_further_finding() -> None:
    game = moving().move("us1", "allied-north").move("uk78", "F2").turn().move("us1", "H1").turn()
    assert doubted(game) == [("unproven", "crt.1")]


def test_a_loss_put_into_a_wrong_box_is_a_loss() -> None:
    game = Playing({"uk78": "C3", "broich": "C4"}, turn=3, stop="Axis Combat").attack(1, "C3", "broich")
    game = game.resolve(1, 2, 4, "1:3", 2, "AE").move("broich", "axis-north").turn()
    assert accused(game.audited()) == []
    assert "eliminate broich battle 1" in actions(game.audited())


def test_a_reinforcement_put_back_leaves_room_for_another() -> None:
    game = Playing(
        {"uk78": "allied-north", "us1": "allied-north", "frxix": "allied-north"},
        turn=3,
        stop="Reinforcements",
    )
    game = game.move("uk78", "B1").move("us1", "B1").move("uk78", "allied-north").move("frxix", "C1").turn()
    assert found(game.audited()) == []


def test_an_aircraft_on_a_hex_that_is_not_attacked_is_bookkeeping() -> None:
    assert doubted(moving().move("meaaf", "F1")) == [("slip", "air.1")]


def test_an_aircraft_put_over_a_hex_that_is_attacked_later() -> None:
    game = moving(uk78="D6").move("meaaf", "D5").turn().attack(1, "D5", "uk78")
    game = game.resolve(1, 3, 4, "1:2", 5, "D").state("pz10").turn()
    assert [clause for _, clause in doubted(game)] == []


def test_who_is_dragged_into_the_sea_is_found_once_and_in_play_no_more() -> None:
    game = Playing(stop="Allied Movement").move("hart", "A2").move("blade", "A2").turn()
    report = game.audited()
    assert {(step, clause) for step, _, clause in found(report)} == {(1, "move.1"), (2, "move.1")}
    assert {report.readings[-1].after.pieces[name].where for name in ("hart", "blade")} == {"allied-lost"}


def test_who_was_laid_into_the_sea_for_a_moment_comes_back_without_a_further_finding() -> None:
    game = Playing(stop="Allied Movement").move("hart", "A2").say("wait").turn().move("hart", "C1")
    assert [step for step, *_ in found(game.audited())] == [1]


def test_a_reinforcement_may_be_laid_anew_instead_of_the_one_in_its_box() -> None:
    game = Playing(turn=3, stop="Reinforcements").lay("uk78", "B1", id_="another")
    report = game.delete("uk78").turn().audited()
    assert actions(report) == ["arrive uk78 on B1"]
    assert found(report) == []


def test_who_is_laid_a_second_time_while_it_is_on_the_map_does_not_count() -> None:
    report = moving().lay("us1", "H2", id_="another").move("us1", "G1").turn().audited()
    assert actions(report) == ["move us1 H1..G1"]


def test_who_is_laid_anew_and_whose_first_counter_is_deleted_then_goes_on_as_the_new_one() -> None:
    game = moving().lay("us1", "H1", id_="another").delete("us1").drag_marker("us1", "G1", id_="another")
    report = game.turn().audited()
    assert actions(report) == ["move us1 H1..G1"]
    assert accused(report) == []


def test_who_is_laid_anew_in_another_hex_has_gone_there_once_the_first_counter_is_deleted() -> None:
    report = moving().lay("us1", "G1", id_="another").delete("us1").turn().audited()
    assert actions(report) == ["move us1 H1..G1"]


def test_who_lies_in_the_losses_of_the_other_side_when_the_next_log_begins_is_lost() -> None:
    first = Playing({"blade": "B1", "hart": "C1", "pz10": "B5"}, stop="Allied Movement").move("hart", "C2")
    second = Playing({**first.where, "blade": "axis-lost"}, stop="Allied Movement").move("hart", "C1")
    report = audit([first.log("one.vlog"), second.log("two.vlog")], first.game)
    assert report.readings[-1].after.pieces["blade"].where == "allied-lost"


def test_enemies_of_one_hex_put_beside_the_map_and_into_the_sea_while_one_moves() -> None:
    game = Playing({"pz10": "B5", "broich": "B5", "superga": "B5", "hart": "C1"}, stop="Allied Movement")
    game = (
        game.move("pz10", "axis-north").move("broich", "A2").move("superga", "axis-north").move("hart", "C2")
    )
    game = game.move("hart", "C2").move("pz10", "B5").move("broich", "B5").move("superga", "B5")
    report = game.turn().audited()
    assert actions(report) == ["move hart C1..C2"]
    assert found(report) == []


def test_a_die_for_who_begins_excuses_no_unit_that_is_set_up_where_none_may_be() -> None:
    game = Playing(stop="Reinforcements").roll("combat", 3).move("broich", "A4").move("broich", "B5")
    report = game.move("pz10", "I1").turn().audited()
    assert accused(report) == ["setup.3"]


def test_a_unit_set_up_where_none_may_be_is_told_once() -> None:
    game = Playing(stop="Reinforcements").move("broich", "A4").move("broich", "B5").move("pz10", "I1")
    assert [clause for _, _, clause in found(game.turn().audited())] == ["setup.3"]


def test_a_copy_of_a_reinforcement_laid_by_mistake_and_deleted_has_not_arrived() -> None:
    game = Playing({"uk78": "allied-north", "hart": "C1"}, turn=2, stop="Axis Movement")
    report = game.lay("uk78", "F4", id_="another").take_marker("another").turn().audited()
    assert actions(report) == []
    assert found(report) == []
    assert report.position.pieces["uk78"].where == "allied-north"


def test_a_copy_of_a_reinforcement_laid_by_mistake_and_dragged_off_the_map_has_not_arrived() -> None:
    game = Playing({"uk78": "allied-north", "hart": "C1"}, turn=2, stop="Axis Movement")
    game = game.lay("uk78", "F4", id_="another").turn().drag_marker("uk78", "allied-lost", id_="another")
    report = game.turn().audited()
    assert found(report) == []


def test_two_copies_of_a_reinforcement_laid_by_mistake_and_deleted_have_not_arrived() -> None:
    game = Playing({"uk78": "allied-north", "hart": "C1"}, turn=2, stop="Allied Movement")
    game = game.lay("uk78", "F4", id_="another").turn().lay("uk78", "D2", id_="a third")
    report = game.take_marker("another").take_marker("a third").turn().audited()
    assert found(report) == []
    assert report.position.pieces["uk78"].where == "allied-north"


def test_a_copy_laid_by_mistake_has_not_arrived_though_the_counter_is_later_replaced_by_another() -> None:
    game = Playing({"uk78": "allied-north", "hart": "C1"}, turn=2, stop="Axis Movement")
    game = game.lay("uk78", "F4", id_="another").turn().take_marker("another").turn(to="Reinforcements")
    report = game.lay("uk78", "B1", id_="a third").delete("uk78").turn().audited()
    assert actions(report) == ["arrive uk78 on B1"]
    assert found(report) == []


def test_a_copy_of_a_reinforcement_that_stays_on_the_map_has_arrived() -> None:
    game = Playing({"uk78": "allied-north", "hart": "C1"}, turn=2, stop="Axis Movement")
    report = game.lay("uk78", "F4", id_="another").turn().audited()
    assert "reinf.3" in accused(report)


def test_a_copy_of_a_reinforcement_laid_by_mistake_and_deleted_when_that_has_arrived_does_not_count() -> None:
    game = Playing({"uk78": "allied-north", "hart": "C1"}, turn=2, stop="Reinforcements")
    game = game.lay("uk78", "F4", id_="another")
    game.where["uk78"] = "allied-north"
    report = game.move("uk78", "B1").take_marker("another").turn().audited()
    assert actions(report) == ["arrive uk78 on B1"]
    assert found(report) == []
