"""Commands of a piece that send a key to others. [counters.CounterGlobalKeyCommand]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.compounds import PARAMETERS, CommandKind, CommandTarget, Parameter, target
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait


@frozen(kw_only=True)
class CounterGlobalKeyCommand(Trait):
    """Sends ``sent_key`` to all pieces that pass ``target`` and ``match``.

    If ``restrict_range``, only pieces within ``range`` (or within the value of ``range_property`` unless
    ``fixed_range``); in a deck only the first ``deck_count`` (-1: all). ``parameters`` first set properties
    of these pieces. ``suppress_reports`` keeps their reports silent.
    """

    CODE: ClassVar[str] = "globalkey;"
    text: str = records.text("Global Command")
    key: Key | None = records.key(Key.ctrl("G"))
    sent_key: Key | None = records.key(Key.ctrl("K"))
    match: str = records.match()
    restrict_range: bool = records.boolean()
    range: int = records.integer(1)
    suppress_reports: bool = records.boolean(True)
    fixed_range: bool = records.boolean(True)
    range_property: str = records.text()
    description: str = records.text()
    deck_count: str = records.text("-1")
    target: CommandTarget = target(CommandKind.COUNTER)
    suppress_sounds: bool = records.boolean()
    parameters: tuple[Parameter, ...] = records.of(PARAMETERS, ())
