"""A retreat or advance that is right when its player turn is over is not proved wrong."""

from __future__ import annotations

import pytest

from referee.scribe.alternatives import CautiousReader
from referee.scribe.any_order import RIGHT_LATER
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
