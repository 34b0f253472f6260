"""Areas of a map coloured around a piece. [counters.AreaOfEffect]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Colour, Key
from vassalgen.vassal.traits.base import State, Trait, ValueState


@frozen(kw_only=True)
class AreaOfEffectState(ValueState):
    """Whether the area is shown; ignored if it is always shown, or if each player has a separate switch."""

    active: bool = records.boolean()


@frozen(kw_only=True)
class AreaOfEffect(Trait):
    """An area of ``radius`` (hexes, or grid units) around the piece, coloured or drawn by a map shading.

    ``opacity`` is a percentage; VASSAL writes 52 for 53 and 58 for 59, because of its rounding. The radius
    comes from ``radius_property`` unless ``fixed_radius``. The area is switched by ``key`` (and ``on_key``,
    ``off_key``) unless ``always_active``.
    """

    CODE: ClassVar[str] = "AreaOfEffect;"
    STATE: ClassVar[type[State]] = AreaOfEffectState
    colour: Colour | None = records.colour((128, 128, 128))
    opacity: int = records.integer(30)
    radius: int = records.integer(1)
    always_active: bool = records.boolean(True)
    text: str = records.text("Show area")
    key: Key | None = records.key()
    shading: str = records.text()
    fixed_radius: bool = records.boolean(True)
    radius_property: str = records.text()
    description: str = records.text()
    name: str = records.text()
    on_text: str = records.text()
    on_key: Key | None = records.key()
    off_text: str = records.text()
    off_key: Key | None = records.key()
    globally_visible: bool = records.boolean(True)
