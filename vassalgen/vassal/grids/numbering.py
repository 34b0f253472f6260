"""How the cells of regular grids are named. [mapgrid.RegularGridNumbering]"""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen

from vassalgen.vassal.components import GridNumbering
from vassalgen.vassal.grids import formats

Cell = tuple[int, int]
"""Column and row in a numbering, before its offsets."""

_LETTERS = "-?(?:" + "|".join(f"{chr(letter)}+" for letter in range(65, 91)) + ")"
_INT_LIMIT = 2**31
MOST_LETTERS = 10_000
"""VASSAL has no limit but memory."""


def number(value: int, kind: str, leading: int) -> str:
    """One number as a name: ``03``, or for kind ``A`` letters counted A, B … Z, AA, BB …; 0 is A."""
    sign = "-" if value < 0 else ""
    value = abs(value)
    if kind == "A":
        return sign + chr(65 + value % 26) * min(value // 26 + 1, MOST_LETTERS)
    return sign + str(value).zfill(leading + 1)


def parse_number(name: str, kind: str) -> int | None:
    """The number whose name :func:`number` gives, or None if there is none or it is too large for VASSAL."""
    if kind == "A":
        letters = name.removeprefix("-")
        value = 26 * (len(letters) - 1) + ord(letters[-1]) - 65
        return -value if name.startswith("-") else value
    digits = name.removeprefix("-").lstrip("0")
    if not name.strip("-") or len(digits) > 10:
        return None
    value = -int(digits or 0) if name.startswith("-") else int(digits or 0)
    return value if -_INT_LIMIT <= value < _INT_LIMIT else None


@frozen
class Numbering:
    """The names of cells, composed of columns and rows and parsed back into them."""

    component: GridNumbering

    @cached_property
    def _kinds(self) -> tuple[bool, str, str]:
        """Whether the column comes first, and the kinds of columns and rows; only first letters matter."""
        numbering = self.component
        return numbering.first[:1] == "H", numbering.h_type[:1], numbering.v_type[:1]

    def plain_name(self, column: int, row: int) -> str:
        """The numbers of a cell joined together, without the surrounding location format."""
        return self._parts(column, row)[2]

    def _parts(self, column: int, row: int) -> tuple[str, str, str]:
        numbering = self.component
        column_first, h_type, v_type = self._kinds
        across = number(column + numbering.h_off, h_type, numbering.h_leading)
        down = number(row + numbering.v_off, v_type, numbering.v_leading)
        sep = numbering.sep
        return across, down, across + sep + down if column_first else down + sep + across

    def name(self, column: int, row: int) -> str:
        """The name of a cell."""
        numbering = self.component
        across, down, together = self._parts(column, row)
        if numbering.location_format == "$gridLocation$":
            return together
        properties = {"gridLocation": together, "row": down, "column": across}
        return formats.fill(numbering.location_format, properties, keep_unknown=False)

    @cached_property
    def _pattern(self) -> tuple[re.Pattern[str], int, int] | None:
        """The pattern of names, and the groups for column and row. If they are repeated VASSAL takes the
        last.
        """
        column_first, h_type, v_type = self._kinds
        numbering = self.component
        across, down = _digits(h_type, numbering.h_leading), _digits(v_type, numbering.v_leading)
        sep = re.escape(numbering.sep)
        properties = {
            "gridLocation": across + sep + down if column_first else down + sep + across,
            "row": down,
            "column": across,
        }
        axes = {"gridLocation": "cr" if column_first else "rc", "row": "r", "column": "c"}
        order = "".join(
            axes.get(token, "")
            for is_property, token in formats.parts(numbering.location_format)
            if is_property
        )
        pattern = formats.pattern(numbering.location_format, properties)
        if pattern is None or "c" not in order or "r" not in order:
            return None
        return pattern, order.rindex("c") + 1, order.rindex("r") + 1

    def cell(self, name: str) -> Cell | None:
        """The cell of a name, or None if the name does not belong to this numbering."""
        if self._pattern is None:
            return None
        pattern, column_group, row_group = self._pattern
        match = pattern.fullmatch(name)
        if match is None:
            return None
        _, h_type, v_type = self._kinds
        column, row = parse_number(match[column_group], h_type), parse_number(match[row_group], v_type)
        if column is None or row is None:
            return None
        return column - self.component.h_off, row - self.component.v_off


def _digits(kind: str, leading: int) -> str:
    return f"({_LETTERS})" if kind == "A" else f"(-?[0-9]{{{max(leading, -1) + 1},}})"
