"""Every button and kind of command, pressed in a real VASSAL at the start, where nothing calls for it.

No battle is declared there: a button says nothing of one, or why it does nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.audit import audit
from referee.engine.rulings import Grade
from referee.table import read_log
from referee.table.replay import Replay
from vassalgen.announcements import parse_line
from vassalgen.game.finding import open_game

DATA = Path(__file__).parents[1] / "data" / "wrong-phases"
EXPLAINED = {
    "patton1943": [],
    "postcard1943": [],
    "tunisia1943": ["* There is no current battle.", "* Let it pass: only in Movement."],
    "vitoria1813": [
        f"* Claim a {what}: only in turn 12."
        for what in ("strategic victory", "major victory", "minor victory", "draw")
    ],
}
"""What is said that announces nothing."""
ILLEGAL = {
    "patton1943": {"17a"},  # the die for Rommel's recall is rolled before the end of the turn
    "postcard1943": set(),
    "tunisia1943": set(),
    "vitoria1813": {"1.0b"},  # a counter turned face up before the first turn
}


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_what_is_said_is_an_announcement_without_a_battle_or_explains_itself(game: str) -> None:
    log = read_log(DATA / f"{game}.vlog")
    lines = [line for step in Replay(log).steps() for line in step.chat if line.startswith("*")]
    assert [line for line in lines if re.search(r"\b[Bb]attle \d", line)] == []
    assert [line for line in lines if parse_line(line) is None] == EXPLAINED[game]


@pytest.mark.parametrize("game", sorted(ILLEGAL))
def test_only_what_is_declared_against_a_rule_is_illegal(game: str) -> None:
    found = audit([read_log(DATA / f"{game}.vlog")], open_game(game)).findings
    assert {one.clause for one in found if one.grade is Grade.illegal} == ILLEGAL[game]
