"""Consecutive logs as one series of entries: the opening of each log, then its steps.

Entries are numbered from 0 through all logs; in a single log an entry has the number of its step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from referee.engine.clock import Calendar, Clock
from referee.scribe.fact_finder import LoggedFacts, Standings, StepFacts
from referee.scribe.facts import Fact, Standing
from referee.scribe.phases import Phases
from referee.table import events
from referee.table.events import Step
from referee.table.step_text import plain, words
from vassalgen import announcements
from vassalgen.announcements import parse_line
from vassalgen.game.game import Game

_ID = re.compile(r" \[[^\[\]\s]+\]")
_PRESSER = re.compile(r" \([^()]*\)$")
_STARS = re.compile(r"^[*-]+ ?")
_SPEAKER = re.compile(r"^<(.*?)> - ")


@frozen
class Entry:
    """The opening of a log (step 0) or one of its steps.

    ``changes`` are the counters that it changed, in their new state, ``clock`` is the turn track after it.
    ``player`` made the step and ``seat`` is that player's side; both are empty if the log does not say.
    ``undone_by`` and ``undoes`` are numbers of entries.
    """

    at: int
    log: int
    step: int
    clock: Clock
    player: str = ""
    seat: str = ""
    changes: Standings = field(factory=dict, hash=False)
    before: Standings = field(factory=dict, hash=False)
    facts: tuple[Fact, ...] = ()
    seen: Step | None = None
    undone_by: int | None = None
    undoes: int | None = None

    @property
    def shifts(self) -> Iterator[tuple[str, str, str]]:
        """Counters that it moved: which, from where, to where."""
        for name, standing in self.changes.items():
            origin = self.before.get(name, Standing()).place
            if self.step and origin != standing.place:
                yield name, origin, standing.place

    @property
    def rolls(self) -> Iterator[events.Rolled]:
        """Dice rolled in it."""
        for event in self.seen.events if self.seen else ():
            if isinstance(event, events.Rolled):
                yield event

    @property
    def chat(self) -> Iterator[tuple[str, str]]:
        """What players wrote in it: the player, and the text."""
        for event in self.seen.events if self.seen else ():
            if isinstance(event, events.Chatted):
                speaker = _SPEAKER.match(event.text)
                yield (speaker[1] if speaker else self.player), words(event.text)

    @property
    def reports(self) -> Iterator[str]:
        """What the module announced in it and VASSAL reported, as people read it, without ids."""
        for event in self.seen.events if self.seen else ():
            if not isinstance(event, events.Reported):
                continue
            text = plain(event.text)
            parsed = parse_line(text)
            is_shown_elsewhere = parsed and isinstance(
                parsed.announcement, announcements.Moved | announcements.PhaseTurned
            )
            if not is_shown_elsewhere and not (parsed and parsed.undone):
                text = _ID.sub("", _STARS.sub("", text))
                yield _PRESSER.sub("", text) if parsed else text


@frozen(slots=False)
class Timeline:
    """The entries of some logs of a game."""

    game: Game
    calendar: Calendar
    logs: tuple[LoggedFacts, ...]
    entries: tuple[Entry, ...]

    def at(self, log: int, step: int) -> int:
        """The number of the entry of a step."""
        return sum(one.count + 1 for one in self.logs[:log]) + step

    @classmethod
    def of(
        cls,
        game: Game,
        calendar: Calendar,
        logs: Sequence[LoggedFacts],
        clocks: Mapping[tuple[int, int], Clock] | None = None,
    ) -> Timeline:
        """Combine the entries of logs.

        ``clocks`` give the phase by log and step if the turn track does not show it.
        """
        maker = _EntryMaker(game, calendar, clocks or {})
        entries = tuple(entry for number, log in enumerate(logs) for entry in maker.entries(number, log))
        return cls(game, calendar, tuple(logs), entries)

    @property
    def players(self) -> Mapping[str, str]:
        """All players who took a seat, with the id of their side, empty for a solitaire player."""
        phases = Phases(self.game, self.calendar)
        return {name: phases.side(side) for log in self.logs for name, side in log.seats.items()}


class _EntryMaker:
    def __init__(self, game: Game, calendar: Calendar, clocks: Mapping[tuple[int, int], Clock]) -> None:
        self.phases = Phases(game, calendar)
        self.clocks = clocks
        self.clock = Clock(1)
        self.standing: dict[str, Standing] = {}
        self.count = 0

    def entries(self, number: int, log: LoggedFacts) -> Iterator[Entry]:
        """The entries of the next log."""
        first = self.count
        seats = {name: self.phases.side(side) for name, side in log.seats.items()}
        undoes = {by: first + step for step, by in log.undone.items()}
        self._turn(log, number, 0, log.clock)
        changes, before = self._changed({**dict.fromkeys(self.standing, Standing()), **log.opening})
        yield Entry(first, number, 0, self.clock, changes=changes, before=before)
        for one in log.steps:
            if one.seen is None:
                continue
            self._turn(log, number, one.step, one.clock)
            player = one.player or _actor(one, seats)
            changes, before = self._changed(one.after)
            yield Entry(
                at=first + one.step,
                log=number,
                step=one.step,
                clock=self.clock,
                player=player,
                seat=seats.get(player, ""),
                changes=changes,
                before=before,
                facts=one.facts,
                seen=one.seen,
                undone_by=first + log.undone[one.step] if one.step in log.undone else None,
                undoes=undoes.get(one.step),
            )
        self.count += log.count + 1

    def _turn(self, log: LoggedFacts, number: int, step: int, clock: Clock | None) -> None:
        known = clock or (self.clocks.get((number, step)) if log.clock is None else None)
        self.clock = known or self.clock

    def _changed(self, after: Standings) -> tuple[Standings, Standings]:
        changes = {name: one for name, one in after.items() if self.standing.get(name) != one}
        before = {name: self.standing.get(name, Standing()) for name in changes}
        self.standing.update(changes)
        return changes, before


def _actor(one: StepFacts, seats: Mapping[str, str]) -> str:
    """The player who must have acted if the log does not say: the only player, or the only one
    of the side.
    """
    if len(seats) == 1:
        return next(iter(seats))
    side = next((fact.side for fact in one.facts if fact.side), "")
    of_side = [name for name, seat in seats.items() if side and seat == side]
    return of_side[0] if len(of_side) == 1 else ""
