"""The supply of units over time, by the rules of the game."""

from __future__ import annotations

from typing import Any

from referee.audit import Report
from referee.engine.position import Position
from referee.engine.supply import Supply
from referee.report.timeline import Timeline


def supplies(report: Report, timeline: Timeline) -> list[dict[str, Any]]:
    """Return for each entry at which it changes: the units that are out of supply, and their supply states.

    Empty for a game whose rules have no supply.
    """
    if report.world.rulebook.supply is None:
        return []
    positions: dict[int, Position] = {}
    for reading in report.readings:
        positions[timeline.at(reading.log, reading.steps[-1])] = reading.after
    found: list[dict[str, Any]] = []
    shown: dict[str, str] | None = None
    for at in sorted(positions):
        short = _short(positions[at])
        if short != shown:
            shown = short
            found.append({"at": at, "short": short})
    return found


def _short(position: Position) -> dict[str, str]:
    """The units that are out of supply, with their supply states."""
    supply = position.world.rulebook.supply
    assert supply is not None
    stands = {name: supply(position, name) for name in position.pieces}
    return {name: how.value for name, how in stands.items() if how not in (None, Supply.supplied)}
