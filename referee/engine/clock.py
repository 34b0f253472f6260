"""The clock: turn, phase and side, following the game's sequence of play."""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen

from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario
from vassalgen.game.sequence import Stop

_SMALL = {"a", "at", "check", "game", "of", "phase", "player", "step", "the", "to", "turn"}


def _words(text: str) -> frozenset[str]:
    """The words of a phase in lower case, without function words and plural endings."""
    words = re.findall(r"\w+(?:-\w+)*", text.lower())
    return frozenset(word.removesuffix("s") for word in words if word not in _SMALL)


@frozen
class Date:
    """A player turn: the turn and its side, no side for the opening of a turn."""

    turn: int
    side: str = ""


@frozen
class Clock:
    """A phase of a turn: the turn, and the index of the stop (phase and side) in the calendar."""

    turn: int
    stop: int = 0

    def __lt__(self, other: Clock) -> bool:
        return self.turn < other.turn or (self.turn == other.turn and self.stop < other.stop)

    def __le__(self, other: Clock) -> bool:
        return not other < self


_DIGITS = 9
"""A number with more digits is not a turn of any game."""


@frozen(eq=False)
class Calendar:
    """The stops of a turn in order, and the names of phases: ``turn 3, Axis combat``."""

    stops: tuple[Stop, ...]
    order: tuple[str, ...]
    adjectives: tuple[str, ...]
    last_turn: int
    first_turn: int = 1
    titles: tuple[str, ...] = ()

    @classmethod
    def of(cls, game: Game, scenario: Scenario) -> Calendar:
        """Return the calendar of a scenario."""
        stops = game.sequence.stops(scenario.first)
        order = tuple(dict.fromkeys(stop.side for stop in stops if stop.side))
        adjectives = tuple(game.sides[side].adjective for side in order)
        numbers = [turn.number for turn in scenario.turns or game.turns]
        titles = tuple(game.sides[side].title for side in order)
        return cls(stops, order, adjectives, max(numbers, default=1), min(numbers, default=1), titles)

    def is_over(self, clock: Clock) -> bool:
        """Return whether the last phase of the last turn has been reached."""
        return clock >= Clock(self.last_turn, len(self.stops) - 1)

    def side(self, clock: Clock) -> str:
        """Return the side whose player turn it is, empty in the opening and closing of a turn."""
        return self.stops[clock.stop].side

    def phase(self, clock: Clock) -> str:
        """Return the id of the phase."""
        return self.stops[clock.stop].phase.id

    def after(self, clock: Clock) -> Clock:
        """Return the next stop."""
        stop = clock.stop + 1
        return Clock(clock.turn, stop) if stop < len(self.stops) else Clock(clock.turn + 1)

    def count(self, clock: Clock) -> int:
        """Number the stops through the game, to calculate the distance between phases."""
        return clock.turn * len(self.stops) + clock.stop

    def date(self, clock: Clock) -> Date:
        """Return the player turn of a phase; the closing of a turn belongs to its last player turn."""
        for stop in reversed(self.stops[: clock.stop + 1]):
            if stop.side:
                return Date(clock.turn, stop.side)
        return Date(clock.turn)

    def number(self, date: Date) -> int:
        """Number player turns through the game, to compare them."""
        place = self.order.index(date.side) + 1 if date.side else 0
        return date.turn * (len(self.order) + 1) + place

    def following(self, date: Date) -> Date:
        """Return the next player turn."""
        place = self.order.index(date.side) + 1 if date.side else 0
        return (
            Date(date.turn, self.order[place])
            if place < len(self.order)
            else Date(date.turn + 1, self.order[0])
        )

    def find(self, turn: int, phase: str, side: str = "") -> Clock:
        """Return the clock at a phase; LookupError if the turn has no such phase."""
        for place, stop in enumerate(self.stops):
            if stop.phase.id == phase and stop.side == side:
                return Clock(turn, place)
        raise LookupError(f"no phase {phase} of {side or 'no side'}")

    @cached_property
    def stop_names(self) -> tuple[str, ...]:
        """The stops in words: ``reinforcements``, ``Axis combat``."""
        adjective = dict(zip(self.order, self.adjectives, strict=True))
        return tuple(f"{adjective.get(stop.side, '')} {stop.phase.id}".strip() for stop in self.stops)

    def say(self, clock: Clock) -> str:
        """Return a phase in words."""
        return f"turn {clock.turn}, {self.stop_names[clock.stop]}"

    def read(self, text: str, now: Clock | None = None) -> Clock:
        """Parse the name of a phase; without a turn, or turn and side, it is the next phase of that name.

        Its side may be given by adjective, title or id, the phase by id, title or another of its names.
        ValueError says what is wrong and lists the valid stops.
        """
        match = re.search(r"\bt(?:urn\s+)?(\d+)", text, re.IGNORECASE)
        turn = match[1] if match else None
        words = _words(text.replace(match[0], " ") if match else text)
        places = [place for place, names in enumerate(self._names) if words in names]
        if turn is None and now is not None:
            places = places or [
                place for place, names in enumerate(self._names_without_side) if words in names
            ]
        if text.lower().split() == ["phase"] and now is not None:
            return self.after(now)  # "next phase"
        if words and not places:
            raise ValueError(f"{text!r} is not a phase: a turn has {', '.join(self.stop_names)}")
        place = next(iter(places), 0)
        if turn is not None:
            return Clock(self._turn(turn), place)
        if now is None:
            raise ValueError(
                f"{text!r} names no turn: write, for example, 'turn 1, {self.stop_names[place]}'"
            )
        return min(Clock(now.turn + (place <= now.stop), place) for place in places or (0,))

    @cached_property
    def _names(self) -> tuple[set[frozenset[str]], ...]:
        """The possible names of each stop, with their words in any order: ``axis combat``, ``combat de``."""
        sides = dict(zip(self.order, zip(self.order, self.adjectives, self.titles, strict=True), strict=True))
        return tuple(
            {_words(side) | phase for side in sides.get(stop.side, ("",)) for phase in phases}
            for stop, phases in zip(self.stops, self._names_without_side, strict=True)
        )

    @cached_property
    def _names_without_side(self) -> tuple[set[frozenset[str]], ...]:
        """The id, the title and other names of the phase of each stop."""
        return tuple(
            {_words(name) for name in (stop.phase.id, stop.phase.title, *stop.phase.also)}
            for stop in self.stops
        )

    def has(self, turn: int) -> bool:
        """Return whether the game can be in a turn: one of its own, or the one after the last."""
        return self.first_turn <= turn <= self.last_turn + 1

    def say_limit(self, turn: int) -> str:
        """Return a text that names the first or last turn of the game, whichever a turn is beyond."""
        early = turn < self.first_turn
        return f"the {'first' if early else 'last'} is {self.first_turn if early else self.last_turn}"

    def _turn(self, digits: str) -> int:
        turn = int(digits[: _DIGITS + 1])
        if len(digits) > _DIGITS or not self.has(turn):
            raise ValueError(f"there is no turn {digits[:_DIGITS]}: {self.say_limit(turn)}")
        return turn

    def say_date(self, date: Date) -> str:
        """Return a player turn in words: ``turn 2 Allied``."""
        adjective = dict(zip(self.order, self.adjectives, strict=True)).get(date.side, "")
        return f"turn {date.turn} {adjective}".strip()
