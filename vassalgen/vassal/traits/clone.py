"""The command that makes a copy of the piece in its place. [counters.Clone]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class Clone(Trait):
    """A command that makes a copy of the piece in its place."""

    CODE: ClassVar[str] = "clone;"
    text: str = records.text("Clone", required=True)
    key: Key | None = records.key(Key.ctrl("C"))
    description: str = records.text()
