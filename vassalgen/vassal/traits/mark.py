"""Markers: properties of a piece that never change in play. [counters.Marker]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.traits.base import State, Trait


@frozen(kw_only=True)
class MarkerState(State):
    """The values, in the order of the trait's names."""

    DELIMITER: ClassVar[str] = ","
    values: tuple[str, ...] = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> MarkerState:
        return cls(values=tuple(tokens))

    def to_tokens(self) -> list[str]:
        return list(self.values)


@frozen(kw_only=True)
class Marker(Trait):
    """Names of properties; the values stand in the state."""

    CODE: ClassVar[str] = "mark;"
    STATE: ClassVar[type[State]] = MarkerState
    names: tuple[str, ...] = records.texts()
