"""Markers: properties of a piece that never change in play. [counters.Marker]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal.traits.base import ListState, State, Trait


@frozen(kw_only=True)
class MarkerState(ListState):
    """The values, in the order of the trait's names."""

    DELIMITER: ClassVar[str] = ","

    @property
    def values(self) -> tuple[str, ...]:
        """The values."""
        return self.items


@frozen(kw_only=True)
class Marker(Trait):
    """Names of properties; the values are in the state."""

    CODE: ClassVar[str] = "mark;"
    DELIMITER: ClassVar[str] = ","
    STATE: ClassVar[type[State]] = MarkerState
    names: tuple[str, ...] = ("",)

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        return cls(names=tuple(tokens))

    def to_tokens(self) -> list[str]:
        return list(self.names)

    def value(self, name: str, state: State) -> str | None:
        """The value of the property ``name``, or None if this trait does not have it."""
        if name not in self.names or not isinstance(state, MarkerState):
            return None
        place = self.names.index(name)
        return state.values[place] if place < len(state.values) else ""

    def initial_state(self) -> MarkerState:
        return MarkerState(items=("",) * len(self.names))
