"""Commands hidden or greyed while a condition holds. [counters.RestrictCommands]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait

HIDE, DISABLE = "Hide", "Disable"


@frozen(kw_only=True)
class RestrictCommands(Trait):
    """Hides or disables the commands with ``keys`` of all traits further in while ``match`` is true."""

    CODE: ClassVar[str] = "hideCmd;"
    name: str = records.text()
    action: str = records.text(HIDE)
    match: str = records.match()
    keys: tuple[Key, ...] = records.keys()
