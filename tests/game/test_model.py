from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from vassalgen.game.counters import Counter, Face
from vassalgen.game.game import Game, unknown
from vassalgen.game.provenance import KINDS, Provenance, weakest
from vassalgen.game.rules import Clause
from vassalgen.game.tables import Table
from vassalgen.game.values import Values
from vassalgen.problems import BadInput


@pytest.mark.parametrize(
    ("text", "kind", "reference", "remark"),
    [
        ("printed", "printed", "", ""),
        ("rulebook 7.3", "rulebook", "7.3", ""),
        (
            "rulebook Setup, Supply; hexes: reconstruction",
            "rulebook",
            "Setup, Supply",
            "hexes: reconstruction",
        ),
        ("reconstruction; named in rulebook 2", "reconstruction", "", "named in rulebook 2"),
        ("printed second edition", "printed", "second edition", ""),
    ],
)
def test_a_provenance_is_read_and_written(text: str, kind: str, reference: str, remark: str) -> None:
    provenance = Provenance.parse(text)
    assert (provenance.kind, provenance.reference, provenance.remark) == (kind, reference, remark)
    assert str(provenance) == text


@pytest.mark.parametrize(
    "text", ["", "rulebook", "rulebook ; x", "Printed", "reconstructed", "reconstruction, mostly"]
)
def test_a_text_that_is_no_provenance_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="rulebook"):
        Provenance.parse(text)


@given(st.lists(st.sampled_from(KINDS), min_size=1))
def test_a_verdict_is_worth_its_weakest_datum(kinds: list[str]) -> None:
    found = weakest(*(Provenance.parse(f"{kind} 1") for kind in kinds))
    assert found.kind == min(kinds, key=["reconstruction", "rulebook", "printed"].index)


def test_values_are_handed_out_by_type() -> None:
    group = {"inner": 2}
    values = Values({"a": 1, "b": 0.5, "c": "x y", "d": True, "e": ("p", "q"), "f": group}, "values supply")
    assert values.integer("a") == values.number("a") == 1
    assert values.number("b") == 0.5
    assert values.text("c") == "x y"
    assert values.words("c") == ("x", "y")
    assert values.words("e") == ("p", "q")
    assert values.flag("d") is True
    assert values.group("f").integer("inner") == 2
    assert values.integer("z", 7) == 7
    assert values.get("z") is None
    assert "a" in values
    assert list(values) == ["a", "b", "c", "d", "e", "f"]
    assert len(values) == 6


@pytest.mark.parametrize(
    ("ask", "reported"),
    [
        (lambda values: values.integer("gone"), "values supply: 'gone' is missing"),
        (lambda values: values["gone"], "values supply: 'gone' is missing"),
        (lambda values: values.integer("text"), "values supply: 'text' is 'many': a whole number"),
        (lambda values: values.integer("flag"), "values supply: 'flag' is True: a whole number"),
        (lambda values: values.number("flag"), "values supply: 'flag' is True: a number"),
        (lambda values: values.text("number"), "values supply: 'number' is 3: a text"),
        (lambda values: values.flag("number"), "values supply: 'number' is 3: true or false"),
        (lambda values: values.words("number"), "values supply: 'number' is 3: a list of words"),
        (lambda values: values.words("mixed"), "values supply: 'mixed' is ('a', 1): a list of words"),
        (lambda values: values.group("number"), "values supply: 'number' is 3: a table of values"),
    ],
)
def test_a_value_of_another_type_is_a_problem_of_the_data(ask: object, reported: str) -> None:
    values = Values({"text": "many", "number": 3, "flag": True, "mixed": ("a", 1)}, "values supply")
    assert callable(ask)
    with pytest.raises(BadInput) as error:
        ask(values)
    assert str(error.value) == reported


CRT = Table(
    id="crt",
    title="Combat",
    columns=("1:2", "1:1", "3:2", "2:1"),
    rows=("0-", "1", "2-3", "4", "5+"),
    cells=tuple(tuple(f"{row}{column}" for column in "abcd") for row in "01234"),
)


@pytest.mark.parametrize(
    ("number", "row"), [(-5, "0"), (0, "0"), (1, "1"), (2, "2"), (3, "2"), (4, "3"), (5, "4"), (99, "4")]
)
def test_a_number_rolled_finds_its_row(number: int, row: str) -> None:
    assert CRT.at("1:1", number) == f"{row}b"
    assert CRT.at(1, CRT.rows[CRT.row_of(number)]) == f"{row}b"


