from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from lxml import etree

from tests.vassal.strategies_archives import metadata, mutations
from vassalgen.problems import FormatError
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.metadata import ExtensionData, Metadata, ModuleData, SaveData, Translation, release

KINDS: tuple[type[Metadata], ...] = (ModuleData, SaveData, ExtensionData)

MODULE = ModuleData(
    version="1.2",
    extra1="",
    extra2="for two",
    vassal_version="3.7.26",
    date_saved=1700000000000,
    description="Guns & drums",
    description_translations=(Translation("de", "Kanonen"),),
    name='The "Ridge"',
)
MODULE_XML = b"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1">
  <version>1.2</version>
  <extra1/>
  <extra2>for two</extra2>
  <VassalVersion>3.7.26</VassalVersion>
  <dateSaved>1700000000000</dateSaved>
  <description>Guns &amp; drums</description>
  <description lang="de">Kanonen</description>
  <name>The "Ridge"</name>
</data>
"""


def test_moduledata_is_written_as_vassal_writes_it() -> None:
    assert MODULE.to_xml() == MODULE_XML
    assert ModuleData.from_xml(MODULE_XML) == MODULE


def test_extensiondata_says_whether_it_fits_any_module() -> None:
    data = ExtensionData(version="0.3", universal=False)
    assert b"<universal>false</universal>" in data.to_xml()
    assert ExtensionData.from_xml(data.to_xml()) == data
    assert ExtensionData.from_xml(b"<data><universal> true </universal></data>").universal is True


def test_what_is_missing_is_none_and_stays_away() -> None:
    data = SaveData.from_xml(b"<data/>")
    assert data == SaveData()
    assert len(etree.fromstring(data.to_xml())) == 0


def test_blanks_around_a_text_do_not_count() -> None:
    assert SaveData.from_xml(b"<data><version>\n 1.0\t</version></data>").version == "1.0"


def test_comments_inside_a_text_do_not_count() -> None:
    assert SaveData.from_xml(b"<data><!-- a --><version>1<!-- b -->.0</version></data>").version == "1.0"


def test_translations_before_3_6_11_are_written_the_wrong_way_round() -> None:
    old = (
        "<data><VassalVersion>3.2.17</VassalVersion><name>Capture</name><name lang='Захват'>ru</name></data>"
    )
    data = ModuleData.from_xml(old.encode())
    assert data.name_translations == (Translation("ru", "Захват"),)
    assert '<name lang="Захват">ru</name>' in data.to_xml().decode()


@pytest.mark.parametrize("date", ["soon", "", "+5", "1_000", "٣", "9" * 30])
def test_a_date_that_is_no_number_is_kept_but_not_understood(date: str) -> None:
    data = SaveData.from_xml(f"<data><dateSaved>{date}</dateSaved></data>".encode())
    assert data.date_saved is None
    assert etree.fromstring(data.to_xml()).findtext("dateSaved") == date


def test_unknown_elements_are_kept() -> None:
    xml = b'<data><checksum kind="x">1<b/>2</checksum><version>3</version></data>'
    data = SaveData.from_xml(xml)
    assert data.version == "3"
    assert data.unknown == ('<checksum kind="x">1<b/>2</checksum>',)
    assert SaveData.from_xml(data.to_xml()) == data


def test_of_two_versions_the_last_counts_as_in_vassal() -> None:
    assert SaveData.from_xml(b"<data><version>1</version><version>2</version></data>").version == "2"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (SaveData(description="a\x1bb"), r"U\+001B"),
        (SaveData(description="\udc80"), r"U\+DC80"),
        (SaveData(description_translations=(Translation("de", "x"),)), "no text of its own"),
        (SaveData(unknown=("<open>",)), "not well-formed"),
        (SaveData(unknown=("\x00",)), r"U\+0000"),
    ],
)
def test_what_xml_cannot_hold_is_not_written(data: SaveData, message: str) -> None:
    with pytest.raises(FormatError, match=f"savedata.*{message}"):
        data.to_xml()


@pytest.mark.parametrize("data", [b"", b"<data>", b"<html/>", b"<!DOCTYPE data><data/>", b"\x00"])
def test_what_is_no_metadata_is_refused_with_its_name(data: bytes) -> None:
    with pytest.raises(FormatError, match="moduledata"):
        ModuleData.from_xml(data)


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("3.7.26", (3, 7, 26)),
        ("3.2", (3, 2, 0)),
        ("3.7.0-SNAPSHOT-0bc99d82f-master", (3, 7, 0)),
        ("unknown", None),
        ("", None),
        (None, None),
    ],
)
def test_releases_can_be_compared(version: str | None, numbers: tuple[int, int, int] | None) -> None:
    assert release(version) == numbers


@given(metadata)
def test_what_is_written_can_be_read_again(data: Metadata) -> None:
    again = type(data).from_xml(data.to_xml())
    assert again == data
    assert again.to_xml() == data.to_xml()


@given(mutations(MODULE_XML))
def test_damaged_metadata_is_read_or_refused(xml: bytes) -> None:
    for kind in KINDS:
        try:
            data = kind.from_xml(xml)
        except FormatError as error:
            assert kind.ENTRY in str(error)
            continue
        assert kind.from_xml(data.to_xml()) == data


def _elements(xml: bytes) -> list[tuple[object, dict[str, str], str]]:
    root = etree.fromstring(xml)
    return [(child.tag, dict(child.attrib), child.text or "") for child in (root, *root)]


def test_every_metadata_file_of_the_corpus_is_rewritten_the_same(shared: Path) -> None:
    files = 0
    exact = 0
    for path in [*shared.glob("corpus/*/*"), *shared.glob("vassal-truth/*.v*")]:
        if path.name.endswith("scenario_5.sav"):  # not a zip; see the saved games
            continue
        with Archive.open(path) as archive:
            for kind in KINDS:
                if kind.ENTRY in archive:
                    xml = archive.read(kind.ENTRY)
                    again = kind.from_xml(xml).to_xml()
                    assert _elements(again) == _elements(xml)
                    assert kind.from_xml(xml).unknown == ()
                    files += 1
                    exact += again == xml.replace(b"\r\n", b"\n")
    assert files > 80
    assert exact > 20  # the layout changed over the years; this is today's
