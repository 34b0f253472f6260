"""Findings collected while a file is read: one about each thing, with all places where it occurred."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define

from vassalgen.inspection.facts import Finding, FindingKind

_Thing = tuple[FindingKind, str, str, bool]


@define
class Gathering:
    """Collects findings."""

    _places: dict[_Thing, list[str]] = Factory(dict)

    def add(
        self, kind: FindingKind, what: str, place: str = "", *, right: str = "", serious: bool = True
    ) -> None:
        """Note a finding at one more place."""
        places = self._places.setdefault((kind, what, right, serious), [])
        if place:
            places.append(place)

    def found(self) -> tuple[Finding, ...]:
        """All findings, sorted."""
        return in_order(
            Finding(kind, what, tuple(places), right, serious)
            for (kind, what, right, serious), places in self._places.items()
        )


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The serious ones first, then by kind, then by the thing that they are about."""
    kinds = {kind: number for number, kind in enumerate(FindingKind)}
    return tuple(sorted(findings, key=lambda one: (not one.serious, kinds[one.kind], one.what, one.places)))
