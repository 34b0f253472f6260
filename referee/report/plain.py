"""An audit as plain values, for JSON."""

from __future__ import annotations

from typing import Any

from referee.audit import Finding, Report
from referee.engine.rulings import Grade
from referee.judge import breach_json
from referee.record import Vocabulary
from referee.scribe.reading import Reading, Unread


def report_json(report: Report) -> dict[str, Any]:
    """Return an audit as plain values."""
    words = Vocabulary(report.world)
    return {
        "game": report.world.game.id,
        "scenario": report.world.scenario.id,
        "logs": [
            {"name": name, "steps": count} for name, count in zip(report.logs, report.steps, strict=True)
        ],
        "players": list(report.players),
        "findings": [finding_json(finding, words) for finding in report.findings],
        "readings": [_reading_json(report, reading, words) for reading in report.readings],
        "unread": [_unread_json(report, unread) for unread in report.unread],
        "summary": {grade.name: report.count(grade) for grade in Grade if grade},
    }


def finding_json(finding: Finding, words: Vocabulary) -> dict[str, Any]:
    """Return a finding as plain values."""
    deed = finding.reading.statement.deed
    return {
        "id": finding.id,
        "log": finding.log,
        "steps": list(finding.steps),
        "turn": finding.clock.turn,
        "phase": finding.phase,
        "moment": finding.moment,
        "side": finding.side,
        "player": finding.player,
        "units": list(finding.units),
        "hexes": list(finding.hexes),
        "action": words.say(deed) if deed is not None else "",
        "read": finding.reading.certainty.value,
        **breach_json(finding.breach, words.game),
    }


def _reading_json(report: Report, reading: Reading, words: Vocabulary) -> dict[str, Any]:
    deed = reading.statement.deed
    return {
        "log": report.logs[reading.log],
        "steps": list(reading.steps),
        "says": words.say(deed) if deed is not None else "",
        "read": reading.certainty.value,
        "grade": reading.ruling.grade.name if reading.ruling else None,
    }


def _unread_json(report: Report, unread: Unread) -> dict[str, Any]:
    return {"log": report.logs[unread.log], "step": unread.step, "text": unread.text}
