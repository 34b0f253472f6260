"""Where in the files a thing of the game was written, so that problems are reported with their place."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from vassalgen.problems import Problem


class Document(Protocol):
    """A file that things were read from."""

    @property
    def file(self) -> str:
        """Its name as the user knows it."""

    def place(self, path: tuple[str | int, ...]) -> str:
        """Say where in the file a path of keys stands."""


@frozen
class Origin:
    """A path of keys in a file. The line is looked for only when it is asked for."""

    document: Document
    path: tuple[str | int, ...] = ()

    def problem(self, wrong: str, right: str = "") -> Problem:
        """Return a problem at this place."""
        return Problem(self.document.file, self.document.place(self.path), wrong, right)
