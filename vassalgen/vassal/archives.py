"""VASSAL's zip files, read without trusting them and written the same way every time.

Modules, extensions, saves and logs are all zips, and a set-up is a save inside a module. The kind of a file
is determined by its content, never by its suffix. [metadata.MetaDataFactory.buildMetaData]
"""

from __future__ import annotations

import io
import os
import re
import secrets
import shutil
import stat
import struct
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from attrs import Factory, define, field

from vassalgen.problems import BadInput, FormatError, Problem
from vassalgen.vassal import limits as sizes
from vassalgen.vassal.limits import Limits

SAVED_GAME = "savedGame"
SAVE_DATA = "savedata"
MODULE_DATA = "moduledata"
EXTENSION_DATA = "extensiondata"
BUILD_FILE = "buildFile.xml"
BUILD_FILE_OLD = "buildFile"
"""The name before VASSAL 3.5. [build.GameModule.BUILDFILE_OLD]"""

EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)
"""The earliest time that a zip can store."""

_COMPRESSED = b"\x89PNG"
"""The first bytes of files that are stored uncompressed, because a zip would hardly make them smaller.

Saved games are zips themselves and are compressed again: a stored one could be taken for the whole file if
the outer file is truncated after it.
"""

_LATEST = datetime(2107, 12, 31, 23, 59, 58, tzinfo=UTC)
_HEAD = 2**16
_CHUNK = 2**16
"""A chunk that fits into a processor's caches."""
_DIRECTORY_RECORD = b"PK\x01\x02"
_LOCAL_HEADER = 30
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_MODULE_ROOTS = (b"<VASSAL.build.GameModule", b"<VASSAL.launch.BasicModule")
_EXTENSION_ROOT = b"<VASSAL.build.module.ModuleExtension"
_DRIVE = re.compile(r"[A-Za-z]:")

_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,  # among them names that are not UTF-8, and offsets below zero
    OverflowError,
)
"""The exceptions that :mod:`zipfile` raises for bytes that are not a valid zip."""


class Kind(Enum):
    """The kind of a VASSAL file. A save and a log differ only in their stream: :func:`~.savedgame.is_log`."""

    MODULE = "module"
    EXTENSION = "extension"
    GAME = "saved game or log"


@define
class _Spending:
    """How many bytes a file and the archives inside it have yielded so far; an entry read twice
    counts once.
    """

    limits: Limits
    entries: dict[tuple[str, str], int] = Factory(dict)
    counts: Counter[str] = Factory(Counter)
    total: int = 0

    def reserve(self, archive: str, entry: zipfile.ZipInfo, size: int) -> None:
        """Account for the first ``size`` bytes of an entry; :exc:`FormatError` if the limit is exceeded."""
        limits = self.limits
        key = (archive, entry.orig_filename)
        more = max(0, size - self.entries.get(key, 0))
        if size > limits.ratio_from and size > limits.ratio * entry.compress_size:
            raise FormatError(
                f"unpacks to {sizes.show_size(size)}, more than {limits.ratio} times what it is packed in",
                f"likely a zip bomb; if you trust it: {sizes.OPTION} {sizes.show_size(self.total + more)}",
            )
        limits.allow(self.total + more)
        self.entries[key] = self.entries.get(key, 0) + more
        self.total += more


