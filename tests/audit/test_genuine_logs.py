"""Games that a real VASSAL recorded: the audit finds what was played wrong in them, and no more."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.audit import Report, audit
from referee.engine.rulings import Grade
from referee.record import write
from referee.report import text
from referee.report.as_json import report_json
from referee.scribe.reading import Certainty
from referee.table import Log, ModulePlan, read_log, read_module
from tests.agreement import both_verdicts
from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game

HERE = Path(__file__).resolve().parents[1] / "data" / "postcard1943"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((HERE / "expected.toml").read_text(encoding="utf-8"))


@cache
def audited(name: str) -> Report:
    return audit(played(name), open_game("postcard1943"))


def played(name: str) -> list[Log]:
    """A log, and those before it of the same game."""
    before = EXPECTED[name].get("after")
    return [*(played(before) if before else ()), read_log(HERE / f"{name}.vlog")]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_audit_finds_what_was_played_wrong_and_no_more(name: str) -> None:
    report = audited(name)
    found = [
        [one.steps[-1], one.grade.name, one.clause, " ".join(one.units)]
        for one in report.findings
        if one.log == f"{name}.vlog"
    ]
    assert sorted(found) == sorted(EXPECTED[name]["findings"])


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModulePlan:
    """The current module, whose boxes are in other places than in the modules of the older logs."""
    path = tmp_path_factory.mktemp("built") / "postcard1943.vmod"
    compile_game(open_game("postcard1943")).write(path)
    return read_module(path)


@pytest.mark.parametrize("name", EXPECTED)
def test_with_the_module_at_hand_the_same_is_found(name: str, module: ModulePlan) -> None:
    with_it = audit(played(name), open_game("postcard1943"), module)
    assert [one.id for one in with_it.findings] == [one.id for one in audited(name).findings]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_position_is_what_lies_on_the_table_in_the_end(name: str) -> None:
    report = audited(name)
    grid = report.world.game.map.grid
    lying = {piece.id: piece.where for piece in report.position.pieces.values() if piece.where in grid}
    assert lying == EXPECTED[name]["lying"]


@pytest.mark.parametrize("name", EXPECTED)
def test_judging_the_record_gives_the_rulings_of_the_audit(name: str) -> None:
    read, judged = both_verdicts(audited(name))
    assert judged == read


def test_the_game_of_breaches_has_many_different_ones() -> None:
    clauses = {clause for _, grade, clause, _ in EXPECTED["breaches"]["findings"] if grade == "illegal"}
    assert len(clauses) >= 12


def test_nobody_who_played_honestly_is_accused() -> None:
    for name in EXPECTED.keys() - {"breaches"}:
        assert audited(name).count(Grade.illegal) == 0


def test_the_record_shows_where_each_statement_was_read() -> None:
    reported = write(audited("breaches").record).splitlines()
    assert "move broich B5..C5 # step 3" in reported


def test_a_messy_game_is_read_with_a_word_on_how_sure_it_is() -> None:
    ways = {one.certainty for one in audited("messy").readings}
    assert {Certainty.inferred, Certainty.ambiguous, Certainty.announced} <= ways


def test_the_text_shows_clause_facts_rule_and_where_the_data_come_from() -> None:
    reported = " ".join(" ".join(text.lines(audited("breaches"))).split())
    assert "illegal move.2: Division von Broich is not mobile and does not double" in reported
    assert "movement cost: 5 MF; movement allowance: 4 MF" in reported
    assert "Data: reconstruction" in reported
    assert "18 illegal, 0 unproven, 0 slips" in reported


def test_every_finding_has_an_id_of_its_own() -> None:
    ids = [one.id for one in audited("breaches").findings]
    assert len(set(ids)) == len(ids)


def test_the_plain_values_hold_what_programs_need() -> None:
    reported = report_json(audited("breaches"))
    first = reported["findings"][0]
    assert (first["steps"], first["turn"], first["clause"]) == ([3], 1, "seq.2")
    assert first["provenance"] == "rulebook Turn Sequence"
    assert reported["summary"]["illegal"] == 18


def test_no_password_is_shown() -> None:
    for name in EXPECTED:
        assert "not-a-secret" not in "\n".join(text.lines(audited(name))) + str(report_json(audited(name)))


def test_a_counter_that_is_put_on_the_table_a_second_time_is_named_at_its_step() -> None:
    lines = " ".join(" ".join(text.lines(audited("second"))).split())
    note = "Step 4: A second Blade Force was put on the table; the game has one, and only the first counts."
    assert note in lines


def test_refreshing_the_counters_is_nothing_unusual() -> None:
    lines = "\n".join(text.lines(audited("refreshed")))
    assert "Counter added" not in lines
    assert "is no counter of this game" not in lines
