"""A name that overrides the one of the innermost piece. [counters.BasicName]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class BasicName(Trait):
    """The basic name of the piece, so that a prototype can give it. ``name`` may be an expression."""

    CODE: ClassVar[str] = "basicName;"
    name: str = records.text(required=True)
