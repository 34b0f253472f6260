"""Formations that act one after another, each while its leader is active."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.scribe.facts import Changed, Fact
from tests.standard.test_clerk import GAME
from tests.standard.test_dragged_stacks import dragged, findings, read
from tests.standard.variants import not_met
from vassalgen.game.checking import check
from vassalgen.game.finding import open_game

LEADERS = """
[formations]
first = { title = "1st Division", side = "blue" }
second = { title = "2nd Division", side = "blue" }
[states]
active = { title = "Active", kinds = "guns", ends = "movement" }
[kinds]
guns = { title = "guns", factors = ["attack", "defence", "mp"] }
"""
MEMBERS = "id,kind,name,formation\nb1,,,first\nb2,,,second\nb3,,,second\nbg,guns,,first\nba,guns,,second\n"
RULES = """
[activations]
clause = "3.3"
phase = "movement"
state = "active"
once = "3.4"
[states.active]
clause = "3.3"
begins = "movement"
"""
PLACES = "place b1 bg on 0304; place b2 ba on 0407; place b3 on 0402; place r1 r2 on 1008; place r3 on 1007"
VARIANTS = {
    "a formation acts while its leader is active": (
        "",
        """
        mark active bg ! legal
        move b1 0304-0305 ! legal
        move b2 0407-0406 ! unproven 3.3
        """,
    ),
    "a formation whose leader may still be activated has been, perhaps, unmarked": (
        "",
        """
        move b1 0304-0305 ! unproven 3.3
        mark active ba ! legal
        move b2 0407-0406 ! legal
        mark active bg ! unproven 3.4
        """,
    ),
    "a leader may be marked when its units have begun to act": (
        "",
        """
        move b1 0304-0305 ! unproven 3.3
        mark active bg ! legal
        move bg 0304-0305 ! legal
        mark active ba ! legal
        mark active bg ! illegal 3.4
        """,
    ),
    "a formation acts again when its turn is over": (
        "",
        """
        mark active bg ! legal
        move b1 0304-0305 ! legal
        mark active ba ! legal
        move b2 0407-0406 ! legal
        move b1 0305-0306 ! illegal 3.3
        """,
    ),
    "a leader is activated as often as the rules say, and its units move each time": (
        "times = { bg = 2 }",
        """
        mark active bg ! legal
        move b1 0304-0305-0306-0307-0308 ! legal
        mark active ba ! legal
        mark active bg ! legal
        move b1 0308-0307-0306-0305-0304 ! legal
        mark active ba ! illegal 3.4
        mark active bg ! illegal 3.4
        """,
    ),
    "a unit of no formation acts with every leader of its side": (
        'free = "b3"',
        """
        mark active bg ! legal
        move b3 0402-0401 ! legal
        """,
    ),
    "all of a side act with its leader": (
        'of = "side"',
        """
        mark active bg ! legal
        move b2 0407-0406 ! legal
        """,
    ),
    "a leader is active no more when the phase is over": (
        "",
        """
        mark active bg ! legal
        next ! legal
        next turn 2, Blue movement ! legal
        mark active bg ! legal
        move b1 0304-0305 ! legal
        """,
    ),
}


@pytest.fixture(name="folder")
def a_game_with_leaders(tmp_path: Path) -> Path:
    (tmp_path / "game.toml").write_text(LEADERS)
    (tmp_path / "counters.csv").write_text(MEMBERS)
    (tmp_path / "rules.toml").write_text(RULES)
    return tmp_path


@pytest.mark.parametrize("name", VARIANTS)
def test_units_act_with_their_leader(folder: Path, name: str) -> None:
    keys, actions = VARIANTS[name]
    (folder / "rules.toml").write_text(RULES.replace("[states.active]", f"{keys}\n[states.active]"))
    assert not_met(folder, actions, PLACES) == []


def marked(step: int, leader: str, old: int, new: int) -> tuple[Fact, ...]:
    """A leader whose marker is put on or taken off."""
    return (Changed(step=step, counter=leader, state="active", old=old, new=new),)


def test_a_marker_that_is_taken_off_when_all_have_moved_was_no_mistake(folder: Path) -> None:
    draft = read(
        folder,
        RULES,
        "movement",
        marked(1, "bg", 0, 1),
        dragged(2, "b1", "0302", "0303"),
        marked(3, "bg", 1, 0),
        marked(4, "ba", 0, 1),
        dragged(5, "b2", "0302", "0303"),
        bg="0302",
        ba="0302",
    )
    assert findings(draft) == []


def test_a_marker_that_is_taken_off_at_once_was_a_mistake(folder: Path) -> None:
    draft = read(
        folder,
        RULES,
        "movement",
        marked(1, "bg", 0, 1),
        marked(2, "bg", 1, 0),
        marked(3, "ba", 0, 1),
        marked(4, "bg", 0, 1),
        dragged(5, "b1", "0302", "0303"),
        bg="0302",
        ba="0302",
    )
    assert findings(draft) == []


def test_a_state_that_does_not_end_with_the_phase_is_reported(folder: Path) -> None:
    (folder / "game.toml").write_text(LEADERS.replace(', ends = "movement"', ""))
    found = [str(one) for one in check(open_game(GAME, [folder]))]
    assert any("does not end with the phase 'movement'" in one for one in found)


def test_a_leader_that_is_activated_twice_running_is_marked_anew(folder: Path) -> None:
    draft = read(
        folder,
        RULES.replace("[states.active]", "times = { bg = 2 }\n[states.active]"),
        "movement",
        marked(1, "bg", 0, 1),
        dragged(2, "b1", "0302", "0305"),
        marked(3, "bg", 1, 0),
        marked(4, "bg", 0, 1),
        dragged(5, "b1", "0305", "0308"),
        bg="0302",
    )
    assert findings(draft) == []
