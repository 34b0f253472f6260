"""The mark of pieces that have moved. [counters.MovementMarkable]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import State, Trait, ValueState


@frozen(kw_only=True)
class MovementMarkableState(ValueState):
    """Whether the piece is marked as moved."""

    moved: bool = records.boolean()


@frozen(kw_only=True)
class MovementMarkable(Trait):
    """An icon on pieces that have moved, which VASSAL sets automatically if the map is configured that way.

    ``x`` and ``y`` are the icon's offset in pixels; ``key`` switches the mark.
    """

    CODE: ClassVar[str] = "markmoved;"
    STATE: ClassVar[type[State]] = MovementMarkableState
    icon: str = records.text("/images/moved.gif", required=True)
    x: int = records.integer(0)
    y: int = records.integer(0)
    text: str = records.text("Toggle whether piece marked as moved")
    key: Key | None = records.key(Key.ctrl("M"))
    description: str = records.text()
    ignore_same_location: bool = records.boolean()
    mark_text: str = records.text("Mark piece as moved")
    mark_key: Key | None = records.key()
    unmark_text: str = records.text("Mark piece as unmoved")
    unmark_key: Key | None = records.key()
