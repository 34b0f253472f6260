"""What all traits have in common."""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from vassalgen.vassal.records import Record


@frozen(kw_only=True)
class State(Record):
    """What a trait remembers of one piece, apart from its definition."""


@frozen(kw_only=True)
class RawState(State):
    """The state of a trait that remembers nothing, or nothing known: kept as it stands, normally empty."""

    text: str = field(default="", kw_only=False)

    @classmethod
    def from_text(cls, text: str) -> RawState:
        return cls(text)

    def to_text(self) -> str:
        return self.text


@frozen(kw_only=True)
class Trait(Record):
    """The definition of one trait: the part of a piece's type that starts with ``CODE``.

    Subclasses declare the fields in the order in which they follow the code, and name the class of their
    state. [counters.Decorator.myGetType, myGetState]
    """

    CODE: ClassVar[str]
    STATE: ClassVar[type[State]] = RawState

    @classmethod
    def decode(cls, text: str) -> Trait:
        """Read a part of a type, code included."""
        return super().decode(text)

    @classmethod
    def from_text(cls, text: str) -> Trait:
        return cls.from_body(text[len(cls.CODE) :])

    def to_text(self) -> str:
        return self.CODE + self.to_body()

    @classmethod
    def from_body(cls, body: str) -> Trait:
        """Read what follows the code; traits that are no plain list override this and :meth:`to_body`."""
        return super().from_text(body)

    def to_body(self) -> str:
        """Write what follows the code."""
        return super().to_text()

    def initial_state(self) -> State:
        """Return the state of a piece fresh from its slot whose definition says nothing else."""
        return self.STATE()


@frozen(kw_only=True)
class UnknownTrait(Trait):
    """A trait of a code nobody here knows (a module's own class): kept to the byte."""

    CODE: ClassVar[str] = ""
    text: str = field(default="", kw_only=False)

    @classmethod
    def from_body(cls, body: str) -> UnknownTrait:
        return cls(body)

    def to_body(self) -> str:
        return self.text
