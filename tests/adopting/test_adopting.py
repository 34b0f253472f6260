"""A module made into a game folder: its hexes, places, counters, set-ups and sequence."""

from __future__ import annotations

import math
import warnings
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from tests.inspection.making import module, packed, palette, picture, prototypes, ridge, save, slot, uses
from tests.inspection.making import prototype as made_prototype
from vassalgen.adopting.adopting import adopted
from vassalgen.adopting.pixels import pixels_of
from vassalgen.cli import main
from vassalgen.compile import compile_game
from vassalgen.game.commands import check_game
from vassalgen.game.game import Game
from vassalgen.game.reading.folder import read
from vassalgen.new import write_game
from vassalgen.problems import BadInput
from vassalgen.vassal.archives import pack
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    ChartWindow,
    Component,
    CounterTurnLevel,
    DiceButton,
    Element,
    HexGrid,
    HexGridNumbering,
    HtmlChart,
    ListTurnLevel,
    Map,
    PredefinedSetup,
    SetupStack,
    SquareGrid,
    SquareGridNumbering,
    TurnTracker,
    Zone,
    ZonedGrid,
)
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.marker import Marker, MarkerState

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = ROOT / "tests" / "data" / "skirmish" / "skirmish.vmod"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["adopt", *map(str, args)])


def game_of(tmp_path: Path, *children: Component | Element, files: dict[str, bytes] | None = None) -> Game:
    board = {"images/ridge.png": picture(600, 400)}
    path = tmp_path / "hill.vmod"
    tmp_path.mkdir(exist_ok=True)
    path.write_bytes(packed(module(*children, palette(slot("Spare", "99"))), {**board, **(files or {})}))
    folder = tmp_path / "hill"
    result = run(path, "-o", folder)
    assert result.exit_code == 0, result.output
    assert check_game(folder).unreadable == ()
    return read(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}


def numbered(path: str = "", **numbering: object) -> Map:
    """A map with hexes that are numbered in a way, perhaps in a zone of it."""
    grid = HexGrid(x0=30, y0=35, dx=60.0, dy=69.28, children=(HexGridNumbering(**numbering),))  # type: ignore[arg-type]
    inner: Component = grid
    if path:
        corners = tuple(tuple(map(int, corner.split(","))) for corner in path.split(";"))
        zone = Zone(name="Field", location_format="$gridLocation$", path=corners, children=(grid,))  # type: ignore[arg-type]
        inner = ZonedGrid(
            children=(zone, Zone(name="Track", path=((500, 0), (600, 0), (600, 90), (500, 90))))
        )
    board = Board(name="Ridge", image="ridge.png", children=(inner,))
    return Map(name="Main Map", children=(BoardPicker(children=(board,)),))


def test_the_grid_is_that_of_the_largest_field_of_hexes(tmp_path: Path) -> None:
    grid = game_of(tmp_path, ridge()).map.grid
    assert (grid.names[0], grid.names[-1], len(grid.names)) == ("0101", "1005", 60)
    assert grid.are_neighbours("0101", "0202") == (grid.shifted == "odd")


@pytest.mark.parametrize(
    ("numbering", "pattern", "first"),
    [
        pytest.param({"stagger": False}, "CCRR", "0101", id="numbers"),
        pytest.param({"h_type": "A", "h_off": 0, "h_leading": 0, "v_leading": 0}, "cR", "A1", id="letters"),
        pytest.param({"first": "V", "sep": "."}, "RR.CC", "01.01", id="rows-first"),
        pytest.param({"v_descend": True, "v_off": 0}, "CCRR", "01", id="upwards"),
        pytest.param({"location_format": "Hex $gridLocation$"}, "Hex CCRR", "Hex 0101", id="with-a-word"),
    ],
)
def test_hexes_are_called_as_in_the_module(
    tmp_path: Path, numbering: dict[str, object], pattern: str, first: str
) -> None:
    game = game_of(tmp_path, numbered("", **numbering))
    assert game.map.grid.numbering.pattern == pattern
    assert game.map.grid.names[0].startswith(first)


