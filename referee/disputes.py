"""Audits with the notes of players and umpire: what was agreed, and which findings depend on which note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from referee.audit import Finding, Noted, Report, audit
from referee.notes import Agreed, Note, Notes, Steps
from referee.scribe.noted import check, is_about
from referee.table import EMPTY_MODULE, Log, ModulePlan
from vassalgen.game.game import Game


def audit_with_notes(
    logs: Iterable[Log],
    game: Game,
    notes: Notes,
    module: ModulePlan = EMPTY_MODULE,
    scenario: str = "",
) -> Report:
    """Audit logs, and take notes as fact; BadInput if the logs contradict one.

    What rests on the notes by which the logs are read otherwise is what an audit without them finds
    differently.
    """
    logs = tuple(logs)
    plain = audit(logs, game, module, scenario)
    check(plain.logged_facts, notes, plain.world)
    read = [note for note in notes.notes if not isinstance(note.says, Agreed)]
    report = audit(logs, game, module, scenario, notes) if read else plain
    findings = tuple(evolve(one, agreed=_agreed(report, one, notes)) for one in report.findings)
    gone = _but_for(plain.findings, report.findings)
    new = _but_for(findings, plain.findings)
    found = []
    for note in notes.notes:
        if isinstance(note.says, Agreed):
            found.append(Noted(note, agreed=tuple(one for one in findings if one.agreed is note)))
        else:
            mine = [tuple(_resting_on(note, read, of)) for of in (gone, new)]
            found.append(Noted(note, gone=mine[0], new=mine[1]))
    return evolve(report, findings=findings, noted=tuple(found))


def _agreed(report: Report, finding: Finding, notes: Notes) -> Note | None:
    """The first note which says that players agreed on a finding."""
    log, calendar = finding.reading.log, report.world.calendar
    for note in notes.notes:
        clauses = note.says.clauses if isinstance(note.says, Agreed) else None
        if clauses is None or (clauses and finding.clause not in clauses):
            continue
        if is_about(note.where, log, finding.steps, finding.clock, calendar):
            return note
    return None


def _but_for(findings: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """The findings that are not among others with the same grade."""
    known = {(one.id, one.grade) for one in others}
    return [one for one in findings if (one.id, one.grade) not in known]


def _resting_on(note: Note, notes: Sequence[Note], findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that depend on a note: if several precede a finding, the last one."""
    for finding in findings:
        at = (finding.reading.log, finding.steps[-1])
        before = [one for one in notes if _begins(one) <= at]
        if (max(before, key=_begins) if before else min(notes, key=_begins)) is note:
            yield finding


def _begins(note: Note) -> tuple[int, int]:
    where = note.where
    return (max(where.log, 1) - 1, where.first) if isinstance(where, Steps) else (0, 0)
