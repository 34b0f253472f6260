"""Named values defined by a game: effects of a terrain, extra columns of a counter, limits of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from attrs import field, frozen

from vassalgen.problems import BadInput, Problem

Value: TypeAlias = "bool | int | float | str | tuple[Value, ...] | Mapping[str, Value]"


@cache
def fraction(value: float) -> Fraction:
    """Return a number of the data exactly as written: 0.5 is one half."""
    return Fraction(str(value))


@frozen
class Values:
    """Values by name, returned as the type that the caller needs.

    ``place`` says whose values they are: a missing or wrong one is reported as a problem in the game's data
    (BadInput), not as a bug in the calling code.
    """

    entries: Mapping[str, Value] = field(factory=dict, hash=False)
    place: str = field(default="", eq=False)

    def __contains__(self, key: object) -> bool:
        return key in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, key: str) -> Value:
        try:
            return self.entries[key]
        except KeyError:
            raise self._wrong(key, "is missing", "") from None

    def get(self, key: str) -> Value | None:
        """Return the value, or None if there is none."""
        return self.entries.get(key)

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a whole number."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(key, f"is {value!r}", "a whole number")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number, whole or not."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong(key, f"is {value!r}", "a number")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self._wrong(key, f"is {value!r}", "a text")
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return true or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise self._wrong(key, f"is {value!r}", "true or false")
        return value

    def words(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of texts; a single text is split at its spaces."""
        value = self._value(key, default)
        if isinstance(value, str):
            return tuple(value.split())
        if not isinstance(value, tuple) or not all(isinstance(word, str) for word in value):
            raise self._wrong(key, f"is {value!r}", "a list of words")
        return tuple(str(word) for word in value)

    def group(self, key: str) -> Values:
        """Return values that are grouped under one name."""
        value = self._value(key, None)
        if not isinstance(value, Mapping):
            raise self._wrong(key, f"is {value!r}", "a table of values")
        return Values(value, f"{self.place}.{key}" if self.place else key)

    def _value(self, key: str, default: Value | None) -> Value:
        return self[key] if default is None else self.entries.get(key, default)

    def _wrong(self, key: str, wrong: str, right: str) -> BadInput:
        return BadInput(Problem("", self.place, f"'{key}' {wrong}", right))
