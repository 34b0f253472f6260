"""Where things of the game are defined in the files, so that problems are reported with their place."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from vassalgen.problems import Problem


class Document(Protocol):
    """A file from which things are read."""

    @property
    def file(self) -> str:
        """Its name as the user knows it."""

    def place(self, path: tuple[str | int, ...]) -> str:
        """Return where in the file a path of keys is."""


@frozen
class Origin:
    """A path of keys in a file. The line number is looked up only when it is needed."""

    document: Document
    path: tuple[str | int, ...] = ()

    def problem(self, wrong: str, right: str = "") -> Problem:
        """Return a problem at this place."""
        return Problem(self.document.file, self.document.place(self.path), wrong, right)
