"""What a report keeps to itself: which counters were concealed when, while the game is not over.

The referee knows them, as the log does; whoever is sent the report may not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

from referee.engine.clock import Calendar, Clock
from referee.report.chronicle import Chronicle


@frozen
class Veil:
    """The counters that are concealed, each with the entries from which on it is and is not, by turns.

    ``names`` are what they are called.
    """

    changes: Mapping[str, tuple[int, ...]] = field(factory=dict, hash=False)
    names: Mapping[str, str] = field(factory=dict, hash=False)

    @classmethod
    def over(cls, chronicle: Chronicle) -> Veil:
        """The veil over all that is concealed in a chronicle."""
        found: dict[str, list[int]] = {}
        for entry in chronicle.entries:
            for name, standing in entry.changes.items():
                if bool(standing.concealed) != bool(len(found.get(name, ())) % 2):
                    found.setdefault(name, []).append(entry.at)
        counters = chronicle.game.counters
        return cls(
            {name: tuple(places) for name, places in found.items()},
            {name: counters[name].name for name in found},
        )

    def hides(self, name: str, at: int) -> bool:
        """Tell whether a counter is concealed after an entry."""
        return bisect_right(self.changes.get(name, ()), at) % 2 == 1

    def hides_any(self, names: Iterable[str], at: int) -> bool:
        """Tell whether one of some counters is concealed before or after an entry."""
        return bool(self.changes) and any(self.hides(name, at) or self.hides(name, at - 1) for name in names)

    def lies_over(self, value: object, at: int) -> bool:
        """Tell whether a plain value speaks, by id or name, of a counter that is concealed at an entry."""
        return bool(self.changes) and any(self._is_told(text, at) for text in _texts(value))

    def _is_told(self, text: str, at: int) -> bool:
        words = set(_WORD.findall(text))
        told = (name for name, called in self.names.items() if name in words or called in text)
        return self.hides_any(told, at)

    def covered(self, chronicle: Chronicle) -> Mapping[int, Mapping[str, int]]:
        """How many masked counters lie in each hex, after each entry that changes it.

        Of those that are hidden altogether nobody else knows that they are there.
        """
        grid, places = chronicle.game.map.grid, dict[str, str]()
        told: dict[int, Mapping[str, int]] = {}
        shown: Counter[str] = Counter()
        for entry in chronicle.entries if self.changes else ():
            for name, standing in entry.changes.items():
                places[name] = standing.place if standing.concealed == "masked" else ""
            lying = Counter(place for place in places.values() if place in grid)
            if lying != shown:
                shown = lying
                told[entry.at] = dict(sorted(lying.items()))
        return told


_WORD = re.compile(r"[\w-]+")


def _texts(value: object) -> Iterator[str]:
    """All texts in a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _texts(key)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def is_over(calendar: Calendar, clock: Clock) -> bool:
    """Tell whether the last turn has come to its last phase."""
    return clock >= Clock(calendar.last_turn, len(calendar.stops) - 1)
