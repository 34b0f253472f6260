"""Formats and expressions filled in from a lookup of properties."""

from __future__ import annotations

from collections.abc import Callable

from vassalgen.problems import FormatError
from vassalgen.vassal import expressions

Lookup = Callable[[str], str | None]
_DIGITS = 9


def is_number(text: str) -> bool:
    """Return whether a text is a whole number, of no more digits than any that a game has."""
    return text.isdecimal() and len(text) <= _DIGITS


def fill(text: str, lookup: Lookup) -> str:
    """The text of a format as players see it; one that cannot be evaluated shows nothing."""
    return evaluate(text, lookup) or ""


def evaluate(text: str, lookup: Lookup, *, as_property: bool = False) -> str | None:
    """The value of an expression, None where it cannot be had.

    ``as_property`` is for fields that take the bare name of a property as well.
    """
    read = expressions.parse_property if as_property else expressions.parse
    try:
        return read(text).evaluate(_Looked(lookup), displayed=True)
    except expressions.EvaluationFails:
        return ""  # as VASSAL goes on with
    except (expressions.CannotEvaluate, FormatError):
        return None


class _Looked:
    """An environment that has a lookup for its properties, and neither table nor chance."""

    keeps_leading_zeros = False

    def __init__(self, lookup: Lookup) -> None:
        self.property = lookup

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        """No function can be asked: see :class:`~vassalgen.vassal.expressions.Environment`."""
        raise expressions.CannotEvaluate(name)
