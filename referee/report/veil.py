"""What a report keeps to itself: which counters were concealed when, while the game is not over.

The referee knows them, as the log does; whoever is sent the report may not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from referee.engine.clock import Calendar, Clock
from referee.report.chronicle import Chronicle


@frozen
class Veil:
    """The counters that are concealed, each with the entries from which on it is and is not, by turns."""

    changes: Mapping[str, tuple[int, ...]] = field(factory=dict, hash=False)

    @classmethod
    def over(cls, chronicle: Chronicle) -> Veil:
        """The veil over all that is concealed in a chronicle."""
        found: dict[str, list[int]] = {}
        for entry in chronicle.entries:
            for name, standing in entry.changes.items():
                if bool(standing.concealed) != bool(len(found.get(name, ())) % 2):
                    found.setdefault(name, []).append(entry.at)
        return cls({name: tuple(places) for name, places in found.items()})

    def hides(self, name: str, at: int) -> bool:
        """Tell whether a counter is concealed after an entry."""
        return bisect_right(self.changes.get(name, ()), at) % 2 == 1

    def hides_any(self, names: Iterable[str], at: int) -> bool:
        """Tell whether one of some counters is concealed before or after an entry."""
        return bool(self.changes) and any(self.hides(name, at) or self.hides(name, at - 1) for name in names)

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


def is_over(calendar: Calendar, clock: Clock) -> bool:
    """Tell whether the last turn has come to its last phase."""
    return clock >= Clock(calendar.last_turn, len(calendar.stops) - 1)
