"""Markers that mean something in the hex where they are, as logs show them laid and taken off."""

from __future__ import annotations

from pathlib import Path

from referee.engine.actions import Action
from referee.scribe.facts import Fact, Marked
from tests.standard.test_dragged_stacks import dragged, findings, read

AIR = '[markers.air]\nclause = "5.5"\nmarker = "m-air"\ndoes = 4\nwho = "blue"\n'


def marker(step: int, place: str) -> tuple[Fact, ...]:
    """A marker laid into a hex."""
    return (Marked(step=step, piece="marker-1", marker="m-air", place=place, laid=True),)


def folder_with(tmp_path: Path) -> Path:
    (tmp_path / "counters.csv").write_text("id,kind,name,count\nm-air,marker,Interdiction,4\n")
    return tmp_path


def test_a_marker_makes_a_hex_costlier_until_it_is_taken_off(tmp_path: Path) -> None:
    laid = marker(1, "0501"), dragged(2, "b2", "0301", "0501")
    assert findings(read(folder_with(tmp_path), AIR, "movement", *laid, b2="0301")) == [("5.5", "illegal")]
    moved_on = (*laid, marker(3, "0105"), dragged(4, "b1", "0301", "0501"))
    draft = read(folder_with(tmp_path), AIR, "movement", *moved_on, b1="0301", b2="0301")
    assert ("5.5", "b1") not in {
        (breach.clause, breach.facts.get("unit"))
        for one in draft.readings
        if one.ruling
        for breach in one.ruling.breaches
    }
    said = [one.statement.content for one in draft.readings]
    assert [(one.verb, one.target) for one in said if isinstance(one, Action)][-2:] == [
        ("add", "0105"),
        ("move", ""),
    ]


def test_interdiction_reaches_the_hexes_around_it(tmp_path: Path) -> None:
    steps = (marker(1, "0402"), dragged(2, "b2", "0302", "0502"))
    far = AIR.replace("does = 4", "hexes = 1\ndoes = 9")
    draft = read(folder_with(tmp_path), far, "movement", *steps)
    assert ("5.5", "illegal") in findings(draft)
