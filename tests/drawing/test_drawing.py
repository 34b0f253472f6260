"""Pictures: that they say what the data say, in a form that VASSAL draws everywhere."""

from __future__ import annotations

import re

import pytest
from attrs import evolve
from PIL import Image

from vassalgen.drawing import boards, counters, patterns, surroundings, symbols
from vassalgen.drawing.colours import legible_on
from vassalgen.drawing.figures import FIGURES
from vassalgen.drawing.lettering import lettered, width
from vassalgen.drawing.paths import ellipse, line, polygon, rectangle
from vassalgen.drawing.picture import Filled, Inked, Picture
from vassalgen.game import art
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.game.game import Game
from vassalgen.vassal.xml import parse_xml

ELEMENTS = {"svg", "path"}
COLOUR = re.compile(r"#[0-9a-f]{6}|none")


@pytest.fixture(scope="module", params=sorted(shipped_games()))
def game(request: pytest.FixtureRequest) -> Game:
    return open_game(request.param)


def test_every_glyph_and_pattern_a_game_may_name_is_drawn() -> None:
    drawn = set(symbols.LINES) | set(symbols.SOLID) | set(FIGURES)
    assert drawn == set(art.GLYPHS)
    assert set(art.AREAS) == set(patterns.AREAS)


def test_counters_hold_nothing_that_vassal_draws_wrongly(game: Game) -> None:
    for counter in game.counters.values():
        root = parse_xml(counters.face(game, counter).svg(), "counter")
        for element in root.iter():
            assert str(element.tag).rpartition("}")[2] in ELEMENTS
            for name in ("fill", "stroke"):
                assert COLOUR.fullmatch(element.get(name) or "none")


def test_counters_of_a_game_are_all_of_one_size_that_stays_whole_at_quarter_zooms(game: Game) -> None:
    sizes = {
        (face.width, face.height) for face in (counters.face(game, one) for one in game.counters.values())
    }
    assert sizes == {(float(game.art.board.counter),) * 2}
    assert game.art.board.counter % 16 == 0


def test_writing_stays_inside_the_counter(game: Game) -> None:
    for counter in game.counters.values():
        face = counters.face(game, counter)
        for thing in face.things:
            left, top, right, bottom = thing.path.bounds()
            assert (
                left >= -0.01 and top >= -0.01 and right <= face.width + 0.01 and bottom <= face.height + 0.01
            )


def test_a_counter_shows_its_factors() -> None:
    game = open_game(sorted(shipped_games())[0])
    counter = next(one for one in game.counters.values() if one.kind == "unit")
    factors = dict(counter.faces[0].factors)
    name = next(iter(factors))
    changed = evolve(counter, faces=(evolve(counter.faces[0], factors={**factors, name: 9}),))
    assert counters.face(game, changed).svg() != counters.face(game, counter).svg()


def test_a_long_line_is_set_narrower_to_fit() -> None:
    left, _, right, _ = lettered("12-11-3", 48, 80, 33, room=80).bounds()
    assert right - left <= 80
    assert width("12-11-3", 33) > 80


def test_the_board_is_as_large_as_its_grid(game: Game) -> None:
    board = boards.Board(game)
    assert (board.picture.width, board.picture.height) >= board.layout.size


def test_the_same_data_give_the_same_pictures(game: Game) -> None:
    counter = next(iter(game.counters.values()))
    assert counters.face(game, counter).svg() == counters.face(game, counter).svg()
    assert boards.Board(game).picture == boards.Board(game).picture


def test_a_hole_in_an_outline_is_left_empty() -> None:
    ring = Filled(ellipse(10, 10, 9) + ellipse(10, 10, 5), "#ff0000")
    image = Picture(20, 20, (ring,)).raster()
    assert image.getpixel((10, 10)) == (0, 0, 0, 0)
    assert image.getpixel((10, 3)) == (255, 0, 0, 255)


def test_two_rings_side_by_side_and_a_dot_in_a_hole_are_drawn_as_they_are() -> None:
    rings = (
        ellipse(10, 10, 9) + ellipse(10, 10, 6) + ellipse(10, 10, 2) + ellipse(30, 10, 9) + ellipse(30, 10, 5)
    )
    opacity = Picture(40, 20, (Filled(rings, "#ff0000"),)).raster().getchannel("A")
    assert [opacity.getpixel((x, 10)) for x in (2, 6, 10, 23, 30)] == [255, 0, 255, 255, 0]


def test_a_dashed_line_has_gaps() -> None:
    dashed = Inked(line([(0, 5), (40, 5)]), "#000000", 2, dash=(5, 5))
    image = Picture(40, 10, (dashed,)).raster()
    alphas = [_alpha(image, x, 5) for x in range(40)]
    assert max(alphas) == 255
    assert min(alphas[8:30]) == 0


def _alpha(image: Image.Image, x: int, y: int) -> int:
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return int(pixel[3])


def test_outlines_can_be_moved_turned_and_scaled() -> None:
    square = polygon([(0, 0), (2, 0), (2, 2), (0, 2)])
    assert square.moved(1, 1).bounds() == (1, 1, 3, 3)
    assert square.scaled(2).bounds() == (0, 0, 4, 4)
    assert [round(edge, 6) for edge in square.turned(90).bounds()] == [-2, 0, 0, 2]
    assert rectangle(0, 0, 4, 2, 1).bounds() == (0, 0, 4, 2)


def test_dashes_without_a_length_leave_a_line_whole() -> None:
    dashed = Inked(line([(0, 5), (40, 5)]), "#000000", 2, dash=(0, 0))
    assert _alpha(Picture(40, 10, (dashed,)).raster(), 20, 5) == 255


def test_a_board_opens_at_a_zoom_that_fills_a_window(game: Game) -> None:
    board = boards.Board(game)
    wide = board.layout.size[0]
    assert board.opening in boards.ZOOMS
    assert board.opening == 1 or wide * board.opening >= 1500
    assert wide * board.opening < 2100


def test_names_on_a_board_can_be_read_when_it_opens(game: Game) -> None:
    board = boards.Board(game)
    assert board._size(0.105, 11, 0.16) * board.opening >= 9.5
    assert board._size(0.085, 8.5, 0.13) * board.opening >= 7.5


def test_the_line_above_a_board_does_not_run_over_its_title(game: Game) -> None:
    """With a battle the line is up to 40 times as long as its letters are high."""
    board = boards.Board(game)
    middle, _, size = board.status
    title_ends = surroundings.inside(board.layout) + board.seen * 0.28
    assert middle - 20 * size > title_ends


def test_the_line_above_a_board_is_in_the_window_when_it_opens(game: Game) -> None:
    board = boards.Board(game)
    middle, _, size = board.status
    assert (middle + 20 * size) * board.opening <= 1280


@pytest.mark.parametrize(
    ("colour", "ink"),
    [("#e3bd2f", "#1c1c1c"), ("#e8e2d0", "#1c1c1c"), ("#12305e", "#ffffff"), ("#b5492f", "#ffffff")],
)
def test_letters_on_a_pale_bar_are_dark(colour: str, ink: str) -> None:
    assert legible_on(colour) == ink
