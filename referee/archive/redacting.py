"""Removing names from texts and pages: players get pseudonyms, logs the number of their game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_IDS = frozenset(
    [
        "game",
        "scenario",
        "sides",
        "side",
        "active",
        "counters",
        "counter",
        "units",
        "unit",
        "hexes",
        "hex",
        "place",
        "places",
        "states",
        "from",
        "to",
        "path",
        "id",
        "grade",
        "clause",
        "phase",
        "target",
        "attackers",
        "defenders",
        "read",
        "dice",
        "kind",
        "result",
        "changes",
        "basis",
    ]
)
"""Keys whose values are ids of the game, never names of players."""


def hiding(instead: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that replaces these names in a text, ignoring case."""
    known = {name.casefold(): other for name, other in instead.items() if name.strip()}
    if not known:
        return lambda text: text
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(lambda found: known.get(found[0].casefold(), "a player"), text)


def redacted(report: Mapping[str, Any], instead: Mapping[str, str]) -> dict[str, Any]:
    """Return an audit as plain values without names. Text written by players may contain any name, so it is
    left out.
    """
    hide = hiding(instead)
    found: dict[str, Any] = _walked(report, hide)
    for step in found["steps"]:
        step.pop("chat", None)
    for note in found["notes"]:
        note["by"] = ""
    for one in found["findings"]:
        if one["agreed"]:
            one["agreed"]["by"] = ""
    return found


def _walked(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, Mapping):
        return {
            name: one if name in _IDS and _is_ids(one) else _walked(one, hide) for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_walked(one, hide) for one in value]
    return value


def _is_ids(value: Any) -> bool:
    """Whether a value under a key for ids consists of ids: ``dice`` is also the table of rolls by player."""
    return not isinstance(value, list | tuple) or all(isinstance(one, str | int) for one in value)
