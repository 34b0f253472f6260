"""Borders drawn while a property says so. [counters.BorderOutline]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Colour
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class BorderOutline(Trait):
    """A border around the piece while the property ``first`` (``mode`` AND, OR, XOR or NOR ``second``) is
    neither empty, ``false`` nor 0. ``thickness`` is in pixels.
    """

    CODE: ClassVar[str] = "border;"
    first: str = records.text()
    description: str = records.text()
    thickness: int = records.integer(2)
    colour: Colour | None = records.colour((255, 0, 0))
    second: str = records.text()
    mode: str = records.text("AND")
