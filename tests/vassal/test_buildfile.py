"""Build files come back as they were, and everything in them can be found."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from lxml import etree

from tests.vassal.strategies_build import ELEMENTS
from vassalgen.problems import FormatError
from vassalgen.vassal import buildfile
from vassalgen.vassal.components import Board, BoardPicker, DrawPile, Element, Map, PieceSlot, SetupStack

SMALL = b"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule VassalVersion="3.7.26" name="Mini" version="1.0">
    <VASSAL.build.module.Map mapName="Main Map">
        <VASSAL.build.module.map.BoardPicker title="Choose Boards">
            <setup>Main MapBoardPicker\tRidge\t0\t0</setup>
            <VASSAL.build.module.map.boardPicker.Board image="board.png" name="Ridge"/>
            <VASSAL.build.module.map.boardPicker.Board height="x" image="b.png" name="Vale: north/south"/>
        </VASSAL.build.module.map.BoardPicker>
        <com.example.Thing colour="red" name="Gadget"/>
        <VASSAL.build.module.map.SetupStack name="Start" x="12" y="34">
            <VASSAL.build.widget.PieceSlot entryName="A &amp; B">+/null/piece</VASSAL.build.widget.PieceSlot>
        </VASSAL.build.module.map.SetupStack>
    </VASSAL.build.module.Map>
    <VASSAL.build.module.PrivateMap mapName="Hand"/>
</VASSAL.build.GameModule>
"""


def build_files(shared: Path) -> Iterator[tuple[str, bytes]]:
    """Every build file of the corpus."""
    for archive in sorted([*(shared / "corpus" / "vmod").iterdir(), *(shared / "corpus" / "vmdx").iterdir()]):
        with zipfile.ZipFile(archive) as members:
            for name in set(buildfile.NAMES) & set(members.namelist()):
                yield archive.name, members.read(name)


def same(one: etree._Element, other: etree._Element) -> None:
    """Fail unless two parsed trees have the same elements, attributes in the same order, and text."""
    assert one.tag == other.tag
    assert list(one.attrib.items()) == list(other.attrib.items())
    assert (one.text or "").strip() == (other.text or "").strip()
    assert len(one) == len(other)
    for left, right in zip(one, other, strict=True):
        same(left, right)


def test_every_build_file_of_the_corpus_comes_back_to_the_byte(shared: Path) -> None:
    count = 0
    for name, data in build_files(shared):
        assert buildfile.write(buildfile.read(data)) == data, name
        count += 1
    assert count > 20


def test_a_build_file_that_is_changed_is_written_with_the_same_elements(shared: Path) -> None:
    for name, data in build_files(shared):
        written = buildfile.write(forgotten(data))
        same(etree.fromstring(data), etree.fromstring(written))
        assert buildfile.write(forgotten(written)) == written, name


def test_what_vassal_wrote_since_3_5_is_written_alike_when_it_is_changed(shared: Path) -> None:
    by_vassal = 0
    for name, data in build_files(shared):
        if b'standalone="no"' in data[:80] and "sayden" not in name:  # that one was edited by hand
            assert buildfile.write(forgotten(data)) == data.replace(b"\r\n", b"\n"), name
            by_vassal += 1
    assert by_vassal >= 8


def forgotten(data: bytes) -> Element:
    """A build file that was read, without its original spelling."""
    return evolve(buildfile.read(data), written=b"")


@pytest.mark.parametrize(
    "data",
    [
        b"<a><!-- by hand --><b x='1'/></a>",
        b'<?xml version="1.0"?>\r\n<a>\r\n  <b/></a>',
        '<?xml version="1.0" encoding="iso-8859-1"?>\n<a b="é"/>\n'.encode("iso-8859-1"),
    ],
)
def test_what_others_wrote_comes_back_to_the_byte_unless_it_is_changed(data: bytes) -> None:
    root = buildfile.read(data)
    assert buildfile.write(root) == data
    assert b"changed" in buildfile.write(evolve(root, text="changed"))


@given(ELEMENTS)
def test_any_tree_is_written_and_read_back(root: Element) -> None:
    written = buildfile.write(root)
    assert buildfile.read(written) == root
    assert buildfile.write(buildfile.read(written)) == written


def test_the_small_module_is_written_as_vassal_lays_it_out() -> None:
    assert buildfile.write(buildfile.read(SMALL)) == SMALL


def test_special_characters_are_written_as_java_writes_them() -> None:
    text = "a\tb\nc\rd\"e&f<g>h'\x7f\x85\u2028😀i"
    written = buildfile.write(Element("c", (("v", text),), text)).decode()
    assert 'v="a&#9;b&#10;c&#13;d&quot;e&amp;f&lt;g&gt;h\'\x7f\x85\u2028&#128512;i"' in written
    assert ">a\tb\nc&#13;d\"e&amp;f&lt;g&gt;h'&#127;&#133;\u2028&#128512;i<" in written


def test_text_around_children_is_kept() -> None:
    root = buildfile.read(b"<a> one <!-- no --> two <b/> three </a>")
    assert root.text == "one  two  three"
    assert buildfile.read(buildfile.write(root)) == root


