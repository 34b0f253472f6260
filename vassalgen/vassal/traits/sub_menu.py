"""Submenus of a piece's menu. [counters.SubMenu]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class SubMenu(Trait):
    """Groups the ``commands``, by their menu texts, under ``text``."""

    CODE: ClassVar[str] = "submenu;"
    text: str = records.text(required=True)
    commands: tuple[str, ...] = records.texts(required=True)
    description: str = records.text()
