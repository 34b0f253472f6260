"""The audit of a game as a task, and the fingerprint of everything on which its verdict depends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve, frozen

from referee.archive.files import Place
from referee.versions import program_version
from vassalgen.vassal.limits import Limits


@frozen
class Source:
    """A file that a task reads: its place, its hash, and its contents if the task includes them."""

    place: Place
    digest: str
    content: bytes | None = None

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.place.name

    @contextmanager
    def opened(self, limits: Limits) -> Iterator[Path]:
        """The file on disk."""
        if self.content is None:
            with self.place.opened(limits) as path:
                yield path
            return
        with TemporaryDirectory(prefix="referee-") as folder:
            path = Path(folder) / self.name
            path.write_bytes(self.content)
            yield path

    def packed(self, limits: Limits) -> Source:
        """The same with its contents, for another machine."""
        with self.opened(limits) as path:
            return evolve(self, content=path.read_bytes())


@frozen
class FactsTask:
    """A file whose facts are to be read."""

    source: Source
    limits: Limits

    @property
    def name(self) -> str:
        """Its name in messages."""
        return str(self.source.place)

    def packed(self) -> FactsTask:
        """The same for another machine."""
        return evolve(self, source=self.source.packed(self.limits))


@frozen
class AuditTask:
    """A game to be audited, with everything that this requires.

    ``shared`` are the first logs that are counted with another game. ``rules`` and ``data_hash`` are the
    versions with which it is to be judged. ``page``: its page is made as well, with pseudonyms ``instead`` of
    names if it is ``redacted``.
    """

    logs: tuple[Source, ...]
    game: str
    limits: Limits
    shared: int = 0
    module: Source | None = None
    module_map: Source | None = None
    scenario: str = ""
    data: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    notes: Source | None = None
    reveal: bool = False
    rules: str = ""
    data_hash: str = ""
    page: bool = False
    redacted: bool = False
    instead: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """Its name in messages."""
        more = f" and {len(self.logs) - 1} more" if len(self.logs) > 1 else ""
        return f"{self.logs[self.shared].place}{more}"

    def packed(self) -> AuditTask:
        """The same for another machine."""
        return evolve(
            self,
            logs=tuple(one.packed(self.limits) for one in self.logs),
            module=self.module and self.module.packed(self.limits),
            module_map=self.module_map and self.module_map.packed(self.limits),
            notes=self.notes and self.notes.packed(self.limits),
        )

    @property
    def basis(self) -> dict[str, Any]:
        """Everything on which its verdict depends."""
        return {
            "program": program_version(),
            "rules": self.rules,
            "data": self.data_hash,
            "game": Path(self.game).name,
            "module": self.module.digest if self.module else "",
            "map": self.module_map.digest if self.module_map else "",
            "logs": [one.digest for one in self.logs],
            "shared": self.shared,
            "options": {
                "scenario": self.scenario,
                "rulings": sorted(self.rulings),
                "notes": self.notes.digest if self.notes else "",
                "reveal": self.reveal,
            },
            "form": FORM,
        }

    @property
    def fingerprint(self) -> str:
        """A hash of all of that: verdicts with the same fingerprint are the same."""
        return hashlib.sha256(json.dumps(self.basis, sort_keys=True).encode()).hexdigest()


Task = FactsTask | AuditTask

FORM = hashlib.sha256(Path(__file__).with_name("judging.py").read_bytes()).hexdigest()[:16]
"""A hash of the code that turns an audit into a verdict."""
