"""Three small games by data alone: their rulebooks were written as prose first, then as data."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from referee.engine.actions import Action
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.judge import judge_record
from referee.record import parse, read
from tools.proof.breakers import find_breaker
from tools.proof.breaking import broken_games
from tools.proof.carelessness import false_accusations
from tools.proof.habits import IN_HAND
from tools.proof.judging import audit_game
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.proving import is_accusation, world_of
from vassalgen.game.finding import open_game

HERE = Path(__file__).parent
CLUBS = sorted(path.parent for path in HERE.glob("*/game.toml"))
FAMILIES = {"orsa": "odds", "grauwald": "differential", "dalia": "fire"}


@pytest.mark.parametrize("club", CLUBS, ids=lambda path: path.name)
def test_every_clause_of_the_rulebook_is_written_down(club: Path) -> None:
    clauses = re.findall(
        r"^\*\*([\d.]+)\*\*", (club / "rulebook.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(clauses) >= 25
    assert list(open_game(club).clauses) == clauses


@pytest.mark.parametrize("club", CLUBS, ids=lambda path: path.name)
def test_cases_are_ruled_as_they_expect(club: Path) -> None:
    judged = [one for _, statements in judge_record(read(club / "cases.record")) for one in statements]
    wrong = {
        one.statement.line: [breach.says for breach in one.ruling.breaches]
        for one in judged
        if one.ruling and one.failed
    }
    assert wrong == {}
    assert len([one for one in judged if one.ruling and one.ruling.grade is Grade.illegal]) >= 15


@pytest.mark.parametrize("club", CLUBS, ids=lambda path: path.name)
def test_enforced_clauses_have_a_legal_and_an_illegal_case(club: Path) -> None:
    legal, illegal = set(), set()
    for case, statements in judge_record(read(club / "cases.record")):
        for ruling in (one.ruling for one in statements if one.ruling and one.statement.expected):
            illegal |= {breach.clause for breach in ruling.breaches}
            legal |= set() if ruling.breaches else set(case.clauses)
    enforced = [one.id for one in open_game(club).clauses.values() if one.judged == "enforced"]
    missing = [one for one in enforced if one not in legal], [one for one in enforced if one not in illegal]
    assert missing == ([], [])


def test_the_clubs_games_are_of_different_families() -> None:
    for club in CLUBS:
        families = open_game(club).families
        assert families is not None
        assert FAMILIES[club.name] in {combat.kind for combat in families.combat.values()}


def test_what_stays_wrong_in_phases_that_are_passed_over_is_told_once() -> None:
    text = "game .\nat turn 1, Austrian movement; place a3 ac2 on C3\nnext turn 1, Austrian rally\n"
    ((_, (*_, last)),) = judge_record(parse(text, str(HERE / "grauwald" / "stack.record")))
    assert last.ruling
    assert [one.clause for one in last.ruling.breaches] == ["3.1"]


def test_a_random_game_is_logged_read_and_found_legal() -> None:
    name = str(HERE / "grauwald")
    world = world_of(name, "")
    played = play_for_log(world, 1, turns=1)
    assert not played.stuck
    report, _ = audit_game(opening_of(name), played.steps, 1)
    assert [one.says for one in report.findings if is_accusation(one, find_idiom(world.game))] == []


@pytest.mark.parametrize("club", CLUBS, ids=lambda path: path.name)
def test_units_retreat_and_advance_in_random_games(club: Path) -> None:
    played = play_for_log(world_of(str(club), ""), 1)
    assert {"retreat", "advance"} <= {step.action.verb for step in played.steps}


def test_the_dice_of_each_kind_of_combat_are_read_as_its_own() -> None:
    name = str(HERE / "dalia")
    played = play_for_log(world_of(name, ""), 2, turns=4)
    report, _ = audit_game(opening_of(name), played.steps, 2)
    rolled = [one.action.verb for one in played.steps if one.action.verb.startswith("roll ")]
    contents = [one.statement.content for one in report.readings]
    assert "roll assault" in rolled
    assert {one.verb for one in contents if isinstance(one, Action)} >= set(rolled)


def test_a_marker_is_taken_off_a_unit_that_has_been_lost_and_stays_until_the_next_phase() -> None:
    """Careless habits are tried in data games too: there are no accusations."""
    name = str(HERE / "orsa")
    assert false_accusations(name, 1, 3, frozenset({IN_HAND})) == []


@pytest.mark.parametrize(
    ("club", "turns", "clauses"),
    [("orsa", 1, {"4.1", "6.1"}), ("grauwald", 4, {"6.2", "7.4"}), ("dalia", 4, {"2.3"})],
)
def test_rules_are_broken_by_mutators_that_come_of_the_families(
    club: str, turns: int, clauses: set[str]
) -> None:
    name = str(HERE / club)
    steps = play_for_log(world_of(name, ""), 3, turns=turns).steps
    broken = list(broken_games(steps, find_breaker(name), Random(1), sorted(clauses), most=3))
    assert {one.clause for one in broken} == clauses
    assert all(one.is_found for one in broken)


def test_units_retreat_before_the_dice_of_an_attack_that_was_declared_twice() -> None:
    assert false_accusations(str(HERE / "grauwald"), 5002, 2, frozenset({"declared twice"})) == []
