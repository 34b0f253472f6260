"""Everything that can be pressed was pressed in a real VASSAL, and what it said can be read.

The script beside the log was played there: nothing was warned of, no dialog opened but those asked for, and
every entry that it names was there to be pressed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.table import read_log
from referee.table.replay import Replay
from tests.parts.pressing import buttons, commands
from vassalgen.announcements import Eliminated, Restored, parse_line
from vassalgen.compile import Compiled, compile_game
from vassalgen.game.finding import open_game

DATA = Path(__file__).parents[1] / "data"
KEYS = {"alt N": "next phase", "alt O": "overview", "alt K": "hide counters"}
RIGHT_ANY_TIME = {
    *("next phase", "undo", "Attack this hex", "Lose a step", "Regain a step"),
    *("Eliminate", "Restore", "Remove"),
}
"""What needs no battle, and was not tried at the start of a game."""
REMARKS = (
    "* There is no current battle.",
    "* Claim a ",  # only in the last turn
    "* No result yet: ",
    "* Not moved since a result that asks for a retreat: ",
    "* Over the stacking limit: ",
)
"""What a module says that changes nothing."""
GAMES = sorted(path.parent.name for path in DATA.glob("*/everything.play.json"))


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def module(played: str) -> Compiled:
    return compile_game(open_game(played))


@pytest.fixture(scope="module")
def script(played: str) -> list[Mapping[str, Any]]:
    text = (DATA / played / "everything.play.json").read_text("utf-8")
    ops: list[Mapping[str, Any]] = json.loads(text)["ops"]
    return ops


def test_every_command_of_every_kind_of_counter_was_pressed(
    module: Compiled, script: list[Mapping[str, Any]]
) -> None:
    kinds = {counter.name: counter.kind for counter in module.game.counters.values()}
    pressed = set()
    for one in script:
        if one["op"] == "key":
            for piece in one.get("pieces", [one.get("piece")]):
                entry = one.get("menu") or one["key"]
                pressed |= {(kinds[piece], entry), ("", entry)}  # what all kinds have is pressed on one
    assert set(commands(module)) - pressed == set()


def test_every_button_was_pressed(module: Compiled, script: list[Mapping[str, Any]]) -> None:
    pressed = {one["name"] for one in script if one["op"] == "button"}
    pressed |= {KEYS.get(one["key"], "") for one in script if one["op"] == "hotkey"}
    pressed |= {one["op"] for one in script}
    assert buttons(module) - pressed == set()


def test_what_may_be_wrong_was_tried_where_nothing_calls_for_it(played: str, module: Compiled) -> None:
    ops = json.loads((DATA / "wrong-phases" / f"{played}.play.json").read_text("utf-8"))["ops"]
    named = {one.get("name") or one.get("menu") or KEYS.get(one["key"]) for one in ops}
    entries = {entry for _, entry in commands(module) if not entry.startswith("NUMPAD")}
    assert (buttons(module) | entries) - named <= RIGHT_ANY_TIME


@pytest.mark.parametrize("name", ["everything", *(f"everything-{version}" for version in range(1, 7))])
def test_everything_that_was_said_can_be_read(played: str, name: str) -> None:
    """Version 1 of the modules had all commands on the counters; it said the same."""
    log = read_log(DATA / played / f"{name}.vlog")
    lines = [line for step in Replay(log).steps() for line in step.chat]
    unread = [line for line in lines if line.startswith("*") and parse_line(line) is None]
    assert [line for line in unread if not line.startswith(REMARKS)] == []
    said = {type(heard.announcement) for line in lines if (heard := parse_line(line))}
    assert {Eliminated, Restored} <= said
