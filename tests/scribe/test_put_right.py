"""Drags to a wrong hex that are put right in another turn."""

from __future__ import annotations

import pytest

from referee.scribe.rewriting import PUT_RIGHT
from tests.scribe.playing import Playing, accused

FIELD = {"uk78": "H1", "pz10": "B5", "hart": "H6", "broich": "D5"}


def moving() -> Playing:
    """The Allied movement of turn 3."""
    return Playing(FIELD, turn=3, stop="Allied Movement")


def too_far() -> Playing:
    """The beginning of the Axis movement after an Allied division has moved too far."""
    return moving().move("uk78", "C4").turn(3)


def test_a_move_that_is_too_far_is_put_right_in_the_turn_of_the_other_side() -> None:
    report = too_far().move("uk78", "H2").move("broich", "D4").turn().audited()
    assert accused(report) == []
    assert {one.breach.facts["unless"] for one in report.findings if one.clause == "move.1"} == {PUT_RIGHT}


def test_a_move_that_is_too_far_and_stays_so_is_illegal() -> None:
    assert accused(too_far().move("broich", "D4").turn().audited()) == ["move.1"]


def test_a_move_that_is_too_far_and_put_elsewhere_too_far_is_illegal() -> None:
    assert "move.1" in accused(too_far().move("uk78", "D4").move("broich", "D4").turn().audited())


def test_a_unit_put_among_enemies_in_their_turn_waits_there_for_its_own() -> None:
    game = moving().move("uk78", "H2").move("pz10", "H2").turn(3)
    assert accused(game.move("pz10", "B4").turn().audited()) == []


def changed_in_the_other_turn(said: str, target: str = "G2") -> Playing:
    """A legal move to H2 that becomes another in the turn of the other side, after something was said."""
    game = moving().move("uk78", "H2").turn(3).move("broich", "D4")
    return (game.say(said) if said else game).move("uk78", target).move("pz10", "B4").turn()


def test_a_legal_move_is_changed_in_the_turn_of_the_other_side_after_players_said_so() -> None:
    report = changed_in_the_other_turn("sorry, I wanted the 78th Division in G2, ok?").audited()
    assert accused(report) == []
    assert PUT_RIGHT in {one.breach.facts.get("unless") for one in report.findings}


@pytest.mark.parametrize(("said", "found"), [("", ["seq.2"]), ("sorry, 78th Division to G2", [])])
def test_a_legal_move_is_changed_in_a_phase_of_no_side_after_players_said_so(
    said: str, found: list[str]
) -> None:
    start = {**FIELD, "hg": "axis-north"}
    game = Playing(start, turn=3, stop="Allied Movement").move("uk78", "H2").turn(6).move("hg", "B5")
    report = (game.say(said) if said else game).move("uk78", "G2").turn().audited()
    assert [clause for clause in accused(report) if clause == "seq.2"] == found


def test_a_legal_move_is_not_changed_in_the_turn_of_the_other_side_without_a_word_about_it() -> None:
    assert accused(changed_in_the_other_turn("").audited()) == ["seq.2"]
    assert accused(changed_in_the_other_turn("I wanted Hart Force in I5, ok?").audited()) == ["seq.2"]


def test_a_legal_move_is_taken_back_in_the_turn_of_the_other_side_without_a_word_about_it() -> None:
    report = changed_in_the_other_turn("", "H1").audited()
    assert accused(report) == []
    assert PUT_RIGHT in {one.breach.facts.get("unless") for one in report.findings}


def test_the_wrong_counter_of_a_stack_is_exchanged_in_the_turn_of_the_other_side() -> None:
    game = Playing({**FIELD, "hart": "H1"}, turn=3, stop="Allied Movement").move("hart", "H2").turn(3)
    exchanged = game.move("uk78", "H2").move("hart", "H1").move("broich", "D4").turn()
    assert accused(exchanged.audited()) == []


def test_what_could_not_be_reached_in_its_own_turn_is_illegal_whatever_players_say() -> None:
    assert accused(changed_in_the_other_turn("78th Division to C4, ok?", "C4").audited()) == ["move.1"]


def test_a_reinforcement_in_a_wrong_hex_is_put_right_in_the_turn_of_the_other_side() -> None:
    entered = Playing({**FIELD, "uk78": "allied-north"}, turn=3, stop="Reinforcements").move("uk78", "F4")
    game = entered.turn().move("hart", "H5").turn(3)
    assert accused(game.move("uk78", "B1").move("broich", "D4").turn().audited()) == []


def test_a_reinforcement_in_a_wrong_hex_that_stays_there_is_illegal() -> None:
    entered = Playing({**FIELD, "uk78": "allied-north"}, turn=3, stop="Reinforcements").move("uk78", "F4")
    game = entered.turn().move("hart", "H5").turn(3)
    assert "reinf.3" in accused(game.move("broich", "D4").turn().audited())


def test_players_name_a_counter_as_the_module_does_with_what_is_in_brackets() -> None:
    start = {"tiger": "H1", "pz10": "B5", "hart": "H6"}
    game = Playing(start, turn=3, stop="Axis Movement").move("tiger", "H2").turn(5).move("hart", "H5")
    said = game.say("sorry, 501st Heavy Panzer Battalion (Tigers) one hex on").move("tiger", "G2")
    report = said.move("hart", "H4").turn().audited()
    assert accused(report) == []
    assert PUT_RIGHT in {one.breach.facts.get("unless") for one in report.findings}
