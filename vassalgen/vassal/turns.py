"""Turn trackers: what their state says, and the text players read.

A state is SE(``|``) of the current top level's index and each top level's state; a level's state is SE(``;``)
of its value, its current sub-level, two fields of its own and the states of its sub-levels.
[build.module.turn.TurnTracker, TurnLevel, CounterTurnLevel, ListTurnLevel]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from attrs import field, frozen

from vassalgen.vassal import scalars, sequences

Format = Callable[[str, Mapping[str, str]], str]
"""Fills a format's properties in: takes the format and the properties it may use."""


@frozen
class Level:
    """A level of a tracker as its module defines it. ``words`` is None for a level that counts."""

    name: str
    property: str = ""
    format: str = "$value$"
    start: int = 1
    words: tuple[str, ...] | None = None
    children: tuple[Level, ...] = ()


@frozen
class LevelReading:
    """A level at some moment."""

    level: Level
    value: int
    sub_level: int
    children: tuple[LevelReading, ...] = ()

    @property
    def text(self) -> str:
        """The value as a word or number."""
        words = self.level.words
        if words is None:
            return str(self.value)
        return words[self.value] if 0 <= self.value < len(words) else ""

    def active(self) -> Iterator[LevelReading]:
        """This level and the current one of each level below."""
        yield self
        if self.children:
            yield from self.children[min(max(self.sub_level, 0), len(self.children) - 1)].active()

    def everything(self) -> Iterator[LevelReading]:
        """This level and all below."""
        yield self
        for child in self.children:
            yield from child.everything()


@frozen
class Tracker:
    """A turn tracker as its module defines it. ``id`` is how streams name it: ``TurnTracker0``."""

    id: str
    name: str = "Turn"
    format: str = "$level1$ $level2$ $level3$ $level4$"
    levels: tuple[Level, ...] = ()

    def read(self, state: str | None = None) -> Reading:
        """Read a state; None is the one a new game begins with."""
        tokens = sequences.decode(state, "|") if state is not None else []
        current = _integer(tokens, 0, 0)
        levels = tuple(
            _read_level(level, tokens[place + 1] if place + 1 < len(tokens) else None)
            for place, level in enumerate(self.levels)
        )
        return Reading(self, current, levels)


@frozen
class Reading:
    """A tracker at some moment."""

    tracker: Tracker
    current: int
    levels: tuple[LevelReading, ...] = field(factory=tuple)

    def properties(self) -> dict[str, str]:
        """The global properties that the levels publish."""
        found: dict[str, str] = {}
        for top in self.levels:
            for level in top.everything():
                if level.level.property:
                    found[level.level.property] = level.text
        return found

    def text(self, fill: Format) -> str:
        """The turn as players read it."""
        if not 0 <= self.current < len(self.levels):
            active: list[LevelReading] = []
        else:
            active = list(self.levels[self.current].active())
        words = {f"level{place + 1}": "" for place in range(15)}
        for place, level in enumerate(active):
            words[f"level{place + 1}"] = fill(level.level.format, {"value": level.text})
        return fill(self.tracker.format, words)


def _read_level(level: Level, state: str | None) -> LevelReading:
    tokens = sequences.decode(state, ";") if state is not None else []
    start = level.start if level.words is None else 0
    children = tuple(
        _read_level(child, tokens[place + 4] if place + 4 < len(tokens) else None)
        for place, child in enumerate(level.children)
    )
    return LevelReading(level, _integer(tokens, 0, start), _integer(tokens, 1, 0), children)


def _integer(tokens: list[str], place: int, default: int) -> int:
    try:
        return scalars.INTEGER.decode(tokens[place])
    except (IndexError, ValueError):
        return default
