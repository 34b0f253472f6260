"""The fast searches agree with slow literal ones on random positions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.engine.actions import Action
from referee.engine.position import World
from referee.engine.supply import Supply
from referee.games.postcard1943.facts import names, supply, the_field, threatened
from referee.games.postcard1943.trip import Trip
from tests.games.postcard1943.positions import Literal, random_position, the_world

SEEDS = range(150)


@pytest.fixture(scope="module")
def world() -> World:
    return the_world()


def test_threatened_hexes_are_those_that_some_enemy_threatens(world: World) -> None:
    for seed in SEEDS:
        position = random_position(world, seed)
        slow = Literal(position)
        for side in ("allied", "axis"):
            expected = {name for name in world.game.map.grid.names if slow.threatened(side, name)}
            assert set(names(position, threatened(position, side))) == expected, seed


def test_supply_reaches_whom_a_literal_search_reaches(world: World) -> None:
    for seed in SEEDS:
        position = random_position(world, seed)
        slow = Literal(position)
        for unit in slow.units()[::4]:
            assert (supply(position, unit) is Supply.supplied) == slow.in_supply(unit), (seed, unit)


def test_a_unit_reaches_what_trying_every_way_reaches_at_the_same_cost(world: World) -> None:
    for seed in SEEDS:
        position = random_position(world, seed)
        slow = Literal(position)
        for unit in slow.units(position.side)[:2]:
            where = position.pieces[unit].where
            trip = Trip.of(position, Action("move", (unit,), (where, where), dragged=True))
            grid, scale = position.game.map.grid, the_field(position).scale
            found = {grid.names[at]: Fraction(cost, scale) for at, cost in trip.reach().costs.items()}
            assert found == slow.reach(unit), (seed, unit)


def test_every_way_found_costs_what_is_said(world: World) -> None:
    for seed in SEEDS[:100]:
        position = random_position(world, seed)
        for unit in Literal(position).units(position.side)[:2]:
            where = position.pieces[unit].where
            trip = Trip.of(position, Action("move", (unit,), (where, where), dragged=True))
            found = trip.reach()
            assert all(trip.march().cost(found.way(end)) == cost for end, cost in found.costs.items())


def test_a_listed_move_is_legal_as_a_drag_too(world: World) -> None:
    for seed in SEEDS[:25]:
        position = random_position(world, seed)
        for unit in Literal(position).units(position.side)[:3]:
            for played in position.options(unit):
                path = played.ruling.action.path
                drag = Action("move", (unit,), (path[0], path[-1]), dragged=True)
                assert not position.judge(drag).breaches


def test_what_is_not_listed_is_no_legal_move(world: World) -> None:
    for seed in SEEDS[:25]:
        position = random_position(world, seed)
        for unit in Literal(position).units(position.side)[:3]:
            listed = {played.ruling.action.path[-1] for played in position.options(unit)}
            where = position.pieces[unit].where
            for name in set(position.game.map.grid.names) - listed - {where}:
                drag = Action("move", (unit,), (where, name), dragged=True)
                assert position.judge(drag).breaches, (seed, unit, name)
