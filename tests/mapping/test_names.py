"""How names are compared, pieces assigned, and hexes laid over boards."""

from __future__ import annotations

import pytest

from referee.mapping.aligning import lay
from referee.mapping.assigning import assign
from referee.mapping.likeness import Likeness, Names, alike, factors_in, words_of
from referee.mapping.mapped_view import ROLL
from referee.mapping.modulemap import Meaning, piece_keys
from referee.mapping.places import find_hexes
from referee.mapping.survey import Survey
from referee.table import EMPTY_MODULE
from vassalgen.game.finding import open_game
from vassalgen.game.layout import Layout


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1st Armd Div", "1st Armored Division"),
        ("10 Pz", "10th Panzer Division"),
        ("CFA", "Corps franc d'Afrique"),
    ],
)
def test_abbreviations_and_initials_are_much_like_the_name(one: str, other: str) -> None:
    names = [Names.of([other]), Names.of(["9th Infantry Division"]), Names.of(["334th Division"])]
    likeness = Likeness(tuple(names))
    assert likeness.of(one, names[0]) > 0.6
    assert all(likeness.of(one, name) < 0.5 for name in names[1:])


def test_numbers_and_roman_numerals_are_alike_only_if_they_are_the_same() -> None:
    assert alike("33", "334") == alike("xx", "xxi") == 0
    assert words_of("118e Régiment") == ("118", "regiment")


def test_factors_are_read_as_counters_print_them() -> None:
    assert factors_in("GE 10 Pz 4-4") == [(4, 4)]
    assert factors_in("Fallschirmjäger (3-4-5)") == [(3, 4, 5)]
    assert factors_in("1942-43") == []


def test_the_best_assignment_may_give_a_row_its_second_choice() -> None:
    assert assign([[5, 4], [5, 1]]) == [1, 0]
    assert assign([[0, 0], [0, 3]]) == [-1, 1]
    assert assign([]) == []


def test_three_hexes_fix_the_others_on_a_board_that_is_turned_and_stretched() -> None:
    grid = open_game("postcard1943").map.grid
    plain = lay(grid, [("A1", 0, 0), ("A3", 173, 0), ("C1", 0, 200)])
    turned = lay(grid, [("A1", 900, 50), ("A3", 900, 396), ("C1", 700, 50)])
    assert plain is not None
    assert turned is not None
    assert plain.hex_at(173, 200) == turned.hex_at(700, 396) == "C3"
    assert lay(grid, [("A1", 0, 0), ("B1", 0, 100), ("C1", 0, 200)]) is None


def test_a_value_says_counters_steps_and_whether_it_is_settled() -> None:
    assert Meaning.read("uk78 steps 1") == Meaning(("uk78",), 1)
    assert Meaning.read("? us1 uk1") == Meaning(("us1", "uk1"), settled=False)
    assert Meaning.read("nothing") == Meaning()
    assert piece_keys("1st Div", "a09_us.png") == ("1st Div [a09_us]", "1st Div")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("*** 1d6 = 4 *** <Cleo>", ("1", "6", "4")),
        ("2d6 = 3, 4", ("2", "6", "3, 4")),
        ("Dice server: rolled 2d6 (Ben) = [5, 1]", ("2", "6", "5, 1")),
    ],
)
def test_rolls_in_the_chat_are_read_however_they_are_reported(text: str, found: tuple[str, str, str]) -> None:
    match = ROLL.search(text)
    assert match is not None
    assert match.groups() == found


def test_comparing_with_all_names_at_once_gives_what_comparing_with_each_gives() -> None:
    texts = ["334th Infantry Division", "Corps franc d'Afrique", "1st Parachute Brigade", "L Force", "MEAAF"]
    likeness = Likeness(tuple(Names.of([text], ["German", "infantry"]) for text in texts))
    for text in ("334 ID", "CFA", "1 Ger Inf", "7th German Division", "", "99", "Inf", "Force L 1-4"):
        assert likeness.of_all(text) == [likeness.of(text, one) for one in likeness.known]


def test_more_pieces_than_counters_are_assigned_like_fewer() -> None:
    scores = [[0.9, 0.2], [0.8, 0.7], [0.0, 0.0], [0.1, 0.75]]
    assert assign(scores) == [0, -1, -1, 1]
    assert assign([[0.0]] * 300 + [[0.5]]) == [-1] * 300 + [0]


def test_hexes_are_found_on_regions_that_bear_their_names_unless_there_are_only_a_few() -> None:
    game = open_game("postcard1943")
    layout = Layout(game.map.grid, 70.0)
    regions = {f"hex {name}": (round(x), round(y)) for name, (x, y) in named_centres(layout).items()}
    found = find_hexes(game, Survey(EMPTY_MODULE, (), (), (), points={"Map": regions}), {})
    assert found is not None
    assert found.is_sure
    assert all(found.laid.hex_at(*spot) == name[4:] for name, spot in regions.items())
    few = dict(list(regions.items())[::9])
    assert find_hexes(game, Survey(EMPTY_MODULE, (), (), (), points={"Map": few}), {}) is None


def named_centres(layout: Layout) -> dict[str, tuple[float, float]]:
    return {name: layout.centre(name) for name in layout.grid.names}
