"""Stacks. [counters.Stack]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records
from vassalgen.vassal.records import read_fields
from vassalgen.vassal.scalars import INTEGER
from vassalgen.vassal.traits.base import State, Trait

LAYER_MARK = "@@"


@frozen(kw_only=True)
class StackState(State):
    """Where the stack is, and the ids of its pieces from the bottom to the top.

    ``layer`` is the index of the map layer, -1 if it has none yet.
    """

    map: str | None = records.nullable()
    x: int = records.integer(0)
    y: int = records.integer(0)
    ids: tuple[str, ...] = ()
    layer: int = -1

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        ids, layer = [], -1
        for token in tokens[len(cls.SPECS) :]:
            if not token.startswith(LAYER_MARK):
                ids.append(token)
                continue
            try:
                layer = INTEGER.decode(token.removeprefix(LAYER_MARK))
            except ValueError:
                raise FormatError(f"Stack: {token!r} names no layer", "a number after @@") from None
        return cls(**read_fields(cls.SPECS, tokens, cls.__name__), ids=tuple(ids), layer=layer)

    def to_tokens(self) -> list[str]:
        return [*super().to_tokens(), *self.ids, f"{LAYER_MARK}{self.layer}"]


@frozen(kw_only=True)
class Stack(Trait):
    """A stack has no fields, only its code."""

    CODE: ClassVar[str] = "stack"
    STATE: ClassVar[type[State]] = StackState

    @classmethod
    def from_body(cls, body: str) -> Self:
        return cls()

    def to_body(self) -> str:
        return ""
