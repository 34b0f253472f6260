"""Games that a real VASSAL recorded: the audit finds what was played wrong, and no more."""

from __future__ import annotations

import pytest

from tests.agreement import both_verdicts
from tests.audit.recorded import audited, expected

GAMES = ("patton1943", "tunisia1943", "vitoria1813")
LOGS = [(game, name) for game in GAMES for name in expected(game)]


@pytest.mark.parametrize(("game", "name"), LOGS)
def test_the_audit_finds_what_was_played_wrong_and_no_more(game: str, name: str) -> None:
    found = [
        [one.steps[-1], one.grade.name, one.clause, " ".join(one.units)]
        for one in audited(game, name).findings
    ]
    assert sorted(found) == sorted(expected(game)[name]["findings"])


@pytest.mark.parametrize(("game", "name"), LOGS)
def test_judging_the_record_gives_the_rulings_of_the_audit(game: str, name: str) -> None:
    read, judged = both_verdicts(audited(game, name))
    assert judged == read


@pytest.mark.parametrize(("game", "name"), LOGS)
def test_the_audit_reads_the_scenario_off_the_table(game: str, name: str) -> None:
    assert audited(game, name).world.scenario.id == expected(game)[name]["scenario"]
