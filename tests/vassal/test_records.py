"""Records: lists of typed fields that remember how they were spelt."""

from __future__ import annotations

import math
from typing import ClassVar

import attrs
import pytest
from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records, scalars
from vassalgen.vassal.records import Record
from vassalgen.vassal.scalars import Key


@frozen(kw_only=True)
class Sample(Record):
    DELIMITER: ClassVar[str] = ";"
    name: str = records.text(required=True)
    count: int = records.integer(7)
    sure: bool = records.boolean(True)
    key: Key | None = records.key(Key.ctrl("K"))
    size: float = records.double(1.0)
    version: int = records.of(scalars.INTEGER, 2, missing=0)
    later: bool | None = records.newer(scalars.BOOLEAN)


@frozen(kw_only=True)
class Secretive(Record):
    name: str = records.text()
    password: str = records.of(scalars.TEXT, "", private=True)


@frozen(kw_only=True)
class Counted(Record):
    count: int = records.integer(3, required=True)


def test_fields_missing_at_the_end_take_what_vassal_takes() -> None:
    assert Sample.decode("a") == Sample(name="a", version=0)


def test_an_empty_field_is_not_a_missing_one() -> None:
    assert Sample.decode("a;;;;;;") == Sample(name="a", sure=False, key=None, version=0, later=False)


def test_a_new_record_may_start_otherwise_than_a_silent_text() -> None:
    assert Sample(name="a").to_text() == "a;7;true;75,130;1.0;2"


def test_a_required_field_must_be_there() -> None:
    assert Sample.decode("").name == ""
    with pytest.raises(FormatError, match="Two ends before its second part: 2 fields or more"):
        Two.decode("a")


@frozen(kw_only=True)
class Two(Record):
    first: str = records.text(required=True)
    second_part: str = records.text(required=True)


def test_a_required_number_must_be_one() -> None:
    with pytest.raises(FormatError, match="Counted: count: 'many' is not an integer"):
        Counted.decode("many")


def test_the_spelling_of_a_file_is_kept_while_it_says_the_same() -> None:
    record = Sample.decode("a;+7;true;K")
    assert (record.count, record.written) == (7, "a;+7;true;K")
    assert record.encode() == "a;+7;true;K"
    assert attrs.evolve(record, size=1.0).encode() == "a;+7;true;K"
    assert attrs.evolve(record, count=8).encode() == "a;8;true;75,130;1.0;0"


def test_fields_beyond_the_known_ones_are_kept_until_something_changes() -> None:
    record = Sample.decode("a;7;true;75,130;1.0;2;true;new;newer")
    assert record.encode() == "a;7;true;75,130;1.0;2;true;new;newer"
    assert attrs.evolve(record, name="b").encode() == "b;7;true;75,130;1.0;2;true"


def test_what_is_spelt_as_now_is_not_remembered() -> None:
    assert Sample.decode("a;7;true;75,130;1.0;2").written is None


def test_equal_records_may_be_spelt_differently() -> None:
    assert Sample.decode("a;+7") == Sample.decode("a;7")
    assert hash(Sample.decode("a;+7")) == hash(Sample.decode("a;7"))


def test_a_number_that_is_none_equals_itself() -> None:
    record = Sample.decode("a;7;true;75,130;NaN;2;extra")
    assert math.isnan(record.size)
    assert record.encode() == "a;7;true;75,130;NaN;2;extra"


def test_a_field_that_cannot_be_written_anew_is_still_written_back() -> None:
    record = Two.decode("'\\a\\';b")
    assert record.first == "\\a\\"
    assert record.encode() == "'\\a\\';b"


def test_a_newer_field_is_cut_off_where_it_is_not_said() -> None:
    assert Sample.decode("a;7;true;75,130;1.0;2;true").later is True
    assert Sample(name="a", later=False).to_text() == "a;7;true;75,130;1.0;2;false"


def test_a_password_is_not_shown() -> None:
    record = Secretive.decode("Anna;hunter2;x")
    assert record.password == "hunter2"
    assert "hunter2" not in repr(record)
