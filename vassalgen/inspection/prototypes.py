"""The prototypes of a module, what uses them, and which are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from vassalgen.inspection.facts import FindingKind, PrototypeFacts
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.palette import prototypes_in
from vassalgen.inspection.survey import Origin, Survey
from vassalgen.vassal.components import PrototypeDefinition


def prototypes_of(
    survey: Survey, in_setups: Mapping[str, Iterable[str]], findings: Gathering, *, whole: bool
) -> tuple[PrototypeFacts, ...]:
    """All prototypes, in the order of the file.

    ``in_setups`` are the names that each set-up uses. ``whole`` is false for an extension, whose module may
    have the prototypes that it lacks, and use those that it does not use.
    """
    definitions = [component for component, _ in survey.all(PrototypeDefinition)]
    uses: dict[str, list[str]] = {component.name: [] for component in definitions}
    expands: dict[str, list[str]] = {name: [] for name in uses}  # without the pieces that it places in play
    for name, count in Counter(component.name for component in definitions).items():
        if count > 1:
            findings.add(FindingKind.DUPLICATE_NAME, f"prototype {name}", right="VASSAL takes the last one")
    by_pieces: Counter[str] = Counter()
    missing: dict[str, list[str]] = {}
    for found in survey.definitions:
        inside = found.part.component if found.origin in (Origin.PROTOTYPE, Origin.MARKER) else None
        for name in dict.fromkeys(prototypes_in(found)):
            if isinstance(inside, PrototypeDefinition):
                uses[inside.name].append(name)
                if found.origin is Origin.PROTOTYPE:
                    expands[inside.name].append(name)
            else:
                by_pieces[name] += 1
            if name not in uses:
                missing.setdefault(name, []).append(found.place)
    by_setups: Counter[str] = Counter()
    for setup, names in in_setups.items():
        for name in names:
            by_setups[name] += 1
            if name not in uses:
                missing.setdefault(name, []).append(setup)
    _report_missing(missing, findings, whole=whole)
    for name in _circular(expands):
        findings.add(FindingKind.CIRCULAR_PROTOTYPE, name)
    by_prototypes: dict[str, list[str]] = {}
    for user, names in uses.items():
        for name in dict.fromkeys(names):
            by_prototypes.setdefault(name, []).append(user)
    named_in_play = any("$" in name for names in (by_pieces, by_prototypes) for name in names)
    facts = tuple(
        PrototypeFacts(
            name,
            tuple(dict.fromkeys(names)),
            by_pieces[name],
            tuple(by_prototypes.get(name, ())),
            by_setups[name],
        )
        for name, names in uses.items()
    )
    for one in facts:
        if whole and not (one.used_by_pieces or one.used_by_prototypes or one.used_by_setups):
            right = "unless by a name with parameters" if named_in_play else ""
            findings.add(FindingKind.UNUSED_PROTOTYPE, one.name, right=right, serious=False)
    return facts


def _report_missing(missing: Mapping[str, list[str]], findings: Gathering, *, whole: bool) -> None:
    for name, places in missing.items():
        if "$" in name:  # a parameter of the prototype that it stands in
            continue
        for place in places:
            if whole:
                right = "without it a piece lacks the traits, and VASSAL says nothing"
                findings.add(FindingKind.MISSING_PROTOTYPE, name, place, right=right)
            else:
                right = "its module should have it"
                findings.add(FindingKind.OUTSIDE, f"prototype {name}", place, right=right, serious=False)


def _circular(uses: Mapping[str, list[str]]) -> list[str]:
    """The prototypes that use themselves, directly or indirectly, or are between two that do."""
    known = {name: [used for used in names if used in uses] for name, names in uses.items()}
    used_by: dict[str, list[str]] = {name: [] for name in uses}
    for name, names in known.items():
        for used in names:
            used_by[used].append(name)
    endless = _without_ends(known, used_by) & _without_ends(used_by, known)
    return [name for name in uses if name in endless]


def _without_ends(forward: Mapping[str, list[str]], backward: Mapping[str, list[str]]) -> set[str]:
    """What remains after repeatedly removing prototypes that use no others."""
    left = {name: len(others) for name, others in forward.items()}
    ends = [name for name, count in left.items() if not count]
    while ends:
        for other in backward[ends.pop()]:
            left[other] -= 1
            if not left[other]:
                ends.append(other)
    return {name for name, count in left.items() if count}
