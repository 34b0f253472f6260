"""Outlines of pieces that are not rectangles. [counters.NonRectangular]"""

from __future__ import annotations

import re
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal import records, scalars, sequences
from vassalgen.vassal.traits.base import Trait

OLD_CODE = "nonRect;"
_DELIMITER = re.compile(r"(?<!\\);")


@frozen(kw_only=True)
class NonRectangular(Trait):
    """The outline within which a piece can be clicked, and which is drawn around a selected piece.

    ``shape`` is ``d`` and a path: letters M, L, Q, C with their co-ordinates and Z, and last the letter N and
    the image the outline was taken from. The old form is a list ``m,x,y,l,x,y,…,c,nimage``; a trait of the
    old code is read as one of the new.
    """

    CODE: ClassVar[str] = "nonRect2;"
    scale: float = records.double(1.0)
    shape: str = ""

    @classmethod
    def from_text(cls, text: str) -> Self:
        if text.startswith(OLD_CODE):
            return cls(shape=text.removeprefix(OLD_CODE))
        return super().from_text(text)

    @classmethod
    def from_body(cls, body: str) -> Self:
        scale, _, shape = _split_once(body)
        try:
            return cls(scale=scalars.DOUBLE.decode(scale), shape=shape)
        except ValueError:
            return cls(shape=shape)

    def to_body(self) -> str:
        return f"{scalars.java_double(self.scale)};{self.shape}"

    @property
    def image(self) -> str:
        """The image the outline was taken from, or an empty text."""
        if self.shape.startswith("d"):
            return self.shape.partition(" N ")[2]
        return next((token[1:] for token in self.shape.split(",") if token.startswith("n")), "")


def _split_once(body: str) -> tuple[str, str, str]:
    found = _DELIMITER.search(body)
    first, rest = (body[: found.start()], body[found.end() :]) if found else (body, "")
    return sequences.decode(first, ";")[0], ";", rest
