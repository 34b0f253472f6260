"""Combat: odds with everything that made them, and the ways of retreat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal

from attrs import frozen

from referee.engine.rulings import number
from vassalgen.game.tables import Table

Rounding = Literal["defender", "nearest"]
Adding = Literal["sum", "one-by-one"]


@frozen
class Strength:
    """One contribution to the strength of a side: whose, how much, and the clause it is owed to."""

    what: str
    amount: Fraction
    clause: str


@frozen
class Shift:
    """A shift of columns, to the right if above 0, and the clause it is owed to."""

    what: str
    columns: int
    clause: str


@frozen
class Odds:
    """Odds in the making: strengths, the column they give, shifts, and the column after them.

    Columns are places in the table from 0. ``below``: the odds are worse than the first column.
    """

    table: Table
    attack: tuple[Strength, ...]
    defence: tuple[Strength, ...]
    natural: int
    shifts: tuple[Shift, ...]
    column: int
    below: bool = False

    @property
    def attacking(self) -> Fraction:
        """The attack's strength in all."""
        return sum((strength.amount for strength in self.attack), Fraction(0))

    @property
    def defending(self) -> Fraction:
        """The defence's strength in all."""
        return sum((strength.amount for strength in self.defence), Fraction(0))

    @property
    def label(self) -> str:
        """The column that counts, as the table calls it."""
        return self.table.columns[self.column]

    def lines(self) -> tuple[str, ...]:
        """Tell how the odds came about, a line for each part."""
        told = [f"attack {number(self.attacking)}", *(_line(part) for part in self.attack)]
        told += [f"defence {number(self.defending)}", *(_line(part) for part in self.defence)]
        told.append(f"column {self.table.columns[self.natural]}")
        told += [f"  {shift.columns:+d} {shift.what} [{shift.clause}]" for shift in self.shifts]
        return (*told, f"final column {self.label}")


def _line(part: Strength) -> str:
    return f"  {'+' if part.amount >= 0 else ''}{number(part.amount)} {part.what} [{part.clause}]"


def odds(
    table: Table,
    attack: Sequence[Strength],
    defence: Sequence[Strength],
    shifts: Sequence[Shift],
    rounding: Rounding = "defender",
    adding: Adding = "sum",
) -> Odds:
    """Reckon the odds on a table whose columns are ratios, rising from left to right."""
    attacking = sum((part.amount for part in attack), Fraction(0))
    defending = sum((part.amount for part in defence), Fraction(0))
    natural, below = column(table, attacking, defending, rounding)
    last = len(table.columns) - 1
    shifted = natural
    for shift in shifts:
        shifted += shift.columns
        if adding == "one-by-one":
            shifted = min(max(shifted, 0), last)
    final = min(max(shifted, 0), last)
    return Odds(table, tuple(attack), tuple(defence), natural, tuple(shifts), final, below)


def column(table: Table, attack: Fraction, defence: Fraction, rounding: Rounding) -> tuple[int, bool]:
    """Return the column for two strengths, and whether the odds are worse than the first column.

    A defence of nothing gives the last column.
    """
    ratios = [Fraction(left, right) for left, right in table.ratios]
    if defence <= 0:
        return len(ratios) - 1, False
    ratio = attack / defence
    if rounding == "nearest":
        nearest = min(range(len(ratios)), key=lambda place: (abs(ratios[place] - ratio), place))
        return nearest, ratio < ratios[0]
    fitting = [place for place, least in enumerate(ratios) if least <= ratio]
    return (fitting[-1], False) if fitting else (0, True)


def ways(
    adjacent: Sequence[Sequence[int]], start: int, length: int, is_open: Callable[[int, int, int], bool]
) -> tuple[tuple[int, ...], ...]:
    """Return all ways of a number of steps, start included.

    ``is_open`` tells of each step whether it can be made: from which hex, to which, and the steps still left.
    """
    found: list[tuple[int, ...]] = [(start,)]
    for left in range(length - 1, -1, -1):
        found = [
            (*way, to)
            for way in found
            for to in adjacent[way[-1]]
            if to >= 0 and to not in way and is_open(way[-1], to, left)
        ]
    return tuple(found)
