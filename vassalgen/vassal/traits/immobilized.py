"""Pieces that do not stack, or are selected and moved with care. [counters.Immobilized]"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar, Self

from attrs import frozen

from vassalgen.vassal.traits.base import Trait


class Selection(StrEnum):
    """What is required to select the piece with the pointer."""

    NORMAL = ""
    NEVER = "n"
    SHIFT = "i"
    CTRL = "t"
    ALT = "c"


class BandSelection(StrEnum):
    """What is required to select the piece with a rubber band."""

    NORMAL = ""
    NEVER = "Z"
    ALT = "A"
    ALT_SHIFT = "B"


class Movement(StrEnum):
    """When the piece may be dragged."""

    NORMAL = "N"
    IF_SELECTED = "I"
    NEVER = "V"


@frozen(kw_only=True)
class Immobilized(Trait):
    """How a piece is selected and moved, whether it snaps to the grid, and whether it stacks (``stacks``)."""

    CODE: ClassVar[str] = "immob;"
    selection: Selection = Selection.NORMAL
    ignores_grid: bool = False
    band_selection: BandSelection = BandSelection.NORMAL
    movement: Movement = Movement.NORMAL
    stacks: bool = False
    description: str = ""

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        options, movement, stacking, description, *_ = [*tokens, *[""] * 4]
        selection = next((one for one in Selection if one and one in options), Selection.NORMAL)
        return cls(
            selection=selection,
            ignores_grid="g" in options,
            band_selection=next(
                (one for one in BandSelection if one and one in options), BandSelection.NORMAL
            ),
            movement=_movement(movement, selection),
            stacks=stacking.startswith("L"),
            description=description,
        )

    def to_tokens(self) -> list[str]:
        options = self.selection + ("g" if self.ignores_grid else "") + self.band_selection
        return [options, self.movement, "L" if self.stacks else "R", self.description]


def _movement(option: str, selection: Selection) -> Movement:
    if option:
        return Movement(option[0]) if option[0] in tuple(Movement) else Movement.NORMAL
    if selection is Selection.NEVER:
        return Movement.NEVER
    return Movement.IF_SELECTED if selection else Movement.NORMAL
