"""Odds on a ladder of ratios that continues beyond the table, shifts, and the excess."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.combat import Ends, Modifier, Shift, Strength, ladder_odds, rung, rung_label
from vassalgen.game.tables import Table

TABLE = Table(
    "crt",
    "Combat",
    ("1/2", "1/1", "3/2", "2/1", "3/1", "4/1"),
    ("0-", "1", "2", "3+"),
    tuple(tuple(f"{row}{column}" for column in "abcdef") for row in "0123"),
)
ENDS = Ends("low", "high")


def calculate_odds(attack: int, defence: int, *shifts: int, die: int = 0) -> tuple[str, int]:
    """The final column and what is added to the die."""
    odds = ladder_odds(
        TABLE,
        [Strength("us", Fraction(attack), "a")],
        [Strength("them", Fraction(defence), "d")],
        [Shift("shift", by, "s") for by in shifts],
        [Modifier("hill", die, "m")] if die else [],
        ENDS,
    )
    return odds.label, odds.modifier


@pytest.mark.parametrize(
    ("attack", "defence", "label"),
    [
        (7, 4, "3/2"),
        (5, 3, "3/2"),
        (6, 3, "2/1"),
        (13, 3, "4/1"),
        (15, 3, "5/1"),
        (18, 3, "6/1"),
        (17, 3, "5/1"),
        (1, 2, "1/2"),
        (3, 7, "1/3"),
        (4, 8, "1/2"),
        (1, 3, "1/3"),
        (2, 7, "1/4"),
        (1, 40, "1/40"),
    ],
)
def test_ratios_are_rounded_for_the_defender(attack: int, defence: int, label: str) -> None:
    assert rung_label(TABLE, rung(TABLE, Fraction(attack), Fraction(defence))) == label


def test_columns_beyond_the_ends_go_to_the_die() -> None:
    assert calculate_odds(13, 3) == ("4/1", 0)
    assert calculate_odds(13, 3, 1) == ("4/1", 1)
    assert calculate_odds(18, 3) == ("4/1", 2)
    assert calculate_odds(15, 3, 1) == ("4/1", 2)
    assert calculate_odds(4, 8, -2) == ("1/2", -2)
    assert calculate_odds(4, 8, -2, 1) == ("1/2", -1)
    assert calculate_odds(15, 3, -2) == ("3/1", 0)
    assert calculate_odds(15, 3, die=-2) == ("4/1", -1)


def test_a_result_is_read_at_the_end_row_when_the_die_goes_beyond() -> None:
    table = Table("t", "T", ("1/1",), ("1", "2", "3"), (("a",), ("b",), ("c",)))
    odds = ladder_odds(
        table, [Strength("us", Fraction(3), "")], [Strength("them", Fraction(1), "")], [], [], ENDS
    )
    assert (odds.modifier, odds.result(1), odds.result(6)) == (2, "c", "c")
    assert (odds.result(-9)) == "a"


def test_everything_that_made_the_odds_is_reported() -> None:
    odds = ladder_odds(
        TABLE,
        [Strength("us", Fraction(18), "a")],
        [Strength("them", Fraction(3), "d")],
        [Shift("aircraft", -1, "s")],
        [Modifier("hill", -1, "m"), Modifier("nothing", 0, "n")],
        ENDS,
    )
    assert odds.lines() == (
        "attack 18",
        "  +18 us [a]",
        "defence 3",
        "  +3 them [d]",
        "column 6/1",
        "  -1 aircraft [s]",
        "final column 4/1",
        "die +0",
        "  -1 hill [m]",
        "  +1 5/1, 1 above 4/1 [high]",
    )


@given(st.integers(0, 60), st.integers(1, 60))
def test_the_ladder_is_what_one_would_count_by_hand(attack: int, defence: int) -> None:
    ratio = max(Fraction(attack), Fraction(1, 2)) / defence
    rungs = [Fraction(1, n) for n in range(200, 2, -1)] + [Fraction(*r) for r in TABLE.ratios]
    rungs += [Fraction(n) for n in range(5, 100)]
    by_hand = max(place for place, each in enumerate(rungs) if each <= ratio) - 198
    assert rung(TABLE, Fraction(attack), Fraction(defence)) == by_hand
