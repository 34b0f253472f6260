"""The names in rules: clauses, entries of the turn track and other names, found anywhere in their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

from attrs import fields, has

from vassalgen.game.conditions import Condition


def named(kind: Any, hint: Any, value: Any) -> Iterator[str]:
    """Yield the names of a kind, a type of :mod:`vassalgen.game.families`, in a value and everything inside
    it. ``hint`` is the type of the value.
    """
    if has(type(value)) and not isinstance(value, Condition):
        hints = get_type_hints(type(value))
        for each in fields(type(value)):
            yield from named(kind, hints[each.name], getattr(value, each.name))
    elif isinstance(value, Mapping):
        key_hint, value_hint = get_args(present(hint))
        for key, entry in value.items():
            yield from named(kind, key_hint, key)
            yield from named(kind, value_hint, entry)
    elif isinstance(value, tuple):
        for entry in value:
            yield from named(kind, get_args(hint)[0], entry)
    elif isinstance(value, str) and value and kind in (hint, *get_args(hint)):
        yield value


def present(hint: Any) -> Any:
    """Return the type of an optional value when it is present."""
    if type(None) not in get_args(hint):
        return hint
    return next((part for part in get_args(hint) if hasattr(part, "__origin__")), hint)
