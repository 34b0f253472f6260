"""Places and pixels are what VASSAL says they are."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vassalgen.problems import Problem
from vassalgen.vassal import buildfile, components
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.commands import PlacedBoard, SetBoards
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    DrawPile,
    Element,
    GameModule,
    HexGrid,
    HexGridNumbering,
    Map,
    MapSubFolder,
    ObliqueHexGridNumbering,
    PrivateMap,
    Region,
    RegionGrid,
    Setup,
    SetupStack,
    SquareGrid,
    SquareGridNumbering,
    Zone,
    ZonedGrid,
)
from vassalgen.vassal.components.attribute import attributes_of
from vassalgen.vassal.grids import (
    OFFBOARD,
    Grid,
    Hexes,
    MapPlan,
    Point,
    default_boards,
    grid_of,
    plan_of,
    plans_of,
)
from vassalgen.vassal.grids.numbering import number, parse_number
from vassalgen.vassal.grids.rounding import nearest
from vassalgen.vassal.images import image_size

DATA = Path(__file__).parent / "data"


def grid_on(grid: components.Grid, width: int = 800, height: int = 600) -> Grid:
    found = grid_of(Board(name="Board", width=width, height=height, children=(grid,)))
    assert found is not None
    return found


def plan_with(*boards: Board, edges: tuple[int, int] = (0, 0), side_by_side: bool = True) -> MapPlan:
    placed = [
        PlacedBoard(board.name, index if side_by_side else 0, 0 if side_by_side else index)
        for index, board in enumerate(boards)
    ]
    picker = BoardPicker(children=boards)
    return plan_of(
        Map(name="Main Map", edge_width=edges[0], edge_height=edges[1], children=(picker,)), placed
    )


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


def golden() -> Iterator[dict[str, Any]]:
    """Random maps with what VASSAL 3.7.26 says about some of their pixels and names."""
    yield from json.loads((DATA / "grids.json").read_text(encoding="utf-8"))


def test_everything_is_as_vassal_says_on_random_maps() -> None:
    compared = 0
    for case in golden():
        boards, placed = [], []
        for column, row, is_reversed, xml in case["boards"]:
            data = xml.replace("~", "VASSAL.build.module.map.boardPicker.").encode()
            board = Board.from_element(buildfile.read(data))
            boards.append(board)
            placed.append(PlacedBoard(board.name, column, row, is_reversed))
        width, height = case["edges"]
        chart = Map(edge_width=width, edge_height=height, children=(BoardPicker(children=tuple(boards)),))
        plan = plan_of(chart, placed)
        for x, y, *expected in case["points"]:
            board_at, zone = plan.board_at(x, y), plan.zone_at(x, y)
            assert [
                plan.location_name(x, y),
                board_at.name if board_at else None,
                zone.name if zone else None,
                [*plan.snap(x, y)],
                [*plan.snap(x, y, force=True)],
                [*plan.snap(x, y, force=True, only_centres=True)],
            ] == expected, (x, y, case["boards"])
            compared += 1
        for board_name, name, point in case["names"]:
            found = plan.pixel(name, board_name)
            assert (list(found) if found else None) == point, (name, case["boards"])
        for ax, ay, bx, by, distance in case["ranges"]:
            assert plan.distance(ax, ay, bx, by) == distance, (ax, ay, bx, by, case["boards"])
    assert compared > 500


def truth(shared: Path) -> Iterator[dict[str, Any]]:
    """Every piece, stack and deck in every step of two logs, as VASSAL shows it."""
    folder = shared / "vassal-truth"
    with (
        (folder / "demo.truth.jsonl").open(encoding="utf-8") as short,
        lzma.open(folder / "demo-long.truth.jsonl.xz", "rt", encoding="utf-8") as long,
    ):
        for lines in (short, long):
            for line in lines:
                step = json.loads(line)
                yield from (*step.get("pieces", ()), *step.get("changed", ()))


def test_every_piece_of_a_game_is_where_vassal_says(shared: Path) -> None:
    with Archive.open(shared / "vassal-truth" / "demo.vmod") as module:
        root = buildfile.read_from(module)
        plans = plans_of(root, image_size=lambda name: image_size(module, "images/" + name))
    seen = 0
    for piece in truth(shared):
        if piece["map"] is None:
            continue
        plan, place = plans[piece["map"]], (piece["x"], piece["y"])
        board, zone = plan.board_at(*place), plan.zone_at(*place)
        assert plan.location_name(*place) == piece["location"]
        assert (board.name if board else None) == piece["board"]
        assert (zone.name if zone else None) == piece["zone"]
        seen += 1
    assert seen > 2000


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


def test_what_is_in_no_zone_and_on_no_grid_is_offboard() -> None:
    plan = plan_with(Board(name="Box", children=(ZonedGrid(children=(zone("Pool", 0, 0, 50, 50),)),)))
    assert plan.location_name(10, 10) == "Pool"
    assert plan.location_name(300, 300) == OFFBOARD
    assert plan.location_name(-1, 10) == OFFBOARD


def test_edges_count_in_the_pixels_of_the_map() -> None:
    plan = plan_with(
        Board(name="Ridge", width=800, height=600, children=(hexes(stagger=False),)), edges=(10, 20)
    )
    assert plan.location_name(160, 332) == "0305"
    assert plan.centre("0305") == (160, 332)
    assert plan.pixel("0604") == (340, 297)
    assert plan.centre("0604") == (340, 296)
    assert plan.location_name(9, 100) == OFFBOARD


def test_boards_side_by_side_lie_one_after_the_other() -> None:
    west = Board(name="West", width=300, height=200, children=(hexes(),))
    east = Board(name="East", width=400, height=250, children=(REGIONS,))
    plan = plan_with(west, east, edges=(5, 7))
    assert [(board.x, board.y) for board in plan.boards] == [(5, 7), (305, 7)]
    assert plan.location_name(304, 206) == west_name(plan)
    assert plan.location_name(305, 7) == "North"
    assert plan.pixel("South") == (355, 157)
    assert plan.pixel("South", "West") is None
    below = plan_with(west, east, side_by_side=False)
    assert [(board.x, board.y) for board in below.boards] == [(0, 0), (0, 200)]


def west_name(plan: MapPlan) -> str | None:
    """The place of the last pixel of the western board, asked of the board itself."""
    return plan.boards[0].location_name(304, 206)


def test_a_board_turned_around_counts_from_the_other_corner() -> None:
    board = Board(name="Ridge", width=800, height=600, reversible=True, children=(hexes(stagger=False),))
    chart = Map(name="Main Map", children=(BoardPicker(children=(board,)),))
    plan = plan_of(chart, [PlacedBoard("Ridge", 0, 0, reversed=True)])
    assert plan.location_name(800 - 150, 600 - 312) == "0305"
    assert plan.snap(800 - 152, 600 - 310) == (650, 288)


def test_a_board_that_cannot_be_turned_is_not() -> None:
    board = Board(name="Ridge", width=800, height=600, children=(hexes(stagger=False),))
    chart = Map(name="Main Map", children=(BoardPicker(children=(board,)),))
    plan = plan_of(chart, [PlacedBoard("Ridge", 0, 0, reversed=True)])
    assert plan.location_name(150, 312) == "0305"


def test_a_piece_snapped_just_off_the_edge_is_moved_back() -> None:
    plan = plan_with(
        Board(name="Ridge", width=60, height=60, children=(SquareGrid(x0=0, y0=0, dx=60.0, dy=60.0),))
    )
    assert plan.snap(55, 10) == (59, 0)


def test_a_deck_has_the_name_of_its_very_pixel() -> None:
    board = Board(name="Ridge", children=(REGIONS,))
    decks = MapSubFolder(children=(DrawPile(name="Events", x=90, y=150),))
    pile = DrawPile(name="Discards", x=10, y=20, owning_board="Elsewhere")
    chart = Map(name="Main Map", edge_width=5, children=(BoardPicker(children=(board,)), decks, pile))
    plan = plan_of(chart)
    assert plan.location_name(95, 150) == "Events"
    assert plan.location_name(96, 150) == "East"
    assert plan.location_name(15, 20) == "Discards"
    assert plan.pixel("Events") == (95, 150)


def stack(**more: Any) -> SetupStack:
    return SetupStack(name="Start", x=33, y=44, **more)


def test_an_at_start_stack_lies_where_its_grid_has_the_name() -> None:
    board = Board(name="Ridge", width=800, height=600, children=(hexes(stagger=False),))
    plan = plan_with(Board(name="West", width=100, height=600), board, edges=(10, 20))
    assert plan.start_of(stack()) == (43, 64)
    assert plan.start_of(stack(owning_board="Ridge")) == (143, 64)
    named = stack(owning_board="Ridge", use_grid_location=True, location="0604")
    assert plan.start_of(named) == (110 + 330, 20 + 277)  # not snapped
    assert plan.start_of(stack(owning_board="Ridge", use_grid_location=True, location="Nowhere")) == (143, 64)
    assert plan.start_of(stack(owning_board="Vale")) is None


def test_an_at_start_stack_may_name_a_region_whatever_the_zone_is_called() -> None:
    grid = ZonedGrid(children=(zone("Track", 0, 0, 200, 200, REGIONS),))
    plan = plan_with(Board(name="Ridge", children=(grid,)))
    assert plan.pixel("East") is None
    assert plan.start_of(stack(use_grid_location=True, location="East")) == (90, 150)


def test_a_new_game_starts_with_the_boards_of_the_set_up() -> None:
    boards = (Board(name="West/East"), Board(name="Vale", reversible=True))
    setup = Setup(content="Main MapBoardPicker\tVale/rev\t0\t0\tWest\\/East\t1\t0")
    assert default_boards(BoardPicker(children=(setup, *boards))) == (
        PlacedBoard("Vale", 0, 0, reversed=True),
        PlacedBoard("West/East", 1, 0),
    )
    assert default_boards(BoardPicker(children=boards)) == ()
    assert default_boards(BoardPicker(children=boards[:1])) == (PlacedBoard("West/East"),)
    assert default_boards(BoardPicker(children=boards[1:])) == ()


def test_a_saved_game_says_which_boards_are_in_play() -> None:
    picker = BoardPicker(children=(Board(name="Ridge", width=100), Board(name="Vale", width=200)))
    module = GameModule(
        children=(
            Map(name="Main Map", children=(picker,)),
            Map(name="Other", children=(picker,)),
            PrivateMap(name="Hand", use_boards="Main Map", side=("Red",)),
        )
    )
    vale = (PlacedBoard("Vale"),)
    plans = plans_of(module, [SetBoards(map="Main Map", boards=vale), SetBoards(map="Map1", boards=vale)])
    assert {name: [board.name for board in plan.boards] for name, plan in plans.items()} == {
        "Main Map": ["Vale"],
        "Other": ["Vale"],
        "Hand": ["Vale"],
    }
    assert plans_of(module)["Main Map"].boards == ()


def test_a_board_in_play_that_the_module_lacks_is_told() -> None:
    problems: list[Problem] = []
    chart = Map(name="Main Map", children=(BoardPicker(children=(Board(name="Ridge"),)),))
    plan = plan_of(chart, [PlacedBoard("Vale"), PlacedBoard("Ridge", -1, 0)], problems=problems)
    assert plan.boards == ()
    assert [str(problem) for problem in problems] == [
        'Board "Vale": there is no such board',
        'Board "Ridge": stands in column -1, row 0: both count from 0',
    ]


def test_a_board_is_as_large_as_its_image() -> None:
    problems: list[Problem] = []
    board = Board(name="Ridge", image="ridge.png", children=(hexes(),))
    chart = Map(name="Main Map", children=(BoardPicker(children=(board,)),))
    plan = plan_of(chart, image_size={"ridge.png": (640, 480)}.get)
    assert (plan.boards[0].width, plan.boards[0].height) == (640, 480)
    missing = plan_of(chart, problems=problems)
    assert missing.location_name(30, 35) == OFFBOARD
    assert [str(problem) for problem in problems] == [
        "Board \"Ridge\": its image 'ridge.png' has no size: the image is in the archive"
    ]


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
def test_what_cannot_be_followed_is_told_and_left_out(grid: components.Grid, wrong: str) -> None:
    problems: list[Problem] = []
    found = grid_of(Board(name="Ridge", children=(grid,)), problems=problems)
    assert found is None or found.location_name(30, 35) is None
    assert wrong in str(problems[0])


ODD = [
    "",
    "0",
    "-1",
    "1e300",
    "NaN",
    "Infinity",
    "-2147483648",
    "2147483647",
    "x",
    "true",
    "{a}",
    "$",
    "A",
    "1,2",
]


@st.composite
def odd_boards(draw: st.DrawFn) -> Board:
    """A board whose grid has odd values in any of its attributes."""

    def odd(cls: type[components.Component], *children: Element) -> Element:
        names = [name for name in attributes_of(cls) if draw(st.booleans())]
        return Element(
            cls.JAVA, tuple((name, draw(st.sampled_from(ODD))) for name in names), children=children
        )

    hexes_, squares = odd(HexGrid, odd(HexGridNumbering)), odd(SquareGrid, odd(SquareGridNumbering))
    regions = odd(RegionGrid, odd(Region), odd(Region))
    kind = draw(st.sampled_from([hexes_, squares, regions]))
    zones = Element(ZonedGrid.JAVA, children=(odd(Zone, kind), odd(Zone), kind))
    return Board(name="Odd", width=300, height=200, children=(draw(st.sampled_from([kind, zones])),))


@given(odd_boards(), st.integers(0, 299), st.integers(0, 199))
def test_odd_values_never_stop_a_plan(board: Board, x: int, y: int) -> None:
    plan = plan_with(board)
    name = plan.location_name(x, y)
    plan.zone_at(x, y)
    plan.pixel(name)
    plan.snap(x, y, force=True)
    assert plan.distance(x, y, x, y) == 0


def test_an_expression_as_format_is_told_and_read_as_the_usual_one() -> None:
    problems: list[Problem] = []
    track = zone("Track", 0, 0, 50, 50, location_format='{name + "!"}')
    grid = ZonedGrid(children=(track, hexes(location_format='{ gridLocation + "?" }')))
    found = grid_of(Board(name="Ridge", children=(grid,)), problems=problems)
    assert found is not None
    assert (found.location_name(10, 10), found.location_name(90, 100)) == ("Track", "0202")
    assert len(problems) == 2
    assert all("not evaluated" in problem.wrong for problem in problems)


def test_a_place_asked_for_twice_is_worked_out_once() -> None:
    plan = plan_with(Board(name="Ridge", children=(hexes(),)))
    assert plan.location_name(30, 35) == plan.location_name(30, 35)
    assert plan == plan_with(Board(name="Ridge", children=(hexes(),)))
