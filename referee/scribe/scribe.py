"""Reads the facts of logs as actions, and keeps the resulting position."""

from __future__ import annotations

from attrs import evolve

from referee.engine.idiom import Idiom
from referee.engine.position import World
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.joining import JoinedLogs, join_logs
from referee.scribe.log_reading import read_log
from referee.scribe.reading import Unjudged
from referee.scribe.second_readings import doubt_by_second_readings
from referee.scribe.shifted_track import read_with_a_shifted_track
from vassalgen.problems import Failure

UNSEEN = 3
"""In how many phases of battles a log must show none for them to be fought without a trace."""
UNDICED = 2
"""How many battles must lack their dice for the dice of other battles and tests to be missing too."""


class Scribe:
    """Reads the logs of one game, one after the other, into a ``draft`` of their record."""

    def __init__(self, world: World, idiom: Idiom, *, cautious: bool = True) -> None:
        self.draft = Draft(world, idiom, world.rulebook.empty(world), cautious=cautious)

    def read(self, *logs: LoggedFacts) -> None:
        """Read more logs; those that fit together are read as one."""
        first = self.draft.log + 1
        for joined in join_logs(logs):
            self._read_joined(evolve(joined, first=first + joined.first))
        failed = ((number, *one) for number, log in enumerate(logs, first) for one in log.failures)
        self.draft.unjudged += [Unjudged(*one) for one in failed]

    def _read_joined(self, logs: JoinedLogs) -> None:
        draft = self.draft
        draft.log = logs.first
        readings, unread, unjudged = len(draft.readings), len(draft.unread), len(draft.unjudged)
        try:
            self._read(logs.facts)
        except Exception as error:
            self.draft.fail(0, Failure.of(error))
        draft = self.draft
        draft.readings[readings:] = map(logs.located, draft.readings[readings:])
        draft.unread[unread:] = [*map(logs.located_note, draft.unread[unread:]), *logs.unread]
        draft.unjudged[unjudged:] = map(logs.located_failure, draft.unjudged[unjudged:])
        draft.log = logs.last

    def _read(self, log: LoggedFacts) -> None:
        before, first = self.draft, len(self.draft.readings)
        read = read_log(before, log)
        self.draft = read.draft
        if before.cautious:
            self.draft = read_with_a_shifted_track(
                self.draft, log, first, lambda shifted: read_log(before, shifted).draft
            )
            doubt_by_second_readings(self.draft, log, first, read)
