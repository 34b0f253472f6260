"""An audit told in plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.audit import Finding, Report
from referee.engine.rulings import Grade
from referee.judge import breach_words
from referee.record import Vocabulary
from referee.scribe.reading import Certainty


def lines(report: Report) -> Iterator[str]:
    """Tell an audit: each finding, what was not read, and a summary."""
    words = Vocabulary(report.world)
    for finding in report.findings:
        yield from _finding(report, finding, words)
        yield ""
    if report.unread:
        yield "Noted besides:"
        for unread in report.unread:
            yield f"  {_where(report, unread.log, (unread.step,))}: {unread.text}"
        yield ""
    yield from summary(report)


def _finding(report: Report, finding: Finding, words: Vocabulary) -> Iterator[str]:
    game = report.world.game
    who = finding.player or (game.sides[finding.side].title if finding.side in game.sides else "")
    where = _where(report, finding.reading.log, finding.steps)
    yield f"{where}, {finding.moment}{f', {who}' if who else ''}: [{finding.id}]"
    deed = finding.reading.statement.deed
    if deed is not None:
        told = words.say(deed)
        yield f"  {told}" + (f"  ({finding.reading.certainty.value})" if _unsure(finding) else "")
    yield from (f"  {line}" for line in breach_words(finding.breach, game))


def _unsure(finding: Finding) -> bool:
    return finding.reading.certainty in (Certainty.inferred, Certainty.ambiguous)


def _where(report: Report, log: int, steps: tuple[int, ...]) -> str:
    told = ", ".join(map(str, steps))
    place = f"step{'s' if len(steps) > 1 else ''} {told}" if steps != (0,) else "at the start"
    return f"{report.logs[log]}, {place}" if len(report.logs) > 1 else place.capitalize()


def summary(report: Report) -> Iterator[str]:
    """Tell what was read and what was found, in a few lines."""
    game = report.world.game
    actions = [reading for reading in report.readings if reading.ruling is not None]
    logs = ", ".join(f"{name} ({count} steps)" for name, count in zip(report.logs, report.steps, strict=True))
    yield f"{game.title}: {logs}"
    read = Counter(reading.certainty for reading in actions)
    ways = "; ".join(f"{read[way]} {way.value}" for way in Certainty if read[way])
    yield f"{len(actions)} actions read: {ways}" if actions else "No actions read"
    found = ", ".join(f"{report.count(grade)} {grade.name}" for grade in reversed(Grade) if grade)
    yield f"Findings: {found}"
    weak = sorted(
        {str(finding.breach.provenance) for finding in report.findings if _is_reconstruction(finding)}
    )
    if weak:
        yield f"They lean in part on reconstructed data: {'; '.join(weak)}"


def _is_reconstruction(finding: Finding) -> bool:
    provenance = finding.breach.provenance
    return provenance is not None and provenance.kind == "reconstruction"
