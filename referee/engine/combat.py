"""Combat: odds with all their components, and retreat paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Literal, Protocol

from attrs import frozen

from referee.engine.rulings import number
from vassalgen.game.tables import Table

Rounding = Literal["defender", "nearest"]
Adding = Literal["sum", "one-by-one"]


class Calculation(Protocol):
    """The calculation for an attack before its roll: as a label, and line by line."""

    @property
    def label(self) -> str:
        """The result: a column of the table, or the probability of a hit."""

    def lines(self) -> tuple[str, ...]:
        """Return the calculation, line by line."""


@frozen
class Strength:
    """One contribution to the strength of a side: the source, the amount, and the clause for it."""

    what: str
    amount: Fraction
    clause: str


@frozen
class Shift:
    """A column shift, to the right if positive, and the clause for it."""

    what: str
    columns: int
    clause: str


@frozen
class Modifier:
    """A die roll modifier, and the clause for it."""

    what: str
    amount: int
    clause: str


@frozen
class Odds:
    """Odds with their components: strengths, the column from these, shifts, and the column after them.

    Columns are indices in the table from 0; ``natural`` may be beyond its ends if a ladder of ratios
    continues there. ``below``: the odds are worse than the first column. ``modifiers`` apply to the die.
    """

    table: Table
    attack: tuple[Strength, ...]
    defence: tuple[Strength, ...]
    natural: int
    shifts: tuple[Shift, ...]
    column: int
    below: bool = False
    modifiers: tuple[Modifier, ...] = ()

    @property
    def attacking(self) -> Fraction:
        """The total strength of the attack."""
        return sum((strength.amount for strength in self.attack), Fraction(0))

    @property
    def defending(self) -> Fraction:
        """The total strength of the defence."""
        return sum((strength.amount for strength in self.defence), Fraction(0))

    @property
    def label(self) -> str:
        """The final column, with its label in the table."""
        return self.table.columns[self.column]

    @property
    def modifier(self) -> int:
        """The total die roll modifier."""
        return sum(part.amount for part in self.modifiers)

    def result(self, rolled: int) -> str:
        """Return the cell for a modified roll; rolls beyond the rows use the row at the end."""
        lows, highs = zip(*self.table.row_ranges, strict=True)
        least, most = min(highs), max(lows)
        return self.table.at(self.column, int(min(max(rolled + self.modifier, least), most)))

    def lines(self) -> tuple[str, ...]:
        """Return the calculation of the odds, a line for each component."""
        lines = [f"attack {number(self.attacking)}", *(_line(part) for part in self.attack)]
        lines += [f"defence {number(self.defending)}", *(_line(part) for part in self.defence)]
        lines.append(f"column {rung_label(self.table, self.natural)}")
        lines += [f"  {shift.columns:+d} {shift.what} [{shift.clause}]" for shift in self.shifts]
        lines.append(f"final column {self.label}")
        if self.modifiers:
            lines.append(f"die {self.modifier:+d}")
            lines += [f"  {part.amount:+d} {part.what} [{part.clause}]" for part in self.modifiers]
        return tuple(lines)


@frozen
class Roll:
    """A die roll that hits on a factor or less: its modifiers, and on how many of its faces it hits."""

    what: str
    factor: int
    modifiers: tuple[Modifier, ...]
    hits: int
    faces: int

    def lines(self) -> tuple[str, ...]:
        """Return the calculation, line by line."""
        added = sum(part.amount for part in self.modifiers)
        lines = [f"{self.what}: die {added:+d} against {self.factor}, hits on {self.hits} of {self.faces}"]
        return (*lines, *(f"  {part.amount:+d} {part.what} [{part.clause}]" for part in self.modifiers))


@frozen
class Duel:
    """The rolls of an attack and of the return fire, in this order."""

    rolls: tuple[Roll, ...]

    @property
    def label(self) -> str:
        """The probability that each of them hits."""
        return " against ".join(f"{roll.hits}/{roll.faces}" for roll in self.rolls)

    def lines(self) -> tuple[str, ...]:
        """Return a line for each."""
        return tuple(line for roll in self.rolls for line in roll.lines())


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
    """Calculate the odds on a table whose columns are ratios, ascending from left to right."""
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


@frozen
class Ends:
    """The die roll modifier for each column beyond the ends of a table, and the clauses for it."""

    below: str
    above: str
    each: int = 1


def ladder_odds(
    table: Table,
    attack: Sequence[Strength],
    defence: Sequence[Strength],
    shifts: Sequence[Shift],
    modifiers: Sequence[Modifier],
    ends: Ends,
) -> Odds:
    """Calculate the odds on a ladder of ratios that continues beyond both ends of the table by whole numbers.

    All shifts are made on the ladder; columns beyond an end then modify the die.
    """
    attacking = sum((part.amount for part in attack), Fraction(0))
    defending = sum((part.amount for part in defence), Fraction(0))
    natural = rung(table, attacking, defending)
    shifted = natural + sum(shift.columns for shift in shifts)
    final = min(max(shifted, 0), len(table.columns) - 1)
    beyond = shifted - final
    added = list(modifiers)
    if beyond:
        end, clause = ("below", ends.below) if beyond < 0 else ("above", ends.above)
        what = f"{rung_label(table, shifted)}, {abs(beyond)} {end} {table.columns[final]}"
        added.append(Modifier(what, beyond * ends.each, clause))
    return Odds(
        table,
        tuple(attack),
        tuple(defence),
        natural,
        tuple(shifts),
        final,
        natural < 0,
        tuple(part for part in added if part.amount),
    )


def rung(table: Table, attack: Fraction, defence: Fraction) -> int:
    """Return the column for two strengths, rounded in favour of the defender, on a ladder beyond the table's
    ends.

    Negative columns continue the first one downwards (1 to one more than its number, and so on), columns
    above the last are whole numbers to 1. A defence of 0 gives the last column, an attack of 0 the same as
    half a point.
    """
    least, most = table.fractions[0], table.fractions[-1]
    if defence <= 0:
        return len(table.ratios) - 1
    ratio = max(attack, Fraction(1, 2)) / defence
    if ratio < least:
        return min(floor(1 / least) - ceil(1 / ratio), -1)
    within, _ = column(table, attack, defence, "defender")
    return within + (floor(ratio) - floor(most) if ratio >= most else 0)


def rung_label(table: Table, place: int) -> str:
    """Return the label of a column on the ladder, in the table or beyond its ends."""
    last = len(table.columns) - 1
    if 0 <= place <= last:
        return table.columns[place]
    between = next(sign for sign in table.columns[0] if not sign.isdigit())
    if place < 0:
        return f"1{between}{floor(1 / Fraction(*table.ratios[0])) - place}"
    return f"{floor(Fraction(*table.ratios[last])) + place - last}{between}1"


def column(table: Table, attack: Fraction, defence: Fraction, rounding: Rounding) -> tuple[int, bool]:
    """Return the column for two strengths, and whether the odds are worse than the first column.

    A defence of 0 gives the last column.
    """
    ratios = table.fractions
    if defence <= 0:
        return len(ratios) - 1, False
    ratio = attack / defence
    if rounding == "nearest":
        nearest = min(range(len(ratios)), key=lambda place: (abs(ratios[place] - ratio), place))
        return nearest, ratio < ratios[0]
    fitting = [place for place, least in enumerate(ratios) if least <= ratio]
    return (fitting[-1], False) if fitting else (0, True)


def paths(
    adjacent: Sequence[Sequence[int]], start: int, length: int, is_open: Callable[[int, int, int], bool]
) -> tuple[tuple[int, ...], ...]:
    """Return all paths with a number of steps, including the start.

    ``is_open`` says whether a step is possible: from which hex, to which, and how many steps are left.
    """
    found: list[tuple[int, ...]] = [(start,)]
    for left in range(length - 1, -1, -1):
        found = [
            (*path, to)
            for path in found
            for to in adjacent[path[-1]]
            if to >= 0 and to not in path and is_open(path[-1], to, left)
        ]
    return tuple(found)
