"""The old language of filters: ``A = x && B != y || C =~ regex``. [counters.PropertiesPieceFilter]

It has no brackets, no quotes and no errors: a text without a comparison accepts every piece. A missing
property is the text ``null`` here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from attrs import field, frozen

from vassalgen.vassal.expressions.base import Expression, Format
from vassalgen.vassal.expressions.environment import Environment
from vassalgen.vassal.expressions.patterns import Pattern
from vassalgen.vassal.expressions.values import CONTROLS, java_int, units

_OPERATORS = ("!=", "<=", ">=", ">", "<", "=~", "=", "!~")
"""In the order in which a comparison is searched for them: ``a = b > c`` compares ``a = b`` with ``c``."""


@frozen
class Comparison:
    """``name operator value``."""

    name: str
    operator: str
    value: str

    def holds(self, environment: Environment) -> bool:
        """Whether it is true of a piece."""
        found = environment.property(self.name)
        return _HOLDS[self.operator](units("null" if found is None else found), units(self.value))


def _order(found: str, value: str) -> int:
    """-1, 0 or 1: as numbers if both are integers, otherwise as texts."""
    numbers = java_int(found), java_int(value)
    if numbers[0] is not None and numbers[1] is not None:
        return (numbers[0] > numbers[1]) - (numbers[0] < numbers[1])
    return (found > value) - (found < value)


_HOLDS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda found, value: found == value,
    "!=": lambda found, value: found != value,
    "<": lambda found, value: _order(found, value) < 0,
    "<=": lambda found, value: _order(found, value) <= 0,
    ">": lambda found, value: _order(found, value) > 0,
    ">=": lambda found, value: _order(found, value) >= 0,
    "=~": lambda found, value: Pattern.read(value).matches(found),
    "!~": lambda found, value: not Pattern.read(value).matches(found),
}

Alternatives = tuple[tuple[Comparison | None, ...], ...]
"""Alternatives, of which one must hold; each is a list of comparisons that must all hold. None
always holds.
"""


@frozen
class Match(Expression):
    """A filter in the old language."""

    alternatives: Alternatives = field(repr=False)
    """As parsed before any ``$name$`` is replaced."""

    @classmethod
    def read(cls, text: str) -> Match:
        """Parse a filter; every text is a valid one."""
        return cls(text, alternatives(text))

    def evaluate(self, environment: Environment, *, displayed: bool = False) -> str:
        return "true" if self.accepts(environment) else "false"

    def accepts(self, environment: Environment, source: Environment | None = None) -> bool:
        read = self.alternatives
        if "$" in self.text:
            read = alternatives(Format.read(self.text).evaluate(environment if source is None else source))
        return any(all(one is None or one.holds(environment) for one in row) for row in read)

    def names(self) -> frozenset[str]:
        names = {one.name for row in self.alternatives for one in row if one and "$" not in one.name}
        return Format.read(self.text).names() | names


@lru_cache(maxsize=1024)
def alternatives(text: str) -> Alternatives:
    """Split a filter at ``||``, its parts at ``&&``, and these at the first operator in them."""
    rows = _split(text, "||")
    return tuple(
        tuple(_comparison(part) for part in _parts(row)) for row in (rows if len(rows) > 1 else [text])
    )


def _parts(row: str) -> list[str]:
    parts = _split(row, "&&")
    return parts if len(parts) > 1 else [row]


def _comparison(text: str) -> Comparison | None:
    for operator in _OPERATORS:
        if operator in text:
            parts = [part.strip(CONTROLS) for part in _split(text, operator)]
            return Comparison(parts[0], operator, parts[1] if len(parts) > 1 else "") if parts else None
    return None


def _split(text: str, separator: str) -> list[str]:
    """Split as Java does: empty parts at the end are dropped."""
    parts = text.split(separator)
    if len(parts) == 1:
        return parts
    while parts and not parts[-1]:
        parts.pop()
    return parts
