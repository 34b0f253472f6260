"""The dice of many players compared with fair dice, corrected for multiple comparisons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from referee.report.dice import MANY, as_far, one_die_more

Series = tuple[int, int, int]
"""The sides of the dice, how many were rolled, and their sum."""


def chances(series: Sequence[Series]) -> dict[Series, float]:
    """Return for each series the probability that the same number of fair dice is at least as far from the
    mean. The distributions are calculated once for all series: those of few dice are intermediate results for
    those of many.
    """
    found = {one: as_far(*one) for one in series if one[1] > MANY}
    wanted: dict[int, dict[int, set[int]]] = {}
    for sides, count, total in series:
        if count <= MANY:
            wanted.setdefault(sides, {}).setdefault(count, set()).add(total)
    for sides, counts in wanted.items():
        distribution = [1.0]
        for count in range(1, max(counts) + 1):
            distribution = one_die_more(distribution, sides)
            if count in counts:
                sums = _tails(distribution, sides, count)
                for total in counts[count]:
                    found[sides, count, total] = sums[abs(2 * total - count * (sides + 1))]
    return found


def _tails(distribution: Sequence[float], sides: int, count: int) -> Mapping[int, float]:
    """The probability of each distance from the mean, in halves, or a larger one."""
    middle = count * (sides + 1)
    at: dict[int, float] = {}
    for low, chance in enumerate(distribution):
        distance = abs(2 * (count + low) - middle)
        at[distance] = at.get(distance, 0.0) + chance
    tails, sum_ = {}, 0.0
    for distance in sorted(at, reverse=True):
        sum_ += at[distance]
        tails[distance] = min(1.0, sum_)
    return tails


def corrected(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple comparisons by Holm's method.

    >>> corrected([0.01, 0.5, 0.04])
    [0.03, 0.5, 0.08]
    """
    order = sorted(range(len(values)), key=lambda place: values[place])
    found = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        found[place] = highest
    return found


def interval(count: int, of: int) -> tuple[float, float]:
    """Return the 95% confidence interval of a rate, by Wilson's method."""
    if not of:
        return 0.0, 1.0
    count = min(count, of)
    z = 1.959964
    rate, base = count / of, 1 + z * z / of
    middle = (rate + z * z / (2 * of)) / base
    half = z / base * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)
