"""Records in which a counter acts that is not on the map: they are ruled on nevertheless."""

from __future__ import annotations

import pytest

from referee.judge import judge_record
from referee.record import parse

FINISHED = """
at turn 3, French movement
work fr-sapeurs across 3117
next turn 4, French movement
finish fr-sapeurs across 3117 destroyed
move fr-sapeurs 3017-2917
"""
ROUTED = """
at turn 3, French combat; place pt-ashworth on 2517 disordered turn 2 French
place uk-cadogan on 2317; place uk-byng on 2316; place uk-ocallaghan on 2318
attack 2517 with fr-rey fr-morgan
roll combat 5
lose pt-ashworth 4
rout pt-ashworth 2517..2017
next
"""
LOST = """
at turn 3, French combat; place fr-rey on 2617; place fr-morgan on 2818; place uk-cadogan on 2717 steps 2
attack 2717 with fr-rey
roll combat 2
eliminate uk-cadogan
lose fr-rey 1
lose uk-cadogan 1
retreat uk-cadogan 2717-2817
"""


@pytest.mark.parametrize(
    "case", [FINISHED, ROUTED, LOST], ids=["a finished bridge", "a routed unit", "a unit that was lost"]
)
def test_what_counters_off_the_map_do_is_judged(case: str) -> None:
    record = parse(f"game vitoria1813 scenario historical\n\ncase off the map{case}", "off.record")
    judged = [one for _, statements in judge_record(record) for one in statements]
    assert not [one.ruling.failure for one in judged if one.ruling and one.ruling.failure]
    assert any(one.ruling and one.ruling.breaches for one in judged)
