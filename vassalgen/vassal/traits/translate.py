"""Commands that move a piece by a fixed distance. [counters.Translate]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class Translate(Trait):
    """Moves the piece by ``x`` pixels to the right and ``y`` pixels *up*, rotated with the piece. The product
    of index and offset is added to each. All are expressions.
    """

    CODE: ClassVar[str] = "translate;"
    text: str = records.text("Move Forward")
    key: Key | None = records.key(Key.ctrl("M"))
    x: str = records.text("0")
    y: str = records.text("60")
    move_stack: bool = records.boolean()
    x_index: str = records.text("0")
    y_index: str = records.text("0")
    x_offset: str = records.text("0")
    y_offset: str = records.text("0")
    description: str = records.text()
