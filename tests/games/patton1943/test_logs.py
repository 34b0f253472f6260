"""What logs say of units out of supply, changes of mind and battlegroups."""

from __future__ import annotations

from referee.audit import Report
from referee.engine.actions import Action
from referee.engine.rulings import Grade
from referee.judge import judge_record
from referee.record import parse
from tools.proof.judging import SIMPLE, audit_game
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step

GAME, SCENARIO, BOTH = "patton1943", "historical", 1
OUT_OF_SUPPLY = """
at turn 5, Axis replacement; place de-10pz on 8722 steps {}; place us-1 on 8721; place us-3 on 8622
place us-9 on 8823; place us-34 on 8624
next
eliminate de-10pz
next
"""


def audited(record: str) -> Report:
    """The audit of a log of a case that one plays for both sides."""
    ((_, judged),) = judge_record(parse(f"game {GAME} scenario {SCENARIO}\ncase one\n{record}"))
    steps = [
        Step(one.statement.content, one.before, one.after, one.ruling)
        for one in judged
        if one.ruling is not None and isinstance(one.statement.content, Action)
    ]
    return audit_game(opening_of(GAME, SCENARIO), steps, BOTH, SIMPLE)[0]


def test_out_of_supply_a_reduced_unit_is_lost_and_a_full_one_only_loses_a_step() -> None:
    assert not [one for one in audited(OUT_OF_SUPPLY.format(1)).findings if "de-10pz" in one.units]
    (taken_off,) = [one for one in audited(OUT_OF_SUPPLY.format(2)).findings if "de-10pz" in one.units]
    assert taken_off.clause == "13a"


def test_a_loss_out_of_supply_that_is_carried_out_two_phases_later_leaves_the_phase_before_open() -> None:
    in_time = OUT_OF_SUPPLY.format(1).replace("Axis replacement", "Axis return")
    late = "next\nnext\nnext\neliminate de-10pz\nmove us-34 8624..8724\n"
    assert not audited(in_time.replace("eliminate de-10pz\n", late)).findings


CHANGES_OF_MIND = """
at turn 5, Axis return; place de-air1 de-air2 in axis-returning; place de-15pz on 8512 steps 1
place de-10pz on 8511 steps 1; place de-88 in axis-dead; place us-1 on 7914
return de-air1 on 8305; return de-air1 on 8414; return de-air2 on 8305
next
rebuild de-10pz; lose de-10pz; reclaim de-88 on 8412; reclaim de-88 on 8611
next
"""


def test_where_aircraft_return_and_what_is_replaced_may_be_changed_within_the_phase() -> None:
    assert not audited(CHANGES_OF_MIND).findings


BATTLEGROUP_OF_ANOTHER_NATION = """
at turn 5, Axis battles; place us-bg1 uk-bg3 in allied-pool
place de-10pz on 8513; place us-1 us-td on 8514; place us-1 steps 1
attack 8514 with de-10pz; roll attack 3; roll defence 1
lose de-10pz; eliminate us-1; battlegroup uk-bg3 on 8514
next
"""


def test_a_doubtful_battlegroup_comes_in_its_battle_and_not_when_the_track_was_forgotten() -> None:
    (doubtful,) = audited(BATTLEGROUP_OF_ANOTHER_NATION).findings
    assert (doubtful.clause, doubtful.grade) == ("13b", Grade.unproven)


DEFENDER_RETURNS_FIRST = """
at turn 5, Axis return; place de-air1 in axis-returning; place us-air1 in allied-returning
return us-air1 on 7712
"""


def test_a_log_that_ends_as_the_defender_returns_first_accuses_nobody_of_what_may_still_be_done() -> None:
    (out_of_order,) = audited(DEFENDER_RETURNS_FIRST).findings
    assert out_of_order.clause == "7.6d"
