"""Pieces that carry others. [counters.Mat]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records
from vassalgen.vassal.scalars import INTEGER
from vassalgen.vassal.traits.base import State, Trait


@frozen(kw_only=True)
class MatState(State):
    """The ids of the pieces on the mat."""

    ids: tuple[str, ...] = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        try:
            count = max(0, INTEGER.decode(tokens[0]))
        except ValueError:
            count = 0
        if count >= len(tokens):
            raise FormatError(f"Mat: {count} pieces announced, {len(tokens) - 1} named")
        return cls(ids=tuple(tokens[1 : 1 + count]))

    def to_tokens(self) -> list[str]:
        return [str(len(self.ids)), *self.ids]


@frozen(kw_only=True)
class Mat(Trait):
    """A piece that carries cargo with it when it moves. The cargo gets ``name`` as a property."""

    CODE: ClassVar[str] = "mat;"
    STATE: ClassVar[type[State]] = MatState
    name: str = records.text(required=True)
    description: str = records.text(required=True)