@define(eq=False)
class Archive:
    """An open zip, rejected as a whole if it is malicious; entries are read only on demand.

    Use it in a ``with``, or close it. ``file`` is its name for messages and ``place`` is its place in that
    file, if it is an archive inside another. Every method raises :exc:`FormatError` if something cannot be
    read, and no other exception.
    """

    file: str
    place: str
    limits: Limits
    _stream: IO[bytes] = field(repr=False)
    _zip: zipfile.ZipFile = field(repr=False)
    _entries: dict[str, zipfile.ZipInfo] = field(repr=False)
    _spending: _Spending = field(repr=False)

    @classmethod
    def open(
        cls,
        source: str | Path | bytes,
        limits: Limits = Limits(),  # noqa: B008 - a frozen value
        *,
        file: str = "",
    ) -> Self:
        """Open a file, or the bytes of one; then ``file`` may be its name for messages."""
        if isinstance(source, bytes):
            return cls._open(io.BytesIO(source), file, "", _Spending(limits))
        path = Path(source)
        try:
            stream = path.open("rb")
        except (OSError, ValueError) as error:  # ValueError: a name with a NUL
            raise _unreadable(error).within(file=str(path)) from None
        return cls._open(stream, str(path), "", _Spending(limits))

    @classmethod
    def _open(cls, stream: IO[bytes], file: str, place: str, spending: _Spending) -> Self:
        try:
            opened = zipfile.ZipFile(_DirectoryGuard(stream, spending.limits))
            opened.fp = stream
            entries = _checked(opened.infolist(), stream.seek(0, io.SEEK_END))
        except FormatError as error:
            stream.close()
            raise error.within(place, file=file) from None
        except (*_ZIP_FAULTS, OSError) as error:
            wrong = _not_a_zip(stream, error)
            stream.close()
            raise wrong.within(place, file=file) from None
        return cls(
            file=file,
            place=place,
            limits=spending.limits,
            stream=stream,
            zip=opened,
            entries=entries,
            spending=spending,
        )

    def close(self) -> None:
        """Close the file; after that it cannot be read."""
        self._zip.close()
        self._stream.close()

    def __enter__(self) -> Self:
        """Enter a ``with``."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all entries in the order of the archive, without folders."""
        return tuple(name for name in self._entries if not name.endswith("/"))

    def __contains__(self, name: str) -> bool:
        """Whether there is an entry with exactly this name."""
        return name in self._entries

    def size(self, name: str) -> int:
        """The unpacked size of an entry in bytes, according to the archive."""
        return self._entry(name).file_size

    @property
    def kind(self) -> Kind:
        """The kind of this file, determined as VASSAL does."""
        if SAVED_GAME in self:
            return Kind.GAME
        if BUILD_FILE not in self and BUILD_FILE_OLD not in self:
            raise self.within(FormatError("not a VASSAL file", f"an entry {SAVED_GAME} or {BUILD_FILE}"))
        if EXTENSION_DATA in self:
            return Kind.EXTENSION
        if MODULE_DATA in self:
            return Kind.MODULE
        for line in self.head(self.build_file).splitlines()[:10]:
            if any(root in line for root in _MODULE_ROOTS):
                return Kind.MODULE
            if _EXTENSION_ROOT in line:
                return Kind.EXTENSION
        wrong = FormatError("neither a module's nor an extension's", "it begins with VASSAL.build.GameModule")
        raise self.within(wrong, self.build_file)

    @property
    def build_file(self) -> str:
        """The name of the entry that holds the component tree, ``buildFile.xml`` or the old ``buildFile``."""
        for name in (BUILD_FILE, BUILD_FILE_OLD):
            if name in self:
                return name
        if SAVED_GAME in self:
            raise self.within(
                FormatError("is a save or log, not a module", "use the .vmod it was played with")
            )
        raise self.within(FormatError("there is no such entry", "a module has one"), BUILD_FILE)

    def read(self, name: str) -> bytes:
        """The whole of one entry, its checksum verified."""
        return b"".join(self.chunks(name, max(1, self.size(name))))

    def chunks(self, name: str, size: int = _CHUNK) -> Iterator[bytes]:
        """One entry in chunks of ``size`` bytes, the last of which may be shorter; its checksum
        is verified.
        """
        entry = self._entry(name)
        unpacked = 0
        for chunk in self._unpacked(entry, entry.file_size, size):
            unpacked += len(chunk)
            yield chunk
        if unpacked != entry.file_size:
            wrong = f"cut short: {unpacked} bytes instead of {entry.file_size}"
            raise self.within(FormatError(wrong), name)

    def head(self, name: str, size: int = _HEAD) -> bytes:
        """The first ``size`` bytes of an entry, or all of a shorter one. The checksum of a part cannot be
        verified.
        """
        entry = self._entry(name)
        return b"".join(self._unpacked(entry, min(size, entry.file_size), max(1, size)))

    def inner(self, name: str) -> Archive:
        """Open an entry that is itself a zip, such as a set-up. Both share the same limits."""
        data = self.read(name)
        return Archive._open(io.BytesIO(data), self.file, self._place(name), self._spending)

    def count(self, what: str, number: int) -> None:
        """Account for objects made from the file, such as commands; :exc:`FormatError` if there
        are too many.
        """
        self._spending.counts[what] += number
        self.limits.count(what, self._spending.counts[what])

    def within(self, error: FormatError, name: str = "") -> FormatError:
        """An error about the content of an entry, with the names of the entry and the file."""
        return error.within(self._place(name), file=self.file)

    def _unpacked(self, entry: zipfile.ZipInfo, size: int, chunk: int) -> Iterator[bytes]:
        """The first ``size`` bytes of an entry. Unpacking stops there, whatever else is in it."""
        try:
            self._spending.reserve(self.place, entry, size)
            with self._zip.open(entry) as stream:
                left = size
                while left and (data := stream.read(min(left, chunk))):
                    left -= len(data)
                    yield data
                if size == entry.file_size:
                    stream.read(1)  # at the end the checksum is verified, even of an empty entry
        except FormatError as error:
            raise self.within(error, entry.orig_filename) from None
        except _ZIP_FAULTS as error:
            raise self.within(FormatError(f"damaged: {_reason(error)}"), entry.orig_filename) from None
        except OSError as error:
            raise self.within(_unreadable(error), entry.orig_filename) from None

    def _entry(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._entries[name]
        except KeyError:
            raise self.within(FormatError("there is no such entry"), name) from None

    def _place(self, name: str) -> str:
        return ", ".join(part for part in (self.place, shown(name)) if part)


def pack(entries: Iterable[tuple[str, bytes]], *, when: datetime = EARLIEST) -> bytes:
    """Make a zip of names and contents, in order; the same input gives the same bytes.

    ``when`` becomes the time of every entry; a time without zone counts as UTC. VASSAL cuts board images into
    tiles once and cuts them again only if the entry is younger than the tiles: a board that was redrawn
    without changing the module version is shown only if ``when`` is the actual time. [launch.TilingHandler]

    Raises :exc:`FormatError` for names that :class:`Archive` would refuse.
    """
    whole = io.BytesIO()
    seen: set[str] = set()
    with zipfile.ZipFile(whole, "w") as packed:
        for name, content in entries:
            if problem := _bad_name(name, seen):
                raise FormatError(problem, place=shown(name))
            seen.add(name)
            how = zipfile.ZIP_STORED if content.startswith(_COMPRESSED) else zipfile.ZIP_DEFLATED
            packed.writestr(_header(name, when), content, how, compresslevel=6)
    return whole.getvalue()


def write(path: Path, entries: Iterable[tuple[str, bytes]], *, when: datetime = EARLIEST) -> None:
    """:func:`pack` into a file, which is written completely or not at all."""
    replace_file(path, pack(entries, when=when))


def replace_file(path: Path, content: bytes) -> None:
    """Write a temporary file, then rename it: readers see the old or the new file, never half of it.

    Links are kept: the file to which they lead is written. Devices and pipes are written directly. Raises
    :exc:`BadInput` if it cannot be written.
    """
    try:
        if _is_stream(path):
            _write_to(path, content)
        else:
            _replace(path.resolve(), content)
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the name; links in a circle
        strerror = error.strerror if isinstance(error, OSError) else None
        wrong = f"cannot be written: {strerror or error}"
        raise BadInput(Problem(str(path), "", wrong), passing=True) from None


def _is_stream(path: Path) -> bool:
    """Whether the file is a device or pipe, or a standard stream of this process."""
    try:
        facts = path.stat()
    except OSError:
        return False
    is_plain = stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode)
    return not is_plain or _own_stream(facts) is not None


