"""Commands that replace a piece with another. [counters.Replace]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal.traits.place_marker import PlaceMarker


@frozen(kw_only=True)
class Replace(PlaceMarker):
    """Like a trait that places a piece, but this piece is removed: for example if a unit's reverse side is a
    piece of its own.
    """

    CODE: ClassVar[str] = "replace;"