def test_a_field_in_a_zone_ends_with_it_and_the_other_zone_is_a_box(tmp_path: Path) -> None:
    game = game_of(tmp_path, numbered("0,0;300,0;300,400;0,400"))
    assert {name[:2] for name in game.map.grid.names} == {"01", "02", "03", "04", "05"}
    assert [box.title for box in game.map.boxes.values()] == ["Track"]


def test_hexes_without_numbers_are_numbered_by_column_and_row(tmp_path: Path) -> None:
    board = Board(name="Ridge", image="ridge.png", children=(HexGrid(x0=30, y0=35, dx=60.0, dy=69.28),))
    grid = game_of(tmp_path, Map(name="M", children=(BoardPicker(children=(board,)),))).map.grid
    assert (grid.names[0], grid.names[-1], len(grid.names)) == ("0102", "1006", 60)
    assert "the module does not number them" in (tmp_path / "hill" / "ADOPTED.md").read_text()


def flips(*levels: str) -> Embellishment:
    return Embellishment(name="Flip", activate_text="Flip", images=levels, always_active=False)


def test_factors_come_from_names_markers_and_labels_and_layers_are_steps(tmp_path: Path) -> None:
    marked = (Marker(names=("Attack", "Movement")), MarkerState(items=("6", "3")))
    game = game_of(
        tmp_path,
        ridge(),
        palette(slot("1st Foot 4-2", "1", "a.png", flips("b.png")), slot("2nd Foot 3-2", "2")),
    )
    foot = [game.counters[name] for name in ("1st-foot-4-2", "2nd-foot-3-2")]
    assert [(one.name, one.steps, one.factor("combat"), one.factor("movement")) for one in foot] == [
        ("1st Foot 4-2", 2, 4, 2),
        ("2nd Foot 3-2", 1, 3, 2),
    ]
    other = game_of(tmp_path / "other", ridge(), palette(slot("Guard", "1", "", marked)))
    assert list(other.factors) == ["attack", "movement"]


def test_sides_come_from_markers_prototypes_palette_and_names(tmp_path: Path) -> None:
    side = (Marker(names=("Side",)), MarkerState(items=("Red",)))
    container = prototypes(made_prototype("Red Unit"))
    pieces = palette(slot("A", "1", "", side), slot("B", "2", "", uses("Red Unit")), slot("C", "3"))
    game = game_of(tmp_path, ridge(), container, pieces)
    assert [game.counters[name].side for name in "abc"] == ["red", "red", "blue"]


def test_set_ups_and_at_start_stacks_are_scenarios(tmp_path: Path) -> None:
    stack = SetupStack(
        name="Hill", owning_board="Ridge", x=30, y=35, children=(slot("1st", "1"), slot("1st", "2"))
    )
    game = game_of(tmp_path, ridge(stack), palette(slot("1st", "9")))
    (scenario,) = game.scenarios.values()
    assert [(one.at, one.counters) for one in scenario.setup] == [("0101", ("1st-1", "1st-2"))]
    text = "+/7/piece;;;;1st/Main Map;100;80;9;0"
    game = game_of(
        tmp_path / "saved",
        ridge(),
        palette(slot("1st", "9")),
        PredefinedSetup(name="Dawn", file="dawn.vsav"),
        files={"dawn.vsav": save(text)},
    )
    assert [one.title for one in game.scenarios.values()] == ["Dawn"]
    assert [one.at for one in next(iter(game.scenarios.values())).setup] == ["0201"]


def test_the_turn_track_gives_turns_order_and_phases(tmp_path: Path) -> None:
    phases = ListTurnLevel(
        name="Phase", list=("Weather", "Red Move", "Red Fight", "Blue Move", "Blue Fight", "End")
    )
    turns = CounterTurnLevel(name="Turn", loop=True, loop_limit=7, children=(phases,))
    game = game_of(
        tmp_path,
        ridge(),
        TurnTracker(name="Turn", children=(turns,)),
        DiceButton(name="D10", n_dice=1, n_sides=10),
    )
    sequence = game.sequence
    assert len(game.turns) == 7
    assert [
        [phase.title for phase in part] for part in (sequence.opening, sequence.player_turn, sequence.closing)
    ] == [
        ["Weather"],
        ["Move", "Fight"],
        ["End"],
    ]
    assert sequence.order == ("red", "blue")
    assert [(dice.count, dice.sides) for dice in game.dice.values()] == [(1, 10)]


