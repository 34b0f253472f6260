"""Turn trackers, against what the engine showed."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal.strategies_streams import hostile_texts
from vassalgen.vassal import sequences, streams
from vassalgen.vassal.commands import SetTurn
from vassalgen.vassal.savedgame import read_saved_game
from vassalgen.vassal.turns import Level, Tracker


def fill(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$(\w+)\$", lambda match: values.get(match[1], ""), text)


PHASE = Level("Phase", "Phase", words=("Move", "Combat"))
TURN = Level("Turn", "TurnNumber", "Turn $value$", children=(PHASE,))
SIMPLE = Tracker("TurnTracker0", format="$level1$, $level2$", levels=(TURN,))

DEMO = Tracker(
    "TurnTracker0",
    format="$level1$ $level2$ $level3$",
    levels=(
        Level(
            "Turn",
            "TurnNo",
            "Turn $value$",
            children=(Level("Player", "ActiveSide", words=("Red", "Blue"), children=(PHASE,)),),
        ),
    ),
)
"""The tracker of the demonstration module."""


def counter(value: int, *children: str, sub_level: int = 0) -> str:
    """The state of a level that counts, with those of the levels below it."""
    return sequences.encode([str(value), str(sub_level), "false", "-1", *children], ";")


def words(value: int, *children: str, sub_level: int = 0) -> str:
    """The state of a level of words, likewise."""
    return sequences.encode([str(value), str(sub_level), "0", "true,true", *children], ";")


def whole(*levels: str, current: int = 0) -> str:
    """The state of a tracker."""
    return sequences.encode([str(current), *levels], "|")


class TestStates:
    def test_the_second_phase_of_the_first_turn(self) -> None:
        reading = SIMPLE.read(r"0|1;0;false;-1;1\;0\;0\;true,true")
        assert reading.text(fill) == "Turn 1, Combat"
        assert reading.properties() == {"TurnNumber": "1", "Phase": "Combat"}
        assert [level.value for level in reading.levels[0].everything()] == [1, 1]

    def test_a_new_game_begins_at_the_start_with_the_first_words(self) -> None:
        late = Tracker("TurnTracker0", levels=(Level("Year", "Year", start=1805, children=(PHASE,)),))
        assert late.read().properties() == {"Year": "1805", "Phase": "Move"}
        assert late.read().text(fill).rstrip() == "1805 Move"

    def test_three_levels_are_nested_in_each_other(self) -> None:
        state = r"0|12;0;false;-1;1\;0\;0\;true,true\;1\\;0\\;0\\;true,true"
        assert DEMO.read(state).text(fill) == "Turn 12 Blue Combat"

    def test_of_several_levels_on_top_the_current_one_is_shown_and_all_publish(self) -> None:
        tracker = Tracker(
            "TurnTracker0",
            levels=(Level("Day", "Day", words=("Dawn", "Dusk")), Level("Night", "Hour", start=20)),
        )
        reading = tracker.read(whole(words(1), counter(23), current=1))
        assert reading.text(fill).strip() == "23"
        assert reading.properties() == {"Day": "Dusk", "Hour": "23"}

    def test_of_several_levels_below_the_current_one_is_shown_and_all_publish(self) -> None:
        below = (
            Level("Land", "Land", words=("March", "Fight")),
            Level("Sea", "Sea", words=("Sail", "Board")),
        )
        tracker = Tracker("TurnTracker0", levels=(Level("Turn", "Turn", children=below),))
        reading = tracker.read(whole(counter(4, words(1), words(0), sub_level=1)))
        assert reading.text(fill).strip() == "4 Sail"
        assert reading.properties() == {"Land": "Fight", "Sea": "Sail", "Turn": "4"}

    def test_entries_that_are_switched_off_do_not_shift_the_others(self) -> None:
        tracker = Tracker("TurnTracker0", levels=(Level("Phase", "Phase", words=("Air", "Move", "Combat")),))
        assert tracker.read("0|2;0;1;false,true,true").properties() == {"Phase": "Combat"}
        assert tracker.read("0|0;0;1;false,true,true").properties() == {"Phase": "Air"}

    def test_words_may_hold_the_delimiters_of_states(self) -> None:
        tracker = Tracker("TurnTracker0", levels=(Level("Phase", words=("a;b", "c|d")),))
        assert tracker.read("0|1;0;0;true,true").text(fill).strip() == "c|d"

    def test_a_level_without_a_property_publishes_nothing(self) -> None:
        assert Tracker("TurnTracker0", levels=(Level("Turn"),)).read().properties() == {}

    def test_a_tracker_without_levels_says_nothing(self) -> None:
        assert Tracker("TurnTracker0", format="now: $level1$").read("0").text(fill) == "now: "

    def test_a_format_names_fifteen_levels_at_most(self) -> None:
        level = Level("16")
        for number in range(15, 0, -1):
            level = Level(str(number), words=(f"word {number}",), children=(level,))
        tracker = Tracker("TurnTracker0", format="$level15$/$level16$/", levels=(level,))
        assert tracker.read().text(fill) == "word 15//"


class TestOddStates:
    """What the engine showed of such states when it was made to load them."""

    @pytest.mark.parametrize(
        ("state", "text"),
        [
            (None, "Turn 1 Red Move"),
            ("", "Turn 1 Blue Combat"),
            ("0", "Turn 1 Blue Combat"),
            ("0|1;0;false;-1", "Turn 1 Blue Combat"),
            ("5|7;3;false;-1;1;0;0;true,true", "Turn 7 Blue Combat"),
            (r"0|x;0;false;-1;9\;0\;0\;true,true\;0\\;0\\;0\\;true,true", "Turn 1  Move"),
        ],
    )
    def test_missing_and_senseless_fields_take_what_vassal_takes(self, state: str | None, text: str) -> None:
        assert DEMO.read(state).text(fill) == text

    @pytest.mark.parametrize(("index", "text"), [(1, "Dusk"), (2, "Dusk"), (5, "Dusk")])
    def test_a_level_beyond_the_last_is_the_last(self, index: int, text: str) -> None:
        sisters = (Level("Day", words=("Dawn", "Noon")), Level("Night", words=("Night", "Dusk")))
        below = Tracker("TurnTracker0", format="$level2$", levels=(Level("Turn", children=sisters),))
        assert below.read(whole(counter(1, words(0), words(1), sub_level=index))).text(fill) == text
        top = Tracker("TurnTracker0", format="$level1$", levels=sisters)
        assert top.read(whole(words(0), words(1), current=index)).text(fill) == text

    def test_of_levels_with_one_property_the_parent_has_the_last_word(self) -> None:
        shared_name = Level(
            "Player", "Now", words=("Red", "Blue"), children=(Level("Phase", "Now", words=("Move",)),)
        )
        tracker = Tracker("TurnTracker0", levels=(shared_name,))
        assert tracker.read(whole(words(1, words(0)))).properties() == {"Now": "Blue"}

    def test_of_sisters_with_one_property_the_last_has_the_last_word_current_or_not(self) -> None:
        sisters = (
            Level("Phase", "Phase", words=("Move", "Combat")),
            Level("Phase2", "Phase", words=("X", "Y")),
        )
        tracker = Tracker("TurnTracker0", levels=(Level("Player", children=sisters),))
        reading = tracker.read(whole(counter(7, words(0), words(1))))
        assert reading.properties() == {"Phase": "Y"}
        assert reading.text(fill).split() == ["7", "Move"]


indices = st.integers(-2, 4)


@settings(deadline=None)
@given(*[indices] * 7)
def test_any_values_can_be_shown(
    top: int, turn: int, in_turn: int, side: int, in_side: int, phase: int, in_phase: int
) -> None:
    below = words(side, words(phase, sub_level=in_phase), sub_level=in_side)
    reading = DEMO.read(whole(counter(turn, below, sub_level=in_turn), current=top))
    names = [name_of("Red Blue", side), name_of("Move Combat", phase)]
    assert reading.text(fill) == f"Turn {turn} {names[0]} {names[1]}"
    assert reading.properties() == {"TurnNo": str(turn), "ActiveSide": names[0], "Phase": names[1]}


def name_of(names: str, index: int) -> str:
    return names.split()[index] if 0 <= index < 2 else ""


@settings(deadline=None)
@given(st.text("0123;|\\,'true-") | hostile_texts)
def test_any_text_can_be_read_as_a_state(text: str) -> None:
    reading = DEMO.read(text)
    assert reading.text(fill).startswith("Turn ")
    assert set(reading.properties()) == {"TurnNo", "ActiveSide", "Phase"}


def test_the_demonstration_reads_as_the_engine_showed_it(shared: Path) -> None:
    truth = (shared / "vassal-truth" / "demo.truth.jsonl").read_text("utf-8")
    seen = set()
    for line in truth.splitlines():
        moment = json.loads(line)
        for shown in moment.get("turns", ()):
            reading = DEMO.read(shown["state"])
            assert reading.text(fill) == shown["text"]
            assert reading.properties().items() <= moment["globals"]["module"].items()
            seen.add(shown["text"])
    assert len(seen) == 4


def test_the_long_demonstration_reads_as_the_engine_showed_it(shared: Path) -> None:
    with lzma.open(shared / "vassal-truth" / "demo-long.truth.jsonl.xz", "rt", encoding="utf-8") as lines:
        moments = [json.loads(line) for line in lines]
    shown = {(turn["state"], turn["text"]) for moment in moments for turn in moment.get("turns") or ()}
    assert len(shown) > 30
    for state, text in shown:
        assert DEMO.read(state).text(fill) == text
    game = read_saved_game(shared / "vassal-truth" / "demo-long.vlog")
    written = [node.command for node in streams.decode(game.text).root.walk()]
    found = {command.state for command in written if isinstance(command, SetTurn)}
    assert {state for state, _ in shown} <= found
