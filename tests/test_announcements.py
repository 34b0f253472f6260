"""What a module announces is read back exactly, whatever VASSAL puts in front of it."""

from __future__ import annotations

import doctest
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vassalgen import announcements, templates
from vassalgen.announcements import (
    ANNOUNCEMENTS,
    BattleCancelled,
    BattleDeclared,
    BattleModifiers,
    BattleResolved,
    CheckMade,
    Declared,
    DiceRolled,
    Due,
    Eliminated,
    Moved,
    ParsedLine,
    PhaseTurned,
    StateChanged,
    parse_line,
    read_waiting,
    waiting,
)
from vassalgen.templates import Announcement, Located, Named, named
from vassalgen.vassal import expressions
from vassalgen.vassal.expressions import Properties

LETTERS = "abcXYZ äßé019 .,;:'\"-+&/"
NAMES = st.text(LETTERS, min_size=1).map(str.strip).filter(bool)
PLACES = st.text(LETTERS + "→", max_size=20)
IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,8}", fullmatch=True)
NAMED = st.builds(Named, IDS, NAMES)
LOCATED = st.builds(Located, NAMED, PLACES)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "named": NAMED,
    "located": LOCATED,
    "located_list": st.lists(LOCATED, max_size=4).map(tuple),
    "attackers": st.lists(LOCATED, max_size=4).map(tuple),
    "place": PLACES,
    "words": st.text("abDR*3:-", min_size=1, max_size=5),
    "integer": st.integers(-99, 999),
    "signed": st.integers(-9, 9),
    "halves": st.integers(-40, 80).map(lambda number: number / 2),
    "faces": st.lists(st.integers(1, 12), min_size=1, max_size=3).map(tuple),
    "yes": st.booleans(),
    "half": st.booleans(),
    "up": st.booleans(),
    "loses": st.booleans(),
}


@st.composite
def announcements_of(draw: st.DrawFn, cls: type[Announcement]) -> Announcement:
    values = {}
    for field in attrs.fields(cls):
        strategy = VALUES[field.metadata["kind"]]
        optional = field.default is None
        values[field.name] = draw(st.none() | strategy if optional else strategy)
    if cls is StateChanged and None in (values["turn"], values["stop"]):
        values["turn"] = values["stop"] = None
    if cls is CheckMade and None in (values["factor"], values["result"]):
        values["factor"] = values["result"] = None
    return cls(**values)


@pytest.mark.parametrize("cls", ANNOUNCEMENTS)
@settings(max_examples=40)
@given(data=st.data())
def test_what_is_said_is_read_back(cls: type[Announcement], data: st.DataObject) -> None:
    announcement = data.draw(announcements_of(cls))
    assert cls.read(announcement.say()) == announcement


@pytest.mark.parametrize("cls", ANNOUNCEMENTS)
@settings(max_examples=40)
@given(data=st.data())
def test_no_announcement_is_taken_for_another(cls: type[Announcement], data: st.DataObject) -> None:
    announcement = data.draw(announcements_of(cls))
    words = ("Battle", "Move:", "Phase:", "Due:", "Declared:")
    heard = parse_line(f"* {announcement.MARK}{announcement.say()}")
    assert heard == ParsedLine(announcement) or announcement.say().startswith((*words, "UNDO: ", *"|!?~`*"))


@pytest.mark.parametrize("cls", ANNOUNCEMENTS)
@settings(max_examples=40)
@given(data=st.data())
def test_vassals_report_says_the_same(cls: type[Announcement], data: st.DataObject) -> None:
    """The report made from the template, evaluated as VASSAL does, is what is said."""
    announcement = data.draw(announcements_of(cls))
    kinds = cls.KINDS
    texts = {
        name: kinds[name].write(getattr(announcement, name))
        for name in kinds
        if getattr(announcement, name) is not None
    }
    report = cls.expression(**{name: templates.quoted(text) for name, text in texts.items()})
    assert expressions.parse(report).evaluate(Properties({})) == announcement.MARK + announcement.say()