def test_a_component_is_found_with_its_place() -> None:
    root = buildfile.read(SMALL)
    boards = list(buildfile.find_all(root, Board))
    assert [found.component.name for found in boards] == ["Ridge", "Vale: north/south"]
    assert boards[0].place == 'Map "Main Map" > BoardPicker > Board "Ridge"'
    slot = buildfile.find(root, PieceSlot)
    assert slot is not None
    assert slot.component.content == "+/null/piece"
    assert slot.place == 'Map "Main Map" > SetupStack "Start" > PieceSlot "A & B"'


def test_finding_a_class_finds_its_subclasses() -> None:
    names = [found.component.name for found in buildfile.find_all(buildfile.read(SMALL), Map)]
    assert names == ["Main Map", "Hand"]


def test_a_component_is_found_by_its_name_or_not_at_all() -> None:
    root = buildfile.read(SMALL)
    hand = buildfile.find(root, Map, "Hand")
    assert hand is not None
    assert hand.component.name == "Hand"
    assert buildfile.find(root, Map, "Elsewhere") is None
    assert buildfile.find(root, DrawPile) is None


def test_an_unknown_element_is_named_by_its_last_word() -> None:
    root = buildfile.read(SMALL)
    gadget = next(path for path in buildfile.walk(root) if path[-1].tag == "com.example.Thing")
    assert buildfile.step_of(gadget[-1]) == 'Thing "Gadget"'


def test_a_number_that_is_none_is_reported_with_its_place_and_kept() -> None:
    root = buildfile.read(SMALL)
    (problem,) = buildfile.check(root)
    assert str(problem) == (
        'buildFile.xml: Map "Main Map" > BoardPicker > Board "Vale: north/south", attribute "height": '
        "'x' is not an integer: a whole number"
    )
    board = buildfile.find(root, Board, "Vale: north/south")
    assert board is not None
    assert board.component.height == 500
    assert ("height", "x") in board.component.to_element().attributes


def test_the_target_of_an_extension_leads_to_the_component_and_back() -> None:
    root = buildfile.read(SMALL)
    found = buildfile.find(root, Board, "Vale: north/south")
    assert found is not None
    target = buildfile.target_of(found.path)
    assert target == (
        "VASSAL.build.module.Map:Main Map/VASSAL.build.module.map.BoardPicker/"
        "VASSAL.build.module.map.boardPicker.Board:Vale\\: north\\/south"
    )
    assert buildfile.follow(root, target) == found.path
    assert buildfile.follow(root, "") == ()
    assert buildfile.follow(root, "VASSAL.build.module.Inventory:Pieces") is None


def test_a_target_whose_name_fits_nothing_leads_to_what_is_of_the_class() -> None:
    root = buildfile.read(SMALL)
    path = buildfile.follow(root, "VASSAL.build.module.Map:Old Name/VASSAL.build.module.map.BoardPicker")
    assert path is not None
    assert [buildfile.step_of(element) for element in path] == ['Map "Main Map"', "BoardPicker"]


def test_a_hostile_depth_is_refused() -> None:
    deep = b"<a>" * 150 + b"</a>" * 150
    with pytest.raises(FormatError, match="nested more than 100 deep"):
        buildfile.read(deep)


def test_what_is_no_xml_is_refused_with_the_line() -> None:
    with pytest.raises(FormatError, match=r"buildFile\.xml, line 2"):
        buildfile.read(b"<a>\n<b></a>")


def test_an_escape_character_cannot_be_written() -> None:
    with pytest.raises(FormatError, match='PieceSlot "Tank"') as caught:
        buildfile.write(PieceSlot(name="Tank", content="a\x1bb"))
    assert "control characters" in caught.value.problem.right


def test_a_tag_that_is_no_name_cannot_be_written() -> None:
    with pytest.raises(FormatError, match="is not allowed in XML"):
        buildfile.write(Element("a b"))


def test_a_component_tree_is_written_whole() -> None:
    chart = Map(
        name="Main Map",
        children=(BoardPicker(children=(Board(name="Ridge", image="board.png"),)), SetupStack(name="Start")),
    )
    root = buildfile.read(buildfile.write(chart))
    assert root == chart.to_element()
    found = buildfile.find(chart, Board)
    assert found is not None
    assert found.place == 'BoardPicker > Board "Ridge"'


def test_a_large_module_is_read_in_a_moment() -> None:
    slot = SMALL[
        SMALL.index(b"<VASSAL.build.widget.PieceSlot") : SMALL.index(b"</VASSAL.build.module.map.SetupStack>")
    ]
    slot = slot.replace(b"a.png", b"a.png" + b"x" * 300)
    data = b"<VASSAL.build.GameModule>" + slot * 20_000 + b"</VASSAL.build.GameModule>"
    start = time.process_time()
    root = buildfile.read(data)
    assert len(root.children) == 20_000
    assert time.process_time() - start < 5  # a fifth of a second, mostly
