"""Tables that players fill in. [counters.TableInfo]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import ListState, State, Trait


@frozen(kw_only=True)
class TableInfoState(ListState):
    """The cells, row after row."""

    DELIMITER: ClassVar[str] = ","


@frozen(kw_only=True)
class TableInfo(Trait):
    """A spreadsheet of text opened by a command."""

    CODE: ClassVar[str] = "table;"
    STATE: ClassVar[type[State]] = TableInfoState
    rows: int = records.integer(2)
    columns: int = records.integer(2)
    text: str = records.text("Show Data")
    key: Key | None = records.key()
    description: str = records.text()