def test_pictures_are_taken_over_if_asked_for_and_built(tmp_path: Path) -> None:
    path, folder = tmp_path / "hill.vmod", tmp_path / "hill"
    files = {"images/ridge.png": picture(600, 400), "images/a.png": picture(50), "images/b.png": picture(60)}
    path.write_bytes(packed(module(ridge(), palette(slot("1st", "1", "a.png", flips("b.png")))), files))
    assert not any(name.startswith("pictures/") for name in adopted(path).files)
    assert run(path, "-o", folder, "--pictures").exit_code == 0
    assert sorted(one.name for one in (folder / "pictures").iterdir()) == [
        "1st.png",
        "1st@2.png",
        "board.png",
    ]
    compiled = compile_game(read(folder))
    entries = dict(compiled.entries)
    assert b"data:image/png;base64" in entries["images/1st.svg"]
    assert b'width="60px"' in entries["images/1st-1.svg"]
    (board,) = (content for name, content in entries.items() if name.startswith("images/board-"))
    assert board == (folder / "pictures" / "board.png").read_bytes()
    (folder / "pictures" / "board.png").write_bytes(picture(30, 30))
    with pytest.raises(BadInput, match="is 30 × 30 pixels"):
        compile_game(read(folder))


def test_charts_are_kept_by_names_that_every_system_can_hold_and_tells_apart(tmp_path: Path) -> None:
    path = tmp_path / "hill.vmod"
    entries = ("charts/Fire.html", "more/fire.html", "charts/aux.html", "charts/why?. ", "charts/Fire.html")
    files = {name: f"{at}".encode() for at, name in enumerate(entries[:4])}
    pages = [HtmlChart(name="Chart", file_name=name) for name in entries]
    files["images/ridge.png"] = picture(600, 400)
    path.write_bytes(packed(module(ridge(), ChartWindow(name="Charts", children=tuple(pages))), files))
    kept = {name: one for name, one in adopted(path).files.items() if name.startswith("papers/")}
    assert kept == {
        "papers/charts/Fire.html": b"0",
        "papers/charts/fire-2.html": b"1",
        "papers/charts/_aux.html": b"2",
        "papers/charts/why_": b"3",
    }


def test_what_is_called_like_a_device_of_windows_is_a_file_all_the_same(tmp_path: Path) -> None:
    stack = SetupStack(name="Con", owning_board="Ridge", x=30, y=35, children=(slot("Aux", "1"),))
    setup = PredefinedSetup(name="Con", file="con.vsav")
    game = game_of(
        tmp_path,
        ridge(stack),
        palette(slot("Aux", "1")),
        setup,
        files={"con.vsav": save("+/7/piece;;;;Aux/Main Map;100;80;9;0")},
    )
    assert ("con-2" in game.scenarios, "aux-2" in game.counters) == (True, True)
    assert not {"con", "aux"} & {*game.scenarios, *game.counters}


def test_a_module_without_a_turn_track_is_said_to_have_none(tmp_path: Path) -> None:
    game_of(tmp_path, ridge())
    told = (tmp_path / "hill" / "ADOPTED.md").read_text(encoding="utf-8")
    assert "- the turns and phases: the module has no turn track\n" in told
    assert "- the number of turns: 10 are written\n" in told
    assert "the turn track does not end" not in told


def test_a_board_that_is_huge_is_drawn_and_no_warning_of_a_library_is_shown() -> None:
    content = BytesIO()
    Image.new("1", (10_000, 9_000)).save(content, "PNG")
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        assert pixels_of(content.getvalue(), "RGB") is None
    assert shown == []


def test_a_folder_that_holds_anything_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    result = run(SKIRMISH, "-o", tmp_path)
    assert result.exit_code == 2
    assert "is not empty: name a new folder, or an empty one" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("dx", [60.0, 0.0, -60.0, math.nan, math.inf])
