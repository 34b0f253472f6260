"""Moves by keyboard: each key leads to the neighbour in its direction, and never off the map."""

from __future__ import annotations

import pytest

from vassalgen.drawing.boards import Board
from vassalgen.game.game import Game
from vassalgen.parts.keypad import edge_properties, keypad_moves, pad_key
from vassalgen.vassal.compounds import SetTo
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty
from vassalgen.vassal.traits.trigger_action import TriggerAction


@pytest.fixture
def steps(game: Game) -> dict[str, tuple[int, int]]:
    """How far each direction goes: to the right and up, in pixels."""
    found: dict[str, list[int]] = {}
    for part in keypad_moves(game):
        if isinstance(part, SetGlobalProperty):
            for one in part.commands:
                assert one.key is not None and isinstance(one.change, SetTo)
                found.setdefault(one.key.name.removeprefix("walk"), []).append(int(one.change.value))
    return {direction: (right, up) for direction, (right, up) in found.items()}


@pytest.fixture
def commands(game: Game) -> dict[Key, TriggerAction]:
    return {part.key: part for part in keypad_moves(game) if isinstance(part, TriggerAction) and part.key}


def test_every_key_leads_to_the_neighbour_that_lies_its_way(
    game: Game, steps: dict[str, tuple[int, int]], commands: dict[Key, TriggerAction]
) -> None:
    layout = Board(game).layout
    grid = layout.grid
    for direction in grid.directions:
        assert [one.name for one in commands[pad_key(direction)].action_keys] == [f"walk{direction}", "walk"]
        right, up = steps[direction]
        for name in grid.names:
            x, y = layout.centre(name)
            assert layout.hex_at(x + right, y - up) == grid.neighbour(name, direction)


def test_at_the_edge_of_the_map_the_key_does_nothing(game: Game) -> None:
    grid = game.map.grid
    for direction, edge in zip(grid.directions, edge_properties(game), strict=False):
        last = {name for name in grid.names if f"|{name}|" in edge.initial_value}
        assert last == {name for name in grid.names if grid.neighbour(name, direction) is None}


def test_each_way_ends_at_the_edge_that_lies_there(game: Game, commands: dict[Key, TriggerAction]) -> None:
    for direction, edge in zip(game.map.grid.directions, edge_properties(game), strict=False):
        assert f"!{edge.name}." in commands[pad_key(direction)].match
