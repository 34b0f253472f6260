"""Global properties of the module, a map or a zone, and the options of a scenario."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.components.toolbar import ToolbarItem
from vassalgen.vassal.scalars import Key


@frozen(kw_only=True, repr=False)
class GlobalProperties(Component):
    """The properties of the module or a map, which are its children."""

    JAVA = "VASSAL.build.module.properties.GlobalProperties"


@frozen(kw_only=True, repr=False)
class GlobalProperty(Component):
    """A lasting property. ``min`` and ``max`` are texts; ``null`` or nothing means no limit."""

    JAVA = "VASSAL.build.module.properties.GlobalProperty"

    name: str = attribute.optional_text()
    initial_value: str = attribute.text()
    description: str = attribute.text()
    is_numeric: bool = attribute.boolean()
    min: str = attribute.text("null")
    max: str = attribute.text("null")
    wrap: bool = attribute.boolean()


@frozen(kw_only=True, repr=False)
class ZoneProperty(GlobalProperty):
    """A property of a zone."""

    JAVA = "VASSAL.build.module.properties.ZoneProperty"


@frozen(kw_only=True, repr=False)
class ChangePropertyButton(ToolbarItem):
    """A button that changes the property above it."""

    JAVA = "VASSAL.build.module.properties.ChangePropertyButton"
    NAMED_BY = "text"

    description: str = attribute.text("", "desc")
    text: str = attribute.text("Change")
    tooltip: str = attribute.text("Change")
    report_format: str = attribute.text()
    prop_changer: str = attribute.text("P,")


@frozen(kw_only=True, repr=False)
class GlobalTranslatableMessages(Component):
    """The constants, which are its children."""

    JAVA = "VASSAL.build.module.properties.GlobalTranslatableMessages"


@frozen(kw_only=True, repr=False)
class GlobalTranslatableMessage(Component):
    """A constant that can be translated."""

    JAVA = "VASSAL.build.module.properties.GlobalTranslatableMessage"

    name: str = attribute.optional_text()
    initial_value: str = attribute.text()
    description: str = attribute.text()


@frozen(kw_only=True, repr=False)
class ScenarioPropertiesOptionTab(Component):
    """A tab of options of the scenario, which are its children."""

    JAVA = "VASSAL.build.module.properties.ScenarioPropertiesOptionTab"

    name: str = attribute.optional_text()
    description: str = attribute.text()
    report: str = attribute.text(
        "$PlayerId$ changed Scenario Option [$tabName$] $propertyPrompt$ from $oldValue$ to $newValue$"
    )
    heading: str = attribute.text()
    left_align: str = attribute.word("right", "left")


@frozen(kw_only=True, repr=False)
class ScenarioProperty(Component):
    """An option of the scenario, readable as a global property. [properties.AbstractScenarioProperty]"""

    name: str = attribute.optional_text()
    initial_value: str = attribute.text()
    description: str = attribute.text()
    hotkey: Key | None = attribute.key()
    switch: bool = attribute.boolean()


@frozen(kw_only=True, repr=False)
class BooleanScenarioProperty(ScenarioProperty):
    """An option that is on or off."""

    JAVA = "VASSAL.build.module.properties.BooleanScenarioProperty"


@frozen(kw_only=True, repr=False)
class StringScenarioProperty(ScenarioProperty):
    """An option that is a text."""

    JAVA = "VASSAL.build.module.properties.StringScenarioProperty"


@frozen(kw_only=True, repr=False)
class NumberScenarioProperty(ScenarioProperty):
    """An option that is a number."""

    JAVA = "VASSAL.build.module.properties.NumberScenarioProperty"


@frozen(kw_only=True, repr=False)
class ListScenarioProperty(ScenarioProperty):
    """An option chosen from a list."""

    JAVA = "VASSAL.build.module.properties.ListScenarioProperty"

    options: str = attribute.text()
