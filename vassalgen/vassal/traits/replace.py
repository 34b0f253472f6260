"""Commands that replace a piece with another. [counters.Replace]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal.traits.place_marker import PlaceMarker


@frozen(kw_only=True)
class Replace(PlaceMarker):
    """As a trait that places a piece, but this one goes: a unit's other side as a piece of its own, say."""

    CODE: ClassVar[str] = "replace;"
