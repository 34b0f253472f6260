"""What a report does not show while the game is not over: which counters were hidden when.

The referee knows them, because the log does; the reader of a report may not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from referee.engine.clock import Clock
from referee.report.timeline import Timeline
from vassalgen.problems import BadInput, Problem


@frozen
class Visibility:
    """The counters that are hidden, each with the entries at which it is hidden and shown, alternating.

    ``names`` are their names. If it is empty nothing is hidden.
    """

    changes: Mapping[str, tuple[int, ...]] = field(factory=dict, hash=False)
    names: Mapping[str, str] = field(factory=dict, hash=False)

    @classmethod
    def of(cls, timeline: Timeline, viewer: str = "") -> Visibility:
        """What is hidden in a timeline from everybody, or from a player.

        A player sees what his own side hides. BadInput if no player of that name took a seat.
        """
        own = _sides_of(viewer, timeline) if viewer else ()
        counters = timeline.game.counters
        found: dict[str, list[int]] = {}
        for entry in timeline.entries:
            for name, standing in entry.changes.items():
                if counters[name].side in own:
                    continue
                if bool(standing.hiding) != bool(len(found.get(name, ())) % 2):
                    found.setdefault(name, []).append(entry.at)
        return cls(
            {name: tuple(places) for name, places in found.items()},
            {name: counters[name].name for name in found},
        )

    def hides(self, name: str, at: int) -> bool:
        """Return whether a counter is hidden after an entry."""
        return bisect_right(self.changes.get(name, ()), at) % 2 == 1

    def hides_any(self, names: Iterable[str], at: int) -> bool:
        """Return whether one of some counters is hidden before or after an entry."""
        return bool(self.changes) and any(self.hides(name, at) or self.hides(name, at - 1) for name in names)

    def hidden(self, at: int) -> frozenset[str]:
        """The counters that are hidden before or after an entry."""
        before, after = self._hidden_after(at - 1), self._hidden_after(at)
        return after if before is after else before | after

    def _hidden_after(self, at: int) -> frozenset[str]:
        places, hidden = self._spans
        return hidden[bisect_right(places, at)]

    @cached_property
    def _spans(self) -> tuple[Sequence[int], Sequence[frozenset[str]]]:
        """The entries at which something is hidden or shown; what is hidden before them, and after each."""
        places = sorted({place for some in self.changes.values() for place in some})
        after = [frozenset(name for name in self.changes if self.hides(name, place)) for place in places]
        return places, [frozenset(), *after]

    def mentions(self, names: frozenset[str], text: str) -> bool:
        """Return whether a text contains the id or name of one of some counters."""
        shown = map(self.names.__getitem__, names)
        return any(map(text.__contains__, shown)) or not names.isdisjoint(_WORD.findall(text))

    def mentions_hidden(self, value: object, at: int) -> bool:
        """Return whether a plain value mentions, by id or name, a counter that is hidden at an entry."""
        names = self.hidden(at)
        return bool(names) and self.mentions(names, "\n".join(_texts(value)))

    def face_down(self, timeline: Timeline) -> Mapping[int, Mapping[str, int]]:
        """The number of masked counters in each hex, after each entry that changes it.

        Other players do not even know that invisible counters are there.
        """
        grid, places = timeline.game.map.grid, dict[str, str]()
        named: dict[int, Mapping[str, int]] = {}
        shown: Counter[str] = Counter()
        for entry in timeline.entries if self.changes else ():
            changed = {
                name: standing.place if standing.hiding == "masked" and standing.place in grid else ""
                for name, standing in entry.changes.items()
            }
            if all(places.get(name, "") == place for name, place in changed.items()):
                continue
            places.update(changed)
            seen = Counter(filter(None, places.values()))
            if seen != shown:
                shown = seen
                named[entry.at] = dict(sorted(seen.items()))
        return named


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


def _sides_of(viewer: str, timeline: Timeline) -> Collection[str]:
    """The sides whose hidden counters a player sees; a solitaire player sees all."""
    players = timeline.players
    if viewer not in players:
        right = f"the players are {', '.join(players)}" if players else ""
        raise BadInput(Problem("", "--as", f"no player {viewer!r} in these logs", right))
    return (players[viewer],) if players[viewer] else tuple(timeline.game.sides)


@frozen
class Viewer:
    """The reader of a report, who determines what it may show of an unfinished game.

    A ``player`` sees what his own side hides; ``reveal``: everything is shown.
    """

    player: str = ""
    reveal: bool = False

    def visibility(self, timeline: Timeline, clock: Clock) -> Visibility:
        """What the viewer may not see of a game at a given time; when it is over everything is shown."""
        over = timeline.calendar.is_over(clock)
        return Visibility() if self.reveal or over else Visibility.of(timeline, self.player)


ANYBODY, REFEREE = Viewer(), Viewer(reveal=True)
"""A viewer who sees nothing that is hidden, and one who sees everything."""
