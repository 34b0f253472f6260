"""The innermost part of every piece. [counters.BasicPiece]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.records import pairs_of, read_fields
from vassalgen.vassal.scalars import CHARACTER, INTEGER
from vassalgen.vassal.traits.base import State, Trait


@frozen(kw_only=True)
class BasicPieceState(State):
    """Where the piece is, which slot it came from, and what it keeps for itself.

    ``map`` is the map's name, None off the map; ``x`` and ``y`` are the piece's centre in map pixels, the
    board's edge included. Of a piece in a stack the stack's place counts, not this. ``properties`` are those
    VASSAL keeps by itself (``OldZone``, ``UniqueID`` …), in order.
    """

    map: str | None = records.nullable()
    x: int = records.integer(0)
    y: int = records.integer(0)
    gpid: str = records.text()
    properties: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        here = len(cls.SPECS)
        try:
            count = INTEGER.decode(tokens[here])
        except (ValueError, IndexError):
            count = 0
        properties = pairs_of(tokens[here + 1 :], lambda name, value: (name, value), count)
        return cls(**read_fields(cls.SPECS, tokens, cls.__name__), properties=properties)

    def to_tokens(self) -> list[str]:
        pairs = [text for pair in self.properties for text in pair]
        return [*super().to_tokens(), str(len(self.properties)), *pairs]

    def property(self, name: str) -> str | None:
        """The value of a property kept here, or None."""
        return dict(self.properties).get(name)


@frozen(kw_only=True)
class BasicPiece(Trait):
    """The picture and the name. The keys are single characters of old versions, normally empty."""

    CODE: ClassVar[str] = "piece;"
    STATE: ClassVar[type[State]] = BasicPieceState
    clone_key: str = records.of(CHARACTER, "")
    delete_key: str = records.of(CHARACTER, "")
    image: str = records.text(required=True)
    name: str = records.text(required=True)
