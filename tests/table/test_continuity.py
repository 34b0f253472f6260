"""What is said to have changed between two logs of one game."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from referee.table import Replay, read_log
from referee.table.continuity import difference_lines, differences
from tests.table.games import FIELD, A, B, Played, battlefield, counter, stack
from vassalgen.vassal.commands import ChangeProperty, Command, RestoreProperty, SetTurn
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.turns import Level, Tracker

MODULE = attrs.evolve(
    battlefield(),
    properties={"Module": {"Score": "0", "2d6_result": "1"}, FIELD: {"Weather": "dry"}},
    trackers=(Tracker("TurnTracker0", "Turn", "$level1$", (Level("Turn", "Now", "Turn $value$", 1),)),),
)


def changed(before: list[Command], after: list[Command]) -> list[str]:
    tables = (Played(setup, module=MODULE).table for setup in (before, after))
    return [str(difference) for difference in differences(*tables)]


def steps(value: str) -> Command:
    return counter("1", A, (DynamicProperty(name="Steps"), DynamicPropertyState(value=value)))


def test_the_same_position_has_no_differences() -> None:
    setup: list[Command] = [counter("1", A), stack("s", A, "1"), counter("2", B)]
    assert changed(setup, setup) == []


def test_stacks_do_not_count_but_what_lies_in_them() -> None:
    assert changed([counter("1", A)], [counter("1", A), stack("s", A, "1")]) == []


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        pytest.param(
            counter("1", A),
            counter("1", B),
            f"Unit 1: 0201 ({FIELD}) → 0401 ({FIELD})",
            id="another place",
        ),
        pytest.param(
            steps("2"),
            steps("1"),
            "Unit 1, Steps: '2' → '1'",
            id="another state",
        ),
        pytest.param(
            counter("1", A),
            counter("1", A, (Marker(names=("Side",)), MarkerState(items=("Axis",)))),
            "Unit 1, definition: 1 traits → 2",
            id="another piece",
        ),
        pytest.param(
            SetTurn(tracker="TurnTracker0", state="0|1;0;false;-1"),
            SetTurn(tracker="TurnTracker0", state="0|2;0;false;-1"),
            "turn track: Turn 1 → Turn 2",
            id="another turn",
        ),
        pytest.param(
            RestoreProperty(name="Score", value="1", container="Module"),
            RestoreProperty(name="Score", value="2", container="Module"),
            "property Score: '1' → '2'",
            id="another score",
        ),
        pytest.param(
            RestoreProperty(name="Weather", value="dry", container=FIELD),
            RestoreProperty(name="Weather", value="mud", container=FIELD),
            "property Weather: 'dry' → 'mud'",
            id="another property of a map",
        ),
    ],
)
def test_what_differs_is_named_once(before: Command, after: Command, lines: str) -> None:
    found = changed([before], [after])
    assert lines in found
    assert all(line == lines or line.startswith(("property Now", "property Turn_")) for line in found)


def test_pieces_that_came_or_went_are_named() -> None:
    assert changed([counter("1", A)], [counter("2", A)]) == [
        f"Unit 1: 0201 ({FIELD}) → gone",
        f"Unit 2: not there → 0201 ({FIELD})",
    ]


def test_the_same_difference_of_many_pieces_is_one_line() -> None:
    before = [counter(f"{number}", A) for number in range(10)]
    after = [counter(f"{number}", B) for number in range(10)]
    tables = (Played(list(setup), module=MODULE).table for setup in (before, after))
    assert list(difference_lines(differences(*tables))) == [
        f"Unit 0, Unit 1, Unit 2, Unit 3, Unit 4, Unit 5 and 4 more: 0201 ({FIELD}) → 0401 ({FIELD})"
    ]


def test_a_definition_that_gained_a_field_says_so() -> None:
    short, long = (counter("1", A, (Marker(names=("Side",)), MarkerState(items=("Axis",)))) for _ in "12")
    long = attrs.evolve(long, type=long.type.replace("Side", "Side;extra", 1))
    assert changed([short], [long]) == ["Unit 1, definition: its trait mark → the same, followed by ';extra'"]


def test_off_the_maps_is_one_place() -> None:
    one, two = counter("1", None), counter("1", None)
    two = attrs.evolve(two, state=two.state.replace("null;0;0", "null;50;60"))
    assert changed([one], [two]) == []


def test_what_dice_showed_last_is_in_no_save() -> None:
    rolled = ChangeProperty(name="2d6_result", old="1", new="6", container="Module")
    assert changed([rolled], []) == []


@pytest.mark.parametrize("joint", [("0606-2", "0606-3"), ("0607-4", "0607-5")], ids="-to-".join)
def test_logs_that_follow_each_other_do(shared: Path, joint: tuple[str, str]) -> None:
    folder = shared / "corpus" / "vlog"
    one, two = (Replay(read_log(folder / f"uckelman__tld-mod__{name}.log")) for name in joint)
    for _ in one.steps():
        pass
    assert differences(one.table, two.table) == ()
