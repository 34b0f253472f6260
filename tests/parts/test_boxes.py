"""The boxes: every place has room, and a counter dropped in a cell belongs there."""

from __future__ import annotations

import itertools

import attrs

from vassalgen.game.game import Game
from vassalgen.game.maps import Box
from vassalgen.parts.boxes import BoxesBoard, all_boxes, fan, loss_box, waiting_place
from vassalgen.vassal.components import Board
from vassalgen.vassal.grids import grid_of


def test_no_two_cells_overlap_and_all_lie_on_the_board(game: Game) -> None:
    board = BoxesBoard(game)
    wide, high = board.size
    for one, other in itertools.combinations(board.cells.values(), 2):
        apart = (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.y + one.height <= other.y
            or other.y + other.height <= one.y
        )
        assert apart, (one, other)
    for cell in board.cells.values():
        assert 0 <= cell.x < cell.x + cell.width < wide
        assert 0 <= cell.y < cell.y + cell.height < high


def test_a_counter_dropped_anywhere_in_a_cell_is_in_its_place(game: Game) -> None:
    board = BoxesBoard(game)
    wide, high = board.size
    grid = grid_of(Board(width=wide, height=high, children=(board.grid(),)))
    assert grid is not None
    for name, cell in board.cells.items():
        for x, y in ((cell.x + 3, cell.y + 3), (cell.x + cell.width - 3, cell.y + cell.height - 3)):
            assert grid.location_name(x, y) == name
            assert grid.snap(x, y) == board.middle(name)


def test_every_turn_has_its_cell_and_its_marker(game: Game) -> None:
    board = BoxesBoard(game)
    for turn, (x, y) in board.markers.items():
        cell = board.cells[f"Turn track T{turn}"]
        assert cell.x < x < cell.x + cell.width
        assert cell.y < y < cell.y + cell.height


def test_a_side_without_a_box_for_losses_gets_one(small: Game) -> None:
    without = attrs.evolve(small, map=attrs.evolve(small.map, boxes={"pool": Box("pool", "Pool")}))
    assert {box.id for box in all_boxes(without)} == {"pool", "blue-lost", "red-lost"}
    assert loss_box(without, "blue").title == "Blue losses"


def test_a_side_with_a_box_of_losses_of_its_own_gets_no_other(small: Game) -> None:
    own = Box("red-gone", "Gone", "red", losses=True)
    game = attrs.evolve(small, map=attrs.evolve(small.map, boxes={"red-gone": own}))
    assert loss_box(game, "red") == own


def test_what_waits_in_a_box_has_room_with_its_values_showing(game: Game) -> None:
    board = BoxesBoard(game)
    half = game.art.board.counter // 2
    for scenario in game.scenarios.values():
        for arrival in scenario.arrivals:
            place = waiting_place(game, arrival)
            count = sum(len(one.counters) for one in scenario.arrivals if waiting_place(game, one) == place)
            top = board.middle(place)[1] - half - fan(game) * (count - 1)
            assert top >= board.cells[place].y


def test_boxes_are_not_much_larger_than_what_they_hold(game: Game) -> None:
    board = BoxesBoard(game)
    most = max(len(scenario.counters) for scenario in game.scenarios.values())
    for cell in board.cells.values():
        assert cell.height <= game.art.board.counter + fan(game) * most + 100


def test_the_cells_of_a_plate_are_of_one_width(game: Game) -> None:
    for plate in BoxesBoard(game).plates:
        assert len({cell.width for cell in plate.cells}) == 1
        for cell in plate.cells:
            assert plate.x < cell.x
            assert cell.x + cell.width < plate.x + plate.width
