from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given

from tests.game.strategies import grids, hexes
from vassalgen.game.hexes import Grid, Numbering

LETTERED = Grid("flat", "even", (1, 6), (1, 9), "rC")
NUMBERED = Grid("pointy", "odd", (1, 32), (1, 20), "CCRR")
FAR_OUT = Grid("flat", "odd", (72, 89), (4, 24), "CCRR")


@pytest.mark.parametrize(
    ("pattern", "column", "row", "name"),
    [
        ("CCRR", 7, 12, "0712"),
        ("RRCC", 7, 12, "1207"),
        ("rC", 4, 2, "B4"),
        ("cR", 17, 10, "Q10"),
        ("cR", 28, 1, "BB1"),
        ("CC.RR", 7, 12, "07.12"),
        ("CRR", 11, 3, "1103"),
    ],
)
def test_hexes_are_named_by_a_pattern(pattern: str, column: int, row: int, name: str) -> None:
    assert Numbering(pattern).name(column, row) == name


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("CC", "names the row 0 times"),
        ("CCRRr", "names the row 2 times"),
        ("xyz", "names the column 0 times"),
    ],
)
def test_a_pattern_must_name_column_and_row_once(pattern: str, problem: str) -> None:
    assert problem in Numbering(pattern).problem()
    assert not Numbering("CCRR").problem()


def test_neighbours_go_clockwise_from_the_north() -> None:
    assert LETTERED.neighbours("B4") == ("A4", "B5", "C5", "C4", "C3", "B3")
    assert NUMBERED.neighbours("0505") == ("0604", "0605", "0606", "0506", "0405", "0504")
    assert FAR_OUT.neighbours("8519") == ("8518", "8619", "8620", "8520", "8420", "8419")


def test_neighbours_off_the_map_are_left_out() -> None:
    assert LETTERED.neighbours("A1") == ("A2", "B1")
    assert LETTERED.neighbour("A1", "N") is None
    assert LETTERED.neighbour("A1", "S") == "B1"


def test_a_missing_hex_is_nobodys_neighbour() -> None:
    grid = Grid("flat", "even", (1, 6), (1, 9), "rC", frozenset({"A2"}))
    assert grid.neighbours("A1") == ("B1",)
    assert "A2" not in grid
    assert len(grid.names) == 53


def test_a_hexside_has_one_name() -> None:
    assert LETTERED.side("B2", "B1") == LETTERED.side("B1", "B2") == ("B1", "B2")
    with pytest.raises(ValueError, match="B1 and B3 are not neighbours"):
        LETTERED.side("B1", "B3")


def test_hexes_know_their_edges() -> None:
    assert LETTERED.edges("A1") == {"north", "west"}
    assert LETTERED.edges("I6") == {"south", "east"}
    assert not LETTERED.edges("E4")


def test_all_within_a_distance_are_found() -> None:
    assert set(LETTERED.within("E4", 1)) == {"E4", *LETTERED.neighbours("E4")}
    assert len(LETTERED.within("E4", 2)) == 19


@given(grids())
def test_names_and_indices_agree(grid: Grid) -> None:
    assert len(set(grid.names)) == len(grid.names) == len(grid.places)
    assert all(grid.index[name] == index for index, name in enumerate(grid.names))


@given(grids())
def test_neighbours_are_mutual_and_opposite(grid: Grid) -> None:
    for name in grid.names:
        assert len(set(grid.neighbours(name))) == len(grid.neighbours(name)) <= 6
        for direction in grid.directions:
            other = grid.neighbour(name, direction)
            if other is not None:
                back = grid.directions[(grid.directions.index(direction) + 3) % 6]
                assert grid.neighbour(other, back) == name
                assert grid.direction(name, other) == direction
                assert grid.are_neighbours(name, other)


@given(hexes(count=3))
def test_distance_is_a_distance(drawn: tuple[Grid, str, str, str]) -> None:
    grid, first, second, third = drawn
    assert grid.distance(first, second) == grid.distance(second, first)
    assert (grid.distance(first, second) == 0) == (first == second)
    assert (grid.distance(first, second) == 1) == grid.are_neighbours(first, second)
    assert grid.distance(first, third) <= grid.distance(first, second) + grid.distance(second, third)


@given(grids())
def test_distance_counts_steps_where_there_are_no_holes(grid: Grid) -> None:
    if grid.missing:
        return
    start = grid.names[0]
    steps, waiting = {start: 0}, deque([start])
    while waiting:
        name = waiting.popleft()
        for other in grid.neighbours(name):
            if other not in steps:
                steps[other] = steps[name] + 1
                waiting.append(other)
    assert steps == {name: grid.distance(start, name) for name in grid.names}
