"""Scalars and compound values: what VASSAL reads, what it writes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vassal import strategies_traits as some
from vassalgen.problems import FormatError
from vassalgen.vassal import compounds, records, scalars
from vassalgen.vassal.compounds import (
    ACCESS,
    CHANGE,
    PARAMETERS,
    PROPERTY_COMMANDS,
    Access,
    AddTo,
    Ask,
    Choose,
    CommandTarget,
    Constraints,
    Owner,
    Parameter,
    PropertyCommand,
    SetTo,
)
from vassalgen.vassal.scalars import CTRL, CTRL_SHIFT, SHIFT, AnyCodec, Key

CODECS: dict[str, tuple[AnyCodec, st.SearchStrategy[Any]]] = {
    "TEXT": (scalars.TEXT, some.texts),
    "INTEGER": (scalars.INTEGER, some.integers),
    "BOOLEAN": (scalars.BOOLEAN, st.booleans()),
    "DOUBLE": (scalars.DOUBLE, st.floats(allow_nan=False)),
    "FLOAT": (scalars.FLOAT, st.floats(width=32, allow_nan=False)),
    "CHARACTER": (scalars.CHARACTER, some.characters),
    "KEY": (scalars.KEY, st.none() | some.keys),
    "KEYS": (scalars.KEYS, st.lists(some.keys).map(tuple)),
    "COLOUR": (scalars.COLOUR, st.none() | some.colours),
    "COLOUR_OR_BLACK": (scalars.COLOUR_OR_BLACK, st.none() | some.colours),
    "MATCH": (scalars.MATCH, some.read_by(scalars.MATCH.decode)),
    "POLYGON": (scalars.POLYGON, some.points),
    "TEXTS": (scalars.TEXTS, some.arrays),
    "LINES": (scalars.LINES, some.wild_texts.filter(lambda text: "\\" not in text)),
    "NULLABLE": (scalars.NULLABLE, st.none() | some.owners),
    "CHANGE": (CHANGE, some.read_by(CHANGE.decode)),
    "PROPERTY_COMMANDS": (
        PROPERTY_COMMANDS,
        st.lists(some.records_of(PropertyCommand), max_size=3).map(tuple),
    ),
    "PARAMETERS": (PARAMETERS, st.lists(some.records_of(Parameter), max_size=3).map(tuple)),
    "ACCESS": (ACCESS, some.read_by(ACCESS.decode)),
    "CommandTarget": (records.whole(CommandTarget), some.records_of(CommandTarget)),
    "Constraints": (records.whole(Constraints), some.records_of(Constraints)),
}


@pytest.mark.parametrize("name", CODECS)
@given(data=st.data())
def test_a_value_is_read_as_it_was_written(name: str, data: st.DataObject) -> None:
    codec, values = CODECS[name]
    value = data.draw(values)
    assert codec.decode(codec.encode(value)) == value


@pytest.mark.parametrize("name", CODECS)
@given(text=some.wild_texts | some.tokens)
def test_any_text_is_a_value_or_not(name: str, text: str) -> None:
    codec, _ = CODECS[name]
    try:
        canonical = codec.encode(codec.decode(text))
    except (ValueError, FormatError):
        return
    assert codec.encode(codec.decode(canonical)) == canonical


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("-3", -3), ("+5", 5), ("007", 7), ("2147483647", 2**31 - 1)]
)
def test_an_integer_is_what_java_takes_for_one(text: str, number: int) -> None:
    assert scalars.INTEGER.decode(text) == number


@pytest.mark.parametrize("text", ["", " 1", "1.0", "0x1", "1_000", "2147483648", "-2147483649", "--1"])
def test_anything_else_is_no_integer(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not an integer|32 bits"):
        scalars.INTEGER.decode(text)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1.0"),
        (2, "2.0"),
        (0.25, "0.25"),
        (0.001, "0.001"),
        (1e-5, "1.0E-5"),
        (1e7, "1.0E7"),
        (-12345678.5, "-1.23456785E7"),
        (-0.0, "-0.0"),
        (math.inf, "Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_a_double_is_written_as_java_does(number: float, text: str) -> None:
    assert scalars.DOUBLE.encode(number) == text


def test_a_float_is_written_in_double_precision() -> None:
    assert scalars.FLOAT.encode(scalars.FLOAT.decode("0.3")) == "0.30000001192092896"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("65,130", Key(65, CTRL)),
        ("65,2", Key(65, CTRL)),
        ("65,128", Key(65, CTRL)),
        ("65,3", Key(65, CTRL_SHIFT)),
        ("65,1", Key(65, SHIFT)),
        ("k", Key(107, CTRL)),
        ("57344,0,flip it", Key.named("flip it")),
        ("", None),
        ("a,b", None),
        (",", None),
        ("65,130,", Key(65, CTRL)),
    ],
)
def test_a_keystroke_of_any_age_is_understood(text: str, key: Key | None) -> None:
    assert scalars.KEY.decode(text) == key


def test_of_a_named_command_only_the_name_counts() -> None:
    assert Key(57350, 0, "flip").same_as(Key.named("flip"))
    assert not Key.named("flip").same_as(Key.named("Flip"))
    assert Key.ctrl("a").same_as(Key(65, CTRL))


def test_a_list_of_keystrokes_was_once_a_run_of_characters() -> None:
    assert scalars.KEYS.decode("aB") == (Key(97, CTRL), Key(66, CTRL))
    assert scalars.KEYS.decode(r"65\,130,57344\,0\,go,,x") == (Key(65, CTRL), Key.named("go"))


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("255,0,9", (255, 0, 9)),
        ("1,2,3,255", (1, 2, 3)),
        ("1,2,3,4", (1, 2, 3, 4)),
        ("0xFF8000", (255, 128, 0)),
        ("null", None),
        ("", None),
    ],
)
def test_a_colour_is_understood(text: str, colour: scalars.Colour | None) -> None:
    assert scalars.COLOUR.decode(text) == colour


@pytest.mark.parametrize("text", ["red", "1,2", "1,2,300", "1, 2, 3", "0xZZ", "0xFFFFFFFFF"])
def test_a_colour_that_is_none_is_black_in_a_trait(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no|32 bits"):
        scalars.COLOUR.decode(text)
    assert scalars.COLOUR_OR_BLACK.decode(text) == scalars.BLACK


def test_corners_that_cannot_be_read_are_left_out() -> None:
    assert scalars.POLYGON.decode("1,2; 3 ,4;5;x,6;7,8,9") == ((1, 2), (3, 4), (7, 8))


def test_the_commands_of_a_property_are_escaped_inside_out() -> None:
    spend = PropertyCommand(text="Spend", key=Key.ctrl("S"), change=AddTo("-1"))
    choose = PropertyCommand(text="a:b", change=Choose("Which?", ("one", "two,three")))
    text = r"Spend:83\,130:I\,-1,a\:b::E\,Which?\,one\\,two\\\,three"
    assert PROPERTY_COMMANDS.encode((spend, choose)) == text
    assert PROPERTY_COMMANDS.decode(text) == (spend, choose)


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("P,5", SetTo("5")),
        ("P,", SetTo("")),
        ("P", SetTo("new value")),
        ("", SetTo("new value")),
        ("X,5", SetTo("5")),
        ("I", AddTo("1")),
        ("R,How many?", Ask("How many?")),
        ("E", Choose("Select new value")),
        (r"E,Which?,a\,b", Choose("Which?", ("a", "b"))),
    ],
)
def test_a_change_is_understood(text: str, change: compounds.Change) -> None:
    assert CHANGE.decode(text) == change


def test_access_is_for_a_player_a_side_or_sides() -> None:
    assert ACCESS.decode("sides:Red:Blue") == Access(Owner.SIDES, ("Red", "Blue"))
    assert ACCESS.decode("side:") == Access(Owner.SIDE)
    assert ACCESS.decode("whoever") == Access(Owner.PLAYER)
    assert ACCESS.encode(Access(Owner.SIDES, ("Red",))) == "sides:Red"


def test_a_quick_filter_without_fields_filters_nothing() -> None:
    assert CommandTarget.from_text("").to_text() == "MAP|false|MAP|||||0|0||false|||EQUALS||"
