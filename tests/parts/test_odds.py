"""The odds and results that the module works out are those of the game's table."""

from __future__ import annotations

from fractions import Fraction

import attrs
import pytest

from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.game.tables import Table
from vassalgen.parts.odds import NONE, Odds, by_steps, odds_of
from vassalgen.vassal.expressions import Properties, parse


def value(expression: str, **properties: object) -> str:
    return parse("{" + expression + "}").evaluate(
        Properties({name: str(one) for name, one in properties.items()})
    )


def odds(game: Game) -> Odds:
    found = odds_of(game)
    if not isinstance(found, Odds):
        pytest.skip("this game fights without odds, or with several tables")
    return found


def literally(table: Table, attack: int, defence: int, shift: int) -> int:
    """The column by the words of the rule: the best that the ratio of factors reaches."""
    reached = [
        place
        for place, (high, low) in enumerate(table.ratios)
        if defence == 0 or Fraction(attack, defence) >= Fraction(high, low)
    ]
    lowest = 0 if table.below.startswith("as ") else -1
    return max(lowest, min(len(table.columns) - 1, max(reached, default=-1) + shift))


@pytest.mark.parametrize("shift", [-2, 0, 1])
def test_a_column_holds_from_its_own_ratio_on(game: Game, shift: int) -> None:
    one = odds(game)
    if one.table.beyond:
        pytest.skip("this table goes on past its ends")
    expression = parse("{" + one.column("A", "D", "S") + "}")
    for attack in (0, 1, 2, 3, 5, 8, 24):
        for defence in (0, 1, 2, 3, 4, 7):
            given = Properties({"A": str(attack), "D": str(defence), "S": str(shift)})
            assert expression.evaluate(given) == str(literally(one.table, attack, defence, shift))


def test_every_result_of_the_table_is_found(game: Game) -> None:
    one = odds(game)
    expression, title = one.result("C", "0"), one.title("C")
    for column, label in enumerate(one.table.columns):
        assert value(title, C=column) == label
        for rolled in range(one.dice.count, one.dice.count * one.dice.sides + 1):
            total = {f"dice_{one.dice.id}_total": rolled}
            assert value(expression, C=column, **total) == one.table.at(column, rolled).strip()


def test_off_the_table_there_is_no_result(game: Game) -> None:
    one = odds(game)
    if one.table.beyond:
        pytest.skip("this table goes on past its ends")
    assert value(one.title("C"), C=-1) == NONE
    assert value(one.result("C", "0"), C=-1, **{f"dice_{one.dice.id}_total": 1}) == NONE


def test_a_table_that_says_so_goes_on_below_its_first_column(small: Game) -> None:
    one = odds(small)
    table = attrs.evolve(one.table, below=f"as {one.table.columns[0]}")
    assert value(attrs.evolve(one, table=table).column("A", "D", "S"), A=1, D=99, S=-1) == "0"


LADDER = [f"1/{low}" for low in range(9, 1, -1)] + ["1/1", "3/2", "2/1", "3/1"]
LADDER += [f"{high}/1" for high in range(4, 10)]


def climbed(attack: int, defence: int, shift: int) -> tuple[int, int]:
    """The column of a table from 1/2 to 4/1 and the columns cut off, by the words of the rule."""
    ratios = [Fraction(*map(int, label.split("/"))) for label in LADDER]
    reached = max(place for place, ratio in enumerate(ratios) if Fraction(attack, defence) >= ratio)
    first, last = LADDER.index("1/2"), LADDER.index("4/1")
    column = max(first, min(last, reached + shift))
    return column - first, reached + shift - column


@pytest.mark.parametrize("shift", [-3, 0, 2])
def test_a_table_goes_on_past_its_ends_and_what_is_cut_off_modifies_the_die(small: Game, shift: int) -> None:
    one = odds(small)
    columns = ("1/2", "1/1", "3/2", "2/1", "3/1", "4/1")
    table = attrs.evolve(one.table, columns=columns, beyond=1, modifiers=("artillery",))
    one = attrs.evolve(one, table=table)
    for attack in (1, 2, 3, 4, 7, 8, 13, 18, 24):
        for defence in (3, 4, 8):
            column, over = climbed(attack, defence, shift)
            place = value(one.column("A", "D", "S"), A=attack, D=defence, S=shift)
            assert value(one.title("C"), C=place) == columns[column]
            assert value(one.modifier("C", "M"), C=place, M=2) == str(2 + over)


def test_modified_dice_are_read_in_the_last_row_where_they_go_past_it(small: Game) -> None:
    one = odds(small)
    table = attrs.evolve(one.table, modifiers=("artillery",))
    one = attrs.evolve(one, table=table)
    low, high = one.dice.count, one.dice.count * one.dice.sides
    total = {f"dice_{one.dice.id}_total": high}
    assert value(one.result("0", "M"), M=9, **total) == table.at(0, high)
    assert value(one.result("0", "M"), M=-99, **total) == table.at(0, low)


def test_a_game_without_a_table_of_ratios_has_no_odds(small: Game) -> None:
    assert odds_of(attrs.evolve(small, tables={})) is None


@pytest.mark.parametrize("values", [{1: 2}, {1: 1, 2: 3}, {1: 1, 2: 2, 3: 2, 4: 5}])
def test_factors_follow_the_steps_left(values: dict[int, int]) -> None:
    expression = by_steps(values)
    assert [value(expression, Steps=steps) for steps in values] == list(map(str, values.values()))


def test_the_shipped_game_has_its_odds() -> None:
    assert odds(open_game("postcard1943")).table.id == "crt"
