"""Supply: how far it extends from its sources along a road net, and beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from attrs import field, frozen

from referee.engine.zones import indices


class Supply(Enum):
    """The supply of a hex: reached, cut off by the enemy, or too far even without the enemy."""

    supplied = "in supply"
    cut = "cut off from supply"
    far = "too far from the road"


@frozen(eq=False)
class Net:
    """The net of supply lines: neighbours by road and off road as bits by hex, and the maximum distance off
    road.

    ``step_costs`` are the neighbours off road by the cost of the step, for a limited budget.
    """

    road: Sequence[int]
    off_road: Sequence[int]
    distance: int
    step_costs: Mapping[int, Sequence[int]] = field(factory=dict)

    def reached(self, sources: int, blocked: int, budget: int | None = None) -> int:
        """Return the hexes that supply reaches from its sources around blocked ones; all are sets of bits.

        With a ``budget`` the part of the line beside the road must not cost more.
        """
        roads = self.along(sources & ~blocked, blocked)
        return self.beside(roads, blocked) if budget is None else self.beside_for(roads, blocked, budget)

    def along(self, sources: int, blocked: int) -> int:
        """Return the hexes along the roads from the sources."""
        return spread(self.road, sources, blocked)

    def beside(self, roads: int, blocked: int) -> int:
        """Return those hexes and all within the distance of them."""
        return spread(self.off_road, roads, blocked, self.distance)

    def beside_for(self, roads: int, blocked: int, budget: int) -> int:
        """Return those hexes and all within the distance to which a path within the budget leads."""
        reached, spent = roads, {0: roads}
        for _ in range(self.distance):
            further: dict[int, int] = {}
            for paid, edge in spent.items():
                for cost, links in self.step_costs.items():
                    if paid + cost <= budget:
                        found = _next_to(links, edge) & ~blocked
                        further[paid + cost] = further.get(paid + cost, 0) | found
                        reached |= found
            spent = further
        return reached

    def state(self, at: int, sources: int, blocked: int) -> Supply:
        """Return the supply state of a hex."""
        if self.reached(sources, blocked) >> at & 1:
            return Supply.supplied
        return Supply.cut if self.reached(sources, 0) >> at & 1 else Supply.far


def spread(links: Sequence[int], start: int, blocked: int, steps: int = -1) -> int:
    """Return what a line reaches from some hexes, by links, around blocked ones: of any or a limited length.

    ``links`` are neighbours as bits by hex; the start is reached, blocked or not.
    """
    reached = edge = start
    while edge and steps:
        edge = _next_to(links, edge) & ~reached & ~blocked
        reached |= edge
        steps -= 1
    return reached


def _next_to(links: Sequence[int], hexes: int) -> int:
    found = 0
    for at in indices(hexes):
        found |= links[at]
    return found
