"""Movement: which hexes a piece can reach, at what cost, by which path. Uses integers internally.

Costs are integers in a unit that the game chooses, so that halves of movement points are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise

from attrs import evolve, field, frozen

from vassalgen.game.hexes import Cube

CLOSED = -1
STEPS = 16  # bits for the number of steps of a path, for more steps than any map has hexes


@frozen(eq=False)
class Ground:
    """The cost of a step, by index of the hex left and direction: across country, and along a road.

    It is CLOSED (-1) if there is no path; if only a road makes a step possible, ``country`` is the cost
    without the road's speed. ``adjacent`` is the hex entered [hexes.Grid.adjacent], ``cubes`` are the cube
    coordinates of the hexes.
    """

    adjacent: Sequence[Sequence[int]]
    cubes: Sequence[Cube]
    country: Sequence[Sequence[int]]
    road: Sequence[Sequence[int]]
    paths: dict[tuple[int, int, bool], tuple[int, tuple[int, ...]]] = field(factory=dict, init=False)
    """Cache of the cheapest paths between two hexes, with their costs; optionally by road."""
    costs: dict[tuple[March, int], int | None] = field(factory=dict, init=False)
    """Cache of the costs of the cheapest paths of a piece to a hex, among obstacles."""

    @cached_property
    def exits(self) -> tuple[tuple[tuple[int, int, int], ...], ...]:
        """The possible steps from each hex: the hex entered, the cost across country and that by road.

        Without a road both costs are the same. They leave room for the number of steps of a path.
        """
        return tuple(
            tuple(
                (to, cost << STEPS, (cost if road < 0 else min(road, cost)) << STEPS)
                for to, cost, road in zip(around, country, roads, strict=True)
                if to >= 0 and cost >= 0
            )
            for around, country, roads in zip(self.adjacent, self.country, self.road, strict=True)
        )

    @cached_property
    def least(self) -> int:
        """The cost of the cheapest step of all."""
        costs = (cost for by_hex in (self.country, self.road) for steps in by_hex for cost in steps)
        return min((cost for cost in costs if cost >= 0), default=0)

    def path(self, start: int, goal: int, roads: bool, budget: int) -> tuple[int, tuple[int, ...]] | None:
        """Return the cost of the cheapest path without obstacles, and the path; None beyond a budget.

        Hexes nearer to the goal are tried first, because no step costs less than the cheapest step of all.
        """
        if (start, goal, roads) in self.paths:
            return self.paths[start, goal, roads]
        exits, cubes, least, (u, v, w) = self.exits, self.cubes, self.least, self.cubes[goal]
        costs, before = {start: 0}, dict[int, int]()
        waiting = [(0, start)]  # the cost of a path that continues to the goal as cheaply as possible
        while waiting:
            _, at = heappop(waiting)
            if at == goal:
                found = self.paths[start, goal, roads] = costs[goal], Reach(costs, before).path(goal)
                return found
            for to, country, road in exits[at]:
                cost = costs[at] + ((road if roads else country) >> STEPS)
                if cost < costs.get(to, cost + 1):
                    one, two, three = cubes[to]
                    bound = cost + least * ((abs(one - u) + abs(two - v) + abs(three - w)) >> 1)
                    if bound <= budget:
                        costs[to], before[to] = cost, at
                        heappush(waiting, (bound, to))
        return None

    def costlier(self, hexes: int, times: int) -> Ground:
        """Return the ground with the cost multiplied for the steps out of some hexes, given as
        a set of bits.
        """

        def costs(by_hex: Sequence[Sequence[int]]) -> list[Sequence[int]]:
            return [
                [cost if cost < 0 else cost * times for cost in steps] if hexes >> at & 1 else steps
                for at, steps in enumerate(by_hex)
            ]

        return Ground(self.adjacent, self.cubes, costs(self.country), costs(self.road))


@frozen
class March:
    """One piece on the march.

    ``roads``: it may use the road's cost. The masks are sets of hexes as bits: ``slow`` hexes allow no road
    cost when entered, ``slow_from`` none when left; ``stops`` end the movement when entered, ``shut`` hexes
    cannot be entered, and no step leads from one hex of ``apart`` to another that is in ``apart_into``.
    ``leaving`` is an additional cost for leaving a hex, ``entering`` for entering one, the second value of
    ``between`` for a step within its mask to a hex of ``between_into``.
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
    apart: int = 0
    apart_into: int = -1
    leaving: Mapping[int, int] = field(factory=dict, hash=False)
    entering: Mapping[int, int] = field(factory=dict, hash=False)
    between: tuple[int, int] = (0, 0)
    between_into: int = -1

    def step(self, at: int, direction: int) -> int:
        """Return the cost of one step, CLOSED if it is impossible, ignoring the budget."""
        to = self.ground.adjacent[at][direction]
        apart = self.apart >> at & (self.apart & self.apart_into) >> to & 1 if to >= 0 else 1
        if apart or self.shut >> to & 1:
            return CLOSED
        cost = self.ground.country[at][direction]
        if self.roads and not (self.slow >> to | self.slow_from >> at) & 1:
            road = self.ground.road[at][direction]
            if road >= 0 and (cost < 0 or road < cost):
                cost = road
        if cost < 0:
            return CLOSED
        within, more = self.between
        cost += more if within >> at & (within & self.between_into) >> to & 1 else 0
        return cost + self.leaving.get(at, 0) + self.entering.get(to, 0)

    def beside(self, at: int, to: int) -> int:
        """Return the cost of the step to an adjacent hex, CLOSED if it is not adjacent or the step is
        impossible.
        """
        around = self.ground.adjacent[at]
        return self.step(at, around.index(to)) if to in around else CLOSED

    def around(self, at: int, to: int) -> int:
        """Return the minimum cost of a detour to the adjacent hex: two steps, leaving and entering."""
        return 2 * self.ground.least + self.leaving.get(at, 0) + self.entering.get(to, 0)

    def cost(self, path: Sequence[int]) -> int:
        """Return the cost of a path, step by step, ignoring stops and budget; CLOSED if a step
        is impossible.
        """
        total = self.spent
        for at, to in pairwise(path):
            step = self.beside(at, to)
            if step < 0:
                return CLOSED
            total += step
        return total


