"""Names on a board stand where they cover least."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassalgen.drawing.boards import Board
from vassalgen.drawing.labels import (
    LINE,
    NAME,
    ROAD,
    SIGN,
    TAKEN,
    Box,
    Labels,
    Lettering,
    Option,
    Spot,
    along,
    around,
    broken,
)
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.parts.pictures import of_board

BOARD = Box(0, 0, 400, 400)
TOWN = Lettering("Gafsa", 20, "#000000")
SPOTS = around(200, 200, 8, TOWN.size)
WAYS = [Option(TOWN, spot, number * 0.06) for number, spot in enumerate(SPOTS)]
BUDGETS = tomllib.loads((Path(__file__).parent.parent / "data" / "labels.toml").read_text())


def stands(labels: Labels) -> Spot:
    """The position of the town's name."""
    return labels.set(WAYS).spot


def covered(spot: Spot) -> Box:
    """What the town's name covers at a spot."""
    (box,) = TOWN.boxes(spot)
    return box


def test_with_nothing_near_a_name_stands_below_its_sign() -> None:
    assert stands(Labels(BOARD)) == SPOTS[0]


def test_a_name_makes_way_for_a_sign() -> None:
    labels = Labels(BOARD)
    labels.keep_clear(covered(SPOTS[0]), SIGN)
    assert stands(labels) != SPOTS[0]


def test_a_second_name_does_not_cover_the_first() -> None:
    labels = Labels(BOARD)
    first = stands(labels)
    second = stands(labels)
    assert covered(first).shared(covered(second)) == 0


def test_a_name_stays_on_the_board() -> None:
    labels = Labels(Box(0, 0, 400, 205))
    assert covered(stands(labels)).bottom <= 205


def test_where_all_is_taken_the_lightest_is_covered() -> None:
    labels = Labels(BOARD)
    for spot in SPOTS[1:]:
        labels.keep_clear(covered(spot), NAME)
    labels.keep_line_clear([(spot.x, spot.y) for spot in SPOTS[:1]], 0.5, 2)
    assert stands(labels) == SPOTS[0]


def test_a_name_makes_way_for_one_that_can_stand_nowhere_else() -> None:
    _, fixed = labels_of = Labels(BOARD).arrange([WAYS, [Option(TOWN, SPOTS[0])]])
    assert fixed.spot == SPOTS[0]
    assert labels_of[0].shared(fixed) == 0


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (1, "Hills of Bou Arada"),
        (2, "Hills of\nBou Arada"),
        (3, "Hills\nof Bou\nArada"),
        (5, "Hills of Bou Arada"),
    ],
)
def test_a_long_name_is_broken_into_even_lines(lines: int, text: str) -> None:
    assert broken("Hills of Bou Arada", lines) == text


def test_a_line_leads_to_a_sign_from_which_a_name_stands_away() -> None:
    sign = Box.around(200, 200, 8)
    near, far = (Option(TOWN, around(200, 200, radius, TOWN.size)[0], sign=sign) for radius in (8, 60))
    assert near.leader is None
    assert far.leader is not None
    assert len(far.drawn()) == len(near.drawn()) + 1


@given(st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=2, max_size=6))
def test_points_along_a_line_leave_no_gap(points: list[tuple[float, float]]) -> None:
    found = along(points, 10)
    assert found[0] == points[0]
    assert set(points) <= set(found)
    assert all((bx - ax) ** 2 + (by - ay) ** 2 <= 10.001**2 for (ax, ay), (bx, by) in pairwise(found))


def share(name: Option, others: Sequence[Box]) -> float:
    """How much of a name is covered by others together, probed at points two pixels apart."""
    probed = covered = 0
    for box in name.boxes:
        near = [other for other in others if box.shared(other)]
        for x in range(round(box.left), round(box.right), 2):
            for y in range(round(box.top), round(box.bottom), 2):
                probed += 1
                covered += any(one.left <= x < one.right and one.top <= y < one.bottom for one in near)
    return covered / probed


def measured(board: Board) -> Iterator[tuple[str, str, float]]:
    """For each name but those of hexes: its text, what it may cover, and how much of it does."""
    noted: dict[float, list[Box]] = {LINE: [], ROAD: [], SIGN: [], TAKEN: []}

    class Noting(Labels):
        def keep_clear(self, box: Box, weight: float) -> None:
            noted.setdefault(weight, []).append(box)

    board.keep_clear(Noting(BOARD))
    hexes = set(board.game.map.grid.names)
    words = {style.text for style in board.game.art.zones.values()}
    numbers = [box for one in board.written if one.name.text in hexes for box in one.boxes]
    names = [one for one in board.written if one.name.text not in hexes]
    for name in names:
        beside = [box for one in names if one is not name for box in one.boxes]
        yield name.name.text, "counters", share(name, noted[TAKEN])
        yield name.name.text, "numbers", share(name, numbers)
        yield name.name.text, "names", share(name, beside)
        if name.name.text not in words:  # which stand on the rims of their hexes
            yield name.name.text, "signs", share(name, noted[SIGN])
            yield name.name.text, "roads", share(name, noted[ROAD])
            yield name.name.text, "lines", share(name, noted[LINE])


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_names_on_a_board_cover_little_and_are_little_covered(game: str) -> None:
    board = Board(of_board(open_game(game)))
    assert board.taken and board.written
    found = list(measured(board))
    most, mean = BUDGETS["most"], BUDGETS["mean"]
    assert most.keys() == mean.keys() == {what for _, what, _ in found}
    assert [one for one in found if one[2] > most[one[1]]] == []
    for what, limit in mean.items():
        shares = [part for _, kind, part in found if kind == what]
        assert sum(shares) / len(shares) <= limit, what
