"""Statistics of the dice: what each player rolled, compared with fair dice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.report.timeline import Entry, Timeline
from referee.table import events
from referee.table.texts import is_number
from vassalgen import announcements
from vassalgen.game.game import Game
from vassalgen.game.sequence import Dice

MANY = 500
"""For more dice than this the normal distribution is close enough and is used instead."""


def rolls(game: Game, entry: Entry) -> Iterator[dict[str, Any]]:
    """Return the rolls of an entry: dice by the game's id and title, or else VASSAL's name."""
    for rolled in entry.rolls:
        dice = dice_of(game, rolled)
        faces = [int(face) for face in rolled.faces if is_number(face)]
        if faces:
            yield {
                "dice": dice.id if dice else "",
                "title": dice.title if dice else rolled.dice,
                "faces": faces,
            }


def dice_of(game: Game, rolled: events.Rolled) -> Dice | None:
    """Return the dice of the game that a button rolls; None for other dice."""
    called = (rolled.dice, rolled.dice.removeprefix(announcements.dice_property("")))
    for dice in game.dice.values():
        if dice.title in called or announcements.identifier(dice.id) in called:
            return dice
    return None


def statistics(timeline: Timeline) -> list[dict[str, Any]]:
    """Return for each player and size of dice: the faces rolled, their mean, and the expected mean.

    ``as_far`` is the probability, in per cent, that the same number of fair dice is at least as far from the
    mean. Undone rolls count: they were rolled.
    """
    found: dict[tuple[str, int], list[int]] = {}
    for entry in timeline.entries:
        for rolled in entry.rolls:
            dice = dice_of(timeline.game, rolled)
            faces = [int(face) for face in rolled.faces if is_number(face)]
            if dice is not None and all(1 <= face <= dice.sides for face in faces):
                found.setdefault((entry.player, dice.sides), []).extend(faces)
    return [_player_dice(player, sides, faces) for (player, sides), faces in found.items() if faces]


def _player_dice(player: str, sides: int, faces: list[int]) -> dict[str, Any]:
    counts = Counter(faces)
    return {
        "player": player,
        "sides": sides,
        "rolled": len(faces),
        "counts": [counts[face] for face in range(1, sides + 1)],
        "expected": round(len(faces) / sides, 2),
        "mean": round(sum(faces) / len(faces), 2),
        "fair_mean": (sides + 1) / 2,
        "as_far": round(100 * as_far(sides, len(faces), sum(faces)), 1),
    }


def as_far(sides: int, count: int, total: int) -> float:
    """Return the probability that the sum of fair dice is at least as far from its mean as a total.

    >>> as_far(6, 1, 6) == 2 / 6
    True
    """
    if count > MANY:
        deviation = math.sqrt(count * (sides * sides - 1) / 12) or 1.0
        return math.erfc(max(0.0, abs(total - count * (sides + 1) / 2) - 0.5) / deviation / math.sqrt(2))
    chances = [1.0]
    for _ in range(count):
        chances = one_die_more(chances, sides)
    middle = count * (sides + 1) / 2
    distance = abs(total - middle) - 1e-9
    return min(1.0, sum(one for low, one in enumerate(chances) if abs(count + low - middle) >= distance))


def one_die_more(chances: list[float], sides: int) -> list[float]:
    """Return the probabilities of each sum, counted from the lowest, with one die more."""
    found, window = [], 0.0
    for place in range(len(chances) + sides - 1):
        window += chances[place] if place < len(chances) else 0.0
        window -= chances[place - sides] if place >= sides else 0.0
        found.append(window / sides)
    return found
