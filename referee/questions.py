"""Questions whose answers would settle the unproven findings of an audit, as notes to be filled in."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field

from referee.audit import Finding, Report
from referee.engine.rulings import Grade
from referee.notes import TO_FILL_IN, Agreed, DieFor, InPhase, Note, Notes, Steps, write
from referee.report.text import WIDTH, Names, sentence
from referee.scribe.draft import BARE_DIE
from referee.scribe.noted import bare_dice, phases_at
from referee.scribe.skipped_phases import PHASE_PASSED

_HEAD = """\
# {title}: what would settle the unproven findings of {logs}.
# To answer a question, remove the # from the line below it, and replace each {fill} with the
# answer and with who says so. Leave the other lines as they are. Then audit with --notes THIS_FILE.
"""


@define
class _Question:
    """A question, the note that answers it, and the findings that it would settle."""

    asks: str
    note: Note
    settles: list[Finding] = field(factory=list)


def questions(report: Report, values: Mapping[str, Any], notes: Notes) -> str:
    """Return notes as a file, with questions that would settle the findings still unproven.

    ``values`` is the report as plain values, as far as it may be shown.
    """
    logs = " ".join(report.logs)
    lines = [_HEAD.format(title=values["title"], logs=logs, fill=TO_FILL_IN)]
    if notes.notes:
        lines += ["", write(notes.notes).rstrip()]
    shown, names = {one["id"]: one for one in values["findings"]}, Names.of(values)
    open_ = [one for one in report.findings if _is_open(one) and one.id in shown]
    for question in _asked(report, open_):
        lines.append("")
        for finding in question.settles:
            says = sentence(names.named(shown[finding.id]["says"]))
            lines += _comment(f"{finding.clause} [{finding.id}]: {says}")
        lines += [*_comment(question.asks), f"#{question.note}"]
    if not open_:
        lines.append("# Nothing is unproven.")
    return "\n".join(line.rstrip("\n") for line in lines) + "\n"


def _is_open(finding: Finding) -> bool:
    return finding.grade is Grade.unproven and finding.agreed is None


def _asked(report: Report, findings: list[Finding]) -> list[_Question]:
    """The questions, each once: about dice, phases, and whether players agreed on an action."""
    found: dict[str, _Question] = {}
    agreed: dict[Steps, list[Finding]] = {}
    for finding in findings:
        for question in _of(report, finding):
            found.setdefault(str(question.note), question).settles.append(finding)
        agreed.setdefault(_place(report, finding, finding.steps[-1]), []).append(finding)
    for where, those in agreed.items():
        clauses = tuple(dict.fromkeys(one.clause for one in those))
        unless = dict.fromkeys(str(one.breach.facts.get("unless", "")) for one in those)
        why = [f"It is legal if {one}." for one in unless if one and one not in (BARE_DIE, PHASE_PASSED)]
        asks = " ".join((*why, "Did you agree on it?"))
        found[str(where)] = _Question(asks, Note(where, Agreed(clauses), TO_FILL_IN), those)
    return sorted(found.values(), key=lambda one: _key(one.note))


def _key(note: Note) -> tuple[int, int]:
    assert isinstance(note.where, Steps)
    return note.where.log, note.where.last


def _of(report: Report, finding: Finding) -> Iterator[_Question]:
    """What the log leaves open about the cause of a finding."""
    unless, number, step = finding.breach.facts.get("unless"), finding.reading.log, finding.steps[-1]
    log = report.logged_facts[number]
    if unless == BARE_DIE:
        asks = "What was the die of this step for? A hex for its battle, a unit for its test, or nothing."
        for die in bare_dice(log, step):
            yield _Question(asks, Note(_place(report, finding, die), DieFor(TO_FILL_IN), TO_FILL_IN))
    elif unless == PHASE_PASSED:
        calendar = report.world.calendar
        known = "; ".join(calendar.say(one) for one in phases_at(log, step, report.world))
        asks = f"Which phase was it? It may have been: {known}."
        yield _Question(asks, Note(_place(report, finding, step), InPhase(TO_FILL_IN), TO_FILL_IN))


def _place(report: Report, finding: Finding, step: int) -> Steps:
    return Steps(step, step, finding.reading.log + 1 if len(report.logs) > 1 else 0)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
