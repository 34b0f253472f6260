"""Every piece in the saves, logs and modules of the reference material, as texts."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen
from lxml import etree

from vassalgen.vassal import obfuscation, sequences


@frozen
class Texts:
    """All different texts: pieces as type and state, changes as type and state, definitions whole."""

    pieces: frozenset[tuple[str, str]]
    changes: frozenset[tuple[str, str]]
    slots: frozenset[str]


def read(shared: Path) -> Texts:
    """Read all archives of the corpus and of the engine's own files."""
    pieces: set[tuple[str, str]] = set()
    changes: set[tuple[str, str]] = set()
    slots: set[str] = set()
    for path in sorted([*shared.glob("corpus/*/*"), *shared.glob("vassal-truth/*")]):
        if not zipfile.is_zipfile(path):
            continue
        with zipfile.ZipFile(path) as archive:
            types: dict[str, str] = {}
            for stream in _streams(archive):
                _read_stream(stream, types, pieces, changes)
            slots.update(_slots(archive))
    return Texts(frozenset(pieces), frozenset(changes), frozenset(slots))


def _streams(archive: zipfile.ZipFile) -> Iterator[str]:
    for name in archive.namelist():
        if name == "savedGame":
            yield obfuscation.decode(archive.read(name))[0]
        elif name.lower().endswith((".vsav", ".sav", ".vlog", ".log")):
            inner = io.BytesIO(archive.read(name))
            if zipfile.is_zipfile(inner):
                with zipfile.ZipFile(inner) as save:
                    yield from _streams(save)


def _read_stream(
    stream: str, types: dict[str, str], pieces: set[tuple[str, str]], changes: set[tuple[str, str]]
) -> None:
    """Find the commands about pieces at whatever depth: no text of theirs ends with a backslash."""
    for text in stream.split("\x1b"):
        command = text.rstrip("\\").removeprefix("LOG\t")
        if command.startswith("+/"):
            piece_id, piece_type, state = sequences.decode(command[2:], "/")[:3]
            types[piece_id] = piece_type
            pieces.add((piece_type, state))
        elif command.startswith("D/"):
            piece_id, *states = sequences.decode(command[2:], "/")
            if piece_id in types:
                changes.update((types[piece_id], state) for state in states)


def _slots(archive: zipfile.ZipFile) -> Iterator[str]:
    for name in archive.namelist():
        if re.fullmatch(r"buildFile(\.xml)?", name):
            root = etree.fromstring(archive.read(name), etree.XMLParser(huge_tree=True))
            texts = (str(text).strip() for text in root.itertext())
            yield from (text for text in texts if text.startswith("+/"))
