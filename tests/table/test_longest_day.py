"""The law of nine logs of one game: what they state agrees with the table, or the log itself is the cause."""

from __future__ import annotations

from collections import Counter
from math import inf
from pathlib import Path

import attrs
import pytest

from tests.table.longest_day import MAP, NAMES, PRESENT, Cause, Reading, differences

Readings = dict[str, Reading]

CUT_OFF, REDONE, UNDONE, OPENING = Cause.CUT_OFF, Cause.REDONE, Cause.UNDONE, Cause.OPENING
LEFT_BEHIND, OUTSIDE, UNHEARD, UNSTACKED = Cause.LEFT_BEHIND, Cause.OUTSIDE, Cause.UNHEARD, Cause.UNSTACKED

STATEMENTS = {
    "0606-1": (1345, {CUT_OFF: 65, OPENING: 1}),
    "0606-2": (1088, {REDONE: 14, LEFT_BEHIND: 12, Cause.REORDERED: 1, Cause.OLD_WORDS: 1}),
    "0606-3": (734, {OPENING: 28}),
    "0606-4": (104, {}),
    "0607-1": (2099, {CUT_OFF: 51, REDONE: 8, UNHEARD: 1}),
    "0607-2": (84, {}),
    "0607-3": (364, {}),
    "0607-4": (2636, {}),
    "0607-5": (456, {CUT_OFF: 5, UNDONE: 1}),
}
"""For each log how often a move or change states what was before, and why it did not agree."""

JOINTS = {
    ("0606-1", "0606-2"): {OUTSIDE: 40, REDONE: 5},
    ("0606-2", "0606-3"): {},
    ("0606-3", "0606-4"): {OUTSIDE: 10, UNHEARD: 6},
    ("0606-4", "0607-1"): {},
    ("0607-1", "0607-2"): {OUTSIDE: 44, REDONE: 15, UNHEARD: 6, UNSTACKED: 1},
    ("0607-2", "0607-3"): {OUTSIDE: 44},
    ("0607-3", "0607-4"): {},
    ("0607-4", "0607-5"): {},
}
"""For each two logs what differs between the end of one and the start of the next, by its cause."""


@pytest.fixture(scope="module")
def readings(shared: Path) -> Readings:
    folder = shared / "corpus" / "vlog"
    return {name: Reading(folder / f"uckelman__tld-mod__{name}.log") for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_agrees_or_the_log_is_the_cause(readings: Readings, name: str) -> None:
    reading = readings[name]
    causes = [(saying, reading.cause(saying)) for saying in reading.sayings]
    assert [saying for saying, cause in causes if cause is None] == []
    assert (reading.statements, Counter(cause for _, cause in causes)) == STATEMENTS[name]


def test_a_piece_whose_stack_is_taken_back_lies_on_no_map_until_it_moves(readings: Readings) -> None:
    assert {name: reading.unstacked for name, reading in readings.items() if reading.unstacked} == {
        "0606-1": 29,
        "0606-2": 4,
        "0606-3": 2,
        "0607-1": 38,
        "0607-3": 5,
        "0607-4": 3,
        "0607-5": 7,
    }


def test_stacks_the_log_never_made_are_dragged(readings: Readings) -> None:
    assert {name: len(reading.unheard) for name, reading in readings.items() if reading.unheard} == {
        "0606-1": 1,
        "0606-3": 2,
        "0606-4": 1,
        "0607-1": 11,
        "0607-5": 2,
    }


@pytest.mark.parametrize("joint", JOINTS, ids="-to-".join)
def test_a_log_begins_as_the_one_before_ended_or_the_cause_is_known(
    readings: Readings, joint: tuple[str, str]
) -> None:
    earlier, later = (readings[name] for name in joint)
    causes = [(saying, earlier.cause(saying)) for saying in differences(earlier, later)]
    assert [saying for saying, cause in causes if cause is None] == []
    assert Counter(cause for _, cause in causes) == JOINTS[joint]


def test_the_third_log_goes_on_from_moves_done_again_after_the_second_was_written(readings: Readings) -> None:
    before = readings["0606-2"]
    later = [attrs.evolve(one, step=inf, after=len(before.changes)) for one in readings["0606-3"].sayings]
    assert Counter(map(before.cause, later)) == {REDONE: 27, OUTSIDE: 1}


def test_what_lay_elsewhere_in_one_log_alone_lies_where_it_lay_in_the_next(readings: Readings) -> None:
    """The log in the middle was written by the other player, whose counters were elsewhere."""
    before, middle = readings["0607-1"], readings["0607-2"]
    away = list(differences(middle, readings["0607-3"]))
    assert len(away) == 44
    assert all(before.closing[saying.part] == saying.stated for saying in away)


def test_moves_of_unheard_stacks_are_what_the_player_saw_and_the_next_log_forgot(readings: Readings) -> None:
    """Moves of stacks that the log never made are carried out; a replay in VASSAL skips them."""
    forgotten = {
        saying.part[0]
        for one, two in JOINTS
        for saying in differences(readings[one], readings[two])
        if readings[one].cause(saying) is UNHEARD and saying.part[1] not in (MAP, PRESENT)
    }
    assert len(forgotten) == 9
