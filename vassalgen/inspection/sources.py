"""Resolves file arguments: a file, or a set-up inside a module as ``MODULE.vmod!setup.vsav``."""

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
"""The extensions of saved games and logs, in lower case."""

_MARK = "!"
_ZIP = b"PK"


@frozen
class Source:
    """An open file: the ``archive`` of a module or extension, or the ``game`` of a saved game or log."""

    file: str
    entry: str
    archive: Archive | None = None
    game: SavedGame | None = field(default=None, repr=False)


def split(name: str) -> tuple[Path, str]:
    """Split an argument into the file and the entry in it; a file's name may contain an exclamation mark."""
    path = Path(name)
    if _MARK in name and not path.exists():
        file, _, entry = name.rpartition(_MARK)
        if Path(file).is_file():
            return Path(file), entry
    return path, ""


@contextmanager
def opened(path: Path, entry: str, limits: Limits) -> Iterator[Source]:
    """Open a file, or an entry of one. Raises :exc:`FormatError` if it is not a VASSAL file."""
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
    """Whether a file begins like a zip, or cannot be read, which is best reported by opening it as one."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(_ZIP)) in (_ZIP, b"")
    except (OSError, ValueError):
        return True
