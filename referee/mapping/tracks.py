"""What the turn track of a module shows: the turn by its number, the phase in words.

A VASSAL tracker has nested levels; a printed track has a marker on its boxes. If a level has siblings, such
as the phases of one side beside those of the other, its name precedes what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vassalgen.vassal.turns import Level, LevelReading, Reading


def number_in(text: str) -> str:
    """The first number in a text, empty for none."""
    found = re.search(r"\d{1,9}", text)
    return found[0] if found else ""


def words_of_levels(levels: Sequence[Level], turn: Level | None) -> Iterator[str]:
    """What levels show besides the turn, in the order in which VASSAL steps through it."""
    for level in levels:
        words = () if level is turn or level.words is None else level.words
        for said in [_said(level, word, len(levels)) for word in words] or [""]:
            for inner in words_of_levels(level.children, turn) if level.children else ("",):
                yield f"{said} {inner}".strip()


def shown(reading: Reading, turn: str, first_turn: int) -> tuple[str, str]:
    """The number of the turn, empty if no level with that name shows it, and the words of the
    other levels.
    """
    every = [level for top in reading.levels for level in top.everything()]
    number = next((_number(one, first_turn) for one in every if _is_called(one.level, turn)), "")
    words, levels, place = [], reading.levels, reading.current
    while levels:
        level = levels[min(max(place, 0), len(levels) - 1)]
        if not _is_called(level.level, turn) and level.level.words is not None:
            words.append(_said(level.level, level.text, len(levels)))
        levels, place = level.children, level.sub_level
    return number, " ".join(words)


def _is_called(level: Level, name: str) -> bool:
    return bool(name) and name in (level.name, level.property)


def _said(level: Level, text: str, beside: int) -> str:
    return f"{level.name} {text}".strip() if beside > 1 else text


def _number(reading: LevelReading, first_turn: int) -> str:
    """The turn shown by a level: its number, or its index in a list of dates."""
    words = reading.level.words
    if words is None:
        return str(reading.value)
    numbers = [int(number_in(word) or "-1") for word in words]
    are_turns = numbers[:1] == [first_turn] or all(
        re.fullmatch(r"\W*(turn\W*)?\d+\W*", w, re.I) for w in words
    )
    if are_turns and all(after == before + 1 for before, after in pairwise(numbers)):
        return number_in(reading.text)
    return str(first_turn + reading.value)
