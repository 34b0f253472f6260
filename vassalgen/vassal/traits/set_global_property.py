"""Commands that change a property of the module, a map or a zone. [counters.SetGlobalProperty]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.compounds import PROPERTY_COMMANDS, Constraints, PropertyCommand
from vassalgen.vassal.traits.base import Trait

CURRENT = "Current Zone/Current Map/Module"


@frozen(kw_only=True)
class SetGlobalProperty(Trait):
    """Commands on a piece that change the global property ``name``.

    ``level`` says where the property is looked for: :data:`CURRENT`, or in the zone or map ``place``.
    """

    CODE: ClassVar[str] = "setprop;"
    name: str = records.text("name")
    constraints: Constraints = records.of(records.whole(Constraints), Constraints())
    commands: tuple[PropertyCommand, ...] = records.of(PROPERTY_COMMANDS, ())
    description: str = records.text()
    level: str = records.text(CURRENT)
    place: str = records.text()
