"""What all traits have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import field, frozen

from vassalgen.vassal.records import Record


@frozen(kw_only=True)
class State(Record):
    """The state of a trait on one piece, apart from its definition."""


@frozen(kw_only=True)
class RawState(State):
    """The state of a trait that has none, or an unknown one: kept unchanged, normally empty."""

    text: str = field(default="", kw_only=False, repr=False)

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(text)

    def to_text(self) -> str:
        return self.text


@frozen(kw_only=True)
class ValueState(State):
    """Base of the states whose whole text is one value, without a list around it."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls.from_tokens([text])

    def to_text(self) -> str:
        return self.to_tokens()[0]


@frozen(kw_only=True)
class ListState(State):
    """Base of the states that are one list of texts of any length."""

    items: tuple[str, ...] = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        return cls(items=tuple(tokens))

    def to_tokens(self) -> list[str]:
        return list(self.items)


@frozen(kw_only=True)
class Trait(Record):
    """The definition of one trait: the part of a piece's type that starts with ``CODE``.

    Subclasses declare the fields in the order in which they follow the code, and name the class of their
    state. [counters.Decorator.myGetType, myGetState]
    """

    CODE: ClassVar[str]
    STATE: ClassVar[type[State]] = RawState

    @classmethod
    def class_for(cls, text: str) -> type[Trait]:
        """The class that reads this part of a type: this one, unless the versions of a family have different
        ones.
        """
        return cls

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a part of a type, including its code."""
        return cls.from_body(text[len(cls.CODE) :])

    def to_text(self) -> str:
        return self.CODE + self.to_body()

    @classmethod
    def from_body(cls, body: str) -> Self:
        """Read the text after the code; traits that are not a plain list override this and
        :meth:`to_body`.
        """
        return super().from_text(body)

    def to_body(self) -> str:
        """Write the text after the code."""
        return super().to_text()

    @property
    def state_class(self) -> type[State]:
        """The class of this trait's state."""
        return self.STATE

    def initial_state(self) -> State:
        """Return the state of a new piece whose definition does not set one."""
        return self.state_class()


@frozen(kw_only=True)
class UnknownTrait(Trait):
    """A trait with an unknown code (a module's own class): kept to the byte."""

    CODE: ClassVar[str] = ""
    text: str = field(default="", kw_only=False)

    @classmethod
    def from_body(cls, body: str) -> Self:
        return cls(body)

    def to_body(self) -> str:
        return self.text
