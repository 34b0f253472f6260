"""Facts about the logs: gaps, rolls undone or repeated, counters added or deleted, moves out of turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.report.chronicle import Chronicle, Entry
from referee.report.dice import dice_of
from referee.scribe import facts
from referee.scribe.facts import Standing
from referee.table import events
from referee.table.continuity import TURN_TRACK

GAP, UNDONE, AGAIN, ADDED, REMOVED, OUT_OF_TURN = (
    "gap between logs",
    "roll undone",
    "roll repeated",
    "counter added",
    "counter removed",
    "out of turn",
)


def unusual(chronicle: Chronicle, used: frozenset[int]) -> list[dict[str, Any]]:
    """Return the facts: gaps between logs, rolls undone or repeated, counters added or removed, moves of a
    player out of turn.

    ``used`` are the entries whose rolls were read as part of an action.
    """
    found = [*_gaps(chronicle), *_undone(chronicle), *_again(chronicle, used)]
    found += [*_added(chronicle), *_out_of_turn(chronicle)]
    return sorted(found, key=lambda one: int(one["at"]))


def _fact(kind: str, entry: Entry, text: str) -> dict[str, Any]:
    return {"kind": kind, "at": entry.at, "player": entry.player, "text": text}


def _gaps(chronicle: Chronicle) -> Iterator[dict[str, Any]]:
    """What changed between the end of a log and the start of the next."""
    for number, log in enumerate(chronicle.logs):
        entry = chronicle.entries[chronicle.at(number, 0)]
        between = f"between {log.joint.earlier} and {log.log}, " if log.joint else ""
        for name, now in entry.changes.items() if log.joint else ():
            for text in _differences(chronicle, entry.before[name], now):
                yield _fact(GAP, entry, f"{between}{chronicle.game.counters[name].name} {text}")
        for difference in log.joint.differences if log.joint else ():
            if difference.what == TURN_TRACK:
                yield _fact(GAP, entry, f"{between}{difference}")


def _differences(chronicle: Chronicle, was: Standing, now: Standing) -> Iterator[str]:
    """What changed of a counter, as far as the game is concerned."""
    game = chronicle.game
    if was.place != now.place and {was.place, now.place} & set(game.map.grid.names):
        places = [
            f"in {place}" if place in game.map.grid else "off the map" for place in (was.place, now.place)
        ]
        yield f"was {places[0]}; it is now {places[1]}"
    if was.steps != now.steps and None not in (was.steps, now.steps):
        yield f"had {_steps(was.steps)}; it now has {_steps(now.steps)}"
    for state in dict.fromkeys((*was.states, *now.states)):
        if (state in was.states) != (state in now.states):
            yield f"{'is now' if state in now.states else 'is no longer'} {game.states[state].title}"


def _steps(count: int | None) -> str:
    return f"{count} step{'' if count == 1 else 's'}"


def _rolled(chronicle: Chronicle, entry: Entry) -> Iterator[tuple[str, str]]:
    """The dice of an entry and what they showed, in words."""
    for rolled in entry.rolls:
        dice = dice_of(chronicle.game, rolled)
        yield (dice.title if dice else rolled.dice), "+".join(rolled.faces)


def _undone(chronicle: Chronicle) -> Iterator[dict[str, Any]]:
    for entry in chronicle.entries:
        for title, faces in _rolled(chronicle, entry) if entry.undone_by is not None else ():
            by = chronicle.entries[entry.undone_by or 0].step
            yield _fact(UNDONE, entry, f"{title}: {faces} was undone by step {by}")


def _again(chronicle: Chronicle, used: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Rolls that belong to no action, where the same dice were rolled before in the same phase."""
    before: dict[str, tuple[Entry, str]] = {}
    clock = None
    for entry in chronicle.entries:
        if entry.clock != clock:
            clock = entry.clock
            before.clear()
        for title, faces in _rolled(chronicle, entry) if entry.undone_by is None else ():
            if title in before and entry.at not in used:
                first, showed = before[title]
                text = f"{title}: {faces}, after {showed} at step {first.step}; the log does not say why"
                yield _fact(AGAIN, entry, text)
            before[title] = entry, faces


def _added(chronicle: Chronicle) -> Iterator[dict[str, Any]]:
    """Pieces added or deleted during the game, except for the markers of the game."""
    for entry in chronicle.entries:
        if entry.undone_by is not None or entry.undoes is not None:
            continue
        markers = {fact.marker for fact in entry.facts if isinstance(fact, facts.Marked)}
        for event in entry.seen.events if entry.seen and not markers else ():
            if isinstance(event, events.Added):
                yield _fact(ADDED, entry, f"{event.piece} was added at {_place(event.at)}")
            elif isinstance(event, events.Removed):
                yield _fact(REMOVED, entry, f"{event.piece} was deleted from {_place(event.at)}")


def _place(spot: events.Spot) -> str:
    return "off the map" if spot.map is None else spot.place


def _out_of_turn(chronicle: Chronicle) -> Iterator[dict[str, Any]]:
    """Counters moved on the map by a player during the other side's player turn; retreats are among them."""
    game, calendar = chronicle.game, chronicle.calendar
    for entry in chronicle.entries:
        side = calendar.side(entry.clock)
        if not side or not entry.seat or entry.seat == side or entry.undoes is not None:
            continue
        who = f"{entry.player} ({game.sides[entry.seat].title})"
        for name, _, target in entry.shifts:
            if target not in game.map.grid:
                continue
            moved = f"{who} moved {game.counters[name].name} in {calendar.say(entry.clock)}"
            yield _fact(OUT_OF_TURN, entry, moved)
