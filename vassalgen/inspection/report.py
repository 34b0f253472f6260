"""The facts of a file for people, in about a screenful unless everything is requested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vassalgen.inspection.facts import Facts, Finding, FindingKind, ModuleFacts
from vassalgen.inspection.report_games import game_lines
from vassalgen.inspection.report_modules import module_lines
from vassalgen.inspection.wording import Lister, paragraph, printable
from vassalgen.plurals import count

_HEADINGS = {
    FindingKind.MISSING_IMAGE: "missing images",
    FindingKind.UNREADABLE_IMAGE: "images that cannot be read",
    FindingKind.MISSING_FILE: "missing files",
    FindingKind.MISSING_PROTOTYPE: "missing prototypes",
    FindingKind.CIRCULAR_PROTOTYPE: "prototypes that include themselves",
    FindingKind.DUPLICATE_NAME: "duplicate names",
    FindingKind.MISSING_PIECE: "missing piece slots",
    FindingKind.BROKEN_PIECE: "piece definitions that VASSAL cannot read",
    FindingKind.DUPLICATE_PIECE_ID: "duplicate piece ids",
    FindingKind.BAD_PIECE_ID: "piece ids that are not numbers",
    FindingKind.NO_PIECE_ID: "pieces without an id",
    FindingKind.LATE_PIECE_ID: "piece ids that are still to be given",
    FindingKind.BAD_VALUE: "values that VASSAL cannot read",
    FindingKind.UNKNOWN_WORD: "words that VASSAL does not know",
    FindingKind.UNKNOWN_LOCATION: "unknown grid locations",
    FindingKind.UNKNOWN_BOARD: "missing boards",
    FindingKind.OFF_MAP: "at-start stacks off the map",
    FindingKind.BROKEN_SETUP: "set-ups that cannot be read",
    FindingKind.BROKEN_COMMAND: "commands that VASSAL cannot read",
    FindingKind.BROKEN_METADATA: "what the file says about itself",
    FindingKind.GRID: "grids",
    FindingKind.UNUSED_IMAGE: "images that nothing uses",
    FindingKind.PERHAPS_UNUSED_IMAGE: "images that perhaps nothing uses",
    FindingKind.UNUSED_PROTOTYPE: "prototypes that nothing uses",
    FindingKind.UNKNOWN_CLASS: "components not of VASSAL's own",
    FindingKind.UNKNOWN_TRAIT: "traits not of VASSAL's own",
    FindingKind.UNKNOWN_COMMAND: "commands not of VASSAL's own",
    FindingKind.OUTSIDE: "things that the extension itself does not have",
}
HINT = "(--all shows everything)"


def report(facts: Facts, everything: bool = False) -> Iterator[str]:
    """The lines of the report. ``everything``: no list is shortened."""
    lister = Lister(everything)
    if isinstance(facts, ModuleFacts):
        yield from module_lines(facts, lister)
    else:
        yield from game_lines(facts, lister)
    yield from _findings(facts.findings, lister)
    if lister.cut_short:
        yield HINT


def _findings(findings: Sequence[Finding], lister: Lister) -> Iterator[str]:
    for serious, heading in ((True, "Wrong"), (False, "Worth knowing")):
        groups: dict[FindingKind, list[Finding]] = {}
        for finding in findings:
            if finding.serious is serious:
                groups.setdefault(finding.kind, []).append(finding)
        if groups:
            yield f"{heading}: {sum(map(len, groups.values())):,}"
        for kind, group in groups.items():
            yield from _group(kind, group, lister)


def _group(kind: FindingKind, group: Sequence[Finding], lister: Lister) -> Iterator[str]:
    """The findings of one kind; the advice comes first if it is the same for all."""
    rights = {finding.right for finding in group}
    common = rights.pop() if len(rights) == 1 else ""
    heading = f"{_HEADINGS[kind]} ({len(group):,})" + (f"; {common}" if common and len(group) > 1 else "")
    if not any(finding.places or finding.right for finding in group) or (common and not group[0].places):
        names = lister.sentence([finding.what for finding in group])
        yield from paragraph(f"{heading}: {names}", "  ")
        return
    yield from paragraph(heading, "  ")
    shown, others = lister.some(group)
    for finding in shown:
        yield "    " + printable(_finding_line(finding, lister, with_right=not common or len(group) == 1))
    if others:
        yield f"    … and {others:,} more"


def _finding_line(finding: Finding, lister: Lister, *, with_right: bool) -> str:
    places, others = lister.some(finding.places, shown=1)
    where = "; ".join(map(lister.place, places)) + (f" and {count(others, 'more place')}" if others else "")
    return ": ".join(part for part in (finding.what, where, finding.right if with_right else "") if part)
