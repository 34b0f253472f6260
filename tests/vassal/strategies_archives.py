"""What hypothesis makes for archives, obfuscation and metadata."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable

from attrs import frozen
from hypothesis import strategies as st

from vassalgen.vassal.metadata import ExtensionData, ModuleData, SaveData, Translation
from vassalgen.vassal.obfuscation import Envelope, Form

characters = st.characters(exclude_categories=["Cs"])
texts = st.text(st.one_of(characters, st.sampled_from("\x1b\t\\;/é€😀")))
envelopes = st.builds(Envelope, st.sampled_from(Form), st.integers(0, 255), st.booleans())

xml_texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff", min_codepoint=0x20)
    | st.sampled_from("\t\n\r&<>\"'")
).map(lambda text: text.strip(" \t\r\n"))
languages = st.none() | xml_texts
translations = st.lists(st.builds(Translation, languages, xml_texts), max_size=3).map(tuple)
releases = st.none() | st.sampled_from(
    ["3.7.26", "3.6.11", "3.6.10", "3.2.17", "3.7.0-SNAPSHOT-0bc", "odd", ""]
)
unknown = st.lists(st.sampled_from(["<a/>", '<b c="&lt;">x<d/>y</b>', "<dateSaved>soon</dateSaved>"])).map(
    tuple
)

_common = {
    "version": st.none() | xml_texts,
    "extra1": st.none() | xml_texts,
    "extra2": st.none() | xml_texts,
    "vassal_version": releases,
    "date_saved": st.none() | st.integers(-(10**17), 10**17),
    "description": xml_texts,
    "description_translations": translations,
    "unknown": unknown,
}
metadata = st.one_of(
    st.builds(ModuleData, **_common, name=xml_texts, name_translations=translations),
    st.builds(SaveData, **_common),
    st.builds(ExtensionData, **_common, universal=st.none() | st.booleans()),
)


@st.composite
def mutations(draw: st.DrawFn, sound: bytes) -> bytes:
    """``sound`` with a few bytes changed, inserted or removed, or with its end cut off."""
    data = bytearray(sound)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.sampled_from(["change", "change", "insert", "delete", "cut", "signature"])):
            case "change":
                data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case "insert":
                data[at:at] = draw(st.binary(max_size=8))
            case "delete":
                del data[at : at + draw(st.integers(1, 8))]
            case "cut":
                del data[at:]
            case _:
                data[at : at + 4] = draw(
                    st.sampled_from([b"PK\1\2", b"PK\3\4", b"PK\5\6", b"\xff" * 4, bytes(4)])
                )
    return bytes(data)


@frozen
class Forged:
    """A zip entry that may lie about itself. Fields that are ``None`` are stated correctly."""

    name: bytes
    content: bytes = b""
    method: int = 8
    flags: int = 0
    size: int | None = None
    crc: int | None = None
    packed: bytes | None = None
    packed_size: int | None = None
    offset: int | None = None


def forge(entries: Iterable[Forged]) -> bytes:
    """A zip of entries that may lie."""
    body, directory, count = b"", b"", 0
    for entry in entries:
        packed = entry.packed
        if packed is None:
            packed = zlib.compress(entry.content, wbits=-15) if entry.method == 8 else entry.content
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        size = len(entry.content) if entry.size is None else entry.size
        packed_size = len(packed) if entry.packed_size is None else entry.packed_size
        offset = len(body) if entry.offset is None else entry.offset
        facts = struct.pack(
            "<HHHHIIIHH", entry.flags, entry.method, 0, 0x21, crc, packed_size, size, len(entry.name), 0
        )
        body += b"PK\x03\x04" + struct.pack("<H", 20) + facts + entry.name + packed
        directory += b"PK\x01\x02" + struct.pack("<HH", 20, 20) + facts
        directory += struct.pack("<HHHII", 0, 0, 0, 0, offset) + entry.name
        count += 1
    end = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, len(directory), len(body), 0
    )
    return body + directory + end


def zeros(size: int) -> bytes:
    """``size`` zeros, a multiple of 2**20, packed a thousand to one and made without unpacking them."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * (size // 2**20) + b"\x03\x00"