@frozen
class Reach:
    """The hexes within reach by index: the cost of the cheapest path, and the previous hex on it."""

    costs: Mapping[int, int]
    before: Mapping[int, int]

    def path(self, end: int) -> tuple[int, ...]:
        """Return the cheapest path to a hex within reach."""
        path = [end]
        while path[-1] in self.before:
            path.append(self.before[path[-1]])
        return tuple(reversed(path))


def reach(march: March, goal: int = -1) -> Reach:
    """Search the cheapest paths, among equal ones those with the fewest steps; up to a goal, if
    one is given.
    """
    costs: dict[int, int] = {}
    before: dict[int, int] = {}
    # cost and number of steps are one number, so that the shorter of two equally expensive paths comes first
    waiting = [(march.spent << STEPS, march.start, -1)]
    exits, leaving, most = march.ground.exits, march.leaving, (march.budget + 1) << STEPS
    best = [most] * len(exits)
    best[march.start] = march.spent << STEPS
    apart, entering = march.apart, march.entering
    into = march.apart & march.apart_into
    within, extra = march.between[0], march.between[1] << STEPS
    within_into = within & march.between_into
    roads, slow, slow_from, stops, shut = march.roads, march.slow, march.slow_from, march.stops, march.shut
    while waiting:
        key, at, came = heappop(waiting)
        if at in costs:
            continue
        costs[at] = key >> STEPS
        if came >= 0:
            before[at] = came
            if stops >> at & 1:
                continue
        if at == goal:
            break
        fast = roads and not slow_from >> at & 1
        key += 1 + (leaving.get(at, 0) << STEPS)
        closed = shut | into if apart >> at & 1 else shut
        for to, country, road in exits[at]:
            if key + road >= best[to] or closed >> to & 1:
                continue
            more = key + (road if fast and not slow >> to & 1 else country)
            if to in entering:
                more += entering[to] << STEPS
            if within and within >> at & within_into >> to & 1:
                more += extra
            if more < best[to]:
                best[to] = more
                heappush(waiting, (more, to, at))
    return Reach(costs, before)


def cheapest(march: March, start: int, goal: int, spent: int, budget: int) -> int | None:
    """Return the cost of the cheapest path between two hexes plus what was ``spent``; None beyond the budget.

    The cheapest path without obstacles is calculated once, and used whenever it costs the same for the piece;
    that among certain obstacles is calculated once, too, because a log is read in several ways.
    """
    if start != goal and march.shut >> goal & 1:
        return None
    free = march.ground.path(start, goal, march.roads, budget - spent)
    if free is None:
        return None
    cost, path = free
    least = spent + cost
    if start != goal:
        least += march.leaving.get(start, 0) + march.entering.get(goal, 0)
    if least > budget:
        return None
    if least == spent - march.spent + march.cost(path) and not any(
        march.stops >> at & 1 for at in path[1:-1]
    ):
        return least
    search = evolve(march, start=start, spent=spent, budget=budget), goal
    if search not in march.ground.costs:
        march.ground.costs[search] = reach(*search).costs.get(goal)
    return march.ground.costs[search]
