"""Findings that another reading of the same log does not have are not proved."""

from __future__ import annotations

import pytest

from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.scribe.facts import Standing
from referee.scribe.rewriting import OTHER_BUTTON
from tests.proof.careless import found_in
from tests.scribe.playing import Playing, accused
from tests.scribe.small_logs import dragged, found, read, turned
from tools.proof.habits import BUTTON, ONCE_A_PLAYER_TURN


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


def test_a_general_driven_off_twice_may_be_back_where_he_was() -> None:
    standing = {
        "uk-wellington": Standing("0705"),
        "fr-neuenstein": Standing("1208", steps=5),
        "fr-rignoux": Standing("0507", steps=3),
    }
    near, next_to_him = dragged("fr-neuenstein", "1208", "0806"), dragged("fr-rignoux", "0507", "0703")
    off, back = dragged("uk-wellington", "0705", "0603"), dragged("uk-wellington", "0603", "0705")
    movement, end = Clock(3, 7), turned(3, 8)
    twice = read("vitoria1813", standing, movement, *near, *off, *next_to_him, *back, end)
    never = read("vitoria1813", standing, movement, *near, *next_to_him, end)
    assert found(twice) == [(5, Grade.unproven, "9.2e")]
    assert found(never) == [(3, Grade.illegal, "9.2e")]


SWAMP_WITH_THE_COMBAT_DIE = """
at turn 3, Allied movement; place hart on C5; place uk46 on C2; place uk1 on C1
place superga on B2; place broich on B1
move hart C5..G3
roll swamp 1 for hart
move uk1 C1..F2
next
attack B2 with uk46
no retreat
roll combat 3
disrupt uk46
next
"""


def test_a_die_that_seems_to_be_of_a_battle_may_have_been_a_test_with_the_wrong_button() -> None:
    wrong = frozenset({BUTTON})
    both = SWAMP_WITH_THE_COMBAT_DIE.replace("move uk1 C1..F2\n", "").replace("with uk46", "with uk46 uk1")
    assert found_in("postcard1943", SWAMP_WITH_THE_COMBAT_DIE, 1, wrong) == []
    assert "combat.5" in found_in("postcard1943", both, 1, wrong)


@pytest.mark.parametrize("box", ["allied-lost", "axis-lost"])
def test_a_reinforcement_laid_in_the_box_of_the_losses_by_mistake_comes_from_its_own(box: str) -> None:
    waiting = {"uk78": Standing("allied-north"), "us34": Standing("allied-north")}
    laid, comes = dragged("uk78", "allied-north", box), dragged("uk78", box, "B1")
    other = dragged("us34", "allied-north", "C1")
    back = read("postcard1943", waiting, Clock(1, 7), *laid, turned(2, 0), *other, *comes, turned(2, 1))
    lost = read("postcard1943", waiting, Clock(1, 7), *laid, turned(2, 0), *other, turned(2, 1))
    assert {grade for _, grade, _ in found(back)} == {Grade.unproven}
    assert found(lost) == [(1, Grade.illegal, "crt.1")]


def test_a_casualty_does_not_come_back_by_way_of_the_box_of_the_reinforcements() -> None:
    dead = {"uk78": Standing("allied-lost"), "us34": Standing("allied-north")}
    again = dragged("uk78", "allied-lost", "allied-north", "B1")
    other = dragged("us34", "allied-north", "C1")
    draft = read("postcard1943", dead, Clock(1, 7), turned(2, 0), *other, *again, turned(2, 1))
    assert Grade.illegal in {grade for _, grade, _ in found(draft)}
