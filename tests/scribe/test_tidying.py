"""Facts that cancel each other are left out before anything is read."""

from __future__ import annotations

import pytest

from referee.engine.clock import Clock
from referee.scribe.facts import Fact, Shifted, Stepped, Thrown, Turned
from referee.scribe.tidying import without_corrections

LOST = Stepped(step=1, counter="a", old=2, new=1)
REGAINED = Stepped(step=3, counter="a", old=1, new=2)
AGAIN = Stepped(step=4, counter="a", old=2, new=1)


def test_a_step_lost_given_back_and_lost_again_is_lost_once() -> None:
    assert without_corrections([LOST, REGAINED, AGAIN]) == (AGAIN,)


@pytest.mark.parametrize(
    "between",
    [
        Turned(step=2, moment=Clock(1, 3)),
        Thrown(step=2, dice="attack", faces=(4,)),
        Shifted(step=2, counter="a", origin="8016", target="8116"),
    ],
)
def test_a_step_regained_later_is_a_deed(between: Fact) -> None:
    assert without_corrections([LOST, between, REGAINED, AGAIN]) == (LOST, between, REGAINED, AGAIN)


def test_a_step_that_another_counter_regains_is_a_deed() -> None:
    other = Stepped(step=2, counter="b", old=1, new=2)
    assert without_corrections([LOST, other]) == (LOST, other)


def test_a_step_that_is_kept_in_the_end_was_regained() -> None:
    assert without_corrections([LOST, REGAINED]) == (LOST, REGAINED)
    assert without_corrections([REGAINED, LOST, REGAINED]) == (REGAINED, LOST, REGAINED)
