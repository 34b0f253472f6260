"""Every button and kind of command, pressed in a real VASSAL without a reason. At the start no battle is
declared: a button does nothing, or says why it does nothing. In the middle of a
game all are pressed with a battle declared and two units lost, some phases later, and on a lost unit.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.audit import audit
from referee.engine.rulings import Grade
from referee.table import read_log
from referee.table.replay import Replay
from vassalgen.announcements import StateChanged, StrengthSet, parse_line
from vassalgen.game.finding import open_game
from vassalgen.parts.pieces import NOT_ELIMINATED

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
REMARKS = ("* No result yet: ", "* Not moved since a result that asks for a retreat: ")
"""What the module says by itself when the track is advanced."""
ILLEGAL: dict[str, set[str]] = {
    "patton1943": set(),  # the early die for Rommel's recall may be that of a wrong button
    "patton1943-later": {"5b", "5k", "5r"},  # battlegroups come out of the pool during the set-up
    "patton1943-phases": set(),
    "postcard1943": set(),
    "postcard1943-later": {"reinf.5"},  # a reinforcement of turn 4 is moved in turn 1
    "postcard1943-phases": set(),
    "tunisia1943": set(),
    "tunisia1943-later": {"4.2b"},  # headquarters move before their side does
    "tunisia1943-phases": {"4.2b", "4.3d"},  # displaced and broken through without an enemy
    "vitoria1813": {"1.0b"},  # a counter turned face up before the first turn
    "vitoria1813-later": set(),
    "vitoria1813-phases": {"1.0b", "1.0c"},  # the same; turned face down again
}
"""The clauses that an audit of each log finds broken."""


def said(name: str) -> list[str]:
    return [line for step in Replay(read_log(DATA / f"{name}.vlog")).steps() for line in step.chat]


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_what_is_said_is_an_announcement_without_a_battle_or_explains_itself(game: str) -> None:
    lines = [line for line in said(game) if line.startswith("*")]
    assert [line for line in lines if re.search(r"\b[Bb]attle \d", line)] == []
    assert [line for line in lines if parse_line(line) is None] == EXPLAINED[game]


@pytest.mark.parametrize("name", sorted(ILLEGAL))
def test_only_what_is_done_against_a_rule_is_illegal(name: str) -> None:
    game = name.partition("-")[0]
    found = audit([read_log(DATA / f"{name}.vlog")], open_game(game)).findings
    assert {one.clause for one in found if one.grade is Grade.illegal} == ILLEGAL[name]


LATER = {
    "patton1943": ["* Set-up is complete: only in Movement."] * 2,
    "postcard1943": [],
    "tunisia1943": ["* Let it pass: only in Movement.", "* There is no current battle."],
    "vitoria1813": EXPLAINED["vitoria1813"] * 2,
}
"""What is said in the middle of a game that announces nothing."""


@pytest.mark.parametrize("game", sorted(LATER))
def test_what_is_said_in_the_middle_of_a_game_is_an_announcement_or_explains_itself(game: str) -> None:
    lines = said(f"{game}-later")
    unread = [line for line in lines if line.startswith("*") and parse_line(line) is None]
    assert [line for line in unread if not line.startswith(REMARKS)] == LATER[game]


@pytest.mark.parametrize("game", sorted(LATER))
def test_no_battle_is_announced_when_every_command_is_tried_on_a_lost_unit(game: str) -> None:
    lines = said(f"{game}-later")
    (begins,) = [place for place, line in enumerate(lines) if "Every command on a unit that is lost." in line]
    assert [line for line in lines[begins:] if re.search(r"\b[Bb]attle \d", line)] == []


OVER = "* This battle has its result. Attack again to fight another."
PHASES = {
    "patton1943-phases": ("* Set-up is complete: only in Movement.", "* Set-up is complete: only in turn 1."),
    "postcard1943-phases": (OVER,),
    "tunisia1943-phases": ("* There is no current battle.", "* Let it pass: only in Movement.", OVER),
    "vitoria1813-phases": (*EXPLAINED["vitoria1813"], OVER),
}
"""What is said in any phase of a turn, and after the result of a battle, that announces nothing."""


@pytest.mark.parametrize("name", sorted(PHASES))
def test_what_is_said_in_each_phase_is_an_announcement_or_explains_itself(name: str) -> None:
    unread = [line for line in said(name) if line.startswith("*") and parse_line(line) is None]
    assert {line for line in unread if not line.startswith(REMARKS)} == set(PHASES[name])


@pytest.mark.parametrize("name", sorted(PHASES))
def test_a_battle_is_named_only_between_its_declaration_and_the_end_of_its_phase(name: str) -> None:
    lines = said(name)
    begins = next(place for place, line in enumerate(lines) if "Battle 1: attack on" in line)
    ends = next(place for place in range(begins, len(lines)) if lines[place].startswith("* Phase: "))
    others = (*lines[:begins], *lines[ends + 1 :])
    assert [line for line in others if re.search(r"\b[Bb]attle \d", line)] == []


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_what_counters_in_boxes_say_is_an_announcement_or_explains_itself(game: str) -> None:
    unread = [line for line in said(f"{game}-boxes") if line.startswith("*") and parse_line(line) is None]
    assert {line for line in unread if not line.startswith((*REMARKS, "* UNDO: "))} == {f"* {NOT_ELIMINATED}"}


@pytest.mark.parametrize("game", sorted(LATER))
def test_a_lost_unit_changes_no_state(game: str) -> None:
    lines = said(f"{game}-later")
    (begins,) = [place for place, line in enumerate(lines) if "Every command on a unit that is lost." in line]
    heard = [one.announcement for line in lines[begins:] if (one := parse_line(line))]
    assert [one for one in heard if isinstance(one, StateChanged | StrengthSet)] == []
