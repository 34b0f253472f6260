"""Markers of states that players place by hand, as with cardboard, instead of the module's states."""

from __future__ import annotations

from tests.scribe.playing import Playing, accused, actions, found

FIELD = {"uk78": "C3", "broich": "C4", "pz10": "B5", "hart": "C1"}


def disrupted(**more: str) -> Playing:
    """Von Broich has attacked: all in C3 are Disrupted."""
    game = Playing({**FIELD, **more}, stop="Axis Combat").attack(1, "C3", "broich")
    return game.resolve(1, 2, 4, "1:2", 6, "D")


def marks(game: Playing) -> list[str]:
    return [line for line in actions(game.audited()) if line.startswith(("disrupt", "recover"))]


def test_a_marker_on_the_only_unit_it_can_be_for() -> None:
    report = disrupted().lay("m-disrupted", "C3").turn().audited()
    assert actions(report)[-1] == "disrupt uk78 battle 1"
    assert found(report) == []


def test_one_marker_on_a_stack_is_for_all_whom_it_can_be_for() -> None:
    game = Playing({**FIELD, "us1a": "C3"}, stop="Axis Combat").attack(1, "C3", "broich")
    game = game.resolve(1, 2, 7, "1:3", 6, "D").lay("m-disrupted", "C3").turn()
    assert marks(game) == ["disrupt uk78 battle 1", "disrupt us1a battle 1"]
    assert accused(game.audited()) == []


def test_a_marker_for_each_of_a_stack() -> None:
    game = Playing({**FIELD, "us1a": "C3"}, stop="Axis Combat").attack(1, "C3", "broich")
    game = game.resolve(1, 2, 7, "1:3", 6, "D").lay("m-disrupted", "C3").lay("m-disrupted", "C3", "marker-2")
    assert accused(game.turn().audited()) == []


def test_a_marker_that_stands_for_nothing_is_noted_only() -> None:
    report = Playing(FIELD, stop="Axis Combat").lay("m-disrupted", "C3").audited()
    assert [one.text for one in report.unread] == [
        "a marker Disrupted was placed in C3; it is not known for which unit"
    ]
    assert found(report) == []


def test_a_marker_goes_with_its_unit() -> None:
    game = disrupted(hart="C2").lay("m-disrupted", "C3").roll("press", 1)
    game = game.move("uk78", "C2").drag_marker("m-disrupted", "C2").turn()
    assert marks(game) == ["disrupt uk78 battle 1"]
    assert accused(game.audited()) == []


def test_a_unit_with_a_marker_stays_disrupted_when_it_retreats() -> None:
    game = disrupted().lay("m-disrupted", "C3").roll("press", 1).move("uk78", "C2")
    assert game.turn().audited().position.pieces["uk78"].is_("disrupted")


def test_a_marker_dragged_about_lies_where_it_was_left() -> None:
    game = disrupted().lay("m-disrupted", "C4").drag_marker("m-disrupted", "C3").turn()
    assert marks(game) == ["disrupt uk78 battle 1"]


def test_a_marker_taken_off_in_time_is_a_recovery() -> None:
    game = disrupted().lay("m-disrupted", "C3").turn(to="Allied Recovery").take_marker()
    report = game.turn(to="Allied Movement").move("uk78", "C2").audited()
    assert "recover uk78" in actions(report)
    assert found(report) == []


def test_a_marker_put_aside_too_early_is_noted_only() -> None:
    game = disrupted().lay("m-disrupted", "C3").turn(3).take_marker().turn()
    report = game.audited()
    assert [one.text for one in report.unread] == ["the marker of uk78 was removed too early"]
    assert accused(report) == []


def test_a_unit_that_should_have_recovered_may_move_under_its_marker() -> None:
    game = disrupted().state("uk78").turn(to="Allied Movement").turn(to="Allied Movement")
    report = game.move("uk78", "C2").turn().audited()
    assert accused(report) == []


SWAMP = {"broich": "G2", "lw-afrika": "axis-air", "meaaf": "allied-air", "blade": "B2"}
"""Division von Broich is in a swamp hex."""


def test_a_stuck_marker_without_a_roll_is_read_like_the_state_of_the_menu() -> None:
    game = Playing(SWAMP, stop="Axis Movement").lay("m-stuck", "G2").turn()
    report = game.audited()
    assert "mark stuck broich" in actions(report)
    assert found(report) == found(
        Playing(SWAMP, stop="Axis Movement").state("broich", "stuck").turn().audited()
    )


def test_a_stuck_marker_on_a_unit_that_its_roll_got_stuck_is_no_news() -> None:
    game = Playing({**SWAMP, "broich": "H2"}, stop="Axis Movement").move("broich", "G2")
    report = game.declare("broich", "swamp", die=1).lay("m-stuck", "G2").turn().audited()
    assert "mark stuck broich" not in actions(report)
    assert found(report) == []


def test_a_stuck_marker_taken_off_is_read_as_taken_off() -> None:
    game = Playing(SWAMP, stop="Axis Movement").lay("m-stuck", "G2").turn().take_marker().turn()
    assert "mark free broich" in actions(game.audited())


def test_a_stuck_marker_where_no_swamp_is_may_lie_there_by_mistake() -> None:
    report = Playing({**SWAMP, "broich": "B5"}, stop="Axis Movement").lay("m-stuck", "B5").turn().audited()
    assert [one[1:] for one in found(report)] == [("unproven", "terrain.6")]
