"""A retreat or advance that is right when its player turn is over is not proved wrong."""

from __future__ import annotations

import pytest

from referee.scribe.alternatives import CautiousReader
from referee.scribe.any_order import IN_TWO_PHASES, RIGHT_LATER
from tests.proof.careless import found_in
from tests.scribe.playing import Playing, accused

FIELD = {"us1": "C5", "us9": "D4", "superga": "D5", "hart": "B2", "koch": "B3", "pz10": "B5"}


@pytest.fixture(autouse=True)
def _no_other_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other reading of what led to an accusation is tried."""
    monkeypatch.setattr(CautiousReader, "_alternatives", lambda *_: iter(()))


def beaten() -> Playing:
    """Superga is beaten and dragged to a hex next to an attacker; then another hex is attacked."""
    game = Playing(FIELD, turn=3, stop="Allied Combat").attack(1, "D5", "us1", "us9")
    game = game.resolve(1, 8, 2, "4:1", 2, "Dr").move("superga", "E5").state("superga")
    return game.move("us1", "D5").attack(2, "B3", "hart").resolve(2, 1, 2, "1:2", 6, "D").state("koch")


def over(game: Playing) -> Playing:
    """Something is done in each phase up to the movement of the Axis."""
    return game.turn().state("hart", "lent").turn().move("pz10", "B6")


def test_a_retreat_that_nobody_puts_right_is_proved_wrong() -> None:
    assert accused(over(beaten()).audited()) == ["retreat.1"]


def test_a_retreat_that_is_put_right_after_another_battle_is_not_proved_wrong() -> None:
    report = over(beaten().move("superga", "D6")).audited()
    assert accused(report) == []
    assert ("retreat.1", RIGHT_LATER) in [
        (one.clause, one.breach.facts.get("unless")) for one in report.findings
    ]


def test_a_retreat_that_is_moved_on_in_the_next_player_turn_was_not_put_right() -> None:
    assert "retreat.1" in accused(over(beaten()).move("superga", "D6").turn().audited())


def dragged_twice() -> Playing:
    """The 78th Division is dragged to a wrong hex, then over those of two moves; others move meanwhile."""
    game = Playing({"uk78": "B1", "us1": "I1", "koch": "B5"}, turn=3).turn().move("uk78", "I6")
    return game.move("us1", "H1").move("uk78", "D1").move("us1", "I1").move("uk78", "G1")


def test_two_moves_may_be_of_two_phases_if_the_track_passes_over_the_second() -> None:
    report = dragged_twice().turn(9).turn(to="Axis Movement").move("koch", "B6").turn().audited()
    assert [(one.clause, one.breach.facts.get("unless")) for one in report.findings] == [
        ("move.2", IN_TWO_PHASES)
    ]


def test_two_moves_in_the_only_phase_that_there_was_are_one_too_long() -> None:
    report = dragged_twice().turn().turn(to="Axis Movement").move("koch", "B6").turn().audited()
    assert accused(report) == ["move.2"]


BEFORE_THE_ATTACK = """
at turn 5, Axis battles; place de-10pz on 8415; place us-1 on 8416
lose us-1
attack 8416 with de-10pz
roll attack 7
roll defence 2
next
next
"""


def test_a_loss_marked_before_the_attack_is_not_missing_after_it_and_another_is() -> None:
    assert found_in("patton1943", BEFORE_THE_ATTACK, 1, frozenset()) == ["12e"]
    assert found_in("patton1943", BEFORE_THE_ATTACK.replace("lose us-1\n", ""), 1, frozenset()) == [
        "11k",
        "12e",
    ]
