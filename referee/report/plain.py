"""An audit, or logs alone, as plain values: what ``--json`` writes and the page is made from.

``docs/findings.schema.json`` tells their form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.audit import Finding, Report
from referee.engine.actions import Action
from referee.engine.clock import Calendar
from referee.engine.rulings import Grade
from referee.judge import breach_json
from referee.record import Vocabulary
from referee.report import battles, dice
from referee.report.chronicle import Chronicle, Entry
from referee.report.losses import losses
from referee.report.supplies import supplies
from referee.report.trust import trust
from referee.report.veil import Veil, is_over
from referee.scribe.facts import NOWHERE, Standing
from referee.scribe.idiom import find_idiom
from referee.scribe.reading import Reading, Unread
from referee.scribe.witness import Witnessed
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario

FORMAT = 1
"""The version of the form, raised when a reader of the old one would misread the new."""


def report_json(report: Report, *, reveal: bool = False, whole: bool = True) -> dict[str, Any]:
    """Return an audit as plain values.

    What is concealed is left out until the game is over, unless it is to be revealed. Only the ``whole`` of
    it tells what happened in each step, with each finding where the unit could have gone, and who was in
    supply when: that takes time.
    """
    game, calendar = report.world.game, report.world.calendar
    clocks = {(one.log, one.steps[-1]): one.after.clock for one in report.readings}
    chronicle = Chronicle.of(game, calendar, report.witnessed, clocks)
    veil = Veil() if reveal or is_over(calendar, report.position.clock) else Veil.over(chronicle)
    words = Vocabulary(report.world)
    findings = [finding_json(one, words, chronicle, legal=whole) for one in report.findings]
    open_ = _open(findings, veil)
    used = frozenset(
        chronicle.at(one.log, step) for one in report.readings if one.ruling for step in one.steps
    )
    return {
        **_head(game, report.world.scenario, chronicle),
        "audited": True,
        "summary": {grade.name: sum(one["grade"] == grade.name for one in open_) for grade in Grade if grade},
        "withheld": len(findings) - len(open_),
        "findings": open_,
        "readings": _open([_reading_json(report, one, words, chronicle) for one in report.readings], veil),
        "unread": _open([_unread_json(report, one, chronicle) for one in report.unread], veil),
        "battles": _open(battles.battles(report, chronicle), veil),
        "supply": supplies(report, chronicle) if whole and not veil.changes else [],
        **_tail(chronicle, veil, used, whole=whole),
    }


def chronicle_json(
    game: Game, scenario: Scenario, logs: Sequence[Witnessed], *, reveal: bool = False
) -> dict[str, Any]:
    """Return logs as plain values of the same form, without an audit."""
    calendar = Calendar.of(game, scenario)
    chronicle = Chronicle.of(game, calendar, logs)
    last = chronicle.entries[-1].clock if chronicle.entries else None
    over = last is not None and is_over(calendar, last)
    veil = Veil() if reveal or over else Veil.over(chronicle)
    used = frozenset(entry.at for entry in chronicle.entries)
    return {
        **_head(game, scenario, chronicle),
        "audited": False,
        "summary": {grade.name: 0 for grade in Grade if grade},
        "withheld": 0,
        **{name: [] for name in ("findings", "readings", "unread", "battles", "supply")},
        **_tail(chronicle, veil, used),
    }


def _head(game: Game, scenario: Scenario, chronicle: Chronicle) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": game.id,
        "title": game.title,
        "scenario": scenario.id,
        "scenario_title": scenario.title,
        "sides": {side.id: side.title for side in game.sides.values()},
        "counters": {
            one.id: {"name": one.name, "side": one.side, "kind": game.kinds[one.kind].title}
            for one in game.counters.values()
        },
        "places": {box.id: box.title for box in game.map.boxes.values()},
        "states": {state.id: state.title for state in game.states.values()},
        "logs": [
            {"name": log.log, "steps": log.count, "first": chronicle.at(number, 0)}
            for number, log in enumerate(chronicle.logs)
        ],
        "players": [{"name": name, "side": side} for name, side in chronicle.players.items()],
    }


def _tail(chronicle: Chronicle, veil: Veil, used: frozenset[int], *, whole: bool = True) -> dict[str, Any]:
    covered = veil.covered(chronicle)
    return {
        "dice": dice.statistics(chronicle),
        "losses": _open(losses(chronicle), veil),
        "trust": _open(trust(chronicle, used), veil),
        "steps": [_entry_json(entry, chronicle, veil, covered, whole=whole) for entry in chronicle.entries],
    }


def finding_json(
    finding: Finding, words: Vocabulary, chronicle: Chronicle, *, legal: bool = True
) -> dict[str, Any]:
    """Return a finding as plain values."""
    reading = finding.reading
    deed = reading.statement.deed
    action = deed if isinstance(deed, Action) else None
    clause = words.game.clauses[finding.clause]
    return {
        "id": finding.id,
        "log": finding.log,
        "steps": list(finding.steps),
        "at": chronicle.at(reading.log, finding.steps[-1]),
        "turn": finding.clock.turn,
        "phase": finding.phase,
        "moment": finding.moment,
        "side": finding.side,
        "player": finding.player or chronicle.entries[chronicle.at(reading.log, finding.steps[-1])].player,
        "units": list(finding.units),
        "hexes": list(finding.hexes),
        "action": words.say(deed) if deed is not None else "",
        "read": reading.certainty.value,
        **breach_json(finding.breach, words.game),
        "clause_title": clause.title,
        "path": list(action.path) if action else [],
        "dragged": action.dragged if action else False,
        "legal": _legal(finding, action) if action and legal else [],
        "odds": _odds(finding, action) if action else None,
    }


def _legal(finding: Finding, action: Action) -> list[dict[str, Any]]:
    """Where the unit could have gone by the same verb: each hex, and a way to it."""
    before = finding.reading.before
    grid = before.game.map.grid
    if len(action.pieces) != 1 or not action.path or action.end not in grid:
        return []
    found: dict[str, dict[str, Any]] = {}
    for played in before.options(action.piece):
        option = played.ruling.action
        if option.verb == action.verb and option.path and option.end in grid:
            found.setdefault(option.end, {"hex": option.end, "way": list(option.path)})
    return list(found.values())


def _odds(finding: Finding, action: Action) -> dict[str, Any] | None:
    """The odds as they should have been, for a finding about odds or their column."""
    position = finding.reading.before
    battle = position.battle(action.battle) if action.battle else None
    stated = action.verb == find_idiom(position.game.id).odds
    if battle is None or not (stated or any("column" in name for name in finding.breach.facts)):
        return None
    told = {"number": battle.number, "target": battle.target, "attackers": list(battle.attackers)}
    return battles.computed(position, told)


def _open(values: list[dict[str, Any]], veil: Veil) -> list[dict[str, Any]]:
    """Those that speak of no concealed counter.

    Where a unit could have gone tells as well what stands in its way: under a veil that is left out.
    """
    if not veil.changes:
        return values
    told = [{**one, "legal": []} if "legal" in one else one for one in values]
    return [one for one in told if not veil.lies_over(one, one["at"])]


def _reading_json(
    report: Report, reading: Reading, words: Vocabulary, chronicle: Chronicle
) -> dict[str, Any]:
    deed = reading.statement.deed
    return {
        "log": report.logs[reading.log],
        "steps": list(reading.steps),
        "at": chronicle.at(reading.log, reading.steps[-1]),
        "says": words.say(deed) if deed is not None else "",
        "read": reading.certainty.value,
        "grade": reading.ruling.grade.name if reading.ruling else None,
    }


def _unread_json(report: Report, unread: Unread, chronicle: Chronicle) -> dict[str, Any]:
    at = chronicle.at(unread.log, unread.step)
    return {"log": report.logs[unread.log], "step": unread.step, "at": at, "text": unread.text}


def _entry_json(
    entry: Entry,
    chronicle: Chronicle,
    veil: Veil,
    covered: Mapping[int, Mapping[str, int]],
    *,
    whole: bool,
) -> dict[str, Any]:
    """An entry as plain values; what it does not have is left out."""
    calendar = chronicle.calendar
    told: dict[str, Any] = {
        "at": entry.at,
        "log": chronicle.logs[entry.log].log,
        "step": entry.step,
        "turn": entry.clock.turn,
        "moment": calendar.say(entry.clock),
        "active": calendar.side(entry.clock),
        "player": entry.player,
    }
    if not whole:
        return told
    parts = {
        "says": list(entry.reports),
        "chat": [{"who": who, "text": text} for who, text in entry.chat],
        "rolls": list(dice.rolls(chronicle.game, entry)),
        "moves": [
            {"counter": name, "from": origin, "to": target}
            for name, origin, target in entry.shifts
            if not veil.hides_any((name,), entry.at)
        ],
        "changes": _changes_json(entry, veil),
        "undone_by": entry.undone_by,
        "undoes": entry.undoes,
    }
    told |= {name: value for name, value in parts.items() if value not in (None, [], {})}
    if entry.at in covered:
        told["covered"] = dict(covered[entry.at])
    return told


def _changes_json(entry: Entry, veil: Veil) -> dict[str, Any]:
    found = {}
    for name, standing in entry.changes.items():
        if not veil.hides(name, entry.at):
            found[name] = _standing_json(standing)
        elif not veil.hides(name, entry.at - 1) and entry.at:
            found[name] = {"place": NOWHERE}
    return found


def _standing_json(standing: Standing) -> dict[str, Any]:
    told: dict[str, Any] = {"place": standing.place}
    if standing.steps is not None:
        told["steps"] = standing.steps
    if standing.states:
        told["states"] = {state: one.level for state, one in standing.states.items()}
    if standing.role:
        told["role"] = standing.role
    return told
