"""Figures are drawn from data, stay on the counter, and are themselves at any size."""

from __future__ import annotations

import pytest

from vassalgen.drawing.counters import back, face, masked
from vassalgen.drawing.figures import FIGURES
from vassalgen.drawing.paths import Path, outline, polygon
from vassalgen.drawing.picture import Filled
from vassalgen.drawing.symbols import symbol
from vassalgen.game.art import GLYPHS, Style
from vassalgen.game.finding import open_game


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_stays_within_the_space_that_counters_give_it(name: str) -> None:
    boxes = [path.bounds() for _, path in FIGURES[name]()]
    assert min(box[0] for box in boxes) >= -2.8 and max(box[2] for box in boxes) <= 2.8
    assert min(box[1] for box in boxes) >= -1.75 and max(box[3] for box in boxes) <= 1.5


def test_every_figure_can_be_named_in_a_games_looks() -> None:
    assert FIGURES.keys() <= set(GLYPHS)


def test_a_figure_has_no_box_and_three_tones() -> None:
    things = symbol(["dragoon"], 40, 33, 37, "#111111", "#eeeeee", 2, "#cc0000")
    assert len(things) == len(FIGURES["dragoon"]())
    assert {thing.colour for thing in things if isinstance(thing, Filled)} == {
        "#111111",
        "#eeeeee",
        "#cc0000",
    }


def test_an_outline_reads_as_it_is_written_in_svg() -> None:
    assert outline("M0,0 1,0 1,-1.5 Z") == polygon([(0, 0), (1, 0), (1, -1.5)])
    assert [letter for letter, _ in outline("M0,0 C1,1 2,1 3,0 4,0 Z").pieces] == ["M", "C", "L", "Z"]


def test_no_face_of_the_age_of_muskets_shows_a_box_of_map_symbols() -> None:
    game = open_game("vitoria1813")
    for glyphs in game.art.symbols.values():
        assert FIGURES.keys() >= set(glyphs)


def test_a_nation_of_both_sides_wears_the_rim_of_its_side() -> None:
    game = open_game("vitoria1813")
    for name, side in (("es-longa", "allied"), ("fr-garde", "french")):
        rim = face(game, game.counters[name]).things[0]
        assert isinstance(rim, Filled) and rim.colour == game.art.sides[side].fill
    own = face(game, game.counters["uk-hay"]).things[0]
    assert own.colour not in {style.fill for style in game.art.sides.values()}


def test_the_back_shows_nothing_but_the_side() -> None:
    picture = back(Style(fill="#27457f", ink="#ffffff", line="#c0392b"), 80)
    assert [thing.colour for thing in picture.things][-3:] == ["#ffffff", "#c0392b", "#27457f"]
    assert masked(80).svg() == masked(80).svg()


@pytest.mark.parametrize("name", ["fr-maransin", "fr-gazan", "fr-tilly", "uk-sappers"])
def test_the_frame_of_a_counter_face_down_hides_nothing_of_its_name_and_numbers(name: str) -> None:
    game = open_game("vitoria1813")
    frame = masked(game.art.board.counter).things[0]
    assert isinstance(frame, Filled)
    hole = frame.path.pieces[len(frame.path.pieces) // 2 :]
    left, top, right, bottom = Path(hole).bounds()
    for written in face(game, game.counters[name]).things[-2:]:
        assert isinstance(written, Filled)
        box = written.path.bounds()
        assert left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom
