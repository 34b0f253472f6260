"""Pieces that only some sides may handle. [counters.Restricted]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records, scalars
from vassalgen.vassal.traits.base import State, Trait, ValueState


@frozen(kw_only=True)
class RestrictedState(ValueState):
    """The password of the player to whom the piece belongs; empty if it belongs to no player yet."""

    owner: str = records.of(scalars.TEXT, "", private=True)


@frozen(kw_only=True)
class Restricted(Trait):
    """Only the ``sides`` may use the commands further in, and move the piece if ``restrict_movement``.

    With ``by_player`` the first player to handle a piece keeps it.
    """

    CODE: ClassVar[str] = "restrict;"
    STATE: ClassVar[type[State]] = RestrictedState
    sides: tuple[str, ...] = records.texts()
    by_player: bool = records.boolean()
    restrict_movement: bool = records.boolean(True)
    description: str = records.text()
