"""The command that removes the piece from play. [counters.Delete]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class Delete(Trait):
    """A command that removes the piece from play."""

    CODE: ClassVar[str] = "delete;"
    text: str = records.text("Delete", required=True)
    key: Key | None = records.key(Key.ctrl("D"))
    description: str = records.text()
