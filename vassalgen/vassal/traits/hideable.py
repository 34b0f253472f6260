"""Invisibility: pieces that others do not see at all. [counters.Hideable]"""

from __future__ import annotations

import math
from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records, scalars
from vassalgen.vassal.compounds import ACCESS, Access
from vassalgen.vassal.scalars import FLOAT, Codec, Colour, Key, single_precision
from vassalgen.vassal.traits.base import State, Trait, ValueState


def _decode_opacity(text: str) -> float:
    opacity = FLOAT.decode(text)
    return opacity if math.isnan(opacity) else max(0.0, min(1.0, opacity))


@frozen(kw_only=True)
class HideableState(ValueState):
    """Who hid the piece, None if it is visible: a player's password or a side, as the access says."""

    owner: str | None = records.of(scalars.NULLABLE, None, private=True)


@frozen(kw_only=True)
class Hideable(Trait):
    """A command that hides the piece from all but its owner, who sees it with ``opacity`` from 0 to 1."""

    CODE: ClassVar[str] = "hide;"
    STATE: ClassVar[type[State]] = HideableState
    key: Key | None = records.key(Key.ctrl("I"))
    text: str = records.text("Invisible")
    background: Colour | None = records.colour()
    access: Access = records.of(ACCESS, Access())
    opacity: float = records.of(Codec(_decode_opacity, FLOAT.encode), single_precision(0.3))
    description: str = records.text()
    no_move_report: bool = records.boolean()
