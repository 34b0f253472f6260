"""How findings name units and numbers: names, lists, plurals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from referee.engine.clock import Date
from referee.engine.position import Position
from referee.engine.rulings import Fact, number
from vassalgen.game.game import Game

LABELS: Mapping[str, str] = {
    "able": "units that could",
    "added": "DRM",
    "advanced": "already advanced",
    "after": "distance afterwards",
    "allowance": "movement allowance",
    "also": "also affected in",
    "attack": "attack strength",
    "attacks": "attacks made",
    "before": "before that",
    "better": "preferred",
    "between": "moved in between",
    "beyond": "lost in excess",
    "below": "below the table",
    "bound to": "must attack",
    "by": "caused by",
    "came": "already arrived",
    "chosen": "already sustained",
    "command": "command value",
    "committed": "aviation points committed",
    "cost": "movement cost",
    "defence": "defence strength",
    "defenders": "factors of the defenders",
    "exited": "units that left the map",
    "factor": "combat factor",
    "first": "first roll",
    "for": "replaces",
    "fought": "last combat in turn",
    "free": "free airfields",
    "friends": "friends there",
    "gone": "already retreated",
    "goal": "goal of the breakthrough",
    "into": "to",
    "left": "left",
    "line": "line of sight",
    "lost": "lost so far",
    "made of": "made up of",
    "nearer": "closer hexes",
    "nearest": "closest possible sum",
    "now": "acts in",
    "of": "units concerned",
    "odds": "odds by the rules",
    "others with it": "attacks together with",
    "steps missing": "steps still to be lost",
    "placed": "points placed",
    "played": "carried out",
    "right": "right",
    "rolled for since": "hexes rolled for since",
    "rolls": "rolls made",
    "second": "second roll",
    "shown": "shown by the marker",
    "since": "attack begun since",
    "suffered": "affected units",
    "there": "already there",
    "this turn": "points of this turn",
    "total": "roll",
    "twin": "other counter of the unit",
    "unsettled": "unfinished battles",
    "used": "used so far",
    "used before": "points used before",
    "waiting": "still in the box",
    "weight": "units counted",
    "where": "place",
}
"""The labels of facts in reports, if the key in the JSON is not clear enough."""
UNITS: Mapping[str, str] = {
    "distance": "hex",
    "range": "hex",
    "hexes": "hex",
    "run": "hex",
    "steps": "step",
    "steps due": "step",
    "steps missing": "step",
    "beyond": "step",
}
"""The units of facts that are numbers; costs and allowances are in the game's movement points."""
_MOVEMENT = ("cost", "allowance")


def name_of(position: Position, counter: str) -> str:
    """Return the name of a counter, with its nation if another counter has the same name."""
    return counter_name(position.game, counter)


def counter_name(game: Game, counter: str) -> str:
    """Return the name of a counter of a game, with its nation if another counter has the same name."""
    found = game.counters[counter]
    nation = game.nations.get(found.nation)
    if nation is None or found.name not in game.ambiguous_names:
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
    """Return ``is`` or ``are`` for so many counters."""
    return "is" if len(counters) == 1 else "are"


_SINGULAR = {
    "units": "unit",
    "pieces": "piece",
    "hexes": "hex",
    "EMs": "EM",
    "attackers": "attacker",
    "nations": "nation",
}
"""Labels of lists, for lists with one item."""


def facts_in_words(facts: Mapping[str, Fact], game: Game) -> Iterator[tuple[str, str]]:
    """Yield the facts of a breach for players: names instead of ids, numbers with their units."""
    for key, value in facts.items():
        is_modifier = key == "die" and str(value).startswith(("+", "-"))
        label = "DRM" if is_modifier else LABELS.get(key) or _in_words(key, game)
        if isinstance(value, tuple | list) and len(value) == 1:
            label = _SINGULAR.get(label, label)
        yield label, _value_in_words(key, value, game)


def _value_in_words(key: str, value: Fact, game: Game) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(_line_in_words(str(one), game) for one in value) or "none"
    unit = movement_points(game) if key in _MOVEMENT else UNITS.get(key, "")
    if unit and re.fullmatch(r"\d+(\.\d+|/\d+)?", str(value)):
        return counted(Fraction(value), unit)
    if isinstance(value, str):
        return "; ".join(_line_in_words(line, game) for line in value.split("\n")) or "none"
    return number(value)


def _line_in_words(line: str, game: Game) -> str:
    words = line.split()
    return " ".join(_in_words(word, game, within=len(words) > 1) for word in words)


def _in_words(word: str, game: Game, *, within: bool = False) -> str:
    """Return the name for an id, such as a counter or box; any other word unchanged.

    Within a sentence only counters and sides are recognised by id: ``it`` and ``in`` are nations too.
    """
    id_ = word.rstrip(",;:")
    rest = word[len(id_) :]
    if id_ in game.counters:
        return counter_name(game, id_) + rest
    if within:
        return game.sides[id_].adjective + rest if id_ in game.sides else word
    named = (game.sides, game.nations, game.formations, game.map.boxes, game.states)
    return next((one[id_].title + rest for one in named if id_ in one), word)


def movement_points(game: Game) -> str:
    """Return a game's name for its movement points, MF or MP, from the id or title of the factor."""
    named = (f"{factor.title} {factor.id.upper()}" for factor in game.factors.values())
    found = (re.search(r"\bM[FP]\b", name) for name in named)
    return next((match[0] for match in found if match), "point")


def _plural(word: str) -> str:
    if word.endswith(("x", "s", "ch")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeiou" else f"{word}s"
