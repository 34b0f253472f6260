"""Commands that deselect a piece. [counters.Deselect]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait

THIS, ALL, ONLY_THIS = "D", "A", "S"


@frozen(kw_only=True)
class Deselect(Trait):
    """Deselects :data:`THIS` piece or :data:`ALL`, or selects :data:`ONLY_THIS`, as ``which`` says.

    With ``unstack`` the piece also leaves its stack.
    """

    CODE: ClassVar[str] = "deselect;"
    text: str = records.text(required=True)
    key: Key | None = records.key(Key.ctrl("K"))
    description: str = records.text()
    unstack: bool = records.boolean()
    which: str = records.text(THIS)
