"""Findings that another reading of the same log does not have are not proved."""

from __future__ import annotations

from referee.scribe.rewriting import OTHER_BUTTON
from tests.proof.careless import found_in
from tests.scribe.playing import Playing, accused
from tools.proof.habits import ONCE_A_PLAYER_TURN


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


REBUILT = """
at turn 5, Axis movement; place de-10pz on 8415; place uk-para on 8416; place us-9 on 8721
next
attack 8416 with de-10pz
roll attack 2
roll defence 2
eliminate uk-para
lose de-10pz
next
next
rebuild de-10pz
next
next
move us-9 8721-8722
next
"""


def test_a_step_lost_and_given_back_before_the_track_is_advanced_may_have_been_lost_and_rebuilt() -> None:
    assert found_in("patton1943", REBUILT, 1, frozenset({ONCE_A_PLAYER_TURN})) == []


def test_a_step_that_was_due_and_never_taken_is_missing() -> None:
    never = REBUILT.replace("lose de-10pz\n", "").replace("rebuild de-10pz\n", "")
    assert found_in("patton1943", never, 1, frozenset({ONCE_A_PLAYER_TURN})) == ["12e"]
