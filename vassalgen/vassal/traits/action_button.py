"""Parts of a piece that can be clicked. [counters.ActionButton]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import attrs
from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.records import pairs_of
from vassalgen.vassal.scalars import INTEGER, Key, Polygon
from vassalgen.vassal.traits.base import Trait

VERSION = 1


@frozen(kw_only=True)
class ActionButton(Trait):
    """Sends ``key`` to the piece when it is clicked within ``corners`` (pixels from the piece's centre), or
    anywhere if ``whole_shape``.

    The rectangle ``x``, ``y``, ``width``, ``height`` is what older versions had instead of corners.
    """

    CODE: ClassVar[str] = "button;"
    key: Key | None = records.key(Key.ctrl("A"))
    x: int = records.integer(0)
    y: int = records.integer(0)
    width: int = records.integer(0)
    height: int = records.integer(0)
    description: str = records.text()
    opens_menu: bool = records.boolean()
    whole_shape: bool = records.boolean()
    version: int = records.of(INTEGER, VERSION, missing=0)
    corners: Polygon = ()

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> Self:
        trait = super().from_tokens(tokens)
        if trait.version >= VERSION:
            here = len(cls.SPECS)
            count = _number(tokens[here]) if here < len(tokens) else 0
            corners = pairs_of(tokens[here + 1 :], lambda x, y: (_number(x), _number(y)), count)
            return attrs.evolve(trait, version=VERSION, corners=corners)
        if trait.width <= 0 or trait.height <= 0:
            return attrs.evolve(trait, version=VERSION, whole_shape=True)
        right, bottom = trait.x + trait.width, trait.y + trait.height
        corners = ((trait.x, trait.y), (right, trait.y), (right, bottom), (trait.x, bottom))
        return attrs.evolve(trait, version=VERSION, corners=corners)

    def to_tokens(self) -> list[str]:
        corners = [str(number) for corner in self.corners for number in corner]
        return [*super().to_tokens(), str(len(self.corners)), *corners]


def _number(text: str) -> int:
    try:
        return INTEGER.decode(text)
    except ValueError:
        return 0
