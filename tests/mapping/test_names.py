"""How names are compared, pieces assigned, and hexes laid over boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mapping.aligning import align
from referee.mapping.assigning import assign
from referee.mapping.counters import Matching
from referee.mapping.likeness import Likeness, Names, alike, factors_in, words_of
from referee.mapping.mapped_view import ROLL
from referee.mapping.modulemap import Meaning, piece_keys
from referee.mapping.places import find_hexes
from referee.mapping.survey import PieceSeen, Survey, with_sides
from referee.mapping.tracks import shown, words_of_levels
from referee.table import EMPTY_MODULE
from referee.table.events import Spot
from vassalgen.game.finding import open_game
from vassalgen.game.layout import Layout
from vassalgen.vassal.turns import Level, Tracker


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("XIXFrCorps", ("xix", "french", "corps")),
        ("15PzDiv", ("15", "panzer", "division")),
        ("PzGr Rgt 069", ("panzergrenadier", "regiment", "69")),
        ("DE BG", ("german", "bg")),
    ],
)
def test_words_that_were_run_together_are_taken_apart(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


def test_small_letters_in_a_row_are_taken_apart_by_the_words_of_the_game() -> None:
    likeness = Likeness((Names.of(["Division von Broich"]), Names.of(["10th Panzer Division"])))
    assert likeness.words_in("divvonbroich") == ("division", "broich")
    assert likeness.words_in("10pzdiv") == ("10", "panzer", "division")
    assert likeness.words_in("broich") == ("broich",)


def test_numbers_that_only_count_pieces_name_no_counter() -> None:
    pieces = [
        PieceSeen(f"AX{n:03}", f"x{n:02}.png", start=Spot("Map", 0, 0, "Pool"), key=f"AX{n:03}")
        for n in range(1, 40)
    ]
    matches = Matching.of(open_game("postcard1943"), pieces).matches({})
    assert not any(match.is_sure for match in matches)
    assert all(match.may_be_unit for match in matches)


def test_what_is_kept_among_units_is_not_taken_for_nothing() -> None:
    named = ["Blade Force", "Hart Force", "78th Division", "L Force", "Corps franc d'Afrique"]
    pieces = [PieceSeen(name, "", ("Allied units",), key=name) for name in (*named, "Qwxyz")]
    found = {match.piece.key: match for match in Matching.of(open_game("postcard1943"), pieces).matches({})}
    assert found["Hart Force"].is_sure
    assert found["Qwxyz"].may_be_unit
    assert not found["Qwxyz"].is_sure


def test_pieces_of_one_name_and_picture_are_counters_that_look_the_same_or_not_sure() -> None:
    groups = PieceSeen("US BG", "bg.png", ("Allies",), start=Spot("Pool", 1, 1, None), count=2, key="US BG")
    (found,) = Matching.of(open_game("patton1943"), [groups]).matches({})
    assert found.is_sure
    assert {found.best, *found.also} == {"us-bg1", "us-bg2"}
    first = PieceSeen("1st Division", "1.png", start=Spot("Pool", 1, 1, None), count=2, key="1st Division")
    (found,) = Matching.of(open_game("postcard1943"), [first]).matches({})
    assert not found.is_sure
    assert {name for name, _ in found.candidates} >= {"us1", "uk1"}


def test_of_pieces_that_replace_each_other_one_is_the_front() -> None:
    front = PieceSeen("10 Pz", "a.png", other_side_of="10 Pz flipped [b]", start=Spot("Map", 1, 1, None))
    back = PieceSeen("10 Pz flipped", "b.png", other_side_of="10 Pz [a]")
    third = PieceSeen("10 Pz gone", "c.png", other_side_of="10 Pz flipped [b]")
    lone = PieceSeen("21 Pz (reduced)", "d.png")
    pair = PieceSeen("21 Pz", "e.png")
    found = {one.name: one for one in with_sides((front, back, third, lone, pair))}
    assert [(one.other_side_of, one.turned) for one in found.values()] == [
        ("", 0),
        ("10 Pz [a]", 1),
        ("10 Pz [a]", 2),
        ("21 Pz [e]", 1),
        ("", 0),
    ]


def test_a_turn_track_is_read_whatever_its_levels_are() -> None:
    axis = Level("Axis", words=("Move", "Combat"))
    allies = Level("Allies", words=("Move", "Combat"))
    months = Level("Month", words=("Dec 42", "Jan 43"), children=(axis, allies))
    tracker = Tracker("TurnTracker0", levels=(months,))
    assert list(words_of_levels(tracker.levels, months)) == [
        "Axis Move",
        "Axis Combat",
        "Allies Move",
        "Allies Combat",
    ]
    assert shown(tracker.read("0|1;1;0;;0;0"), "Month", 1) == ("2", "Allies Move")
    numbered = Tracker("TurnTracker0", levels=(Level("Turn", words=("Turn 3", "Turn 4")),))
    assert shown(numbered.read("0|1;0;0;"), "Turn", 1) == ("4", "")


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
    plain = align(grid, [("A1", 0, 0), ("A3", 173, 0), ("C1", 0, 200)])
    turned = align(grid, [("A1", 900, 50), ("A3", 900, 396), ("C1", 700, 50)])
    assert plain is not None
    assert turned is not None
    assert plain.hex_at(173, 200) == turned.hex_at(700, 396) == "C3"
    assert align(grid, [("A1", 0, 0), ("B1", 0, 100), ("C1", 0, 200)]) is None


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


@given(st.integers(1, 4).flatmap(lambda width: st.lists(_row_of(width), min_size=1, max_size=4)))
def test_no_other_assignment_scores_more(scores: list[list[int]]) -> None:
    found = assign(scores)
    taken = [column for column in found if column >= 0]
    assert len(taken) == len(set(taken))
    columns = [*range(len(scores[0])), *[-1] * len(scores)]
    every = permutations(columns, len(scores))
    assert _total(scores, found) == max(_total(scores, assigned) for assigned in every)


def _row_of(width: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(-1, 5), min_size=width, max_size=width)


def _total(scores: list[list[int]], assigned: Sequence[int]) -> int:
    return sum(row[column] for row, column in zip(scores, assigned, strict=True) if column >= 0)


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