def _own_stream(facts: os.stat_result) -> int | None:
    """The number of the standard stream that a file is, such as ``/dev/stdout``."""
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(facts, os.fstat(number)):
                return number
    return None


def _write_to(path: Path, content: bytes) -> None:
    number = _own_stream(path.stat())
    if number is None:
        with path.open("wb") as stream:
            stream.write(content)
        return
    (sys.stdout if number == 1 else sys.stderr).flush()
    with os.fdopen(os.dup(number), "wb") as stream:
        stream.write(content)


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{secrets.token_hex(8)}.part")  # of its own: others may write the same file
    with beside.open("xb") as stream:  # never a file that another program has put there
        try:
            _copy_mode(path, beside)
            stream.write(content)
            stream.close()
            beside.replace(path)
        finally:
            stream.close()  # Windows removes no open file
            beside.unlink(missing_ok=True)


def _copy_mode(old: Path, new: Path) -> None:
    """Give the new file the permissions of the old one; Windows stores them elsewhere."""
    if os.name == "posix":
        with suppress(OSError):  # there is no old one, or its file system knows no modes
            shutil.copymode(old, new)


def shown(name: str) -> str:
    """The name of an entry in a form that is safe in one line of a message."""
    text = name if name.isprintable() else ascii(name)
    return text if len(text) <= 100 else f"{text[:97]}..."


