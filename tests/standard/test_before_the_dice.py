"""Defenders that leave before the dice, in logs: an attack on an empty hex is not rolled."""

from __future__ import annotations

from pathlib import Path

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.scribe.draft import Draft
from referee.scribe.facts import Fact, JoinedBattle, Turned
from tests.standard.test_dragged_stacks import dragged, findings, read

BEFORE = '[retreat]\nbefore = "9.1"\nbefore_who = "armour"'
PLACES = {"b1": "0501", "b2": "", "r1": "", "r2": "", "ra": "0601"}
TO_COMBAT, BEYOND = (Turned(step=1, clock=Clock(1, 2)),), (Turned(step=4, clock=Clock(1, 3)),)
DECLARED: tuple[Fact, ...] = (
    JoinedBattle(step=2, counter="ra", battle=1, role="D", place="0601"),
    JoinedBattle(step=2, counter="b1", battle=1, role="A", place="0501"),
)


def said(draft: Draft) -> list[str]:
    """The verbs that were read."""
    return [one.statement.content.verb for one in draft.readings if isinstance(one.statement.content, Action)]


def test_an_attack_before_which_the_defenders_left_is_read_though_nobody_rolls(tmp_path: Path) -> None:
    away = dragged(3, "ra", "0601", "0701")
    draft = read(tmp_path, BEFORE, "movement", TO_COMBAT, DECLARED, away, BEYOND, **PLACES)
    assert said(draft) == ["next", "attack", "retreat", "next"]
    assert findings(draft) == []


def test_where_no_unit_may_leave_before_the_dice_it_moves_out_of_turn(tmp_path: Path) -> None:
    away = dragged(3, "ra", "0601", "0701")
    draft = read(tmp_path, "", "movement", TO_COMBAT, DECLARED, away, BEYOND, **PLACES)
    assert said(draft) == ["next", "move", "next"]
    assert [clause for clause, _ in findings(draft)] == ["3.4"]
