"""Turns a module into the files of a game folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import field, frozen

from vassalgen.adopting.field import field_of
from vassalgen.adopting.source import Module
from vassalgen.adopting.writing import Writer
from vassalgen.game.finding import MARK
from vassalgen.inspection.survey import survey
from vassalgen.parts.help import TUTORIAL
from vassalgen.parts.sources import FOLDER
from vassalgen.problems import FormatError
from vassalgen.vassal.archives import Archive, Kind
from vassalgen.vassal.limits import Limits


@frozen
class Adopted:
    """A game folder: its files by name, a summary of its contents, and what the user must still fill in."""

    files: Mapping[str, bytes] = field(repr=False)
    summary: str
    remarks: tuple[str, ...] = ()


def adopted(path: Path, limits: Limits = Limits(), *, with_pictures: bool = False) -> Adopted:  # noqa: B008
    """Read the game in a module. Raises :exc:`FormatError` if the file is not a module of a hex game."""
    with Archive.open(path, limits) as archive:
        if archive.kind is not Kind.MODULE:
            raise FormatError("is not a module", "a module of a hex game", file=path.name)
        own = dict(_sources(archive))
        if own:
            return Adopted(own, f"{len(own)} files of data, unchanged since vassalgen built the module")
        module = Module(archive, survey(archive))
        found = field_of(module)
        if found is None:
            raise FormatError("no map of it has a grid of hexes", "a module of a hex game", file=path.name)
        writer = Writer(module, found, with_pictures)
        files = writer.write()
    return Adopted(files, writer.summary, tuple(writer.remarks))


_OWN = re.compile(
    r"(corrections(-\d+)?/)?((scenarios|help)/)?[A-Za-z0-9_][A-Za-z0-9_. -]*\.(toml|csv|md|record)"
)


def _sources(archive: Archive) -> Iterator[tuple[str, bytes]]:
    """The data that the module carries, if vassalgen built it."""
    if FOLDER + MARK not in archive:
        return
    for entry in archive.names:
        name = entry.removeprefix(FOLDER)
        if entry.startswith(FOLDER) and _OWN.fullmatch(name):
            yield name, archive.read(entry)
    if TUTORIAL in archive:
        yield TUTORIAL, archive.read(TUTORIAL)
