"""Remarkable facts about the logs: gaps, rolls undone or repeated, counters added or deleted, moves out of
turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.report.dice import dice_of
from referee.report.timeline import Entry, Timeline
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


SEVERAL = 3
"""This many moves for the other side, in its own player turns, are not the mistake of a solitaire player."""


def unusual(timeline: Timeline, used: frozenset[int]) -> list[dict[str, Any]]:
    """Return the facts: gaps between logs, rolls undone or repeated, counters added or removed, a player's
    moves out of turn. ``used`` are the entries whose rolls were read as part of an action.
    """
    found = [*_gaps(timeline), *_undone(timeline), *_again(timeline, used)]
    found += [*_added(timeline), *_out_of_turn(timeline)]
    return sorted(found, key=lambda one: int(one["at"]))


def _fact(kind: str, entry: Entry, text: str) -> dict[str, Any]:
    return {"kind": kind, "at": entry.at, "player": entry.player, "text": text}


def _gaps(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """What changed between the end of a log and the start of the next."""
    for number, log in enumerate(timeline.logs):
        entry = timeline.entries[timeline.at(number, 0)]
        between = f"between {log.joint.earlier} and {log.log}, " if log.joint else ""
        for name, now in entry.changes.items() if log.joint else ():
            for text in _differences(timeline, entry.before[name], now):
                yield _fact(GAP, entry, f"{between}{timeline.game.counters[name].name} {text}")
        for difference in log.joint.differences if log.joint else ():
            if difference.what == TURN_TRACK:
                yield _fact(GAP, entry, f"{between}{difference}")


def _differences(timeline: Timeline, was: Standing, now: Standing) -> Iterator[str]:
    """What changed about a counter, as far as the game is concerned."""
    game = timeline.game
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


def _rolled(timeline: Timeline, entry: Entry) -> Iterator[tuple[str, str]]:
    """The dice of an entry and their faces, in words."""
    for rolled in entry.rolls:
        dice = dice_of(timeline.game, rolled)
        yield (dice.title if dice else rolled.dice), "+".join(rolled.faces)


def _undone(timeline: Timeline) -> Iterator[dict[str, Any]]:
    for entry in timeline.entries:
        for title, faces in _rolled(timeline, entry) if entry.undone_by is not None else ():
            by = timeline.entries[entry.undone_by or 0].step
            yield _fact(UNDONE, entry, f"{title}: {faces} was undone by step {by}")


def _again(timeline: Timeline, used: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Rolls that belong to no action, after a roll of the same dice in the same phase."""
    before: dict[str, tuple[Entry, str]] = {}
    clock = None
    for entry in timeline.entries:
        if entry.clock != clock:
            clock = entry.clock
            before.clear()
        for title, faces in _rolled(timeline, entry) if entry.undone_by is None else ():
            if title in before and entry.at not in used:
                first, showed = before[title]
                text = f"{title}: {faces}, after {showed} at step {first.step}; the log does not say why"
                yield _fact(AGAIN, entry, text)
            before[title] = entry, faces


def _added(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """Pieces added or deleted during the game, except for the markers of the game.

    Pieces that are replaced by others with the same name in the same step do not count: *Refresh Counters*
    replaces all.
    """
    for entry in timeline.entries:
        if entry.undone_by is not None or entry.undoes is not None:
            continue
        seen = entry.seen.events if entry.seen else ()
        happened = [event for event in seen if isinstance(event, (events.Added, events.Removed))]
        marked = any(isinstance(fact, facts.Marked) for fact in entry.facts)
        if not happened or marked or _is_turned_over(entry):
            continue
        lost = [origin for _, origin, target in entry.shifts if target not in timeline.game.map.grid]
        come = Counter(str(event.piece) for event in happened if isinstance(event, events.Added))
        gone = Counter(str(event.piece) for event in happened if isinstance(event, events.Removed))
        for event in happened:
            if isinstance(event, events.Added) and come[str(event.piece)] > gone[str(event.piece)]:
                yield _fact(ADDED, entry, f"{event.piece} was added {_place(event.at, 'at ')}")
            elif isinstance(event, events.Removed) and gone[str(event.piece)] > come[str(event.piece)]:
                place = lost[0] if len(lost) == 1 and lost[0] in timeline.game.map.grid else ""
                yield _fact(REMOVED, entry, f"{event.piece} was deleted from {place or _place(event.at)}")


def _is_turned_over(entry: Entry) -> bool:
    """Whether a piece replaced another one that is the other side of the same counter."""
    seen = entry.seen.events if entry.seen else ()
    added = sum(isinstance(event, events.Added) for event in seen)
    turned = sum(isinstance(fact, facts.Stepped | facts.Changed) for fact in entry.facts)
    return 0 < added == sum(isinstance(event, events.Removed) for event in seen) <= turned


def _place(spot: events.Spot, before: str = "") -> str:
    return "off the map" if spot.map is None else f"{before}{spot.place}"


def _out_of_turn(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """Counters moved on the map by a player during the other side's player turn, including retreats.

    A single player who moves for both sides is listed once.
    """
    game, calendar = timeline.game, timeline.calendar
    alone = len({entry.player for entry in timeline.entries if entry.player}) == 1
    for_both = [
        entry
        for entry in timeline.entries
        if alone and entry.seat and entry.undoes is None and _moves_for_others(timeline, entry)
    ]
    if len(for_both) >= SEVERAL:
        first = for_both[0]
        text = f"{first.player} ({game.sides[first.seat].title}) played alone, and moved for both sides"
        yield _fact(OUT_OF_TURN, first, text)
    for entry in timeline.entries:
        side = calendar.side(entry.clock)
        if not side or not entry.seat or entry.seat == side or entry.undoes is not None:
            continue
        who = f"{entry.player} ({game.sides[entry.seat].title})"
        for name, _, target in entry.shifts:
            if target not in game.map.grid or (len(for_both) >= SEVERAL and entry in for_both):
                continue
            moved = f"{who} moved {game.counters[name].name} in {calendar.say(entry.clock)}"
            yield _fact(OUT_OF_TURN, entry, moved)


def _moves_for_others(timeline: Timeline, entry: Entry) -> bool:
    """Whether a player moves counters of the side whose player turn it is, and which is not their own."""
    side, counters = timeline.calendar.side(entry.clock), timeline.game.counters
    moved = [name for name, _, target in entry.shifts if target in timeline.game.map.grid]
    return bool(moved) and entry.seat != side and all(counters[name].side == side for name in moved)
