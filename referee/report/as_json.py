"""An audit, or logs alone, as plain values:

``--json`` writes them, and the page is made from them. ``docs/findings.schema.json`` defines their form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from attrs import field, frozen

from referee.audit import Finding, Noted, Report
from referee.engine.actions import Action
from referee.engine.clock import Calendar
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.notes import NO_NOTES, Notes, Steps
from referee.record import Vocabulary
from referee.report import battles, dice
from referee.report.breaches import breach_json
from referee.report.judged_share import share_json, uncounted_json
from referee.report.losses import losses
from referee.report.supplies import supplies
from referee.report.timeline import Entry, Timeline
from referee.report.unusual import unusual
from referee.report.visibility import ANYBODY, Viewer, Visibility
from referee.report.withheld import Withheld, withheld_from
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import NOWHERE, Standing
from referee.scribe.reading import Reading, Unjudged, Unread
from referee.versions import PROGRAM, data_version, program_version, rules_version
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario
from vassalgen.problems import Failure

T = TypeVar("T")

AGREED = "agreed"
"""The grade of findings that the players have agreed on, whatever their original grade."""
GRADES = (*(grade.name for grade in Grade if grade), AGREED)
FORMAT = 2
"""The version of the form; it is increased when programs that read the old form would misread the new one."""


@frozen
class _Net:
    """Catches whatever a table of the report raises, so that the others are reported nevertheless."""

    caught: list[Failure] = field(factory=list)

    def over(self, make: Callable[[], T], instead: T) -> T:
        """Return a value, or a fallback if making it fails."""
        try:
            return make()
        except Exception as error:
            self.caught.append(Failure.of(error))
            return instead


def report_json(report: Report, viewer: Viewer = ANYBODY, *, whole: bool = True) -> dict[str, Any]:
    """Return an audit as plain values.

    What is hidden from the viewer is left out until the game is over. Only the ``whole`` of it contains the
    basis of the verdicts, the events of each step, the legal destinations for each finding, and the supply of
    each unit over time: these take time.
    """
    game = report.world.game
    withheld = withheld_from(viewer, report)
    timeline, visibility = withheld.timeline, withheld.visibility
    words, net = Vocabulary(report.world), _Net()
    failures = [_unjudged_json(one, words, timeline) for one in report.unjudged]
    findings = [
        _finding_json(one, words, withheld, net, legal=whole and not visibility.changes)
        for one in report.findings
        if not withheld.hides(one.reading)
    ]
    open_ = _open(findings, visibility)
    readings = [one for one in report.readings if not withheld.hides(one)]
    unread = [one for one in report.unread if not (visibility.changes and one.hidden)]
    used = frozenset(
        timeline.at(one.log, step) for one in report.readings if one.ruling for step in one.steps
    )
    nothing: list[dict[str, Any]] = []
    values = {
        **_head(game, report.world.scenario, timeline),
        "basis": basis_json(report, viewer) if whole else None,
        "audited": True,
        "summary": {name: sum(one["grade"] == name for one in open_) for name in GRADES},
        "withheld": len(report.findings) - len(open_),
        "judged": net.over(lambda: share_json(report), uncounted_json()),
        "unjudged": [],
        "findings": open_,
        "notes": [_noted_json(one, words, withheld, net) for one in report.noted],
        "readings": _open([_reading_json(report, one, words, timeline) for one in readings], visibility),
        "unread": _open([_unread_json(report, one, timeline) for one in unread], visibility),
        "battles": _open(net.over(lambda: battles.battles(report, withheld), nothing), visibility),
        "supply": net.over(lambda: supplies(report, timeline), nothing)
        if whole and not visibility.changes
        else [],
        **_tail(timeline, visibility, used, net, whole=whole),
    }
    failures += [_failure_json(timeline, 0, 0, failure) for failure in net.caught]
    return {**values, "unjudged": _without_words(failures, visibility)}


def timeline_json(
    game: Game,
    scenario: Scenario,
    logs: Sequence[LoggedFacts],
    viewer: Viewer = ANYBODY,
    notes: Notes = NO_NOTES,
) -> dict[str, Any]:
    """Return logs and the notes on them as plain values of the same form, without an audit."""
    calendar = Calendar.of(game, scenario)
    timeline = Timeline.of(game, calendar, logs)
    last = timeline.entries[-1].clock if timeline.entries else None
    visibility = viewer.visibility(timeline, last) if last is not None else Visibility()
    used = frozenset(entry.at for entry in timeline.entries)
    net = _Net()
    values = {
        **_head(game, scenario, timeline),
        "basis": None,
        "audited": False,
        "summary": dict.fromkeys(GRADES, 0),
        "withheld": 0,
        "judged": None,
        "unjudged": [],
        **{name: [] for name in ("findings", "readings", "unread", "battles", "supply")},
        "notes": [_note_json(Noted(note), timeline) for note in notes.notes],
        **_tail(timeline, visibility, used, net),
    }
    failed = [(number, *one) for number, log in enumerate(logs) for one in log.failures]
    failed += [(0, 0, failure) for failure in net.caught]
    failures = [_failure_json(timeline, *one) for one in failed]
    return {**values, "unjudged": _without_words(failures, visibility)}


def _head(game: Game, scenario: Scenario, timeline: Timeline) -> dict[str, Any]:
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
            {
                "name": log.log,
                "steps": log.count,
                "first": timeline.at(number, 0),
                "sha256": log.digest or None,
            }
            for number, log in enumerate(timeline.logs)
        ],
        "players": [{"name": name, "side": side} for name, side in timeline.players.items()],
    }


def basis_json(report: Report, viewer: Viewer = ANYBODY) -> dict[str, Any]:
    """Return everything besides the logs on which the verdicts of an audit depend.

    Folders are named without the path that leads to them.
    """
    game, module = report.world.game, report.module
    return {
        "program": PROGRAM,
        "version": program_version(),
        "rules": rules_version(game.id),
        "data": data_version(game),
        "data_version": game.version,
        "module": {"name": module.name, "version": module.version, "sha256": module.digest or None}
        if module.known
        else None,
        "rulings": {name: ruling.adopted for name, ruling in game.rulings.items()},
        "options": {
            "scenario": report.named,
            "data": [folder.name for folder in game.folders[1:]],
            "rulings": dict(game.chosen),
            "reveal": viewer.reveal,
            "as": viewer.player,
        },
    }


def _tail(
    timeline: Timeline, visibility: Visibility, used: frozenset[int], net: _Net, *, whole: bool = True
) -> dict[str, Any]:
    covered = visibility.face_down(timeline) if whole else {}
    nothing: list[dict[str, Any]] = []
    return {
        "dice": net.over(lambda: dice.statistics(timeline), nothing),
        "losses": _open(net.over(lambda: losses(timeline), nothing), visibility),
        "unusual": _open(net.over(lambda: unusual(timeline, used), nothing), visibility),
        "steps": [
            _entry_json(entry, timeline, visibility, covered, whole=whole) for entry in timeline.entries
        ],
    }


def _finding_json(
    finding: Finding, words: Vocabulary, withheld: Withheld, net: _Net, *, legal: bool = True
) -> dict[str, Any]:
    """Return a finding as plain values."""
    timeline, reading = withheld.timeline, finding.reading
    content = reading.statement.content
    action = content if isinstance(content, Action) else None
    clause = words.game.clauses[finding.clause]
    nothing: list[dict[str, Any]] = []
    return {
        "id": finding.id,
        "log": finding.log,
        "steps": list(finding.steps),
        "at": timeline.at(reading.log, finding.steps[-1]),
        "turn": finding.clock.turn,
        "phase": finding.phase,
        "moment": finding.moment,
        "side": finding.side,
        "player": finding.player or timeline.entries[timeline.at(reading.log, finding.steps[-1])].player,
        "units": list(finding.units),
        "hexes": list(finding.hexes),
        "action": words.say(content) if content is not None else "",
        "read": reading.certainty.value,
        **breach_json(finding.breach, words.game),
        **({"grade": AGREED} if finding.agreed else {}),
        "agreed": {"by": finding.agreed.by, "grade": finding.grade.name} if finding.agreed else None,
        "clause_title": clause.title,
        "path": list(action.path) if action else [],
        "dragged": action.dragged if action else False,
        "legal": net.over(lambda: _legal(finding, action), nothing) if legal else nothing,
        "odds": net.over(lambda: _odds(finding, action, withheld), None),
    }


def _noted_json(noted: Noted, words: Vocabulary, withheld: Withheld, net: _Net) -> dict[str, Any]:
    """Return a note as plain values, with the findings that depend on it and are not withheld."""

    def brief(findings: Sequence[Finding]) -> list[dict[str, Any]]:
        shown = [one for one in findings if not withheld.hides(one.reading)]
        found = [_finding_json(one, words, withheld, net, legal=False) for one in shown]
        names = ("id", "grade", "clause", "says")
        return [{name: one[name] for name in names} for one in _open(found, withheld.visibility)]

    resting = {name: brief(found) for name, found in noted.rests.items()}
    return {**_note_json(noted, withheld.timeline), **resting}


def _note_json(noted: Noted, timeline: Timeline) -> dict[str, Any]:
    """Return a note as plain values, without the findings that depend on it."""
    note = noted.note
    where = note.where if isinstance(note.where, Steps) else None
    return {
        "line": note.line,
        "where": str(note.where),
        "at": timeline.at(max(where.log, 1) - 1, where.first) if where else None,
        "says": str(note.says),
        "by": note.by,
        **{name: [] for name in noted.rests},
    }


def _legal(finding: Finding, action: Action | None) -> list[dict[str, Any]]:
    """Where the unit could legally have gone with the same verb: each hex, and a path to it."""
    before = finding.reading.before
    grid = before.game.map.grid
    if action is None or len(action.pieces) != 1 or not action.path or action.end not in grid:
        return []
    found: dict[str, dict[str, Any]] = {}
    for played in before.options(action.piece):
        option = played.ruling.action
        if option.verb == action.verb and option.path and option.end in grid:
            found.setdefault(option.end, {"hex": option.end, "path": list(option.path)})
    return list(found.values())


def _odds(finding: Finding, action: Action | None, withheld: Withheld) -> dict[str, Any] | None:
    """The correct odds, for a finding about odds or their column."""
    position = finding.reading.before
    if action is None or not action.battle:
        return None
    battle = position.battle(action.battle)
    stated = action.verb == find_idiom(position.game).odds
    if battle is None or not (stated or any("column" in name for name in finding.breach.facts)):
        return None
    values = {"number": battle.number, "target": battle.target, "attackers": list(battle.attackers)}
    return withheld.odds(finding.reading, partial(battles.computed, battle=values))


def _open(values: list[dict[str, Any]], visibility: Visibility) -> list[dict[str, Any]]:
    """Those that do not mention hidden counters."""
    return (
        [one for one in values if not visibility.mentions_hidden(one, one["at"])]
        if visibility.changes
        else values
    )


def _without_words(values: list[dict[str, Any]], visibility: Visibility) -> list[dict[str, Any]]:
    """What could not be judged; only the step is given if it mentions a hidden counter."""
    return [
        {**one, "action": "", "error": ""} if visibility.mentions_hidden(one, one["at"]) else one
        for one in values
    ]


def _unjudged_json(unjudged: Unjudged, words: Vocabulary, timeline: Timeline) -> dict[str, Any]:
    said = words.say(unjudged.action) if unjudged.action is not None else ""
    return {**_failure_json(timeline, unjudged.log, unjudged.step, unjudged.failure), "action": said}


def _failure_json(timeline: Timeline, log: int, step: int, failure: Failure) -> dict[str, Any]:
    return {
        "log": timeline.logs[log].log,
        "step": step,
        "at": timeline.at(log, step),
        "action": "",
        "error": failure.error,
    }


def _reading_json(report: Report, reading: Reading, words: Vocabulary, timeline: Timeline) -> dict[str, Any]:
    content = reading.statement.content
    return {
        "log": report.logs[reading.log],
        "steps": list(reading.steps),
        "at": timeline.at(reading.log, reading.steps[-1]),
        "says": words.say(content) if content is not None else "",
        "read": reading.certainty.value,
        "grade": reading.ruling.grade.name if reading.ruling else None,
    }


def _unread_json(report: Report, unread: Unread, timeline: Timeline) -> dict[str, Any]:
    at = timeline.at(unread.log, unread.step)
    return {"log": report.logs[unread.log], "step": unread.step, "at": at, "text": unread.text}


def _entry_json(
    entry: Entry,
    timeline: Timeline,
    visibility: Visibility,
    covered: Mapping[int, Mapping[str, int]],
    *,
    whole: bool,
) -> dict[str, Any]:
    """An entry as plain values; absent values are left out."""
    calendar = timeline.calendar
    values: dict[str, Any] = {
        "at": entry.at,
        "log": timeline.logs[entry.log].log,
        "step": entry.step,
        "turn": entry.clock.turn,
        "moment": calendar.say(entry.clock),
        "active": calendar.side(entry.clock),
        "player": entry.player,
    }
    if not whole:
        return values
    parts = {
        "says": list(entry.reports),
        "chat": [{"who": who, "text": text} for who, text in entry.chat],
        "rolls": list(dice.rolls(timeline.game, entry)),
        "moves": [
            {"counter": name, "from": origin, "to": target}
            for name, origin, target in entry.shifts
            if not visibility.hides_any((name,), entry.at)
        ],
        "changes": _changes_json(entry, visibility),
        "undone_by": entry.undone_by,
        "undoes": entry.undoes,
    }
    values |= {name: value for name, value in parts.items() if value not in (None, [], {})}
    if entry.at in covered:
        values["face_down"] = dict(covered[entry.at])
    return values


def _changes_json(entry: Entry, visibility: Visibility) -> dict[str, Any]:
    found = {}
    for name, standing in entry.changes.items():
        if not visibility.hides(name, entry.at):
            found[name] = _standing_json(standing)
        elif not visibility.hides(name, entry.at - 1) and entry.at:
            found[name] = {"place": NOWHERE}
    return found


def _standing_json(standing: Standing) -> dict[str, Any]:
    values: dict[str, Any] = {"place": standing.place}
    if standing.steps is not None:
        values["steps"] = standing.steps
    if standing.states:
        values["states"] = {state: one.level for state, one in standing.states.items()}
    if standing.role:
        values["role"] = standing.role
    return values
