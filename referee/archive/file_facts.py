"""Facts about a VASSAL file: its players, and the table at its beginning and end.

Tables are compared by prints: a 32-bit number for each piece and its place.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from referee.table import Replay, Table, read_log, read_module
from vassalgen.problems import FormatError
from vassalgen.vassal.archives import Archive, Kind
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.streams import Node

LOG, SAVE, MODULE, EXTENSION = "log", "save", "module", "extension"
VERSION = 1
"""Increased when files have to be read again."""

_HEAD = 4


@frozen
class FileFacts:
    """The facts of a file.

    ``stream`` is a hash of the contents of a log, ``chain`` of the contents up to each of its steps,
    ``opening`` and ``ending`` of the table: sorted prints of its pieces. ``players`` are their sides by name.
    ``module`` and ``version`` are those of the module with which a log was made, or of the module that the
    file is. ``saved`` is the time in milliseconds since 1970, 0 if unknown.
    """

    kind: str
    module: str = ""
    version: str = ""
    players: tuple[tuple[str, str], ...] = ()
    steps: int = 0
    saved: int = 0
    comment: str = ""
    stream: str = ""
    chain: bytes = b""
    opening: bytes = b""
    ending: bytes = b""


def read_file_facts(path: Path, limits: Limits) -> FileFacts:
    """The facts of a file; BadInput if it cannot be read."""
    kind, saved = Kind.GAME, 0
    with path.open("rb") as stream:
        is_zip = stream.read(_HEAD).startswith(b"PK")
    if is_zip:
        with Archive.open(path, limits) as archive:
            kind = archive.kind
            if kind is Kind.EXTENSION:
                return FileFacts(EXTENSION)
            if kind is Kind.GAME:
                saved = _saved(archive)
    if kind is Kind.MODULE:
        plan = read_module(path, limits)
        return FileFacts(MODULE, plan.name, plan.version)
    log = read_log(path, limits)
    replay = Replay(log)
    opening = _prints(replay.table)
    for _ in replay.steps():
        pass
    seats = {player.name: player.side for player in replay.table.players}
    seats = {**dict.fromkeys(sorted(log.players() - set(seats)), ""), **seats}
    digest = hashlib.sha256()
    for node in log.stream.setup:
        _add(digest, node)
    chain = bytearray()
    for step in log.stream.steps:
        _add(digest, step)
        chain += digest.digest()[:_HEAD]
    return FileFacts(
        kind=LOG if log.length else SAVE,
        module=log.module,
        version=log.version,
        players=tuple(seats.items()),
        steps=log.length,
        saved=saved,
        comment=log.comments,
        stream=digest.hexdigest(),
        chain=bytes(chain),
        opening=opening,
        ending=_prints(replay.table),
    )


def _saved(archive: Archive) -> int:
    for kind in (SaveData, ModuleData):
        with suppress(FormatError):
            if kind.ENTRY in archive.names:
                saved = kind.from_xml(archive.read(kind.ENTRY)).date_saved
                if saved:
                    return saved
    return 0


def _add(digest: Any, node: Node) -> None:
    for one in node.walk():
        digest.update(one.text.encode("utf-8", "surrogateescape"))
        digest.update(b"\x1b")


def _prints(table: Table) -> bytes:
    """The prints of all pieces: their identities and places. States are left out, because each player tidies
    them up.
    """
    found = []
    for piece in table.pieces():
        x, y = piece.position
        text = f"{piece.id}\x1f{piece.map.name if piece.map else ''}\x1f{x}\x1f{y}"
        found.append(hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=4).digest())
    return b"".join(sorted(found))


def distance(one: bytes, other: bytes) -> int:
    """Return the number of pieces that differ between two tables."""
    ours, theirs = set(array("I", one)), set(array("I", other))
    return max(len(ours - theirs), len(theirs - ours))


def begins_as(chain: bytes, other: bytes) -> bool:
    """Return whether a log with one chain is the beginning of a log with another."""
    return 0 < len(chain) < len(other) and other[len(chain) - _HEAD : len(chain)] == chain[-_HEAD:]


def names(players: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The names of players."""
    return frozenset(name for name, _ in players)
