"""For which verbs each rule on movement, stacking and zones holds: a table for each game, with cases."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.engine.rulebook import Rulebook
from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.judge import judge_record
from referee.record import read

CASES = Path(__file__).parents[1] / "cases"
TABLES = sorted(CASES.glob("*/verbs.toml"))
NEXT = "next"
"""Stands for rules that are looked at when a phase ends."""


@cache
def _table(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def _broken(folder: Path) -> frozenset[tuple[str, str]]:
    """Clauses and verbs for which some case expects a breach, illegal or unproven."""
    found = set()
    for path in sorted(folder.glob("*.record")):
        for _, statements in judge_record(read(path)):
            for each in statements:
                if each.ruling is not None:
                    found |= {
                        (breach.clause, each.ruling.action.verb)
                        for breach in each.ruling.breaches
                        if breach.grade >= Grade.unproven
                    }
    return frozenset(found)


def _registered(rules: Rulebook, clause: str) -> set[str]:
    verbs = {verb for verb, all_ in rules.rules.items() if any(clause in rule.clauses for rule in all_)}
    at_the_end = any(clause in rule.clauses for all_ in rules.leavings.values() for rule in all_)
    return verbs | ({NEXT} if at_the_end else set())


def _places(rules: Rulebook) -> set[str]:
    """The verbs that put a counter on another hex along a path."""
    return {verb.name for verb in rules.own_verbs if any(part.text == "PATH" for part in verb.parts)}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_of_every_rule_and_every_way_to_change_hexes_it_is_said_whether_it_holds(path: Path) -> None:
    table, rules = _table(path), find_rules(path.parent.name)
    paths = {*table["verbs"]}
    assert _places(rules) - paths == set(), "verbs with a path are missing from the list"
    silent = {
        clause: sorted(paths - {*entry["holds"]} - {*entry.get("not", {})})
        for clause, entry in table["clauses"].items()
    }
    assert {clause: verbs for clause, verbs in silent.items() if verbs} == {}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_rules_look_at_the_verbs_that_the_table_names_and_at_no_others(path: Path) -> None:
    table, rules = _table(path), find_rules(path.parent.name)
    paths = {*table["verbs"], NEXT}
    wrong = {}
    for clause, entry in table["clauses"].items():
        registered, holds = _registered(rules, clause) & paths, {*entry["holds"]} & paths
        if registered != holds:
            wrong[clause] = {"missing": sorted(holds - registered), "too many": sorted(registered - holds)}
    assert wrong == {}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_every_rule_has_a_case_for_each_verb_that_it_holds_for(path: Path) -> None:
    broken = _broken(path.parent)
    missing = [
        (clause, verb)
        for clause, entry in _table(path)["clauses"].items()
        for verb in entry["holds"]
        if (clause, verb) not in broken
    ]
    assert missing == []
