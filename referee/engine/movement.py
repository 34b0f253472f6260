"""Movement: which hexes a piece can reach, at what cost, by which way. Integers inside.

Costs are whole numbers of a unit that the game chooses, so that halves of movement points are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from attrs import field, frozen

CLOSED = -1


@frozen(eq=False)
class Ground:
    """What a step costs, by index of the hex left and direction: across country, and along a road.

    CLOSED (-1) where there is no way; where only a road opens one, ``country`` holds what it costs without
    the road's speed. ``adjacent`` gives the hex entered [hexes.Grid.adjacent].
    """

    adjacent: Sequence[Sequence[int]]
    country: Sequence[Sequence[int]]
    road: Sequence[Sequence[int]]


@frozen
class March:
    """One piece on the march.

    ``roads``: it may use the road's cost. The masks are sets of hexes as bits: ``slow`` ones give no road
    cost when entered, ``slow_from`` none when left; ``stops`` end the movement when entered, ``shut`` ones
    cannot be entered. ``leaving`` is paid more for leaving a hex.
    """

    ground: Ground
    start: int
    budget: int
    spent: int = 0
    roads: bool = False
    slow: int = 0
    slow_from: int = 0
    stops: int = 0
    shut: int = 0
    leaving: Mapping[int, int] = field(factory=dict, hash=False)

    def step(self, at: int, direction: int) -> int:
        """Return what one step costs, CLOSED if it cannot be made, whatever the budget."""
        to = self.ground.adjacent[at][direction]
        if to < 0 or self.shut >> to & 1:
            return CLOSED
        cost = self.ground.country[at][direction]
        if self.roads and not (self.slow >> to | self.slow_from >> at) & 1:
            road = self.ground.road[at][direction]
            if road >= 0 and (cost < 0 or road < cost):
                cost = road
        return cost + self.leaving.get(at, 0) if cost >= 0 else CLOSED

    def cost(self, path: Sequence[int]) -> int:
        """Return what a way costs, step by step, stops and budget aside; CLOSED if a step cannot be made."""
        total = self.spent
        for at, to in pairwise(path):
            around = self.ground.adjacent[at]
            step = self.step(at, around.index(to)) if to in around else CLOSED
            if step < 0:
                return CLOSED
            total += step
        return total


@frozen
class Reach:
    """The hexes within reach by index: what the cheapest way costs in all, and the hex before on that way."""

    costs: Mapping[int, int]
    before: Mapping[int, int]

    def way(self, end: int) -> tuple[int, ...]:
        """Return the cheapest way to a hex within reach."""
        way = [end]
        while way[-1] in self.before:
            way.append(self.before[way[-1]])
        return tuple(reversed(way))


def reach(march: March, goal: int = -1) -> Reach:
    """Search the cheapest ways, of equal ones those with the fewest steps; up to a goal, if one is given."""
    costs: dict[int, int] = {}
    before: dict[int, int] = {}
    waiting = [(march.spent, 0, march.start, -1)]
    step, adjacent, stops, start = march.step, march.ground.adjacent, march.stops, march.start
    while waiting:
        cost, steps, at, came = heappop(waiting)
        if at in costs:
            continue
        costs[at] = cost
        if came >= 0:
            before[at] = came
        if at == goal:
            break
        if stops >> at & 1 and at != start:
            continue
        for direction, to in enumerate(adjacent[at]):
            if to >= 0 and to not in costs:
                more = step(at, direction)
                if more >= 0 and cost + more <= march.budget:
                    heappush(waiting, (cost + more, steps + 1, to, at))
    return Reach(costs, before)
