"""Grids name pixels, find names and snap pieces as VASSAL does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vassalgen.problems import Problem
from vassalgen.vassal import components
from vassalgen.vassal.components import (
    Board,
    HexGrid,
    HexGridNumbering,
    ObliqueHexGridNumbering,
    Region,
    RegionGrid,
    SquareGrid,
    SquareGridNumbering,
    Zone,
    ZonedGrid,
)
from vassalgen.vassal.grids import (
    Grid,
    Hexes,
    Point,
    grid_of,
)
from vassalgen.vassal.grids.numbering import number, parse_number
from vassalgen.vassal.grids.rounding import nearest


def grid_on(grid: components.Grid, width: int = 800, height: int = 600) -> Grid:
    found = grid_of(Board(name="Board", width=width, height=height, children=(grid,)))
    assert found is not None
    return found


def hexes(*, stagger: bool = True, **more: Any) -> HexGrid:
    """Hexes 60 pixels apart across and 69.28 down, the first one at 30, 35."""
    numbering = HexGridNumbering(stagger=stagger, **more)
    return HexGrid(x0=30, y0=35, dx=60.0, dy=69.28, children=(numbering,))


SIDEWAYS = HexGrid(
    x0=35,
    y0=30,
    dx=60.0,
    dy=69.28,
    sideways=True,
    children=(HexGridNumbering(first="V", v_type="A", h_leading=0, v_leading=0),),
)


@pytest.mark.parametrize(
    ("grid", "point", "name", "pixel", "snapped"),
    [
        (hexes(stagger=False), (30, 35), "0101", (30, 35), None),
        (hexes(stagger=False), (90, 70), "0201", (90, 69), None),
        (hexes(stagger=False), (152, 300), "0305", (150, 312), None),
        (hexes(stagger=False), (400, 193), "0703", (390, 173), None),
        (hexes(stagger=False), (330, 270), "0604", (330, 277), (330, 276)),
        (hexes(), (90, 70), "0202", (90, 69), None),
        (hexes(), (92, 360), "0206", (90, 346), None),
        (SIDEWAYS, (35, 30), "B1", (30, 35), None),
        (SIDEWAYS, (70, 90), "C2", (64, 95), None),
        (hexes(v_descend=True), (30, 35), "0111", (30, 35), None),
        (hexes(v_descend=True), (90, 70), "0210", (90, 69), None),
    ],
)
def test_the_worked_examples_of_hexes(
    grid: HexGrid, point: Point, name: str, pixel: Point, snapped: Point | None
) -> None:
    found = grid_on(grid)
    assert found.location_name(*point) == name
    assert found.pixel(name) == pixel
    assert found.snap(*pixel) == (snapped or pixel)


CELLS = st.tuples(st.integers(0, 40), st.integers(0, 40))
STEPS = st.floats(4, 150)
NUMBERINGS = {
    "first": st.sampled_from("HV"),
    "sep": st.just("."),  # without one, VASSAL cannot always tell the two numbers apart
    "h_type": st.sampled_from("NA"),
    "v_type": st.sampled_from("NA"),
    "h_leading": st.integers(0, 3),
    "v_leading": st.integers(0, 3),
    "h_off": st.integers(-50, 50),
    "v_off": st.integers(-50, 50),
    "h_descend": st.booleans(),
    "v_descend": st.booleans(),
    "location_format": st.sampled_from(["$gridLocation$", "<$column$|$row$>", "Hex $gridLocation$"]),
}
HEXES = st.builds(
    HexGrid,
    x0=st.integers(-50, 50),
    y0=st.integers(-50, 50),
    dx=STEPS,
    dy=STEPS,
    sideways=st.booleans(),
    children=st.builds(HexGridNumbering, **NUMBERINGS, stagger=st.booleans()).map(lambda one: (one,)),
)
SQUARES = st.builds(
    SquareGrid,
    x0=st.integers(-50, 50),
    y0=st.integers(-50, 50),
    dx=STEPS,
    dy=STEPS,
    children=st.builds(SquareGridNumbering, **NUMBERINGS).map(lambda one: (one,)),
)


@given(HEXES, CELLS)
def test_a_hex_is_found_by_the_name_of_its_middle(grid: HexGrid, cell: tuple[int, int]) -> None:
    numbering = grid.children_of(HexGridNumbering)[0]
    backwards = numbering.v_descend if grid.sideways else numbering.h_descend
    assume(not (numbering.stagger and backwards))  # VASSAL then mistakes odd columns for even ones
    found = grid_on(grid)
    assert isinstance(found, Hexes)
    middle = found.middle(*cell)
    assert found.snap(*middle) == middle
    name = found.location_name(*middle)
    assert name is not None
    pixel = found.pixel(name)
    assert pixel is not None
    assert found.location_name(*pixel) == name
    assert found.snap(*pixel) == middle


@given(SQUARES, CELLS)
def test_a_square_is_found_by_the_name_of_its_middle(grid: SquareGrid, cell: tuple[int, int]) -> None:
    found = grid_on(grid)
    middle = (grid.x0 + nearest(cell[0] * grid.dx), grid.y0 + nearest(cell[1] * grid.dy))
    name = found.location_name(*middle)
    assert name is not None
    pixel = found.pixel(name)
    assert pixel is not None
    assert found.location_name(*pixel) == name
    assert found.snap(*pixel) == middle


@given(HEXES, st.integers(-400, 1200), st.integers(-400, 1200))
def test_a_snapped_piece_stays_where_it_is(grid: HexGrid, x: int, y: int) -> None:
    found = grid_on(grid)
    assert found.snap(*found.snap(x, y)) == found.snap(x, y)


@given(st.integers(-2000, 2000), st.sampled_from("NA"), st.integers(0, 4))
def test_a_number_is_read_back(value: int, kind: str, leading: int) -> None:
    assert parse_number(number(value, kind, leading), kind) == value


@pytest.mark.parametrize(
    ("value", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "BB"), (52, "AAA"), (-1, "-B")]
)
def test_letters_are_repeated(value: int, name: str) -> None:
    assert number(value, "A", 1) == name


def test_a_number_too_large_for_vassal_is_no_place() -> None:
    assert parse_number("99999999999", "N") is None
    assert parse_number("0" * 50 + "7", "N") == 7
    assert parse_number("-", "N") is None
    assert grid_on(hexes(sep=".")).pixel("99999999999.01") is None


def test_slanted_rows_go_down_or_up_with_the_columns() -> None:
    def names(stagger: bool) -> list[str | None]:
        numbering = ObliqueHexGridNumbering(stagger=stagger, sep=".", h_leading=0, v_leading=0)
        grid = grid_on(HexGrid(x0=30, y0=35, dx=60.0, dy=70.0, children=(numbering,)))
        assert isinstance(grid, Hexes)
        return [grid.location_name(*grid.middle(column, 3)) for column in range(5)]

    # row + column / 2, one more in the odd columns of a staggered grid; or row - column / 2 + 1
    assert names(stagger=True) == ["1.4", "2.5", "3.5", "4.6", "5.6"]
    assert names(stagger=False) == ["1.5", "2.5", "3.4", "4.4", "5.3"]


def test_a_width_of_just_the_default_follows_the_height() -> None:
    found = grid_on(HexGrid(dy=100.0))
    assert isinstance(found, Hexes)
    assert found.dx == pytest.approx(86.6, abs=0.1)


def test_distances_in_hexes() -> None:
    grid = grid_on(hexes(stagger=False))
    places = {name: grid.pixel(name) for name in ("0101", "0102", "0201", "0301", "0305", "0703")}

    def distance(start: str, end: str) -> int:
        a, b = places[start], places[end]
        assert a is not None
        assert b is not None
        return grid.distance(*a, *b)

    assert distance("0101", "0101") == 0
    assert distance("0101", "0102") == 1
    assert distance("0101", "0201") == 1
    assert distance("0102", "0201") == 1
    assert distance("0101", "0301") == 2
    assert distance("0305", "0703") == 4
    assert distance("0703", "0305") == 4


def test_distances_in_squares_are_counted_as_the_grid_says() -> None:
    assert grid_on(SquareGrid()).distance(24, 24, 24 + 3 * 48, 24 + 48) == 3
    assert grid_on(SquareGrid(range="Manhattan")).distance(24, 24, 24 + 3 * 48, 24 + 48) == 4


def test_a_grid_that_does_not_snap_snaps_when_forced() -> None:
    grid = grid_on(HexGrid(x0=30, y0=35, dx=60.0, dy=70.0, snap_to=False))
    assert grid.snap(33, 40) == (33, 40)
    assert grid.snap(33, 40, force=True) == (30, 35)


def test_edges_and_corners_are_left_out_on_demand() -> None:
    grid = grid_on(HexGrid(x0=30, y0=35, dx=60.0, dy=70.0, edges_legal=True, corners_legal=True))
    assert grid.snap(30, 65) == (30, 70)
    assert grid.snap(30, 65, only_centres=True) == (30, 35)


REGIONS = RegionGrid(
    children=(
        Region(name="North", x=50, y=50),
        Region(name="South", x=50, y=150),
        Region(name="East", x=90, y=150),
    )
)


def test_a_region_has_the_pixels_nearest_to_it() -> None:
    grid = grid_on(REGIONS)
    assert grid.location_name(40, 90) == "North"
    assert grid.snap(400, 160) == (90, 150)
    assert grid.pixel("South") == (50, 150)
    assert grid.pixel("West") is None
    assert grid.distance(0, 0, 3, 4) == 5


def test_a_grid_without_regions_has_no_names() -> None:
    grid = grid_on(RegionGrid())
    assert grid.location_name(40, 90) is None
    assert grid.snap(40, 90) == (40, 90)


def zone(
    name: str, left: int, top: int, right: int, bottom: int, *grid: components.Grid, **more: Any
) -> Zone:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Zone(name=name, path=corners, children=grid, **more)


def test_the_first_zone_of_the_file_has_the_pixel() -> None:
    grid = grid_on(ZonedGrid(children=(zone("Small", 0, 0, 50, 50), zone("Large", 0, 0, 100, 100), hexes())))
    assert grid.location_name(10, 10) == "Small"
    assert grid.location_name(60, 60) == "Large"
    assert grid.location_name(100, 100) == "0202"
    assert grid.pixel("Large") == (50, 50)
    assert grid.pixel("0305") == (150, 312)


def test_a_zone_names_places_by_its_own_grid_or_by_the_one_around_it() -> None:
    named = {"location_format": "$name$ $gridLocation$"}
    zones = ZonedGrid(
        children=(
            zone("Track", 0, 100, 200, 200, REGIONS, **named),
            zone("Hill", 200, 0, 400, 400, use_parent_grid=True, **named),
            zone("Box", 0, 200, 100, 300, **named),
            hexes(stagger=False),
        )
    )
    grid = grid_on(zones)
    assert grid.location_name(60, 140) == "Track South"
    assert grid.pixel("Track South") == (50, 150)
    assert grid.pixel("Track North") is None  # it lies outside the zone
    assert grid.location_name(270, 35) == "Hill 0501"
    assert grid.pixel("Hill 0501") == (270, 35)
    assert grid.pixel("Hill 0101") is None
    assert grid.location_name(10, 210) == "Box "
    assert grid.snap(10, 210) == (10, 210)
    assert grid.snap(60, 160) == (50, 150)


def test_a_bent_zone_is_found_by_its_first_corner() -> None:
    corners = ((0, 0), (100, 0), (100, 10), (10, 10), (10, 100), (0, 100))
    grid = grid_on(ZonedGrid(children=(Zone(name="Bend", path=corners),)))
    assert grid.pixel("Bend") == (0, 0)


@pytest.mark.parametrize(
    ("grid", "wrong"),
    [
        (HexGrid(dx=0.0), "cells of 0.0"),
        (SquareGrid(dy=float("nan")), "cells of 48.0 × nan"),
        (HexGrid(dy=1e300), "cells of 55"),
        (hexes(h_leading=2**31 - 1), "leading zeros"),
        (hexes(v_off=-(2**31)), "numbers beyond"),
        (hexes(first=""), "VASSAL drops such a numbering"),
    ],
)
def test_what_cannot_be_followed_is_reported_and_left_out(grid: components.Grid, wrong: str) -> None:
    problems: list[Problem] = []
    found = grid_of(Board(name="Ridge", children=(grid,)), problems=problems)
    assert found is None or found.location_name(30, 35) is None
    assert wrong in str(problems[0])


def test_an_expression_as_format_is_reported_and_read_as_the_usual_one() -> None:
    problems: list[Problem] = []
    track = zone("Track", 0, 0, 50, 50, location_format='{name + "!"}')
    grid = ZonedGrid(children=(track, hexes(location_format='{ gridLocation + "?" }')))
    found = grid_of(Board(name="Ridge", children=(grid,)), problems=problems)
    assert found is not None
    assert (found.location_name(10, 10), found.location_name(90, 100)) == ("Track", "0202")
    assert len(problems) == 2
    assert all("not evaluated" in problem.wrong for problem in problems)
