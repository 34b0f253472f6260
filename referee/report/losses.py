"""Losses by turn and side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games import find_idiom
from referee.report.timeline import Entry, Timeline
from referee.scribe.facts import NOWHERE, Stepped


def losses(timeline: Timeline) -> list[dict[str, Any]]:
    """Return the losses: counters eliminated or removed from the table, and steps of counters that remain.

    A loss that was reversed later has the entry at which it was.
    """
    lost = find_idiom(timeline.game).lost
    found: list[dict[str, Any]] = []
    for entry in timeline.entries:
        if entry.undone_by is not None or entry.undoes is not None or not entry.step:
            continue
        for name, steps, back in _changes(entry, lost):
            if back:
                give_back(found, name, steps, entry.at)
                continue
            found.append(
                {
                    "at": entry.at,
                    "turn": entry.clock.turn,
                    "side": timeline.game.counters[name].side,
                    "counter": name,
                    "steps": steps,
                    "back": None,
                }
            )
    return found


def give_back(found: list[dict[str, Any]], name: str, steps: int, at: int) -> None:
    """Record that a counter, or so many of its steps, came back; the most recent losses come back first."""
    for place in range(len(found) - 1, -1, -1):
        one = found[place]
        if one["counter"] != name or one["back"] is not None or bool(one["steps"]) != bool(steps):
            continue
        if one["steps"] > steps:
            found[place : place + 1] = [
                {**one, "steps": one["steps"] - steps},
                {**one, "steps": steps, "back": at},
            ]
            return
        one["back"] = at
        steps -= one["steps"]
        if not steps:
            return


def _changes(entry: Entry, lost: tuple[str, ...]) -> Iterator[tuple[str, int, bool]]:
    """Counters with the steps that they lost, 0 for all remaining ones, and whether these came
    back instead.
    """
    for name, standing in entry.changes.items():
        before = entry.before[name]
        was, is_ = (place in lost or place == NOWHERE for place in (before.place, standing.place))
        if was != is_:
            yield name, 0, was
    for fact in entry.facts:
        if isinstance(fact, Stepped) and fact.new and fact.new != fact.old:
            yield fact.counter, abs(fact.old - fact.new), fact.new > fact.old
