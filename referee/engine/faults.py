"""Faults: the clauses that make an action impossible.

Every clause that limits something can be waived, as if it did not exist. An impossible action is attributed
to the fewest clauses, and among these to the most specific, that must be waived to make it possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from attrs import frozen

MOST = 100
"""The maximum number of sets of clauses tried; after that a set is used that may not be the smallest."""


@frozen
class Faults:
    """Clauses to waive. ``fewest`` unless the search for fewer was stopped."""

    clauses: tuple[str, ...]
    fewest: bool = True


def fewest(
    limits: Sequence[str],
    alone: Sequence[str],
    possible: Callable[[frozenset[str]], bool],
    most: int = MOST,
) -> Faults:
    """Return the fewest clauses that must be waived; if all are waived the action is possible.

    ``limits`` and ``alone``, which are tried one by one, are ordered with the most specific first. Waiving
    more clauses never makes anything impossible. Sets of clauses are tried by increasing size, up to ``most``
    of them.
    """
    for clause in alone:
        if possible(frozenset({clause})):
            return Faults((clause,))
    everything = frozenset(limits)
    needed = frozenset(clause for clause in limits if not possible(everything - {clause}))
    for tried, waived in enumerate(_by_size(limits, needed)):
        if tried == most:
            return Faults(_some(limits, needed, possible), fewest=False)
        if possible(waived):
            return Faults(_in_order(limits, waived))
    return Faults(tuple(limits))


def _by_size(limits: Sequence[str], needed: frozenset[str]) -> Iterator[frozenset[str]]:
    """The sets of several clauses that include the needed ones, the smallest first, then the
    most specific.
    """
    others = [clause for clause in limits if clause not in needed]
    for size in range(max(2 - len(needed), 0), len(others) + 1):
        for chosen in combinations(others, size):
            yield needed.union(chosen)


def _some(
    limits: Sequence[str], needed: frozenset[str], possible: Callable[[frozenset[str]], bool]
) -> tuple[str, ...]:
    """Clauses none of which can be omitted, although another set may be smaller."""
    waived = frozenset(limits)
    for clause in reversed(limits):
        if clause not in needed and possible(waived - {clause}):
            waived -= {clause}
    return _in_order(limits, waived)


def _in_order(limits: Sequence[str], waived: frozenset[str]) -> tuple[str, ...]:
    return tuple(clause for clause in limits if clause in waived)
