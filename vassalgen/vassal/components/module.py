"""The module as a whole, its extensions, and components that only have to be present."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component


@frozen(kw_only=True, repr=False)
class GameModule(Component):
    """The root of a module."""

    JAVA = "VASSAL.build.GameModule"
    OLD = ("VASSAL.launch.BasicModule",)

    name: str = attribute.text()
    version: str = attribute.text()
    description: str = attribute.text()
    module_other1: str = attribute.text(xml="ModuleOther1")
    module_other2: str = attribute.text(xml="ModuleOther2")
    vassal_version: str = attribute.text(xml="VassalVersion")
    next_piece_slot_id: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class ModuleExtension(Component):
    """The root of an extension."""

    JAVA = "VASSAL.build.module.ModuleExtension"
    module: str = attribute.text()
    module_version: str = attribute.text()
    any_module: bool = attribute.boolean()
    version: str = attribute.text()
    description: str = attribute.text()
    vassal_version: str = attribute.text()
    extension_id: str = attribute.text()
    next_piece_slot_id: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class ExtensionElement(Component):
    """What an extension adds: the one child, below the component that ``target`` names."""

    JAVA = "VASSAL.build.module.ExtensionElement"
    target: str = attribute.text()


@frozen(kw_only=True, repr=False)
class BasicCommandEncoder(Component):
    """Reads and writes the commands of saves and logs."""

    JAVA = "VASSAL.build.module.BasicCommandEncoder"


@frozen(kw_only=True, repr=False)
class Chatter(Component):
    """The chat window."""

    JAVA = "VASSAL.build.module.Chatter"


@frozen(kw_only=True, repr=False)
class KeyNamer(Component):
    """Names keystrokes in menus."""

    JAVA = "VASSAL.build.module.KeyNamer"


@frozen(kw_only=True, repr=False)
class Language(Component):
    """The translations."""

    JAVA = "VASSAL.i18n.Language"


@frozen(kw_only=True, repr=False)
class Translation(Component):
    """The translation of the module into a language."""

    JAVA = "VASSAL.i18n.Translation"
    NAMED_BY = "locale"

    locale: str = attribute.text("en,")


@frozen(kw_only=True, repr=False)
class EventLog(Component):
    """An obsolete log of events."""

    JAVA = "VASSAL.build.module.EventLog"


@frozen(kw_only=True, repr=False)
class Plugin(Component):
    """A plugin."""

    JAVA = "VASSAL.build.module.Plugin"


@frozen(kw_only=True, repr=False)
class ScriptContainer(Component):
    """An obsolete container of scripts."""

    JAVA = "VASSAL.script.ScriptContainer"


@frozen(kw_only=True, repr=False)
class DieManager(Component):
    """The settings of internet dice."""

    JAVA = "VASSAL.build.module.DieManager"
    description: str = attribute.text("Die Manager")
    dfltndice: int = attribute.integer(2)
    dfltnsides: int = attribute.integer(6)


@frozen(kw_only=True, repr=False)
class PredefinedSetup(Component):
    """An entry of the menu File, New: a saved game, the module without one, or a menu of further set-ups."""

    JAVA = "VASSAL.build.module.PredefinedSetup"

    name: str = attribute.optional_text()
    description: str = attribute.optional_text()
    is_menu: bool = attribute.boolean()
    use_file: bool = attribute.boolean(True)
    file: str = attribute.optional_text()
