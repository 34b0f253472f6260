"""Formats and expressions filled in from a lookup of properties."""

from __future__ import annotations

from collections.abc import Callable

from vassalgen.vassal import sequences

Lookup = Callable[[str], str | None]


def fill(text: str, lookup: Lookup) -> str:
    """The text of a format; properties nobody knows give nothing."""
    if "$" not in text:
        return text
    tokens = sequences.decode(text, "$")
    return "".join(token if place % 2 == 0 else lookup(token) or "" for place, token in enumerate(tokens))


def evaluate(text: str, lookup: Lookup) -> str | None:
    """The value of an expression, None where it cannot be had."""
    return fill(text, lookup)
