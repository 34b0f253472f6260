"""Losses by turn and side, as the table shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.report.chronicle import Chronicle, Entry
from referee.scribe.facts import NOWHERE, Stepped
from referee.scribe.idiom import find_idiom


def losses(chronicle: Chronicle) -> list[dict[str, Any]]:
    """Return what was lost: counters gone to a box of losses or off the table, and steps of those that stay.

    What came back later is told with the entry at which it did.
    """
    lost = find_idiom(chronicle.game.id).lost
    found: list[dict[str, Any]] = []
    for entry in chronicle.entries:
        if entry.undone_by is not None or entry.undoes is not None or not entry.step:
            continue
        for name, steps, back in _changes(entry, lost):
            if back:
                open_ = [one for one in found if one["counter"] == name and one["back"] is None]
                for one in open_[-1:]:
                    one["back"] = entry.at
                continue
            found.append(
                {
                    "at": entry.at,
                    "turn": entry.clock.turn,
                    "side": chronicle.game.counters[name].side,
                    "counter": name,
                    "steps": steps,
                    "back": None,
                }
            )
    return found


def _changes(entry: Entry, lost: tuple[str, ...]) -> Iterator[tuple[str, int, bool]]:
    """Counters with the steps they lost, 0 for all that were left, and whether they came back instead."""
    for name, standing in entry.changes.items():
        before = entry.before[name]
        was, is_ = (place in lost or place == NOWHERE for place in (before.place, standing.place))
        if was != is_:
            yield name, 0, was
    for fact in entry.facts:
        if isinstance(fact, Stepped) and fact.new < fact.old and fact.new:
            yield fact.counter, fact.old - fact.new, False
