"""Faults: to which clauses it is laid that something cannot be done.

Every clause that limits something can be lifted, as if it were not written. What cannot be done is laid to
those clauses of which the fewest, and of these the most special, must be lifted for it to be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def fewest(
    limits: Sequence[str], alone: Sequence[str], possible: Callable[[frozenset[str]], bool]
) -> tuple[str, ...]:
    """Return the fewest of some clauses that must be lifted; all of them lifted make it possible.

    ``limits`` and ``alone``, those that are tried one by one, have the most special first.
    """
    for clause in alone:
        if possible(frozenset({clause})):
            return (clause,)
    lifted = set(limits)
    for clause in reversed(limits):
        if possible(frozenset(lifted - {clause})):
            lifted.discard(clause)
    return tuple(clause for clause in limits if clause in lifted)
