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


ADVANCED = """game vitoria1813 scenario historical
case one
at turn 3, French combat; place fr-rey fr-morgan on 2617; place uk-cadogan on 2717; place uk-byng on 2718
attack 2717 with fr-rey fr-morgan
also 2718
roll combat 6
result -|R1
retreat uk-cadogan 2717-2817
retreat uk-byng 2718-2818
advance fr-rey 2617-2717
"""


def test_who_has_advanced_is_not_offered_to_advance_again() -> None:
    ((_, judged),) = judge_record(parse(ADVANCED))
    position = judged[-1].after
    offered = {
        name: {played.ruling.action.verb for played in position.world.rulebook.options(position, (name,))}
        for name in ("fr-rey", "fr-morgan")
    }
    assert "advance" not in offered["fr-rey"]
    assert "advance" in offered["fr-morgan"]


FIRE_WITHOUT_A_DIE = """game vitoria1813 scenario historical
case one
at turn 3, French fire; place fr-rey fr-art-gazan1 on 2617; place uk-cadogan on 2717
fire 2717 with fr-art-gazan1
next
"""


def test_a_brigade_beside_guns_that_may_have_fired_is_offered_to_attack_alone() -> None:
    ((_, judged),) = judge_record(parse(FIRE_WITHOUT_A_DIE))
    position = judged[-1].after
    offered = position.world.rulebook.options(position, ("fr-rey",))
    assert ("fr-rey",) in {played.ruling.action.pieces for played in offered}
