"""Whatever is in a file: facts, words and text, or an error that is declared."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.inspection.making import (
    module,
    packed,
    palette,
    prototype,
    prototypes,
    ridge,
    save,
    slot,
    step,
    uses,
)
from vassalgen.inspection.command import facts_of
from vassalgen.inspection.facts import as_json
from vassalgen.inspection.listing import listing
from vassalgen.inspection.report import report
from vassalgen.inspection.sources import Source
from vassalgen.problems import BadInput
from vassalgen.vassal import archives, buildfile
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.components import Element, PredefinedSetup, SetupStack
from vassalgen.vassal.savedgame import SavedGame, read_saved_game

STACK = SetupStack(name="Hill", use_grid_location=True, location="0302", children=(slot("A", "1"),))
MODULE = buildfile.write(
    module(
        ridge(STACK),
        prototypes(prototype("Unit", uses("Unit"))),
        palette(slot("Foot", "1", "foot.png", uses("Unit"))),
        PredefinedSetup(name="Std", file="std.vsav"),
    )
)
GAME = read_saved_game(
    save(
        "+/1/hide;;Hide;;;player:\tpiece;;;;Foot/sesame\tMain Map;10;10;1;0",
        "+/9/stack/Main Map;10;10;1;@@1",
        "PLAYER\tsesame\tAlice\tBlue",
        "Main MapBoardPicker\tRidge\t0\t0",
        "end_save",
        step("D/1/null\tMain Map;1;1;1;0/sesame\tMain Map;10;10;1;0", "CHAT* Foot appears"),
        step("M/1/Main Map/5/5/null/Main Map/1/1/null/sesame"),
    )
).text
WORDS = st.text("\t\x1b\\/;,'<>&\"$0aZ\u202e\ud800", max_size=4)
EDITS = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 12), WORDS), min_size=1, max_size=5)


def damaged(text: str, edits: list[tuple[int, int, str]]) -> str:
    """A text in which some pieces have been replaced."""
    for place, length, words in edits:
        start = place % (len(text) + 1)
        text = text[:start] + words + text[start + length :]
    return text


def look_into(source: Source) -> None:
    facts = facts_of(source)
    json.dumps(as_json(facts))
    for line in (*report(facts), *report(facts, True), *listing(source)):
        assert "\n" not in line
        assert "\x1b" not in line


@settings(max_examples=80, deadline=None)
@given(EDITS)
def test_a_damaged_stream_is_reported_or_refused(edits: list[tuple[int, int, str]]) -> None:
    try:
        look_into(Source("game.vsav", "", game=SavedGame(damaged(GAME, edits))))
    except BadInput as error:
        assert all(problem.wrong for problem in error.problems)


@settings(max_examples=80, deadline=None)
@given(EDITS)
def test_a_damaged_module_is_reported_or_refused(edits: list[tuple[int, int, str]]) -> None:
    text = damaged(MODULE.decode(), edits).encode("utf-8", "replace")
    data = archives.pack(
        [("buildFile.xml", text), ("moduledata", b"<data/>"), ("std.vsav", b"begin_save\x1b-/1")]
    )
    try:
        with Archive.open(data) as archive:
            look_into(Source("hill.vmod", "", archive=archive))
    except BadInput as error:
        assert all(problem.wrong for problem in error.problems)


def with_damage(element: Element, edits: Iterator[tuple[int, int, str]]) -> Element:
    """An element tree in which the next texts and values are damaged, as long as there are edits."""

    def changed(text: str) -> str:
        place, length, words = next(edits, (0, 0, ""))
        fit = words.translate({0x1B: None, 0xD800: None})
        return damaged(text, [(place, length, fit)]) if fit or length else text

    attributes = tuple((name, changed(value)) for name, value in element.attributes)
    text = changed(element.text) if element.text else ""
    children = tuple(with_damage(child, edits) for child in element.children)
    return Element(element.tag, attributes, text, children)


VALUES = st.lists(
    st.tuples(st.integers(0, 10_000), st.sampled_from([0, 0, 0, 1, 5, 99]), WORDS), max_size=250
)


@settings(max_examples=80, deadline=None)
@given(VALUES)
def test_a_module_of_damaged_values_is_reported(edits: list[tuple[int, int, str]]) -> None:
    root = with_damage(buildfile.read(MODULE), iter(edits))
    with Archive.open(packed(root, {"std.vsav": save("end_save")})) as archive:
        look_into(Source("hill.vmod", "", archive=archive))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5000), st.binary(min_size=1, max_size=6))
def test_a_damaged_file_is_reported_or_refused(place: int, words: bytes) -> None:
    whole = packed(module(palette(slot("Foot", "1"))), {"std.vsav": save("end_save")})
    start = place % len(whole)
    try:
        with Archive.open(whole[:start] + words + whole[start + len(words) :]) as archive:
            look_into(Source("hill.vmod", "", archive=archive))
    except BadInput as error:
        assert all(problem.wrong for problem in error.problems)
