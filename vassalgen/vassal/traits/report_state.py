"""Lines that a piece writes into the chat. [counters.ReportState]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import State, Trait, ValueState


@frozen(kw_only=True)
class ReportStateState(ValueState):
    """The index of the next cycling format to be reported; -1 at the start."""

    cycle: int = records.integer(-1)


@frozen(kw_only=True)
class ReportState(Trait):
    """Reports in ``report_format`` when one of ``keys`` was used on a trait further in.

    With ``cycle_formats`` each use takes the next of these instead, and ``cycle_back_keys`` the one before.
    ``no_suppress`` reports even if a global command suppresses reports.
    """

    CODE: ClassVar[str] = "report;"
    STATE: ClassVar[type[State]] = ReportStateState
    keys: tuple[Key, ...] = records.keys()
    report_format: str = records.text("$location$: $newPieceName$ *")
    cycle_back_keys: tuple[Key, ...] = records.keys()
    cycle_formats: tuple[str, ...] = records.texts()
    description: str = records.text()
    no_suppress: bool = records.boolean()