def test_hexes_without_a_width_or_height_are_no_field(tmp_path: Path, dx: float) -> None:
    dy = -10.07 if dx == 60 else 69.28
    numbering = SquareGridNumbering()
    track = Zone(
        name="Track",
        path=((500, 0), (600, 0), (600, 90), (500, 90)),
        children=(SquareGrid(dx=dx, dy=dy, children=(numbering,)),),
    )
    flat = HexGrid(x0=30, y0=35, dx=dx, dy=dy)
    boards = [
        Board(name="Flat", image="ridge.png", children=(grid,))
        for grid in (flat, ZonedGrid(children=(track,)))
    ]
    maps = [
        Map(name=f"Map {at}", children=(BoardPicker(children=(board,)),)) for at, board in enumerate(boards)
    ]
    alone = tmp_path / "alone.vmod"
    alone.write_bytes(packed(module(*maps), {"images/ridge.png": picture(600, 400)}))
    result = run(alone, "-o", tmp_path / "out")
    assert (result.exit_code, result.exception.__class__) == (2, SystemExit)
    assert "Track" in {box.title for box in game_of(tmp_path / "more", ridge(), *maps).map.boxes.values()}


def test_what_is_no_module_of_a_hex_game_is_said_and_nothing_written(tmp_path: Path) -> None:
    bare = tmp_path / "bare.vmod"
    bare.write_bytes(packed(module(Map(name="M"))))
    broken = tmp_path / "broken.vmod"
    broken.write_bytes(b"no zip")
    for path in (bare, broken, SKIRMISH.with_suffix(".vsav"), tmp_path / "none.vmod"):
        result = run(path, "-o", tmp_path / "out")
        assert (result.exit_code, result.exception.__class__) == (2, SystemExit)
        assert len(result.output.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bare.vmod", "broken.vmod"]


def test_a_module_that_vassalgen_built_comes_back_as_its_data(tmp_path: Path) -> None:
    folder, corrections = tmp_path / "game", tmp_path / "printed"
    write_game(folder)
    corrections.mkdir()
    (corrections / "game.toml").write_text('version = "7"\n')
    built = tmp_path / "game.vmod"
    options = ["build", str(folder), "--data", str(corrections), "-o", str(built)]
    assert CliRunner().invoke(main, options).exit_code == 0
    assert run(built, "-o", tmp_path / "back").exit_code == 0
    sources = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
    back = {
        path.relative_to(tmp_path / "back"): path.read_bytes() for path in (tmp_path / "back").rglob("*.*")
    }
    assert back.pop(Path("corrections") / "game.toml") == b'version = "7"\n'
    assert back == sources


def test_without_its_data_a_module_of_ours_is_read_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    write_game(folder)
    game = read(folder)
    entries = compile_game(game).entries
    built = tmp_path / "game.vmod"
    built.write_bytes(pack(entry for entry in entries if not entry[0].startswith("data/")))
    assert run(built, "-o", tmp_path / "back").exit_code == 0
    back = check_game(tmp_path / "back").game
    assert back is not None
    assert set(game.map.grid.names) <= set(back.map.grid.names)
    assert {one.id: one.name for one in game.counters.values()}.items() <= {
        one.id: one.name for one in back.counters.values()
    }.items()
    for scenario in game.scenarios.values():
        (same,) = (one for one in back.scenarios.values() if one.title == scenario.title)
        at = {name: one.at for one in same.setup for name in one.counters}
        wanted = {name: one.at for one in scenario.setup for name in one.counters if one.at in game.map.grid}
        assert wanted.items() <= at.items()


def test_code_in_a_module_is_not_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "hill.vmod"
    files = {"data/game.toml": b"", "data/rules.py": b"boom", "data/a/b.toml": b""}
    path.write_bytes(packed(module(ridge()), files))
    assert run(path, "-o", tmp_path / "out").exit_code == 0
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["game.toml"]


def test_a_whole_small_module(tmp_path: Path) -> None:
    assert run(SKIRMISH, "-o", tmp_path / "ford").exit_code == 0
    (problem,) = check_game(tmp_path / "ford").problems
    assert "there is no terrain in tables.toml 'unknown'" in str(problem)
    game = read(tmp_path / "ford")
    assert (len(game.map.grid.names), len(game.map.boxes), len(game.turns)) == (48, 12, 6)
    assert [phase.title for phase in game.sequence.player_turn] == ["Move", "Fight"]
    (dawn,) = game.scenarios.values()
    assert {name: one.at for one in dawn.setup for name in one.counters}["thorn-wolves"] == "0804"
