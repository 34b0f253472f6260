"""Lines in a piece's menu. [counters.MenuSeparator]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class MenuSeparator(Trait):
    """A line between the commands of the traits before and after it."""

    CODE: ClassVar[str] = "menuSeparator;"
    description: str = records.text(required=True)
    key: Key | None = records.key()
