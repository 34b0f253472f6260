"""What is calculated from verdicts: changes, chances, names taken out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.archive import changes
from referee.archive.chances import chances, corrected, interval
from referee.archive.changes import compare, in_words
from referee.archive.corrections import Corrections
from referee.archive.database import Database
from referee.archive.redacting import hiding
from referee.archive.site import PUBLIC, as_csv, page_of, write_site
from referee.archive.tables import Names
from referee.report.dice import as_far


def finding(
    step: int, clause: str, grade: str = "illegal", says: str = "Too far.", unit: str = "blade"
) -> Any:
    return {
        "steps": [step],
        "clause": clause,
        "grade": grade,
        "says": says,
        "units": [unit],
        "number": 0,
        "at": step,
        "log": "a.vlog",
    }


def changed(old: list[Any], new: list[Any], **basis: object) -> list[tuple[str, str, str]]:
    rests = {"logs": ["x"], "rules": "1"}
    found = compare(("", rests, old), ("", {**rests, **basis}, new))
    return [
        (one.kind, one.old["clause"] if one.old else "", one.new["clause"] if one.new else "")
        for one in found
    ]


def test_what_is_the_same_is_no_change() -> None:
    both = [finding(3, "move.1"), finding(3, "stack.1"), finding(5, "move.1")]
    assert changed(both, list(reversed(both))) == []


def test_findings_appear_and_go() -> None:
    assert changed([finding(3, "move.1")], [finding(4, "move.1")]) == [
        (changes.WENT, "move.1", ""),
        (changes.APPEARED, "", "move.1"),
    ]


def test_another_grade_clause_or_wording_of_the_same_finding_is_one_change() -> None:
    old = finding(3, "move.1")
    assert changed([old], [finding(3, "move.1", "unproven")]) == [(changes.GRADE, "move.1", "move.1")]
    assert changed([old], [finding(3, "move.2")]) == [(changes.CLAUSE, "move.1", "move.2")]
    assert changed([old], [finding(3, "move.1", says="Much too far.")]) == [
        (changes.WORDS, "move.1", "move.1")
    ]
    assert changed([old], [finding(3, "move.2", unit="hart")]) == [(changes.CLAUSE, "move.1", "move.2")]


def test_findings_that_stay_are_not_taken_for_one_that_goes() -> None:
    old = [finding(3, "move.1"), finding(3, "move.2")]
    assert changed(old, [finding(3, "move.2")]) == [(changes.WENT, "move.1", "")]


def test_a_change_says_what_it_is_due_to_with_both_texts() -> None:
    rests = {"logs": ["x"], "rules": "1", "data": "1"}
    (one,) = compare(
        ("", rests, [finding(3, "move.1")]),
        ("", {**rests, "rules": "2"}, [finding(3, "move.1", "unproven", "Perhaps too far.")]),
    )
    assert one.why == "the code of the rules"
    assert in_words(one) == [
        "a.vlog, step 3: another grade",
        "  was illegal move.1: Too far.",
        "  is  unproven move.1: Perhaps too far.",
    ]


def test_a_game_that_cannot_be_judged_any_more_is_a_single_change() -> None:
    rests = {"logs": ["x"]}
    (one,) = compare(("", rests, [finding(3, "move.1")]), ("took too long", rests, []))
    assert (one.kind, one.new) == (changes.FAILED, {"says": "took too long"})


def test_the_chances_of_many_series_are_those_of_each() -> None:
    series = [(6, 1, 6), (6, 20, 55), (6, 20, 90), (10, 7, 60), (6, 700, 2600)]
    for one, chance in chances(series).items():
        assert chance == pytest.approx(as_far(*one)), one


def test_looking_at_many_players_makes_a_small_chance_larger() -> None:
    assert corrected([0.01] + [0.5] * 99)[0] == pytest.approx(1.0)
    assert corrected([0.0001, 0.5])[0] == pytest.approx(0.0002)
    assert corrected([]) == []


def test_few_actions_leave_a_rate_open() -> None:
    assert interval(0, 0) == (0.0, 1.0)
    few, many = interval(1, 10), interval(100, 1000)
    assert few[0] < 0.1 < few[1]
    assert many[1] - many[0] < few[1] - few[0]


def test_names_are_taken_out_whole_and_in_whatever_case() -> None:
    hide = hiding({"Bob": "Player 1", "Bob K.": "Player 2", "bob.vlog": "game-1-1.vlog"})
    assert hide("BOB attacks; Bob K. retreats, Bobby does not: bob.vlog") == (
        "Player 1 attacks; Player 2 retreats, Bobby does not: game-1-1.vlog"
    )


def test_a_cell_is_never_a_formula() -> None:
    assert as_csv([{"player": "=cmd()", "between": [1, 2]}]) == "player,between\n'=cmd(),1 2\n"
    players = [{"name": "=cmd()", "side": "Allies"}]
    assert as_csv([{"players": players, "won": {"@x": 1}}]) == "players,won\n'=cmd() (Allies),'@x 1\n"


def test_a_title_is_no_code_of_a_page() -> None:
    page = page_of("Foxes & <b>Hounds</b>", {}, ("elements.js",), "map.js")
    assert "<title>Foxes &amp; &lt;b&gt;Hounds&lt;/b&gt;</title>" in page


def test_the_map_of_a_game_that_the_archive_has_no_longer_goes(tmp_path: Path) -> None:
    home = tmp_path / PUBLIC
    home.mkdir()
    (home / "map-gone1943.html").write_text("Anna lost three units here", encoding="utf-8")
    with Database.open(tmp_path / "archive.sqlite") as database:
        write_site(tmp_path, database, Names(Corrections()), ())
    assert sorted(path.name for path in home.iterdir()) == ["data", "index.html"]
