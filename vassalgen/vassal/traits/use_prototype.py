"""The use of a prototype: traits defined once for many pieces. [counters.UsePrototype]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal import sequences
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class UsePrototype(Trait):
    """Is replaced by the traits of the prototype ``name`` when a piece is placed.

    ``parameters`` are names and values: in the prototype's text every ``$name$`` is replaced by the value. If
    there is at least one, every other ``$word$`` loses its dollars; without any (None, or an empty text in
    the file) nothing changes. See :func:`vassalgen.vassal.pieces.expand`.
    """

    CODE: ClassVar[str] = "prototype;"
    name: str = ""
    parameters: tuple[tuple[str, str], ...] | None = None

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        if len(tokens) < 2:
            return cls(name=tokens[0])
        given = (sequences.decode(pair, "=") for pair in sequences.decode(tokens[1], ","))
        return cls(name=tokens[0], parameters=tuple((pair[0], pair[1]) for pair in given if len(pair) > 1))

    def to_tokens(self) -> list[str]:
        if self.parameters is None:
            return [self.name]
        return [self.name, sequences.encode((sequences.encode(pair, "=") for pair in self.parameters), ",")]
