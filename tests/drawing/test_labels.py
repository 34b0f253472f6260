"""Names on a board stand where they cover least."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassalgen.drawing.boards import Board
from vassalgen.drawing.labels import NAME, SIGN, Box, Labels, Lettering, Spot, along, around
from vassalgen.drawing.picture import Filled, Thing
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.parts.pictures import of_board

BOARD = Box(0, 0, 400, 400)
TOWN = Lettering("Gafsa", 20, "#000000")
SPOTS = around(200, 200, 8, TOWN.size)


def stands(labels: Labels) -> Spot:
    """Where the town's name is set, judged by what it covers then."""
    (name,) = labels.set(TOWN, SPOTS)
    assert isinstance(name, Filled)
    left, _, _, bottom = name.path.bounds()
    return min(SPOTS, key=lambda spot: abs(TOWN.box(spot).left - left) + abs(spot.y - bottom))


def test_with_nothing_near_a_name_stands_below_its_sign() -> None:
    assert stands(Labels(BOARD)) == SPOTS[0]


def test_a_name_makes_way_for_a_sign() -> None:
    labels = Labels(BOARD)
    labels.keep_clear(TOWN.box(SPOTS[0]), SIGN)
    assert stands(labels) != SPOTS[0]


def test_a_second_name_does_not_cover_the_first() -> None:
    labels = Labels(BOARD)
    first = stands(labels)
    second = stands(labels)
    assert TOWN.box(first).shared(TOWN.box(second)) == 0


def test_a_name_stays_on_the_board() -> None:
    labels = Labels(Box(0, 0, 400, 205))
    assert TOWN.box(stands(labels)).bottom <= 205


def test_where_all_is_taken_the_lightest_is_covered() -> None:
    labels = Labels(BOARD)
    for spot in SPOTS[1:]:
        labels.keep_clear(TOWN.box(spot), NAME)
    labels.keep_line_clear([(spot.x, spot.y) for spot in SPOTS[:1]], 0.5, 2)
    assert stands(labels) == SPOTS[0]


@given(st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=2, max_size=6))
def test_points_along_a_line_leave_no_gap(points: list[tuple[float, float]]) -> None:
    found = along(points, 10)
    assert found[0] == points[0]
    assert set(points) <= set(found)
    assert all((bx - ax) ** 2 + (by - ay) ** 2 <= 10.001**2 for (ax, ay), (bx, by) in pairwise(found))


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_no_place_on_a_board_has_its_name_half_under_the_counters_of_a_set_up(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, Box] = {}
    write = Labels.set

    def noted(labels: Labels, name: Lettering, spots: Sequence[Spot]) -> list[Thing]:
        drawn = write(labels, name, spots)
        last = drawn[-1]
        assert isinstance(last, Filled)
        names[name.text] = Box(*last.path.bounds())
        return drawn

    monkeypatch.setattr(Labels, "set", noted)
    board = Board(of_board(open_game(game)))
    assert board.taken and board.picture.things
    places = {name: names[name] for name in board.game.map.places if name in names}
    assert places
    assert [name for name, box in places.items() if sum(map(box.shared, board.taken)) > 0.45 * box.area] == []
