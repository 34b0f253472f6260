"""Comments of a module's author. [counters.Comment]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class Comment(Trait):
    """A note for readers of the definition. It is left out when a piece is placed."""

    CODE: ClassVar[str] = "cmt;"
    text: str = records.text()
