"""Steps that come back in a game without replacements: a mistake put right, or a breach."""

from __future__ import annotations

from pathlib import Path

from referee.judge import judge_record
from referee.record import parse

HERE = Path(__file__).parent
PUT_BACK = """game dalia

case a step that was taken off the wrong unit
at turn 1, Blue assault; place b1 on 0105; place r1 r2 on 0205
attack 0205 with b1 ! legal
roll assault 5 ! legal
lose r2 ! legal
lose b1 ! legal
regain r2 ! legal
lose r1 ! legal
settle ! legal

case a step that nobody has lost
at turn 1, Blue movement; place b1 steps 1 on 0104; place r1 on 0204
regain b1 ! illegal 2.1
"""


def test_a_step_comes_back_only_where_it_was_taken_off_by_mistake() -> None:
    wrong = {
        judged.statement.line: [breach.says for breach in judged.ruling.breaches]
        for _, statements in judge_record(parse(PUT_BACK, str(HERE / "x.record")))
        for judged in statements
        if judged.ruling and judged.failed
    }
    assert wrong == {}
