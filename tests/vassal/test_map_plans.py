"""What a pixel of a map is, with the boards that are in play, VASSAL and we agree on."""

from __future__ import annotations

import doctest
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.vassal.test_grids import REGIONS, hexes, zone
from vassalgen.problems import Problem
from vassalgen.vassal import buildfile, components, grids
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
    MapPlan,
    default_boards,
    plan_of,
    plans_of,
)
from vassalgen.vassal.images import image_size

DATA = Path(__file__).parent / "data"


def plan_with(*boards: Board, edges: tuple[int, int] = (0, 0), side_by_side: bool = True) -> MapPlan:
    placed = [
        PlacedBoard(board.name, index if side_by_side else 0, 0 if side_by_side else index)
        for index, board in enumerate(boards)
    ]
    picker = BoardPicker(children=boards)
    return plan_of(
        Map(name="Main Map", edge_width=edges[0], edge_height=edges[1], children=(picker,)), placed
    )


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


def test_a_board_in_play_that_the_module_lacks_is_reported() -> None:
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


def test_a_place_asked_for_twice_is_worked_out_once() -> None:
    plan = plan_with(Board(name="Ridge", children=(hexes(),)))
    assert plan.location_name(30, 35) == plan.location_name(30, 35)
    assert plan == plan_with(Board(name="Ridge", children=(hexes(),)))


def test_the_examples_of_the_documentation_are_true() -> None:
    for module in (grids, components):
        assert doctest.testmod(module).attempted > 0
        assert doctest.testmod(module).failed == 0
