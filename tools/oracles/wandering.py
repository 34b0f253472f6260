"""What to ask about from a hex: hexes near it, and ways that lead from it, mostly along roads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from random import Random

Around = Callable[[str], Sequence[str]]
"""The neighbours of a hex."""


def near(around: Around, start: str, most: int) -> list[str]:
    """Some of the hexes within so many of a hex, mostly those that are near."""
    ring, found = {start}, set[str]()
    for distance in range(most):
        ring = ring.union(*(around(name) for name in ring))
        found.update(sorted(ring)[:: 1 + 2 * distance])
    return sorted(found - {start})


def walks(
    around: Around, roads: Collection[frozenset[str]], start: str, lengths: Iterable[int], rng: Random
) -> Iterator[tuple[str, ...]]:
    """All ways of one and two hexes, and one of each longer length, along roads where they can."""
    for first in around(start):
        yield start, first
        for second in around(first):
            yield start, first, second
    for length in lengths:
        path = [start]
        for _ in range(length):
            ahead = [name for name in around(path[-1]) if name not in path]
            along = [name for name in ahead if frozenset((path[-1], name)) in roads]
            path.append(rng.choice(along or ahead or around(path[-1])))
        yield tuple(path)
