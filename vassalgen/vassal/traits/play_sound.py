"""Commands that play a sound. [counters.PlaySound]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class PlaySound(Trait):
    """Plays ``clip``, a file of the module, optionally ``for_all`` players; ``clip`` may be a format."""

    CODE: ClassVar[str] = "playSound;"
    clip: str = records.text()
    text: str = records.text("Play Sound")
    key: Key | None = records.key(Key.ctrl("P"))
    for_all: bool = records.boolean()
    description: str = records.text()
    no_suppress: bool = records.boolean()
