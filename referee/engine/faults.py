"""Faults: the clauses to which it is attributed that something cannot be done.

Every clause that limits something can be waived, as if it were not written. What cannot be done is
attributed to those clauses of which the fewest, and of these the most special, must be waived for it to be
possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from attrs import frozen

MOST = 100
"""How many sets of clauses are tried before some are taken that are perhaps not the fewest."""


@frozen
class Faults:
    """Clauses to waive. ``fewest`` unless the search for fewer was broken off."""

    clauses: tuple[str, ...]
    fewest: bool = True


def fewest(
    limits: Sequence[str],
    alone: Sequence[str],
    possible: Callable[[frozenset[str]], bool],
    most: int = MOST,
) -> Faults:
    """Return the fewest of some clauses that must be waived; all of them waived make it possible.

    ``limits`` and ``alone``, those that are tried one by one, have the most special first. To waive one
    more never makes anything impossible. Sets of clauses are tried by increasing size, ``most`` of them.
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
    """The sets of several clauses with those needed, the smallest first and of these the most special."""
    others = [clause for clause in limits if clause not in needed]
    for size in range(max(2 - len(needed), 0), len(others) + 1):
        for chosen in combinations(others, size):
            yield needed.union(chosen)


def _some(
    limits: Sequence[str], needed: frozenset[str], possible: Callable[[frozenset[str]], bool]
) -> tuple[str, ...]:
    """Clauses of which none can be left out, though others may be fewer."""
    waived = frozenset(limits)
    for clause in reversed(limits):
        if clause not in needed and possible(waived - {clause}):
            waived -= {clause}
    return _in_order(limits, waived)


def _in_order(limits: Sequence[str], waived: frozenset[str]) -> tuple[str, ...]:
    return tuple(clause for clause in limits if clause in waived)
