"""Markers that mean something in the hex where they are, as logs show them laid and taken off."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.actions import Action
from referee.record import PlaceMarkers
from referee.scribe.facts import Fact, Marked
from tests.standard.test_dragged_stacks import dragged, findings, read
from tests.standard.variants import not_met
from vassalgen.problems import BadInput

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


def test_a_marker_that_is_there_when_the_log_begins_counts(tmp_path: Path) -> None:
    folder, steps = folder_with(tmp_path), dragged(1, "b2", "0301", "0501")
    assert findings(read(folder, AIR, "movement", steps, b2="0301")) == []
    draft = read(folder, AIR, "movement", steps, b2="0301", marked="0501")
    assert findings(draft) == [("5.5", "illegal")]
    contents = [one.statement.content for one in draft.readings]
    assert PlaceMarkers(("m-air",), "0501") in contents


def test_a_marker_that_was_there_before_is_not_laid_when_it_is_only_touched(tmp_path: Path) -> None:
    rules, folder = AIR + 'laid = "rally"\n', folder_with(tmp_path)
    assert findings(read(folder, rules, "movement", marker(1, "0501"), marked="0501")) == []


def test_a_record_places_markers_as_it_places_counters(tmp_path: Path) -> None:
    folder = folder_with(tmp_path)
    (folder / "rules.toml").write_text(AIR + 'laid = "combat"\n')
    place = "place b2 on 0301; place m-air on 0501; place r1 r2 r3 ra on 1008"
    assert not_met(folder, "move b2 0301..0501 ! illegal 5.5", place) == []
    assert not_met(folder, "move b2 0301..0501 ! legal", f"{place}; place m-air off") == []


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("place b2 m-air on 0501", "b2 is no marker: markers in a statement of their own"),
        ("place m-air on 0501 disordered", "'place m-air on HEX', or 'off'"),
        ("place m-turn on 0501", "m-turn is a marker and is never placed: a counter"),
    ],
)
def test_a_record_says_how_markers_are_placed(tmp_path: Path, place: str, says: str) -> None:
    folder = folder_with(tmp_path)
    counters = "id,kind,name,count\nm-air,marker,Interdiction,4\nm-turn,marker,Turn,1\n"
    (folder / "counters.csv").write_text(counters)
    (folder / "rules.toml").write_text(AIR)
    with pytest.raises(BadInput) as caught:
        not_met(folder, "next", place)
    assert says in str(caught.value)
