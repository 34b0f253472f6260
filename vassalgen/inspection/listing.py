"""A whole file as text: all its contents, in lines that can be read and compared.

The same content gives the same lines, so that ``diff`` of two listings shows the differences between two
files. The listing contains no passwords.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from vassalgen.inspection.listing_games import game_listing
from vassalgen.inspection.listing_pieces import definition_lines
from vassalgen.inspection.reading import wrong
from vassalgen.inspection.sources import SAVES, Source
from vassalgen.inspection.survey import root_of
from vassalgen.inspection.values import INDENT, fields, lines, quoted
from vassalgen.inspection.wording import printable
from vassalgen.problems import FormatError
from vassalgen.vassal import images, savedgame
from vassalgen.vassal.archives import EXTENSION_DATA, MODULE_DATA, SAVE_DATA, SAVED_GAME, Archive
from vassalgen.vassal.components import Element, PieceSlot, PrototypeDefinition, class_of
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.metadata import ExtensionData, Metadata, ModuleData, SaveData
from vassalgen.vassal.pieces import ADD
from vassalgen.vassal.savedgame import SavedGame

_METADATA: dict[str, type[Metadata]] = {
    MODULE_DATA: ModuleData,
    SAVE_DATA: SaveData,
    EXTENSION_DATA: ExtensionData,
}
_TEXTS = (".html", ".htm", ".css", ".js", ".properties", ".txt", ".md", ".xml", ".info")
_PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".bmp", ".svg")


def listing(source: Source) -> Iterator[str]:
    """The lines of a module, an extension, a save or a log."""
    if source.archive is not None:
        yield from _archive(source.archive)
    elif source.game is not None:
        yield from _game(source.game, "", Limits())


def _archive(archive: Archive) -> Iterator[str]:
    """The build file, then all other entries by their names."""
    yield from _section(archive.build_file)
    yield from _element(root_of(archive), INDENT)
    for name in sorted(archive.names):
        if name != archive.build_file:
            yield from _entry(archive, name)


def _section(name: str, indent: str = "") -> Iterator[str]:
    yield f"{indent}=== {printable(name)}"


def _entry(archive: Archive, name: str) -> Iterator[str]:
    yield from _section(name)
    try:
        if name.lower().endswith(SAVES):
            yield from _game(savedgame.read_setup(archive, name), INDENT, archive.limits)
        else:
            yield from _content(name, archive.read(name), INDENT, archive.limits)
    except FormatError as error:
        yield f"{INDENT}(cannot be read: {wrong(error.problem)})"


def _game(game: SavedGame, indent: str, limits: Limits) -> Iterator[str]:
    for name, content in sorted(game.others):
        yield from _section(name, indent)
        yield from _content(name, content, indent + INDENT, limits)
    yield from _section(SAVED_GAME, indent)
    yield from game_listing(game, indent + INDENT)


def _content(name: str, data: bytes, indent: str, limits: Limits) -> Iterator[str]:
    """An entry: its fields, its lines, or its size and a hash that shows changes."""
    size = ""
    try:
        if name in _METADATA:
            yield from _metadata(_METADATA[name].from_xml(data), indent)
            return
        if name.lower().endswith(_TEXTS):
            for line in data.decode().splitlines():
                yield f"{indent}{printable(line)}"
            return
        if name.lower().endswith(_PICTURES):
            width, height = images.size_of(data, name, limits)
            size = f"{width} × {height} pixels, "
    except FormatError as error:
        yield f"{indent}({wrong(error.problem)})"
    except UnicodeDecodeError:
        pass  # nothing to read, but still to compare
    yield f"{indent}{size}{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"


def _metadata(metadata: Metadata, indent: str) -> Iterator[str]:
    for name, text in fields(metadata):
        yield f"{indent}{name} {text}"


def _element(element: Element, indent: str) -> Iterator[str]:
    """An element and everything inside it; attributes by name, because their order has no meaning."""
    known = class_of(element.tag)
    head = element.tag.rpartition(".")[2] if known else printable(element.tag)
    yield from lines(head, [(name, quoted(value)) for name, value in sorted(element.attributes)], indent)
    inside = indent + INDENT
    if element.text.startswith(ADD) and known and issubclass(known, PieceSlot | PrototypeDefinition):
        yield from definition_lines(element.text, inside)
    elif element.text:
        yield f"{inside}text {quoted(element.text)}"
    for child in element.children:
        yield from _element(child, inside)
