"""Messages that a module can translate. [counters.TranslatableMessage]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class TranslatableMessage(Trait):
    """A property ``name`` with a fixed text, for use in reports."""

    CODE: ClassVar[str] = "locmsg;"
    name: str = records.text("name")
    description: str = records.text()
    message: str = records.text()
