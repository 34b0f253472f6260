"""The search for paths on a small field of hexes in a row and a detour."""

from __future__ import annotations

from referee.engine.movement import CLOSED, Ground, March, cheapest, reach
from referee.engine.supply import spread
from referee.engine.zones import bits

NEAR = {0: (1,), 1: (0, 2, 5), 2: (1, 3, 5), 3: (2, 4, 5), 4: (3,), 5: (1, 2, 3)}
"""Hexes 0 to 4 in a row, and 5 beside 1, 2 and 3."""
WIDTH = 3


def ground(cost: int = 1) -> Ground:
    adjacent = [[*NEAR[at], *[-1] * (WIDTH - len(NEAR[at]))] for at in NEAR]
    costs = [[cost if to >= 0 else CLOSED for to in around] for around in adjacent]
    return Ground(adjacent, [(0, 0, 0)] * len(NEAR), costs, [[CLOSED] * WIDTH for _ in NEAR])


def test_no_step_leads_from_one_hex_of_a_zone_to_another() -> None:
    march = March(ground(), 1, 9, apart=bits((1, 2)))
    found = reach(march)
    assert found.path(2) == (1, 5, 2)
    assert march.cost((1, 2)) == CLOSED
    assert march.cost((1, 5, 2)) == 2


def test_a_zone_is_left_and_entered_freely() -> None:
    assert reach(March(ground(), 0, 9, apart=bits((2,)))).costs[4] == 4


def test_more_is_paid_to_enter_some_hexes() -> None:
    march = March(ground(), 0, 9, entering={2: 3})
    assert march.cost((0, 1, 2)) == 5
    found = reach(march)
    assert (found.costs[2], found.costs[3], found.path(3)) == (5, 3, (0, 1, 5, 3))


def test_the_cheapest_path_to_one_hex_costs_what_it_costs_among_all() -> None:
    for march in (
        March(ground(2), 0, 9, spent=1, apart=bits((1, 2))),
        March(ground(2), 0, 9, spent=1, stops=bits((2,)), entering={5: 1}),
        March(ground(2), 0, 7, spent=1, shut=bits((5,)), leaving={1: 1}, between=(bits((2, 3)), 1)),
    ):
        costs = reach(march).costs
        assert all(cheapest(march, 0, goal, 1, march.budget) == costs.get(goal) for goal in NEAR)


def test_a_line_spreads_around_what_is_blocked() -> None:
    links = [bits(NEAR[at]) for at in NEAR]
    assert spread(links, bits((0,)), bits((2,))) == bits((0, 1, 3, 4, 5))
    assert spread(links, bits((0,)), bits((1,))) == bits((0,))
    assert spread(links, bits((0,)), 0, 2) == bits((0, 1, 2, 5))
