"""Prototypes of pieces."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component


@frozen(kw_only=True, repr=False)
class PrototypesContainer(Component):
    """The prototypes, which are its children."""

    JAVA = "VASSAL.build.module.PrototypesContainer"


@frozen(kw_only=True, repr=False)
class PrototypeDefinition(Component):
    """A prototype; its traits are the content, ``+/null/`` type ``/`` state."""

    JAVA = "VASSAL.build.module.PrototypeDefinition"

    name: str = attribute.text()
    description: str = attribute.text()
