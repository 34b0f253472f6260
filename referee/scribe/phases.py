"""Phases and sides in the module's words."""

from __future__ import annotations

import re

from referee.engine.clock import Calendar, Clock, Date
from referee.scribe.spots import announced
from referee.table import Log
from vassalgen.announcements import PhaseTurned
from vassalgen.game.game import Game
from vassalgen.game.track import track_of
from vassalgen.problems import FormatError
from vassalgen.vassal.commands import Chat, SetTurn, read
from vassalgen.vassal.turns import Level, Tracker

TURN, STOP = "Turn", "Stop"
"""The properties in which the turn track of a module that was built here stores turn and phase."""


class Phases:
    """Reads the module's words for sides, phases and dates: titles, adjectives or ids."""

    def __init__(self, game: Game, calendar: Calendar) -> None:
        self.calendar = calendar
        self._sides = {
            word.lower(): side.id
            for side in game.sides.values()
            for word in (side.id, side.title, side.adjective)
        }
        self._stops: dict[str, int] = {}
        for number, stop in enumerate(calendar.stops):
            adjective = game.sides[stop.side].adjective if stop.side else ""
            for phase in (stop.phase.title, stop.phase.id):
                self._stops.setdefault(f"{adjective} {phase}".strip().lower(), number)

        self.track = _track(game)
        """The turn track of this game's modules."""

    def side(self, words: str) -> str:
        """The id of a side, empty for a player without one."""
        return self._sides.get(words.strip().lower(), "")

    def clock(self, turn: int, stop: str) -> Clock | None:
        """The clock at a phase such as ``Allied Movement``, None if the game has no such phase or turn."""
        number = self._stops.get(stop.strip().lower())
        return None if number is None or not self.calendar.has(turn) else Clock(turn, number)

    def date(self, words: str) -> Date | None:
        """The player turn in a text such as ``2 Allied Combat``, None if it contains none."""
        match = re.fullmatch(r"\s*(?:turn\s+)?(\d{1,9})\s*,?\s*(.*)", words, re.IGNORECASE)
        clock = self.clock(int(match[1]), match[2]) if match else None
        return self.calendar.date(clock) if clock is not None else None


def _track(game: Game) -> Tracker:
    stops = Level("Phase", STOP, words=track_of(game).names)
    return Tracker("TurnTracker0", levels=(Level("Turn", TURN, children=(stops,)),))


def shows_turns_of(tracker: Tracker, log: Log) -> bool:
    """Return whether a turn track agrees with what the module announced about the states in a log."""
    for node in log.stream.setup:
        if node.text.startswith(SetTurn.PREFIX) and not _agrees(tracker, node.bare, None):
            return False
    for step in log.stream.steps:
        states = [node.bare for node in step.walk() if node.begins(SetTurn.PREFIX)]
        reported = [
            announced(node.bare.removeprefix(Chat.PREFIX))
            for node in (step.walk() if states else ())
            if node.begins(Chat.PREFIX)
        ]
        turned = [
            one.announcement
            for one in reported
            if one and not one.undone and isinstance(one.announcement, PhaseTurned)
        ]
        if states and not _agrees(tracker, states[-1], turned[-1] if turned else None):
            return False
    return True


def _agrees(tracker: Tracker, text: str, said: PhaseTurned | None) -> bool:
    try:
        command = read(text)
    except FormatError:
        return True
    if not isinstance(command, SetTurn) or command.tracker != tracker.id:
        return True
    if not tracker.fits(command.state):
        return False
    shown = tracker.read(command.state).properties()
    turn, stop = (shown.get(name) for name in (TURN, STOP))
    return said is None or turn is None or stop is None or (turn, stop) == (str(said.turn), said.stop)
