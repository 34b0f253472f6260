"""Saves and logs as files: a zip with the stream and the save's metadata.

The content of the stream is read by :mod:`~vassalgen.vassal.streams`. [build.module.GameState.saveGame,
decodeSavedGame]
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from pathlib import Path

import attrs
from attrs import field, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import archives, obfuscation, streams
from vassalgen.vassal.archives import (
    BUILD_FILE,
    BUILD_FILE_OLD,
    EARLIEST,
    MODULE_DATA,
    SAVE_DATA,
    SAVED_GAME,
    Archive,
)
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.obfuscation import Envelope, Form
from vassalgen.vassal.streams import ESC, LOG, Stream

_ZIP = b"PK"
_BEGIN = "begin_save"


class _Described:
    """The metadata of a save or log, in the entries ``others`` beside its stream."""

    __slots__ = ()
    others: tuple[tuple[str, bytes], ...]

    @property
    def savedata(self) -> SaveData | None:
        """The metadata of the save; None for old ones without. :exc:`FormatError` if it is damaged."""
        data = dict(self.others).get(SAVE_DATA)
        return None if data is None else SaveData.from_xml(data)

    @property
    def moduledata(self) -> ModuleData | None:
        """The metadata of the save's module, likewise."""
        data = dict(self.others).get(MODULE_DATA)
        return None if data is None else ModuleData.from_xml(data)


@frozen
class SavedGame(_Described):
    """A save or log. Its text contains the players' passwords, so it is never in a message or a ``repr``.
    ``others`` are the entries besides the stream in order, as name and content; ``before`` is the number of
    them before the stream. ``bare`` is true of a stream without a zip around it.
    """

    text: str = field(repr=False)
    envelope: Envelope = Envelope()
    others: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    before: int = 0
    bare: bool = False

    @classmethod
    def new(
        cls, text: str, savedata: SaveData | None = None, moduledata: ModuleData | None = None
    ) -> SavedGame:
        """A save with the entries that VASSAL writes."""
        data = [(metadata.ENTRY, metadata.to_xml()) for metadata in (savedata, moduledata) if metadata]
        return cls(text, others=tuple(data))

    def to_bytes(self, form: Form | None = None, *, when: datetime = EARLIEST) -> bytes:
        """The whole file.

        ``savedGame`` is stored in the form in which it was read, to the byte if the text is the same; that of
        a new game is stored as VASSAL 3.7 does. ``form`` requests another form. ``when`` is the time of the
        entries: see :func:`~vassalgen.vassal.archives.pack`.
        """
        envelope = self.envelope
        if form is not None and form is not envelope.form:
            envelope = attrs.evolve(envelope, form=form)
        stream = (SAVED_GAME, obfuscation.encode(self.text, envelope))
        return archives.pack((*self.others[: self.before], stream, *self.others[self.before :]), when=when)

    def write(self, path: Path, form: Form | None = None, *, when: datetime = EARLIEST) -> None:
        """:meth:`to_bytes` into a file, which is written completely or not at all."""
        archives.replace_file(path, self.to_bytes(form, when=when))


@frozen
class SavedStream(_Described):
    """The content of a save or log, without its spelling."""

    stream: Stream
    others: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)


def read_saved_game(
    source: str | Path | bytes | Archive,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    *,
    file: str = "",
) -> SavedGame:
    """Read a save or log: a file, the bytes of one, or an open archive, which stays open. Streams without a
    zip, which people keep under version control, are accepted although VASSAL itself rejects them; a line
    break that an editor added at their end is removed, because no stream ends with one. Raises
    :exc:`FormatError` if it is not a save.
    """
    if isinstance(source, Archive):
        return _from_archive(source)
    if isinstance(source, bytes):
        start = source[: len(_ZIP)]
    else:
        file = str(source)
        start = _start(Path(source))
    if start in (_ZIP, b""):  # empty or unreadable files are reported when they are opened
        with Archive.open(source, limits, file=file) as archive:
            return _from_archive(archive)
    try:
        return _bare(source if isinstance(source, bytes) else _whole(Path(source), limits), limits)
    except FormatError as error:
        raise error.within(file=file) from None


