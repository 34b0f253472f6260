"""Folders, which only group things in the editor."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component


@frozen(kw_only=True, repr=False)
class Folder(Component):
    """The fields of all folders. [build.AbstractFolder]"""

    IS_FOLDER = True

    name: str = attribute.optional_text()
    description: str = attribute.text(xml="desc")


@frozen(kw_only=True, repr=False)
class ModuleSubFolder(Folder):
    """A folder below the module."""

    JAVA = "VASSAL.build.module.folder.ModuleSubFolder"

    description: str = attribute.text("", "desc")


@frozen(kw_only=True, repr=False)
class MapSubFolder(Folder):
    """A folder below a map."""

    JAVA = "VASSAL.build.module.folder.MapSubFolder"

    description: str = attribute.text("", "desc")


@frozen(kw_only=True, repr=False)
class DeckSubFolder(Folder):
    """A folder below a deck."""

    JAVA = "VASSAL.build.module.folder.DeckSubFolder"

    description: str = attribute.text("", "desc")


@frozen(kw_only=True, repr=False)
class PrototypeFolder(Folder):
    """A folder of prototypes."""

    JAVA = "VASSAL.build.module.folder.PrototypeFolder"

    description: str = attribute.text("", "desc")


@frozen(kw_only=True, repr=False)
class GlobalPropertyFolder(Folder):
    """A folder of global properties."""

    JAVA = "VASSAL.build.module.folder.GlobalPropertyFolder"

    description: str = attribute.text("", "desc")
