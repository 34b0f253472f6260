"""What a person means by a file: a file, or a set-up inside a module as ``MODULE.vmod!setup.vsav``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import field, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import savedgame
from vassalgen.vassal.archives import Archive, Kind
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.savedgame import SavedGame

SAVES = (".vsav", ".vlog", ".sav", ".log")
"""The endings, in small letters, of saves and logs."""

_MARK = "!"
_ZIP = b"PK"


@frozen
class Source:
    """An open file: ``archive`` of a module or extension, ``game`` of a save or log, and never both."""

    file: str
    entry: str
    archive: Archive | None = None
    game: SavedGame | None = field(default=None, repr=False)


def split(name: str) -> tuple[Path, str]:
    """The file and the entry in it that a name means; an exclamation mark may be part of a file's name."""
    path = Path(name)
    if _MARK in name and not path.exists():
        file, _, entry = name.rpartition(_MARK)
        if Path(file).is_file():
            return Path(file), entry
    return path, ""


@contextmanager
def opened(path: Path, entry: str, limits: Limits) -> Iterator[Source]:
    """Open a file, or the entry of one.

    Raises :exc:`FormatError` for what is not a VASSAL file.
    """
    if not entry and not _is_zip(path):
        yield Source(path.name, "", game=savedgame.read_saved_game(path, limits))
        return
    with Archive.open(path, limits) as archive:
        if entry:
            if entry not in archive:
                setups = [name for name in archive.names if name.lower().endswith(SAVES)]
                right = ", ".join(setups[:10]) or "it has no saves and logs in it"
                raise archive.within(FormatError("there is no such entry", right), entry)
            yield Source(path.name, entry, game=savedgame.read_setup(archive, entry))
        elif archive.kind is Kind.GAME:
            yield Source(path.name, "", game=savedgame.read_saved_game(archive))
        else:
            yield Source(path.name, "", archive=archive)


def _is_zip(path: Path) -> bool:
    """Whether a file begins as a zip does, or cannot be read, which is best reported by opening it as one."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(_ZIP)) in (_ZIP, b"")
    except (OSError, ValueError):
        return True
