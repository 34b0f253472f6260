"""Properties of a piece that change in play. [counters.DynamicProperty]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.compounds import PROPERTY_COMMANDS, Constraints, PropertyCommand
from vassalgen.vassal.traits.base import State, Trait, ValueState


@frozen(kw_only=True)
class DynamicPropertyState(ValueState):
    """The current value."""

    value: str = records.text()


@frozen(kw_only=True)
class DynamicProperty(Trait):
    """A property by name, with the commands that change it; its value is the state."""

    CODE: ClassVar[str] = "PROP;"
    STATE: ClassVar[type[State]] = DynamicPropertyState
    name: str = records.text("name")
    constraints: Constraints = records.of(records.whole(Constraints), Constraints())
    commands: tuple[PropertyCommand, ...] = records.of(PROPERTY_COMMANDS, ())
    description: str = records.text()
