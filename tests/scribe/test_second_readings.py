"""Findings that another reading of the same log does not have are not proved."""

from __future__ import annotations

from referee.scribe.rewriting import OTHER_BUTTON
from tests.scribe.playing import Playing, accused


def into_the_swamp(dice: str, die: int) -> Playing:
    """Von Broich enters the swamp, a die is rolled, and he moves on; meanwhile others have moved."""
    game = Playing({"broich": "E2", "pz10": "D2", "hart": "H6"}, turn=2, stop="Axis Movement")
    game = game.move("broich", "G2").move("pz10", "E2").roll(dice, die)
    return game.move("broich", "H3").turn()


def test_a_roll_with_the_button_for_something_else_may_have_been_the_one_that_was_due() -> None:
    report = into_the_swamp("press", 4).audited()
    assert accused(report) == []
    assert [(one.clause, one.breach.facts.get("unless")) for one in report.findings] == [
        ("terrain.6", OTHER_BUTTON.format(3))
    ]


def test_a_roll_with_the_button_for_something_else_that_would_have_failed_excuses_nothing() -> None:
    assert accused(into_the_swamp("press", 2).audited()) == ["terrain.6"]


def test_a_roll_with_its_own_button_is_what_it_is() -> None:
    assert accused(into_the_swamp("swamp", 4).audited()) == []
    assert accused(into_the_swamp("swamp", 2).audited()) == ["terrain.7"]
