"""Rotation about a point other than the centre. [counters.Pivot]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class Pivot(Trait):
    """Commands that rotate the piece about the point (``x``, ``y``), in pixels from the centre, by a fixed
    angle in degrees or by dragging. It needs a rotator further in.
    """

    CODE: ClassVar[str] = "pivot;"
    text: str = records.text("Pivot")
    key: Key | None = records.key()
    x: int = records.integer(0)
    y: int = records.integer(0)
    fixed_angle: bool = records.boolean(True)
    angle: float = records.double(90.0)
    description: str = records.text()
    second_text: str = records.text()
    second_key: Key | None = records.key()
    second_angle: float = records.double(270.0)
