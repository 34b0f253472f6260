"""Checks of tables.toml: gaps, unexplained results, columns and rows out of order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from vassalgen.game.checking.play import known
from vassalgen.game.game import Game
from vassalgen.game.tables import Table
from vassalgen.problems import Problem


def table_problems(game: Game) -> Iterator[Problem]:
    """Find inconsistencies in the tables."""
    for feature in game.features.values():
        for name in feature.opens:
            yield from known(game, f"feature/{feature.id}/opens", name, "feature", game.features)
    for table in game.tables.values():
        if not table.columns or not table.rows:
            continue  # reading has reported it
        yield from _shape(game, table)
        yield from _results(game, table)
        yield from _columns(game, table)
        yield from _rows(game, table)


def _shape(game: Game, table: Table) -> Iterator[Problem]:
    thing = f"table/{table.id}"
    for key, labels in (("columns", table.columns), ("rows", table.rows)):
        for label in sorted({label for label in labels if labels.count(label) > 1}):
            yield game.problem(f"{thing}/{key}", f"{label} appears twice", "use each label once")
    if len(table.cells) != len(table.rows):
        wrong = f"has {len(table.cells)} lines of cells"
        yield game.problem(f"{thing}/cells", wrong, f"expected {len(table.rows)}, one for each row")
    for row, line in zip(table.rows, table.cells, strict=False):
        if len(line) != len(table.columns):
            wrong = f"row {row} has {len(line)} cells"
            yield game.problem(f"{thing}/cells", wrong, f"expected {len(table.columns)}, one for each column")
        for column, cell in zip(table.columns, line, strict=False):
            if not cell:
                yield game.problem(f"{thing}/cells", f"row {row}, column {column} is empty", "write a result")


def _results(game: Game, table: Table) -> Iterator[Problem]:
    if not table.results:
        return
    used: set[str] = set()
    for row, line in zip(table.rows, table.cells, strict=False):
        for column, cell in zip(table.columns, line, strict=False):
            try:
                used.update(table.codes(cell))
            except ValueError:
                wrong = f"row {row}, column {column}: {cell!r} is not explained"
                if right := _sign_between(table, cell):
                    yield game.problem(f"table/{table.id}/cells", wrong, right)
                    return
                right = f"use one of {', '.join(table.results)}, or add a result with that code"
                yield game.problem(f"table/{table.id}/cells", wrong, right)
    for code in table.results:
        if code not in used and code != "#":
            right = "use a result that is in a cell"
            yield game.problem(f"result/{table.id}/{code}", f"no cell has the result {code!r}", right)


def _sign_between(table: Table, cell: str) -> str:
    """Return the suggested spelling if a cell is two results joined by a sign that the table does not
    declare.
    """
    for sign in "/,;+|":
        parts = cell.split(sign)
        if sign not in table.between and len(parts) > 1 and all(parts):
            return f'between = "{sign}", if the sign stands between results'
    return ""


def _columns(game: Game, table: Table) -> Iterator[Problem]:
    thing = f"table/{table.id}/columns"
    for (label, ratio), (after, next_ratio) in pairwise(zip(table.columns, table.ratios, strict=False)):
        if label != after and ratio[0] * next_ratio[1] >= next_ratio[0] * ratio[1]:
            right = "put the odds in ascending order from left to right"
            yield game.problem(thing, f"{after} comes after {label}", right)


def _rows(game: Game, table: Table) -> Iterator[Problem]:
    thing = f"table/{table.id}/rows"
    if table.dice:
        yield from known(game, f"table/{table.id}/dice", table.dice, "dice", game.dice)
    ranges = table.row_ranges
    words = [label for label, (low, high) in zip(table.rows, ranges, strict=True) if low > high]
    if words and (table.dice or len(words) < len(table.rows)):
        yield game.problem(thing, f"{words[0]!r} is not a number", "expected numbers, as in 1, 2-4, 0-, 8+")
        return
    in_order = sorted(zip(ranges, table.rows, strict=True))
    for ((_, high), label), ((low, _), after) in pairwise(in_order):
        if low > high + 1:
            yield game.problem(thing, f"no row between {label} and {after}", "every number needs a row")
        elif low <= high:
            yield game.problem(thing, f"{label} and {after} overlap", "every number needs exactly one row")
    if list(ranges) not in (sorted(ranges), sorted(ranges, reverse=True)):
        yield game.problem(thing, "the rows are out of order", "put the numbers in rising or falling order")
    dice = game.dice.get(table.dice)
    if dice:
        for rolled in (dice.count, dice.count * dice.sides):
            if not any(low <= rolled <= high for low, high in ranges):
                yield game.problem(thing, f"no row for {rolled}", "every possible roll needs a row")
