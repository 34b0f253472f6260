"""Commands of a piece that press a hot key of the module. [counters.GlobalHotKey]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class GlobalHotKey(Trait):
    """A command that presses ``sent_key``, a hotkey of the module's buttons."""

    CODE: ClassVar[str] = "globalhotkey;"
    text: str = records.text(required=True)
    key: Key | None = records.key(Key.ctrl("H"))
    sent_key: Key | None = records.key()
    description: str = records.text()
