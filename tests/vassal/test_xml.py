from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vassal.strategies_archives import mutations
from vassalgen.problems import FormatError
from vassalgen.vassal.xml import parse_xml, root_element

LAUGHS = b"<!DOCTYPE a [<!ENTITY l0 'ha'>%s]>" % b"".join(
    b"<!ENTITY l%d '%s'>" % (i, b"&l%d;" % (i - 1) * 50) for i in range(1, 9)
)


def test_a_document_is_read_with_its_blanks_and_comments() -> None:
    root = parse_xml(b"<a>\n <b c='d&#9;e'>&lt;</b><!-- f --></a>")
    assert root.tag == "a"
    assert root.text == "\n "
    assert root[0].get("c") == "d\te"
    assert root[0].text == "<"
    assert len(root) == 2


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"<a>\n<b>\n</a>", 3),
        (b"<a>\n&ghost;</a>", 2),
        (b"<a/>\n<b/>", 2),
        (b"<a>\x1b</a>", 1),
        (b"<a b='\xff'/>", 1),
        (b"<?xml version='1.0' encoding='klingon'?><a/>", 1),
        (b"<a>" * 300 + b"</a>" * 300, 1),
    ],
)
def test_what_is_not_well_formed_is_reported_with_place_and_line(data: bytes, line: int) -> None:
    with pytest.raises(FormatError) as caught:
        parse_xml(data, "buildFile.xml")
    assert caught.value.problem.place == f"buildFile.xml, line {line}"
    assert "not well-formed XML" in caught.value.problem.wrong
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"<!DOCTYPE a><a/>", 1),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- c -->\n<?p?> <!DOCTYPE a><a/>", 3),
        (LAUGHS + b"<a>&l8;</a>", 1),
        (b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", 1),
        ("<?xml version='1.0' encoding='UTF-16'?><!DOCTYPE a><a/>".encode("utf-16"), 1),
    ],
)
def test_a_doctype_is_refused(data: bytes, line: int) -> None:
    with pytest.raises(FormatError, match="DOCTYPE") as caught:
        parse_xml(data, "moduledata")
    assert caught.value.problem.place == f"moduledata, line {line}"


def test_the_word_doctype_in_a_text_is_no_doctype() -> None:
    assert parse_xml(b"<!-- <!DOCTYPE a> --><a><![CDATA[<!DOCTYPE b>]]></a>").text == "<!DOCTYPE b>"


def test_many_comments_before_the_root_cost_no_time() -> None:
    with pytest.raises(FormatError):
        parse_xml(b"<?a?>" * 20_000 + b"<!-- ")


def test_of_a_drawing_only_the_root_is_read() -> None:
    beginning = b"<?xml version='1.0'?><!DOCTYPE svg PUBLIC 'x' 'http://example.invalid/x.dtd'><svg a='1'><g"
    assert root_element(beginning) == ("svg", {"a": "1"})


@pytest.mark.parametrize("data", [b"", b"<svg", b"<svg a='1'", b"<!-- <svg>", b"<svg>"[:-1] + b" " * 9000])
def test_half_a_root_is_none(data: bytes) -> None:
    with pytest.raises(FormatError, match="the root element is not whole"):
        root_element(data)


def test_entities_of_a_drawing_neither_grow_nor_load(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    outside = b"<!DOCTYPE svg [<!ENTITY x SYSTEM '%s'>]>" % secret.as_uri().encode()
    for data in (LAUGHS + b"<svg a='&l8;'/>", outside + b"<svg a='&x;'/>"):
        with pytest.raises(FormatError, match="not well-formed"):
            root_element(data)


@given(mutations(b"<?xml version='1.0'?><!DOCTYPE a><a b='c'><d>e</d></a>") | st.binary())
def test_damaged_xml_is_read_or_refused(data: bytes) -> None:
    for read in (parse_xml, root_element):
        try:
            read(data, "place")
        except FormatError as error:
            assert str(error).startswith("place")
