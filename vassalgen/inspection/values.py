"""Values as text that is easy to read and to compare: each in one form only, on one line if it is short."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

import attrs

from vassalgen.inspection.wording import printable
from vassalgen.vassal.scalars import Key, java_double

LONGEST = 100
"""If the fields of a value do not fit into a line of so many characters, each is on a line of its own."""
INDENT = "    "
_BOOKKEEPING = ("written", "written_tag")
_MODIFIERS = ((128, "Ctrl"), (64, "Shift"), (512, "Alt"), (256, "Meta"))
_KNOWN_MODIFIERS = 1 | 2 | 4 | 8 | 64 | 128 | 256 | 512
_NAMES = {"password": "player", "who": "player"}
"""Fields whose values are printed as names."""


def shown(value: Any) -> str:
    """A value: texts in quotes, keys by name, lists in brackets, records by their fields."""
    match value:
        case StrEnum():
            return str(value) or "normal"
        case str():
            return quoted(value)
        case bool() | None:
            return str(value).lower()
        case float():
            return java_double(value)
        case Key():
            return key(value)
        case tuple() | list():
            return f"[{', '.join(map(shown, value))}]"
    if attrs.has(type(value)):
        return f"{type(value).__name__}({', '.join(f'{name} {text}' for name, text in fields(value))})"
    return str(value)


def quoted(text: str) -> str:
    """A text in double quotes, without characters that could harm a terminal."""
    return printable(json.dumps(text, ensure_ascii=False))


def key(value: Key) -> str:
    """A keystroke: ``Ctrl+Shift+A``, the name of a named command, or else Java's numbers."""
    if value.name:
        return f"key {quoted(value.name)}"
    held = [word for mask, word in _MODIFIERS if value.modifiers & mask]
    others = [f"modifiers {value.modifiers}"] if value.modifiers & ~_KNOWN_MODIFIERS else []
    letter = chr(value.code) if 48 <= value.code <= 57 or 65 <= value.code <= 90 else f"key {value.code}"
    return "+".join((*held, *others, letter))


def fields(record: Any, secret: Callable[[Any], str] | None = None) -> Iterator[tuple[str, str]]:
    """The fields of a record that differ from a new one, with their values as text.

    ``secret`` formats values that may be passwords, by default :func:`nameless`.
    """
    for one in attrs.fields(type(record)):
        if one.name in _BOOKKEEPING:
            continue
        value = getattr(record, one.name)
        if one.default is attrs.NOTHING or value != one.default:
            render = shown if one.repr else (secret or nameless)
            yield _NAMES.get(one.name, one.name), render(value)


def nameless(value: Any) -> str:
    """A value that may be a password: printed only if it has been replaced by a name."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(nameless, value))}]"
    is_name = not isinstance(value, str) or not value or value.startswith("@") or value == "nobody"
    return shown(value) if is_name else "somebody"


def lines(head: str, parts: list[tuple[str, str]], indent: str) -> Iterator[str]:
    """A thing and its fields on one line, or on a line each if that would be long."""
    together = " ".join((head, *(f"{name} {text}" for name, text in parts)))
    if len(indent) + len(together) <= LONGEST or not parts:
        yield indent + together
        return
    yield indent + head
    for name, text in parts:
        yield f"{indent}{INDENT}{name} {text}"
