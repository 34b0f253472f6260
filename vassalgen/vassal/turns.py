"""Turn trackers: their state, and the text that players see.

A state is SE(``|``) of the current top level's index and each top level's state; a level's state is SE(``;``)
of its value, its current sub-level, two fields of its own and the states of its sub-levels. A state may be
shorter than its tracker if a level was added to the module later. [build.module.turn.TurnTracker, TurnLevel,
CounterTurnLevel, ListTurnLevel]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import field, frozen

from vassalgen.vassal import scalars, sequences

Format = Callable[[str, Mapping[str, str]], str]
"""Fills in a format: takes the format and the properties that it may use."""

DEEPEST = 15
"""The number of levels that a tracker's format can name: ``$level1$`` to ``$level15$``."""
MISSING_WORD = 1
"""The index of the word of a list that a state does not mention. [turn.ListTurnLevel.setState]"""


@frozen
class Level:
    """A level of a tracker as defined in its module. ``words`` is None for a level that counts."""

    name: str
    property: str = ""
    format: str = "$value$"
    start: int = 1
    words: tuple[str, ...] | None = None
    children: tuple[Level, ...] = ()


@frozen
class LevelReading:
    """The state of a level at some time."""

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
            yield from _at(self.children, self.sub_level).active()

    def everything(self) -> Iterator[LevelReading]:
        """All levels below this one, then itself: the order in which VASSAL sets their properties."""
        for child in self.children:
            yield from child.everything()
        yield self


@frozen
class Tracker:
    """A turn tracker as defined in its module. ``id`` is its name in streams: ``TurnTracker0``."""

    id: str
    name: str = "Turn"
    format: str = "$level1$ $level2$ $level3$ $level4$"
    levels: tuple[Level, ...] = ()

    def fits(self, state: str) -> bool:
        """Return whether a state can belong to this tracker: whether its lists have as many words."""
        tokens = sequences.decode(state, "|")
        return all(_fits(level, _token(tokens, 1 + n)) for n, level in enumerate(self.levels))

    def read(self, state: str | None = None) -> Reading:
        """Read a state; None is that of a new game."""
        if state is None:
            return Reading(self, 0, tuple(map(_first, self.levels)))
        tokens = sequences.decode(state, "|")
        levels = tuple(_read_level(level, _token(tokens, 1 + n)) for n, level in enumerate(self.levels))
        return Reading(self, _integer(tokens, 0, 0), levels)


@frozen
class Reading:
    """The state of a tracker at some time."""

    tracker: Tracker
    current: int
    levels: tuple[LevelReading, ...] = field(factory=tuple)

    def properties(self) -> dict[str, str]:
        """The global properties that the levels set. If levels share one, VASSAL's last counts."""
        found: dict[str, str] = {}
        for top in self.levels:
            for level in top.everything():
                if level.level.property:
                    found[level.level.property] = level.text
        return found

    def text(self, fill: Format) -> str:
        """The turn as players see it."""
        active = list(_at(self.levels, self.current).active()) if self.levels else []
        words = {f"level{number}": "" for number in range(1, DEEPEST + 1)}
        for number, level in enumerate(active[:DEEPEST], 1):
            words[f"level{number}"] = fill(level.level.format, {"value": level.text})
        return fill(self.tracker.format, words)


def _first(level: Level) -> LevelReading:
    """A level at the start of a new game. [turn.TurnTracker.reset]"""
    value = level.start if level.words is None else 0
    return LevelReading(level, value, 0, tuple(map(_first, level.children)))


def _read_level(level: Level, state: str) -> LevelReading:
    tokens = sequences.decode(state, ";")
    missing = level.start if level.words is None else MISSING_WORD
    children = tuple(_read_level(child, _token(tokens, 4 + n)) for n, child in enumerate(level.children))
    return LevelReading(level, _integer(tokens, 0, missing), _integer(tokens, 1, 0), children)


def _fits(level: Level, state: str) -> bool:
    """Whether a list level has a word for each of the flags in a state."""
    tokens = sequences.decode(state, ";")
    flags = _token(tokens, 3)
    if level.words is not None and flags and flags.count(",") + 1 != len(level.words):
        return False
    return all(_fits(child, _token(tokens, 4 + n)) for n, child in enumerate(level.children))


def _at(levels: Sequence[LevelReading], index: int) -> LevelReading:
    """The level at an index; the last one if the index is too high. [turn.TurnComponent.getTurnLevel]"""
    return levels[min(max(index, 0), len(levels) - 1)]


def _token(tokens: Sequence[str], place: int) -> str:
    return tokens[place] if place < len(tokens) else ""


def _integer(tokens: Sequence[str], place: int, default: int) -> int:
    try:
        return scalars.INTEGER.decode(_token(tokens, place))
    except ValueError:
        return default
