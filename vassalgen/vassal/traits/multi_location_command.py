"""Commands that appear once for each region or zone. [counters.MultiLocationCommand]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import BOOLEAN, Key
from vassalgen.vassal.traits.base import Trait

REGIONS, ZONES = "locRegions", "locZones"


@frozen(kw_only=True)
class MultiLocationCommand(Trait):
    """A menu entry ``text`` for each region or zone that passes ``match``, all sending ``key``.

    ``sort_menu``, ``ascending`` and ``numeric`` are new in VASSAL 3.8.
    """

    CODE: ClassVar[str] = "locCommand;"
    description: str = records.text()
    places: str = records.text(REGIONS)
    match: str = records.match()
    text: str = records.text("Do Something At $LocationOfCommand$")
    key: Key | None = records.key()
    current_map_only: bool = records.boolean(True)
    sort_menu: bool | None = records.newer(BOOLEAN)
    ascending: bool | None = records.newer(BOOLEAN)
    numeric: bool | None = records.newer(BOOLEAN)
