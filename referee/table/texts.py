"""Fills in formats and evaluates expressions from a lookup of properties."""

from __future__ import annotations

from collections.abc import Callable

from vassalgen.problems import FormatError
from vassalgen.vassal import expressions

Lookup = Callable[[str], str | None]
_DIGITS = 9


def is_number(text: str) -> bool:
    """Return whether a text is a whole number with no more digits than any number in a game."""
    return text.isdecimal() and len(text) <= _DIGITS


def fill(text: str, lookup: Lookup) -> str:
    """The text of a format as players see it; empty if it cannot be evaluated."""
    return evaluate(text, lookup) or ""


def evaluate(text: str, lookup: Lookup, *, as_property: bool = False) -> str | None:
    """The value of an expression, None if it cannot be evaluated.

    ``as_property`` is for fields that also accept the bare name of a property.
    """
    read = expressions.parse_property if as_property else expressions.parse
    try:
        return read(text).evaluate(_Looked(lookup), displayed=True)
    except expressions.EvaluationFails:
        return ""  # VASSAL continues with this
    except (expressions.CannotEvaluate, FormatError):
        return None


class _Looked:
    """An environment with a lookup for its properties, but without table and chance."""

    keeps_leading_zeros = False

    def __init__(self, lookup: Lookup) -> None:
        self.property = lookup

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        """No function can be evaluated: see :class:`~vassalgen.vassal.expressions.Environment`."""
        raise expressions.CannotEvaluate(name)
