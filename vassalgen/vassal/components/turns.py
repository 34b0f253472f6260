"""Turn trackers."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Key


@frozen(kw_only=True, repr=False)
class TurnTracker(Component):
    """A turn tracker; its levels are its children."""

    JAVA = "VASSAL.build.module.turn.TurnTracker"

    name: str = attribute.text("Turn")
    description: str = attribute.optional_text()
    button_text: str = attribute.text("Turn")
    icon: str = attribute.optional_text()
    hotkey: Key | None = attribute.key()
    next_hotkey: Key | None = attribute.key(None, "nexthotkey")
    prev_hotkey: Key | None = attribute.key(None, "prevhotkey")
    turn_format: str = attribute.text("$level1$ $level2$ $level3$ $level4$")
    report_format: str = attribute.text("* &lt;$PlayerId$&gt; Turn Updated from $oldTurn$ to $newTurn$")
    tooltip: str = attribute.optional_text()
    length_style: str = attribute.word("Maximum", "Fixed", "Variable")
    length: int = attribute.integer(-1)
    plus_button_size: int = attribute.integer(22)
    turn_button_height: int = attribute.integer(22)
    fwd_only: bool = attribute.boolean()


@frozen(kw_only=True, repr=False)
class TurnLevel(Component):
    """A level of a turn tracker; the levels inside it are its children. [turn.TurnLevel]"""

    name: str = attribute.optional_text()
    property: str = attribute.optional_text()
    turn_format: str = attribute.text("$value$")


@frozen(kw_only=True, repr=False)
class CounterTurnLevel(TurnLevel):
    """A level that counts."""

    JAVA = "VASSAL.build.module.turn.CounterTurnLevel"

    start: int = attribute.integer(1)
    incr: int = attribute.integer(1)
    loop: bool = attribute.boolean()
    loop_limit: int = attribute.integer(-1)


@frozen(kw_only=True, repr=False)
class ListTurnLevel(TurnLevel):
    """A level that goes through a list."""

    JAVA = "VASSAL.build.module.turn.ListTurnLevel"

    list: tuple[str, ...] = attribute.texts()
    config_list: bool = attribute.boolean()
    config_first: bool = attribute.boolean()
    prompt: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class TurnGlobalHotkey(Component):
    """A hotkey sent when the tracker advances and ``match`` is true."""

    JAVA = "VASSAL.build.module.turn.TurnGlobalHotkey"

    name: str = attribute.optional_text()
    hotkey: Key | None = attribute.key()
    match: str = attribute.text()
    report_format: str = attribute.text()
