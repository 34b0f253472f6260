"""What the rules offer to do in positions that seldom come up."""

from __future__ import annotations

from referee.judge import judge_record
from referee.record import parse

LOST_BEFORE_THE_DIE = """game vitoria1813 scenario historical
case one
at turn 3, French combat; place fr-rey on 2617; place uk-cadogan on 2717
attack 2717 with fr-rey
eliminate fr-rey
"""


def test_an_attacker_who_is_lost_before_the_die_attacks_no_further_hex() -> None:
    ((_, judged),) = judge_record(parse(LOST_BEFORE_THE_DIE))
    position = judged[-1].after
    offered = position.world.rulebook.options(position, ("fr-rey",))
    assert "also" not in {played.ruling.action.verb for played in offered}
