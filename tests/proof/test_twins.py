"""Breaches that leave no trace: a game without the breach looks the same with the same habits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.proof.careless import steps_of
from tools.proof.breaking import BrokenGame, Mutator
from tools.proof.habits import CHATTED, UNDECLARED
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.habits.tinkering import CarelessLogger
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step
from tools.proof.twins import has_twin

NOT_MARKED = """
at turn 2, Axis combat; place xxxit on B3; place superga on C2; place cfa on B2
attack B2 with xxxit
roll combat 4 battle 1
settle
next
"""
"""The attackers are Disrupted by this die, and not marked."""
BOTH_ADVANCE = """
at turn 2, Axis combat; place pz10 on B3; place koch on C2; place us34 on B2
attack B2 with pz10
roll combat 5 battle 1
retreat us34 B2-B1 battle 1
disrupt us34 battle 1
advance pz10 B3-B2 battle 1
advance koch C2-B2 battle 1
next
"""
"""The second did not attack; it could have, and the result would be the same."""
WITHOUT_A_BATTLE = """
at turn 2, Axis combat; place superga on C2; place cfa on B2
advance superga C2-D2
next
"""


def is_hidden(record: str, breach: int, *habits: str) -> bool:
    """Return whether a record, in which one step breaks a rule, has a twin when logged with some habits."""
    steps = steps_of("postcard1943", record)
    assert steps[breach].ruling.breaches
    opening = opening_of("postcard1943", steps[0].before.scenario.id)

    def write(game: Sequence[Step], walked: range) -> CarelessLogger | None:
        return log_carelessly(opening, game, 1, frozenset(habits), walked=walked)

    return has_twin(BrokenGame(Mutator("", (), lambda moment: ()), steps, breach, breach), write)


@pytest.mark.parametrize("habit", [UNDECLARED, CHATTED])
@pytest.mark.parametrize(
    ("record", "breach"), [(NOT_MARKED, 2), (BOTH_ADVANCE, 5)], ids=["a die for nothing", "other attackers"]
)
def test_a_breach_in_an_undeclared_battle_is_hidden_if_the_same_may_be_seen_of_a_legal_one(
    record: str, breach: int, habit: str
) -> None:
    assert is_hidden(record, breach, habit)
    assert not is_hidden(record, breach)


def test_a_breach_that_can_be_seen_is_not_hidden() -> None:
    assert not is_hidden(WITHOUT_A_BATTLE, 0, UNDECLARED)
