"""Logs read again as players may have meant them, around what is illegal in the first reading.

Much of a careless log is not play: counters are dragged out and back, exchanged and put right, dice are
rolled with any button. What seems to be taken back may also have been meant, in phases that the turn track
does not show. A finding that one of these readings does not have is not proved.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.rulings import Breach, Grade, doubted
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Turned
from referee.scribe.log_reading import LogReading
from referee.scribe.reading import Certainty, Reading
from referee.scribe.rewriting import rewritings

MOST = 12
"""How often a log is read again; each reading counts by the part of the log that it reads."""

Key = tuple[int, str, str]


def doubt_by_second_readings(draft: Draft, log: LoggedFacts, first: int, read: LogReading) -> None:
    """Make findings unproven that another reading does not have, if it is more innocent.

    ``first`` is the first reading of the log in its draft; ``read`` is how it was read, and reads it again.
    Logs without anything illegal are not read again, nor those that have no trace of another meaning.
    """
    accused = {step for one in draft.readings[first:] if one.broken for step in one.steps}
    if not accused:
        return
    names = {
        name for grade, keys in _findings(draft, first) if grade is Grade.illegal for _, _, name in keys
    } - {""}
    unclear = {one.step for one in draft.unread} | {*_ambiguous_rolls(draft, first)}
    known = draft.game, draft.world.calendar, unclear, {*_in_other_phases(draft, log, first)}
    for other in rewritings(log, accused, names, *known):
        _doubt(draft, read.again(other.log, die=other.die), first, other.says)
        if not _is_accused(draft, first) or read.read_again > MOST * len(read.story.facts):
            return


def _ambiguous_rolls(draft: Draft, first: int) -> Iterator[int]:
    """The steps with dice that may have been for something else."""
    for reading in draft.readings[first:]:
        content = reading.statement.content
        if reading.certainty is Certainty.ambiguous and isinstance(content, Action):
            yield from reading.steps if content.verb in draft.idiom.all_rolls else ()


def _in_other_phases(draft: Draft, log: LoggedFacts, first: int) -> Iterator[int]:
    """The steps of which something was read as done in another phase than the turn track showed."""
    shown, clocks = draft.readings[first].before.clock, dict[int, Clock]()
    for step in log.steps:
        turned = [fact.clock for fact in step.facts if isinstance(fact, Turned)]
        shown = turned[-1] if turned else shown
        clocks[step.step] = shown
    for reading in draft.readings[first:]:
        content = reading.statement.content
        if isinstance(content, Action) and content.verb != NEXT.name:
            yield from (
                step for step in reading.steps if clocks.get(step) not in (None, reading.before.clock)
            )


def _is_accused(draft: Draft, first: int) -> bool:
    return any(one.broken for one in draft.readings[first:])


def _doubt(draft: Draft, other: Draft | None, first: int, unless: str) -> None:
    """Make findings unproven that another draft does not have, if it has fewer others in their place."""
    if other is None:
        return
    here, there = list(_findings(draft, first)), list(_findings(other, first))
    known = {key for _, keys in here for key in keys}
    accused = {key for grade, keys in here if grade is Grade.illegal for key in keys}
    proved = {key for grade, keys in there if grade is Grade.illegal for key in keys}
    gone = [keys for grade, keys in here if grade is Grade.illegal and not keys & proved]
    theirs = {name for keys in gone for _, _, name in keys}
    new = [
        keys
        for grade, keys in there
        if grade is Grade.illegal
        and (not keys & known or (not keys & accused and any(name in theirs for _, _, name in keys)))
    ]
    if len(new) >= len(gone):
        return
    for place, reading in enumerate(draft.readings[first:], first):
        if reading.ruling is not None and reading.broken:
            breaches = tuple(
                one if proved & _keys(reading, one) else doubted(one, unless)
                for one in reading.ruling.breaches
            )
            draft.readings[place] = evolve(reading, ruling=evolve(reading.ruling, breaches=breaches))


def _findings(draft: Draft, first: int) -> Iterator[tuple[Grade, set[Key]]]:
    """Each finding with its keys."""
    for reading in draft.readings[first:]:
        for breach in reading.ruling.breaches if reading.ruling is not None else ():
            yield breach.grade, _keys(reading, breach)


def _keys(reading: Reading, breach: Breach) -> set[Key]:
    """A finding by turn, clause and counter."""
    content = reading.statement.content
    names = {*breach.words} & reading.before.game.counters.keys()
    names |= {*content.pieces} if isinstance(content, Action) else set()
    return {(reading.before.turn, breach.clause, name) for name in names or ("",)}
