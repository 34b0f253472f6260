"""What the searches find agrees with what is judged; with the clauses it is compared in tests/oracles."""

from __future__ import annotations

import pytest

from referee.engine.actions import Action
from referee.engine.position import Position, World
from referee.games.postcard1943.move import Move
from tests.games.postcard1943.positions import random_position, the_world
from tools.oracles.games.postcard1943.board import Board


@pytest.fixture(scope="module")
def world() -> World:
    return the_world()


def _units(position: Position) -> list[str]:
    return [piece.id for piece in Board.of(position).mine(position.side)]


def test_every_path_found_costs_what_is_said(world: World) -> None:
    for seed in range(100):
        position = random_position(world, seed)
        for unit in _units(position)[:2]:
            where = position.pieces[unit].where
            move = Move.of(position, Action("move", (unit,), (where, where), dragged=True))
            found = move.reach()
            assert all(move.march().cost(found.path(end)) == cost for end, cost in found.costs.items())


def test_a_listed_move_is_legal_as_a_drag_too(world: World) -> None:
    for seed in range(25):
        position = random_position(world, seed)
        for unit in _units(position)[:3]:
            for played in position.options(unit):
                path = played.ruling.action.path
                drag = Action("move", (unit,), (path[0], path[-1]), dragged=True)
                assert not position.judge(drag).breaches


def test_what_is_not_listed_is_no_legal_move(world: World) -> None:
    for seed in range(25):
        position = random_position(world, seed)
        for unit in _units(position)[:3]:
            listed = {played.ruling.action.path[-1] for played in position.options(unit)}
            where = position.pieces[unit].where
            for name in set(position.game.map.grid.names) - listed - {where}:
                drag = Action("move", (unit,), (where, name), dragged=True)
                assert position.judge(drag).breaches, (seed, unit, name)
