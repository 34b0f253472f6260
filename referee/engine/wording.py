"""How rulings speak of units and numbers: names, lists, plurals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from referee.engine.clock import Date
from referee.engine.position import Position
from referee.engine.rulings import number


def name_of(position: Position, counter: str) -> str:
    """Return the name of a counter, with its nation if another counter has the same name."""
    game = position.game
    found = game.counters[counter]
    nation = game.nations.get(found.nation)
    namesakes = (other for other in game.counters.values() if other.name == found.name)
    if nation is None or all(other.id == counter or other.nation == found.nation for other in namesakes):
        return found.name
    return f"{nation.title} {found.name}"


def names_of(position: Position, counters: Iterable[str]) -> str:
    """Return the names of counters as a list in words."""
    return listed([name_of(position, counter) for counter in counters])


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as a list in words: ``A``, ``A and B``, ``A, B and C``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def counted(amount: Fraction | int, unit: str) -> str:
    """Return a number with its unit of measure: ``1 hex``, ``2 hexes``, ``2.5 MF``."""
    is_plain = amount == 1 or unit.isupper()
    return f"{number(amount)} {unit if is_plain else _plural(unit)}"


def player_turn(position: Position, date: Date) -> str:
    """Return a player turn in words: ``the Allied player turn of turn 3``."""
    if not date.side:
        return f"turn {date.turn}"
    return f"the {position.game.sides[date.side].adjective} player turn of turn {date.turn}"


def is_or_are(counters: Sequence[object]) -> str:
    """Return the verb for so many counters."""
    return "is" if len(counters) == 1 else "are"


def _plural(word: str) -> str:
    if word.endswith(("x", "s", "ch")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeiou" else f"{word}s"
