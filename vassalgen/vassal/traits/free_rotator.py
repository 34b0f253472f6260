"""Facings: pieces that can be turned. [counters.FreeRotator]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import records, scalars
from vassalgen.vassal.records import Spec, read_fields
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import State, Trait, ValueState


@frozen(kw_only=True)
class FacingState(ValueState):
    """The facing, from 0; the picture is turned clockwise by that many steps."""

    facing: int = records.integer(0)


@frozen(kw_only=True)
class AngleState(ValueState):
    """The angle in degrees of a piece that rotates freely; the picture is rotated clockwise by
    *minus* that.
    """

    angle: float = records.double(0.0)


@frozen(kw_only=True)
class FreeRotator(Trait):
    """Rotates the picture: in steps of 360° / ``facings``, or to any angle if ``facings`` is 1.

    With one facing the text has only the ``set_angle`` fields, with more only the ``clockwise`` ones and
    their opposites. ``direct_expression`` gives the facing (or, unless ``direct_facing``, the degrees) that
    ``direct_key`` turns to. Properties: ``<name>_Facing``, ``<name>_Degrees``.
    """

    CODE: ClassVar[str] = "rotate;"
    facings: int = records.integer(6, required=True)
    set_angle_key: Key | None = records.key()
    set_angle_text: str = records.text("Rotate")
    clockwise_key: Key | None = records.key()
    counterclockwise_key: Key | None = records.key()
    clockwise_text: str = records.text()
    counterclockwise_text: str = records.text()
    random_key: Key | None = records.key()
    random_text: str = records.text()
    name: str = records.text()
    description: str = records.text()
    direct_key: Key | None = records.key()
    direct_text: str = records.text()
    direct_expression: str = records.text()
    direct_facing: bool = records.boolean(True)

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        try:
            facings = scalars.INTEGER.decode(tokens[0])
        except ValueError:
            facings = -1
        if facings < 0:
            raise FormatError(f"FreeRotator: {tokens[0]!r} is not a number of facings", "a number such as 6")
        return cls(**read_fields(_specs(facings), tokens, cls.__name__))

    def to_tokens(self) -> list[str]:
        return self.write_fields(_specs(self.facings))

    @property
    def is_free(self) -> bool:
        """Whether the piece can be turned to any angle."""
        return self.facings == 1

    @property
    def state_class(self) -> type[State]:
        return AngleState if self.is_free else FacingState

    def degrees_clockwise(self, state: State) -> float:
        """How far the picture is turned clockwise, in degrees."""
        if isinstance(state, AngleState):
            return -state.angle
        if isinstance(state, FacingState) and self.facings:
            return min(state.facing, self.facings - 1) * 360 / self.facings
        return 0.0


def _specs(facings: int) -> tuple[Spec, ...]:
    """The fields in the text of a rotator with so many facings."""
    specs = FreeRotator.SPECS
    return (specs[0], *specs[1:3], *specs[7:]) if facings == 1 else (specs[0], *specs[3:])