LINES = {
    "Phase: Turn 3, Allied Movement (Axis)": PhaseTurned(3, "Allied Movement", "Axis"),
    "Move: North Irish Horse (Churchills) [nih] (Allied reinforcements, north T4) to B1 (Allies)": Moved(
        Named("nih", "North Irish Horse (Churchills)"), "Allied reinforcements, north T4", "B1", "Allies"
    ),
    "Battle 1: attack on Superga [superga] (A4), no attackers yet, 0:2 (Allies)": BattleDeclared(
        1, (), (Located(Named("superga", "Superga"), "A4"),), 0, 2, "Allies"
    ),
    "Battle 1: attack on Superga [superga] (A4) by Koch [koch] (B5) + 7th [7] (B4), 3:2 (X)": BattleDeclared(
        1,
        (Located(Named("koch", "Koch"), "B5"), Located(Named("7", "7th"), "B4")),
        (Located(Named("superga", "Superga"), "A4"),),
        3,
        2,
        "X",
    ),
    "Battle 1: attack on no units, no attackers yet, 0:0 (Axis)": BattleDeclared(1, (), (), 0, 0, "Axis"),
    "Battle 1: called off (Axis)": BattleCancelled(1, "Axis"),
    "Battle 2: 3.5:2, shift -1, column 3:2, die 4, result Dr (Allies)": BattleResolved(
        2, 3.5, 2, -1, "3:2", (4,), "Dr", "Allies"
    ),
    "Cohesion [cohesion]: 1+5 (Axis)": DiceRolled(Named("cohesion", "Cohesion"), (1, 5), "Axis"),
    "Koch [koch] (B5): Roll for bombing [bombed], battle 2, die 5, no (Axis)": Declared(
        Located(Named("koch", "Koch"), "B5"), Named("bombed", "Roll for bombing"), "Axis", 2, (5,), False
    ),
    "Koch [koch] (B5): Disrupted [disrupted] 0 to 1 in turn 2, Allied Combat (Axis)": StateChanged(
        Located(Named("koch", "Koch"), "B5"),
        Named("disrupted", "Disrupted"),
        0,
        1,
        "Axis",
        2,
        "Allied Combat",
    ),
    "Koch [koch] (B5) eliminated (Axis)": Eliminated(Located(Named("koch", "Koch"), "B5"), "Axis"),
    "Due: Koch [koch] (Axis T2)": Due(Located(Named("koch", "Koch"), "Axis T2")),
}


@pytest.mark.parametrize(("line", "announcement"), LINES.items())
def test_lines_read_as_they_stand(line: str, announcement: Announcement) -> None:
    assert announcement.say() == line
    assert parse_line(f"* {line}") == ParsedLine(announcement)


EARLIER = {
    "Battle 1: nobody attack Superga [superga] (A4), 0:2 (Allies)": BattleDeclared(
        1, (), (Located(Named("superga", "Superga"), "A4"),), 0, 2, "Allies"
    ),
    "Battle 1: Koch [koch] (B5) + 7th [7] (B4) attack Superga [superga] (A4), 3:2 (Axis)": BattleDeclared(
        1,
        (Located(Named("koch", "Koch"), "B5"), Located(Named("7", "7th"), "B4")),
        (Located(Named("superga", "Superga"), "A4"),),
        3,
        2,
        "Axis",
    ),
    "Battle 9: nobody attack nobody, 0:0 (Axis)": BattleDeclared(9, (), (), 0, 0, "Axis"),
    "Battle 1: cancelled (Allies)": BattleCancelled(1, "Allies"),
    "Battle 2 reckons Terrain: die -2 (Allies)": BattleModifiers(2, "Terrain: die -2", "Allies"),
    "Koch [koch] (B5): Fire [fire], battle 2, die 5, makes 6 against 4: miss (Axis)": CheckMade(
        Located(Named("koch", "Koch"), "B5"),
        Named("fire", "Fire"),
        2,
        (5,),
        6,
        "Axis",
        factor=4,
        result="miss",
    ),
}
"""Lines of modules before version 3."""


@pytest.mark.parametrize(("line", "announcement"), EARLIER.items())
def test_lines_of_earlier_modules_are_read(line: str, announcement: Announcement) -> None:
    assert announcement.say() != line
    assert parse_line(f"* !{line}") == ParsedLine(announcement)


@pytest.mark.parametrize("before", ["* UNDO: * !", "* UNDO: ", "* UNDO: *** "])
def test_a_line_that_is_taken_back_says_so(before: str) -> None:
    line = "Battle 1: cancelled (Allies)"
    heard = parse_line(before + line)
    assert heard is not None
    assert heard.undone


@pytest.mark.parametrize(
    "line", ["", "* ", "<Ann> - Battle 1 was fun", "* Battle 1: shift 1 (Allies)", "* UNDO: "]
)
def test_talk_is_no_announcement(line: str) -> None:
    assert parse_line(line) is None


def test_what_could_not_be_read_back_is_not_said() -> None:
    with pytest.raises(ValueError, match="cannot be said as to"):
        Moved(Named("a", "A"), "B1", "Depot (north)", "Allies").say()


def test_parts_that_do_not_apply_are_left_out_of_reports() -> None:
    assert DiceRolled.expression(dice='"D [d]"', faces="x", side="PlayerSide") == (
        '{("D [d]")+": "+(x)+" ("+(PlayerSide)+")"}'
    )


def test_a_name_and_an_id_are_put_together_as_they_are_read() -> None:
    text = expressions.parse("{" + named('"Blade Force"', '"blade"') + "}").evaluate(Properties({}))
    assert text == str(Named("blade", "Blade Force"))


@given(title=NAMES, turn=st.integers(1, 99))
def test_a_place_in_the_queue_is_read_back(title: str, turn: int) -> None:
    assert read_waiting(waiting(title, turn)) == (title, turn)


def test_the_examples_of_the_module_hold() -> None:
    assert doctest.testmod(announcements).failed == 0
