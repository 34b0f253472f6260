"""Logs, saves and modules in folders and zips, identified by their contents and not by their names."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from vassalgen.problems import BadInput, FormatError, Problem
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.limits import Limits

SUFFIXES = frozenset({".vlog", ".vsav", ".vmod", ".vmdx"})
"""Files with these suffixes belong to VASSAL; those that cannot be read are reported."""
_ZIP = b"PK\x03\x04"
_BEGINNINGS = (_ZIP, b"!VCSK", b"VOBS", b"begin_save")
_CHUNK = 2**20

Stamp = tuple[int, int]
"""The size and modification time of a file."""


@frozen(order=True)
class Place:
    """The place of a file: its path and, for a file in a zip, its name in it."""

    path: str
    inside: str = ""

    def __str__(self) -> str:
        return f"{self.path}/{self.inside}" if self.inside else self.path

    @property
    def posix(self) -> str:
        """The same with slashes on every system, as corrections name files."""
        return str(Place(Path(self.path).as_posix(), self.inside))

    @property
    def name(self) -> str:
        """The name of the file without its folder."""
        return Path(self.inside or self.path).name

    @contextmanager
    def opened(self, limits: Limits) -> Iterator[Path]:
        """The file on disk; for a file in a zip, a temporary copy."""
        if not self.inside:
            yield Path(self.path)
            return
        with TemporaryDirectory(prefix="referee-") as folder:
            copy = Path(folder) / self.name
            with Archive.open(self.path, limits) as archive, copy.open("wb") as target:
                target.writelines(archive.chunks(self.inside, _CHUNK))
            yield copy


@frozen
class Found:
    """A file with the hash of its contents; if it cannot be read, ``wrong`` says why."""

    place: Place
    digest: str = ""
    wrong: str = ""


@frozen
class Seen:
    """The contents of a path when it was read: the file itself, or the files in it if it is a zip."""

    stamp: Stamp
    files: tuple[Found, ...]


def find_files(
    folders: Collection[Path], known: Mapping[str, Seen], limits: Limits, leave_out: Collection[Path] = ()
) -> dict[str, Seen]:
    """Return the files in and below some folders, by path; files whose stamp is ``known`` are
    not read again.
    """
    found: dict[str, Seen] = {}
    for folder in folders:
        for path in _walk(folder.resolve(), {one.resolve() for one in leave_out}):
            if isinstance(path, Found):
                found[path.place.path] = Seen((0, 0), (path,))
                continue
            with suppress(OSError):  # deleted in the meantime
                facts = path.stat()
                if not stat.S_ISREG(facts.st_mode):
                    continue
                stamp = facts.st_size, facts.st_mtime_ns
                before = known.get(str(path))
                found[str(path)] = (
                    before if before and before.stamp == stamp else Seen(stamp, tuple(_read(path, limits)))
                )
    return found


def _walk(folder: Path, leave_out: Collection[Path]) -> Iterator[Path | Found]:
    """The files below a folder in the order of their names, without hidden and ignored ones.

    For a folder that cannot be read, the reason.
    """
    try:
        with os.scandir(folder) as entries:
            known = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield Found(Place(str(folder)), wrong=f"cannot be read: {error.strerror or error}")
        return
    for entry in known:
        path = folder / entry.name
        if entry.name.startswith(".") or path in leave_out:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(path, leave_out)
        else:
            yield path


def _read(path: Path, limits: Limits) -> Iterator[Found]:
    place, named = Place(str(path)), path.suffix.casefold() in SUFFIXES
    try:
        with path.open("rb") as stream:
            start = stream.read(16)
            if not start.startswith(_BEGINNINGS):
                if named:
                    wrong = "the file is empty" if not start else "not a file of VASSAL"
                    yield Found(place, wrong=wrong)
                return
            stream.seek(0)
            digest = hashlib.sha256()
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        yield Found(place, wrong=f"cannot be read: {error.strerror or error}")
        return
    if start.startswith(_ZIP) and not named and not _is_vassals(path, limits):
        yield from _in_zip(path, limits)
    else:
        yield Found(place, digest.hexdigest())


def _is_vassals(path: Path, limits: Limits) -> bool:
    try:
        with Archive.open(path, limits) as archive:
            return bool(archive.kind)
    except FormatError:
        return False


def _in_zip(path: Path, limits: Limits) -> Iterator[Found]:
    """VASSAL's files in a zip; zips inside it are not opened."""
    try:
        with Archive.open(path, limits) as archive:
            for name in sorted(archive.names):
                place = Place(str(path), name)
                named = Path(name).suffix.casefold() in SUFFIXES
                try:
                    if named or archive.head(name, 16).startswith(_BEGINNINGS[1:]):
                        digest = hashlib.sha256()
                        for chunk in archive.chunks(name, _CHUNK):
                            digest.update(chunk)
                        yield Found(place, digest.hexdigest())
                except FormatError as error:
                    if named:
                        yield Found(place, wrong=str(error.problem.wrong))
    except FormatError as error:
        if path.suffix.casefold() == ".zip":
            yield Found(Place(str(path)), wrong=str(error.problem.wrong))


def digest_of(path: Path) -> str:
    """Return the hash of a file; BadInput if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(Problem(str(path), "", f"cannot be read: {error.strerror or error}")) from None
