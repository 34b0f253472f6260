"""What is said of a roll to rally, when no general has part in it."""

from __future__ import annotations

from referee.judge import judge_record
from referee.record import parse

ALONE = """game vitoria1813 scenario historical

case a unit that rallies alone
at turn 3, French rally; place fr-fririon on 2617; place fr-fririon routed
roll rally 3 for fr-fririon
"""


def test_a_unit_without_a_general_is_not_called_its_own_general() -> None:
    ((_, judged),) = judge_record(parse(ALONE, "alone.record"))
    ruling = judged[-1].ruling
    assert ruling is not None
    (breach,) = ruling.breaches
    assert (breach.clause, breach.says) == (
        "2d",
        "A rally die is rolled for Fririon; a general must be in its hex, and none is.",
    )
    assert breach.facts == {"unit": "fr-fririon", "hex": "2617"}
