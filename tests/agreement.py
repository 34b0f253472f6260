"""An audit and its record: judging the record must give the rulings of the audit."""

from __future__ import annotations

from referee.audit import Report
from referee.engine.rulings import Grade, Ruling
from referee.judge import judge_record
from referee.record import parse, write

Verdicts = list[frozenset[tuple[Grade, str]]]


def both_verdicts(report: Report) -> tuple[Verdicts, Verdicts]:
    """The audit's rulings and those on its record, without what the audit leaves unproven.

    A record states one interpretation; that the log has others, as a finding with the fact ``unless`` says,
    is not in it.
    """
    read = [one.ruling for one in report.readings if one.ruling is not None]
    record = parse(write(report.record), known=(report.world,))
    judged = [one.ruling for _, case in judge_record(record) for one in case if one.ruling is not None]
    doubts = [{breach.clause for breach in ruling.breaches if "unless" in breach.facts} for ruling in read]
    return (
        [_but(ruling, doubted) for ruling, doubted in zip(read, doubts, strict=True)],
        [_but(ruling, doubted) for ruling, doubted in zip(judged, doubts, strict=True)],
    )


def _but(ruling: Ruling, doubted: set[str]) -> frozenset[tuple[Grade, str]]:
    return frozenset(one for one in ruling.verdict if one[1] not in doubted)