def read_stream(
    path: Path,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
) -> SavedStream:
    """Read the content of a save or log, from a file that :func:`read_saved_game` could read. The whole text
    is never in memory at once: that of a long log takes hundreds of megabytes.
    """
    if _start(path) not in (_ZIP, b""):
        text = read_saved_game(path, limits).text
        return SavedStream(streams.read([text]))
    with Archive.open(path, limits) as archive:
        others = _others(archive)
        try:
            return SavedStream(streams.read(_texts(archive)), others)
        except FormatError as error:
            raise error if error.problem.file else archive.within(error, SAVED_GAME) from None


def read_setup(module: Archive, name: str) -> SavedGame:
    """Read a save or log that is an entry of a module, within the limits of the module."""
    if module.head(name, len(_ZIP)) in (_ZIP, b""):
        with module.inner(name) as archive:
            return _from_archive(archive)
    data = module.read(name)
    try:
        game = _bare(data, module.limits)
        module.count("commands", game.text.count(ESC))
        return game
    except FormatError as error:
        raise module.within(error, name) from None


def is_log(text: str) -> bool:
    """Whether a stream contains steps of players, which makes it a log.
    [build.module.BasicLogger.LogCommand]
    """
    return text.startswith(LOG) or ESC + LOG in text


def _from_archive(archive: Archive) -> SavedGame:
    others = _others(archive)
    data = archive.read(SAVED_GAME)
    try:
        text, envelope = obfuscation.decode(data)
        archive.count("commands", text.count(ESC))
    except FormatError as error:
        raise archive.within(error, SAVED_GAME) from None
    _check_beginning(text, archive)
    return SavedGame(text, envelope, others, archive.names.index(SAVED_GAME))


def _others(archive: Archive) -> tuple[tuple[str, bytes], ...]:
    """All entries of a save or log except the stream, which must be present."""
    if SAVED_GAME not in archive.names and {BUILD_FILE, BUILD_FILE_OLD} & {*archive.names}:
        raise archive.within(
            FormatError("is a module, neither a save nor a log", "use a .vsav or .vlog played with it")
        )
    if SAVED_GAME not in archive.names:
        raise archive.within(FormatError("neither a save nor a log", f"one has an entry {SAVED_GAME}"))
    return tuple((name, archive.read(name)) for name in archive.names if name != SAVED_GAME)


def _texts(archive: Archive) -> Iterator[str]:
    """The stream of a save or log, chunk by chunk."""
    pieces = obfuscation.texts(archive.chunks(SAVED_GAME))
    beginning = next(pieces)
    _check_beginning(beginning, archive)
    commands = 0
    for piece in chain((beginning,), pieces):
        commands += piece.count(ESC)
        if commands > archive.limits.commands:
            archive.count("commands", commands + sum(rest.count(ESC) for rest in pieces))
        yield piece


def _check_beginning(text: str, archive: Archive) -> None:
    if not text.startswith(_BEGIN):
        wrong = FormatError(f"does not begin with {_BEGIN}", "damaged, or scrambled with another key")
        raise archive.within(wrong, SAVED_GAME)


def _bare(data: bytes, limits: Limits) -> SavedGame:
    if not data.startswith(Form.VOBS.value):  # in which any byte may be part of the stream
        data = data.removesuffix(b"\n").removesuffix(b"\r")
    text, envelope = obfuscation.decode(data)
    limits.count("commands", text.count(ESC))
    if text != _BEGIN and not text.startswith(_BEGIN + ESC):
        raise FormatError(
            "neither a zip file nor a stream of commands", "VASSAL's saves and logs are one or the other"
        )
    return SavedGame(text, envelope, bare=True)


def _whole(path: Path, limits: Limits) -> bytes:
    try:
        limits.allow(path.stat().st_size)
        with path.open("rb") as stream:
            data = stream.read(limits.total + 1)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}") from None
    limits.allow(len(data))
    return data


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(len(_ZIP))
    except (OSError, ValueError):
        return b""
