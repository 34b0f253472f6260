"""How rulings speak of units and numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.engine.rulings import Fact
from referee.engine.wording import counted, facts_in_words, listed, name_of
from referee.games import find_rules
from vassalgen.game.finding import open_game


@pytest.mark.parametrize(
    ("amount", "unit", "says"),
    [
        (1, "hex", "1 hex"),
        (2, "hex", "2 hexes"),
        (0, "step", "0 steps"),
        (Fraction(5, 2), "MF", "2.5 MF"),
        (3, "enemy", "3 enemies"),
    ],
)
def test_a_number_has_its_unit_of_measure_in_the_right_form(
    amount: Fraction | int, unit: str, says: str
) -> None:
    assert counted(amount, unit) == says


def test_a_list_is_said_in_words() -> None:
    assert [listed([]), listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"], "or")] == [
        "", "A", "A and B", "A, B or C",
    ]  # fmt: skip


def test_units_of_the_same_name_are_told_apart_by_their_nation() -> None:
    rules = find_rules("postcard1943")
    position = rules.empty(rules.world(open_game("postcard1943")))
    assert [name_of(position, unit) for unit in ("us1", "uk1", "uk78")] == [
        "American 1st Division", "British 1st Division", "78th Division",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "facts", "words"),
    [
        ("postcard1943", {"unit": "us1"}, ("unit", "American 1st Division")),
        ("postcard1943", {"cost": Fraction(9, 2)}, ("movement cost", "4.5 MF")),
        ("tunisia1943", {"allowance": "5"}, ("movement allowance", "5 MP")),
        ("tunisia1943", {"path": ("1717", "1718")}, ("path", "1717, 1718")),
        ("tunisia1943", {"steps missing": 1}, ("steps still to be lost", "1 step")),
        ("tunisia1943", {"die": "+2"}, ("DRM", "+2")),
        ("tunisia1943", {"divisions": ("us-1",)}, ("divisions", "US 1st Infantry Division")),
        ("postcard1943", {"nation": "uk"}, ("nation", "British")),
        (
            "tunisia1943",
            {"announced": ("+1 de-pzg69, out of supply",)},
            ("announced", "+1 Panzergrenadier Regiment 69, out of supply"),
        ),
        ("postcard1943", {"unless": "it was in B1"}, ("unless", "it was in B1")),
        ("patton1943", {"distance": 14}, ("distance", "14 hexes")),
        ("patton1943", {"friends": ()}, ("friends there", "none")),
    ],
)
def test_facts_are_named_with_their_units(game: str, facts: dict[str, Fact], words: tuple[str, str]) -> None:
    assert list(facts_in_words(facts, open_game(game))) == [words]
