"""What may stand for a WORD in the form of a verb: a side, a column, a result, or one of a few words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import gcd

from vassalgen.game.game import Game, unknown
from vassalgen.problems import FormatError

_ODDS = r"[+-]?\d{1,4}([:/-]\d{1,4})?"
"""Odds may be announced that the table has no column for."""
_LONGEST = 6
"""The words of the longest title of a result."""
_WHAT = {"SIDE": "side", "COLUMN": "odds column", "RESULT": "result"}


def chosen_word(game: Game, choice: str, word: str) -> str:
    """Return the word of a choice (:attr:`referee.engine.actions.Verb.choices`) that is meant.

    Odds are written as 2:1, 2/1 or 2-1; those of a column become its title, and so do sums that are a
    multiple of it, 12:4. Capitals do not matter where no other word is spelt so. FormatError for a word that
    is none of the choice.
    """
    known = known_words(game, choice)
    if "COLUMN" in choice.split() and re.fullmatch(_ODDS, word):
        return _column(word, known)
    in_parts = "RESULT" in choice.split() and _is_of_parts(word, known)
    if word not in known and not in_parts:
        alike = [one for one in known if one.lower() == word.lower()]
        if len(alike) == 1:
            return alike[0]
        what = next((_WHAT[one] for one in _WHAT if choice.startswith(one)), "such word:")
        raise FormatError(f"no {what} {word!r}", unknown(word, known))
    return word


def _column(word: str, known: tuple[str, ...]) -> str:
    """The column of announced odds; odds that no column has, such as 9:1, are left as they are."""
    by_numbers = {tuple(_as_numbers(one)): one for one in known}
    said = tuple(_as_numbers(word))
    lowest = said
    if len(said) > 1 and said not in by_numbers:
        both = gcd(*map(int, said)) or 1
        lowest = tuple(str(int(one) // both) for one in said)
    return by_numbers.get(lowest, word if "1" not in lowest else ":".join(lowest) if lowest != said else word)


def may_be_a_column(game: Game, odds: str) -> bool:
    """Return whether odds may be a column of a game's tables, or one beyond them, or a multiple of one."""
    known = known_words(game, "COLUMN")
    found = _column(odds, known)
    return found in known or "1" in _as_numbers(found)


def whole_word(game: Game, choice: str, words: list[str]) -> str:
    """Take a word of a choice off the words: a side or result also by its title, a result also in parts.

    The results of a table are written as it has them, ``1|2 R2``.
    """
    titles = dict(_titles(game, choice))
    for length in range(min(len(words), _LONGEST), 0, -1):
        if meant := titles.get(_british(" ".join(words[:length]))):
            del words[:length]
            return meant
    word = words.pop(0)
    known = known_words(game, choice) if "RESULT" in choice.split() else ()
    while known and words and _is_of_parts(words[0], known):
        word = f"{word}+{words.pop(0)}"
    return word


def _titles(game: Game, choice: str) -> Iterator[tuple[str, str]]:
    """What sides and results are called, in small letters, and the words that stand for them."""
    if "SIDE" in choice.split():
        for side, one in game.sides.items():
            for name in (one.title, one.adjective):
                yield from ((f"{_british(name)}{more}", side) for more in ("", " side", " player"))
    if "RESULT" in choice.split():
        for table in game.tables.values():
            yield from ((_british(one.title), code) for code, one in table.results.items() if code != "#")


def _british(text: str) -> str:
    """A text in small letters, in British spelling."""
    return (
        re.sub(r"(?<=[ai])z(?=e)", "s", text.lower()).replace("defense", "defence").replace("armor", "armour")
    )


def _is_of_parts(word: str, known: tuple[str, ...]) -> bool:
    return all(part in known or part.isdecimal() for part in re.split(r"[|+]", word))


def _as_numbers(odds: str) -> list[str]:
    return re.split(r"(?<=\d)[:/-]", odds)


def known_words(game: Game, choice: str) -> tuple[str, ...]:
    """Return the words of a choice; results also stand together, as in ``1|2+R1``."""
    return tuple(dict.fromkeys(_known(game, choice)))


def _known(game: Game, choice: str) -> Iterator[str]:
    for one in choice.split():
        match one:
            case "SIDE":
                yield from game.sides
            case "COLUMN":
                yield from (
                    "".join(column.split()) for table in game.tables.values() for column in table.columns
                )
            case "RESULT":
                yield from _results(game)
            case _:
                yield one


def _results(game: Game) -> Iterator[str]:
    """The codes of the results of all tables, their cells, and what these are put together from."""
    for table in game.tables.values():
        yield from (code for code in table.results if code != "#")
        parted = re.compile(f"[{re.escape(table.between)}\\s|+]")
        for row in table.cells:
            for cell in row:
                yield "".join(cell.split())
                yield from (part for part in parted.split(cell) if part and not part.isdecimal())