def test_a_number_without_a_row_is_refused() -> None:
    table = Table(id="t", title="T", columns=("a",), rows=("1", "2"), cells=(("x",), ("y",)))
    with pytest.raises(LookupError, match="table t has no row for 3"):
        table.at("a", 3)


def test_columns_that_are_odds_are_ratios() -> None:
    assert CRT.ratios == ((1, 2), (1, 1), (3, 2), (2, 1))
    slashed = Table(id="t", title="T", columns=("1/3", "1-2"), rows=(), cells=())
    assert slashed.ratios == ((1, 3), (1, 2))
    assert Table(id="t", title="T", columns=("1:3", "far"), rows=(), cells=()).ratios == ()


def test_a_cell_is_parted_into_its_results(skirmish_game: Game) -> None:
    table = skirmish_game.tables["crt"]
    assert table.codes("-|12 R*") == ("-", "12", "R", "*")
    assert table.codes("2 R") == ("2", "R")
    assert table.codes("") == ()
    with pytest.raises(ValueError, match="'Q' in '1 Q' is not a result of table crt"):
        table.codes("1 Q")


def test_a_counter_shows_the_face_of_its_steps() -> None:
    counter = Counter("x", "foot", "X", faces=(Face({"attack": 8}), Face({"attack": 3, "cohesion": "*"})))
    assert counter.steps == 2
    assert counter.factor("attack") == counter.factor("attack", 2) == 8
    assert counter.factor("attack", 1) == 3
    assert counter.printed("cohesion", 1) == "*"
    assert counter.printed("cohesion") is None
    with pytest.raises(ValueError, match="x has 2 steps, not 0"):
        counter.face(0)
    with pytest.raises(BadInput, match="counter x: 'cohesion' is '\\*': a whole number"):
        counter.factor("cohesion", 1)


def test_the_turn_goes_from_phase_to_phase_and_side_to_side(skirmish_game: Game) -> None:
    def shown(first: str) -> list[str]:
        return [f"{stop.side} {stop.phase.id}".strip() for stop in skirmish_game.sequence.stops(first)]

    assert shown("") == ["weather", "blue move", "blue fight", "red move", "red fight", "end"]
    assert shown("red") == ["weather", "red move", "red fight", "blue move", "blue fight", "end"]


def test_another_reading_is_adopted(skirmish_game: Game) -> None:
    game = skirmish_game.with_rulings({"wood-edge": "yes"})
    assert (skirmish_game.adopted("wood-edge"), game.adopted("wood-edge")) == ("no", "yes")
    assert game.reading("wood-edge").text == "Any tree counts."
    assert game != skirmish_game


def test_rulings_and_readings_that_do_not_exist_are_reported_at_once(skirmish_game: Game) -> None:
    with pytest.raises(BadInput) as error:
        skirmish_game.with_rulings({"wood-egde": "yes", "wood-edge": "yess"})
    assert str(error.value).splitlines() == [
        "skirmish: wood-egde: there is no such ruling: did you mean 'wood-edge'?",
        "skirmish: wood-edge: has no reading 'yess': did you mean 'yes'?",
    ]


def test_a_misspelt_name_is_answered_with_the_nearest_or_with_some() -> None:
    assert unknown("clera", ("clear", "hill")) == "did you mean 'clear'?"
    assert unknown("x", ("clear", "hill")) == "expected one of clear, hill"
    assert unknown("x", ()) == "none is defined"
    assert unknown("x", tuple(f"unit{n}" for n in range(20))).endswith("unit10, unit11 and 8 more")


def test_a_game_made_without_files_shows_problems_too(skirmish_game: Game) -> None:
    from attrs import evolve

    from vassalgen.game.checking import check

    clauses = {"odd.1": Clause("odd.1", "Odd", "enforced", "Odd.")}
    game = evolve(skirmish_game, clauses=clauses, rulings={}, origins={}, folders=())
    assert [str(problem) for problem in check(game)] == [
        "skirmish: clause, odd.1: there is no section 'odd': expected move"
    ]


@pytest.mark.parametrize(
    ("clause", "section"),
    [
        ("7a", "7"),
        ("7.1a", "7.1"),
        ("7.10", "7"),
        ("70a", "70a"),
        ("C1.9", "C1"),
        ("move.1", "move"),
        ("7", "7"),
    ],
)
def test_a_clause_stands_in_the_longest_section_that_its_id_begins_with(
    skirmish_game: Game, clause: str, section: str
) -> None:
    headings = dict.fromkeys(("7", "7.1", "C1", "C", "move"), "")
    assert evolve(skirmish_game, sections=headings).section(clause) == section
