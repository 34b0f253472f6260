"""Genuine logs: the table equals what the real engine shows, piece for piece, after every step."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from referee.table import Replay, read_log, read_module
from referee.table.events import Contradicted, Odd
from tests.table import truth

NOT_KNOWN = {"DrawingMouseover", "DrawingMouseoverIndex"}
"""Properties of the mouse, not of the table."""


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "vassal-truth"


@pytest.mark.parametrize(
    ("log", "shown"), [("demo.vlog", "demo.truth.jsonl"), ("demo-long.vlog", "demo-long.truth.jsonl.xz")]
)
def test_every_step_leaves_the_table_that_vassal_shows(folder: Path, log: str, shown: str) -> None:
    assert list(truth.differences(folder / log, folder / "demo.vmod", folder / shown)) == []


def test_every_property_of_a_piece_is_what_vassal_says(folder: Path) -> None:
    found = list(truth.properties(folder / "demo.vlog", folder / "demo.vmod", folder / "demo.truth.jsonl"))
    assert len(found) > 20_000
    assert [one for one in found if one[2] != one[3] and one[1] not in NOT_KNOWN] == []


def test_a_save_lays_out_what_lay_there_when_it_was_written(folder: Path) -> None:
    table = Replay(read_log(folder / "demo.vsav"), read_module(folder / "demo.vmod")).table
    places = {
        one.id: (table.sight.name(one), one.map.name if one.map else "", *one.position)
        for one in table.pieces()
    }
    assert places == truth.last_places(folder / "demo.truth.jsonl")


@pytest.mark.parametrize("log", ["demo.vlog", "demo-long.vlog"])
def test_a_log_that_vassal_wrote_itself_never_contradicts_itself(folder: Path, log: str) -> None:
    replay = Replay(read_log(folder / log), read_module(folder / "demo.vmod"))
    odd = [event for step in replay.steps() for event in step.events if isinstance(event, Contradicted | Odd)]
    assert odd == []
    assert replay.opening.events == ()


def test_a_log_is_replayed_in_less_memory_than_six_times_its_text(shared: Path) -> None:
    path = shared / "corpus" / "vlog" / "uckelman__tld-mod__0607-4.log"
    Replay(read_log(path))  # so that what is imported on the way does not count
    tracemalloc.start()
    try:
        replay = Replay(read_log(path))
        steps = sum(1 for _ in replay.steps())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert steps == 954
    text = sum(len(node.text) for node in replay.log.stream.root.walk())
    assert peak < 6 * text
