"""Every clause that is judged has rules, and cases that try them."""

from __future__ import annotations

from pathlib import Path

from tools.coverage import coverage
from vassalgen.game.finding import open_game

CASES = Path(__file__).parents[2] / "cases"


def test_no_judged_clause_lacks_a_rule_or_a_pair_of_cases() -> None:
    game = open_game("tunisia1943")
    lacking = {each.clause: each.missing for each in coverage(game, CASES / game.id) if each.missing}
    assert lacking == {}
