"""The charts: terrain, combat results, and other values that rules look up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from attrs import field, frozen

from vassalgen.game.provenance import RECONSTRUCTION, Provenance
from vassalgen.game.values import Value, Values


@frozen
class ChartRow:
    """One line of the terrain chart. ``closed``: ground units may not enter or cross it."""

    id: str
    title: str
    closed: bool = False
    effects: Values = Values()
    text: str = ""
    provenance: Provenance = RECONSTRUCTION

    @property
    def effect_names(self) -> frozenset[str]:
        """The names of all effects: of groups (for a season) and of the effects in them."""
        groups = (value for value in self.effects.entries.values() if isinstance(value, Mapping))
        return frozenset(self.effects.entries).union(*groups)


@frozen
class Terrain(ChartRow):
    """A terrain that fills a hex."""


@frozen
class Feature(ChartRow):
    """A feature of a hexside: river, crest, bridge. It ``opens`` closed features on the same side."""

    opens: tuple[str, ...] = ()


@frozen
class RoadKind(ChartRow):
    """A kind of road."""


_BAR = "|"
"""The separator between the results of the attackers and those of the defenders in a cell."""
RETREATING = ("", "attackers", "defenders", "side")
"""The sides that must retreat by a result."""


@frozen
class Result:
    """A result of a table, by its code.

    ``retreats``: which sides must retreat; ``side`` is the side whose part of a cell the code is in, if a bar
    separates the results of attackers and defenders.
    """

    code: str
    title: str
    text: str
    provenance: Provenance = RECONSTRUCTION
    retreats: str = ""


@frozen
class Table:
    """A table of columns and rows, most often of combat results.

    Row labels may be numbers or ranges: ``0-`` is 0 or less, ``2-4``, ``8+``. A cell contains one result or
    several; ``between`` are the separators between them. A result with the code ``#`` stands for any number.
    ``shifts`` and ``modifiers`` are in words; ``below`` and ``above`` say what happens off the table. If
    ``beyond`` is not 0, columns of ratios continue past both ends by whole numbers (5/1, 6/1; 1/3, 1/4): the
    last column is used, and for each column beyond it ``beyond`` is added to the dice at the right end, and
    subtracted at the left.
    """

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    column_title: str = ""
    row_title: str = ""
    dice: str = ""
    between: str = ""
    results: Mapping[str, Result] = field(factory=dict, hash=False)
    below: str = ""
    above: str = ""
    beyond: int = 0
    shifts: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    text: str = ""
    provenance: Provenance = RECONSTRUCTION

    def at(self, column: str | int, row: str | int) -> str:
        """Return a cell. A column is a label or its index; a row is a label or a number rolled."""
        across = self.columns.index(column) if isinstance(column, str) else column
        down = self.rows.index(row) if isinstance(row, str) else self.row_of(row)
        return self.cells[down][across]

    def row_of(self, number: int) -> int:
        """Return the index of the row for a number rolled; LookupError if no row covers it."""
        for place, (low, high) in enumerate(self.row_ranges):
            if low <= number <= high:
                return place
        raise LookupError(f"table {self.id} has no row for {number}")

    @cached_property
    def row_ranges(self) -> tuple[tuple[float, float], ...]:
        """First and last number of each row; an empty range (1, 0) for a label that is not a number."""
        return tuple(span(label) for label in self.rows)

    @cached_property
    def column_ranges(self) -> tuple[tuple[float, float], ...]:
        """First and last number of each column; an empty range (1, 0) for a label that is not a number."""
        return tuple(span(label) for label in self.columns)

    @cached_property
    def ratios(self) -> tuple[tuple[int, int], ...]:
        """The columns as ratios of attacker to defender (``3:2`` or ``3/2``); empty if they are others."""
        found = [re.fullmatch(r"(\d+)\s*[:/-]\s*(\d+)", label) for label in self.columns]
        return tuple((int(match[1]), int(match[2])) for match in found if match) if all(found) else ()

    @cached_property
    def fractions(self) -> tuple[Fraction, ...]:
        """The ratios as numbers."""
        return tuple(Fraction(left, right) for left, right in self.ratios)

    def codes(self, cell: str) -> tuple[str, ...]:
        """Split a cell into the codes of its results, numbers as written; ValueError if a part is not a code.
        The separators of ``between`` are dropped; codes written together are matched longest first: ``DD*``
        is DD and *.
        """
        found, rest = [], cell.lstrip(self.between)
        while rest:
            part = self._code.match(rest)
            if part is None or not part[0]:
                raise ValueError(f"{rest!r} in {cell!r} is not a result of table {self.id}")
            found.append(part[0])
            rest = rest[part.end() :].lstrip(self.between)
        return tuple(found)

    def who_retreats(self, cell: str) -> frozenset[str]:
        """The sides that must retreat by a cell: ``attackers``, ``defenders``, both or neither."""
        if not any(one.retreats for one in self.results.values()):
            return frozenset()
        parts = cell.split(_BAR) if _BAR in self.between else [cell]
        found = set()
        for side, part in zip(("attackers", "defenders"), parts, strict=False):
            for code in self.codes(part):
                known = self.results.get(code)
                if known and known.retreats:
                    found.add(side if known.retreats == "side" else known.retreats)
        return frozenset(found)

    @cached_property
    def _code(self) -> re.Pattern[str]:
        longest_first = sorted((code for code in self.results if code != "#"), key=len, reverse=True)
        return re.compile(
            "|".join([*map(re.escape, longest_first), *(["\\d+"] if "#" in self.results else [])])
        )


def span(label: str) -> tuple[float, float]:
    """Return the first and the last number of a label such as ``3-4`` or ``7+``; 1 and 0 if it is not a
    range.
    """
    if match := re.fullmatch(r"([-+]?\d+)\s*([-+]?)", label):
        number = float(match[1])
        return (
            float("-inf") if match[2] == "-" else number,
            float("inf") if match[2] == "+" else number,
        )
    if match := re.fullmatch(r"([-+]?\d+)\s*(?:-|to)\s*([-+]?\d+)", label):
        return float(match[1]), float(match[2])
    return 1, 0


@frozen
class ValueGroup:
    """Numbers and words that the rules need, under one name and with one provenance.

    ``text`` contains sentences for the chart, with the names of values in braces: ``{range}``, or
    ``{pursuit.R2}`` for a value in a table of values.
    """

    id: str
    values: Values
    title: str = ""
    provenance: Provenance = RECONSTRUCTION
    text: tuple[str, ...] = ()

    def named(self, path: str) -> Value:
        """Return the value that a sentence names. KeyError if it does not exist."""
        name, _, inner = path.partition(".")
        value = self.values.entries[name]
        if not inner:
            return value
        if not isinstance(value, Mapping):
            raise KeyError(path)
        return value[inner]


NAMED = re.compile(r"{([^{}]*)}")
"""A value named in a sentence of a group of values."""
