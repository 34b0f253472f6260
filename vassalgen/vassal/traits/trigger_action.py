"""Triggers: keys that send other keys. [counters.TriggerAction]"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from vassalgen.vassal import records
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait

COUNTED, WHILE, UNTIL = "counted", "while", "until"


@frozen(kw_only=True)
class TriggerAction(Trait):
    """When ``key`` or one of ``watch_keys`` comes and ``match`` is true, sends ``action_keys`` to the piece.

    With ``loop`` it does so ``count`` times, or while or until an expression is true, depending on
    ``loop_type``; with ``indexed`` it counts in the property ``index_property``, from ``index_start`` by
    ``index_step``.
    """

    CODE: ClassVar[str] = "macro;"
    name: str = records.text()
    text: str = records.text("Trigger")
    key: Key | None = records.key(Key.ctrl("T"))
    match: str = records.match()
    watch_keys: tuple[Key, ...] = records.keys()
    action_keys: tuple[Key, ...] = records.keys()
    loop: bool = records.boolean()
    before_loop_key: Key | None = records.key()
    after_loop_key: Key | None = records.key()
    loop_type: str = records.text(COUNTED)
    while_expression: str = records.match()
    until_expression: str = records.match()
    count: str = records.text()
    indexed: bool = records.boolean()
    index_property: str = records.text()
    index_start: str = records.text("1")
    index_step: str = records.text("1")