class _DirectoryGuard:
    """A file as :mod:`zipfile` sees it: entries are counted before objects are made of them."""

    def __init__(self, stream: IO[bytes], limits: Limits) -> None:
        self._stream = stream
        self._entries = limits.entries
        self.seek = stream.seek
        self.tell = stream.tell

    def read(self, size: int = -1) -> bytes:
        """Read, unless it is a directory with too many entries."""
        too_many = FormatError(f"more than {self._entries} entries")
        if size > self._entries * 1024:
            raise too_many
        data = self._stream.read(size)
        if data.count(_DIRECTORY_RECORD) > self._entries:
            raise too_many
        return data


def _checked(entries: list[zipfile.ZipInfo], file_size: int) -> dict[str, zipfile.ZipInfo]:
    """The entries by name, after checking that none of them can do harm when it is read or its
    name is used.
    """
    named: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        name = entry.orig_filename  # as it stands in the file; ``filename`` depends on the operating system
        problem = _bad_name(name, named)
        if not problem and entry.flag_bits & _ENCRYPTED:
            problem = "encrypted, which VASSAL cannot read"
        if not problem and entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            problem = f"packed by method {entry.compress_type}, which VASSAL cannot read"
        if problem:
            raise FormatError(problem, place=shown(name))
        named[name] = entry
    _refuse_overlaps(entries, file_size)
    return named


def _bad_name(name: str, others: Container[str]) -> str:
    """What is wrong with the name of an entry; empty if nothing is."""
    parts = name.replace("\\", "/").split("/")
    if not parts[0] or ".." in parts or _DRIVE.match(name):
        return "the name of this entry leads out of the archive"
    if name in others:
        return "there are two entries of this name"
    if "\0" in name or any("\ud800" <= character <= "\udfff" for character in name):
        return "the name of this entry is not text"
    return ""


def _refuse_overlaps(entries: list[zipfile.ZipInfo], file_size: int) -> None:
    """Reject entries that share packed bytes: a few such bytes can unpack to any size. [D. Fifield, 2019]"""
    ordered = sorted(entries, key=lambda entry: entry.header_offset)
    if ordered and ordered[0].header_offset < 0:
        raise FormatError("it stands before the beginning of the file", place=shown(ordered[0].orig_filename))
    starts = [*(entry.header_offset for entry in ordered), file_size]
    for entry, (start, end) in zip(ordered, pairwise(starts), strict=True):
        if start + _LOCAL_HEADER + len(entry.orig_filename) + entry.compress_size > end:
            raise FormatError("it overlaps what follows it", place=shown(entry.orig_filename))


def _header(name: str, when: datetime) -> zipfile.ZipInfo:
    """The header of an entry; nothing in it depends on this computer."""
    utc = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    utc = min(max(utc, EARLIEST), _LATEST)
    entry = zipfile.ZipInfo(name, utc.timetuple()[:6])
    entry.filename = name  # as it is, where Windows would turn a backslash into a slash
    entry.create_system = 3  # Unix
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    seconds = int(utc.timestamp())
    if seconds < 2**31:
        # A zip's own time has no zone, and Java takes it for local time; this field is UTC and wins.
        entry.extra = struct.pack("<HHBi", 0x5455, 5, 1, seconds)
    return entry


def _not_a_zip(stream: IO[bytes], error: Exception) -> FormatError:
    """Why :mod:`zipfile` could not open a file."""
    if isinstance(error, OSError):
        return _unreadable(error)
    try:
        stream.seek(0)
        start = stream.read(4)
    except OSError as unreadable:
        return _unreadable(unreadable)
    if not start:
        return FormatError("the file is empty")
    if start.startswith(b"PK"):
        return FormatError(f"damaged or cut short: {_reason(error)}", "fetch the file again")
    return FormatError("not a zip file", "VASSAL's modules, extensions, saves and logs are zip files")


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:200]


def _unreadable(error: Exception) -> FormatError:
    strerror = error.strerror if isinstance(error, OSError) else None
    return FormatError(f"cannot be read: {strerror or error}", passing=isinstance(error, OSError))
