"""A clause broken as often as is wanted, the page that reports it, and a run that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.proof.breakers import find_breaker
from tools.proof.breaking import Breaker, Mutator
from tools.proof.proving import GONE, WANTED, break_clause, count_legal, judged, to_break
from tools.proof.reporting import report
from tools.prove import Task, run
from vassalgen.game.finding import open_game

README = Path(__file__).resolve().parents[2] / "README.md"
TASKS: list[Task] = [("game", "", seed) for seed in (3, 1, 2)]


def done(task: Task) -> dict[str, Any]:
    kind, clause, seed = task
    return {"kind": kind, "clause": clause, "seed": seed, "square": seed * seed}


def never(task: Task) -> dict[str, Any]:
    raise AssertionError(f"{task} was done already")


def test_a_run_that_was_stopped_goes_on_where_it_stopped(tmp_path: Path) -> None:
    keep = tmp_path / "keep.jsonl"
    run(TASKS[:2], done, 1, keep)
    again = run(TASKS[:2], never, 1, keep)
    assert [found["square"] for found in again] == [9, 1]
    assert [found["square"] for found in run(TASKS, done, 2, keep)] == [9, 1, 4]
    assert len(keep.read_text(encoding="utf-8").splitlines()) == 3


def test_a_clause_is_broken_as_often_as_is_wanted() -> None:
    found = break_clause("postcard1943", "", "setup.1", seed=1, wanted=3)
    assert sum(sum(counts.values()) for counts in found["broken"].values()) == 3
    assert found["missed"] == found["wrong"] == []


@pytest.mark.parametrize(
    ("breaker", "said"),
    [
        (Breaker(unbroken={"win.1": "nobody can say it"}), "- win.1: nobody can say it"),
        (Breaker(), "- win.1: no mutator is written yet"),
        (
            Breaker([Mutator("win.1", (), lambda moment: ())]),
            "- win.1: came up 2 times in the games of 7 seeds",
        ),
    ],
)
def test_the_page_says_why_a_clause_was_broken_seldom(breaker: Breaker, said: str) -> None:
    counted = {"missed": [], "wrong": [], "untold": {}, "kind": "broken", "seed": 1, "seeds": 7, "wanted": 50}
    counted |= {"legal": 1, "asked": 2}
    found = [
        {**counted, "clause": "win.1", "broken": {"claims_too_soon": {"exact": 2}}},
        {**counted, "clause": "win.2", "broken": {"claims_too_late": {"exact": 50}}},
    ]
    assert said in list(report(open_game("postcard1943"), breaker, found))


def test_the_page_explains_what_was_not_found_with_its_clause() -> None:
    counted = {
        "wrong": [],
        "untold": {},
        "kind": "broken",
        "seed": 1,
        "seeds": 7,
        "clause": "win.1",
        "wanted": 4,
        "legal": 7,
        "asked": 126,
    }
    missed = "win.1 (claims_too_soon), seed 4: `claim allied`: found nothing"
    found = [{**counted, "broken": {"claims_too_soon": {"exact": 3, "missed": 1}}, "missed": [missed]}]
    page = "\n".join(
        report(open_game("postcard1943"), Breaker(explained={"claims_too_soon": "it is late"}), found)
    )
    assert f"- win.1: 1 of 4 by `claims_too_soon`: it is late\n  - {missed}" in page
    assert "| win.1 | 7 | 126 | 0 | 4 | 3 | 0 | 1 | 75.0 % | 75.0 % |" in page


def test_the_page_counts_false_accusations_by_the_clause_they_name() -> None:
    game = {
        "kind": "game",
        "seed": 1,
        "stuck": "",
        "untold": "",
        "actions": 9,
        "steps": 12,
        "doubtful": [],
        "differs": [],
        "wrong": ["seed 1, step 4: illegal win.1: `claim axis`: nobody has won"],
    }
    broken = {
        "kind": "broken",
        "clause": "win.2",
        "seed": 1,
        "seeds": 1,
        "wanted": 1,
        "legal": 3,
        "asked": 9,
        "missed": [],
        "untold": {},
        "broken": {"claims_too_late": {"exact": 1}},
        "wrong": ["broken (claims_too_late): seed 2, step 7: illegal win.1: `claim axis`: nobody has won"],
    }
    page = list(report(open_game("postcard1943"), Breaker(), [game, broken]))
    assert "| win.1 | – | – | 2 | 0 | 0 | 0 | 0 |  |  |" in page
    assert "| all | 3 | 9 | 2 | 1 | 1 | 0 | 0 | 100.0 % | 100.0 % |" in page


def test_an_action_counts_for_a_clause_only_where_the_clause_could_be_broken() -> None:
    """Defenders are Disrupted in some battles only; aircraft may intercept wherever others bomb."""
    seldom, often = (count_legal("postcard1943", "", clause, seed=1) for clause in ("disrupt.3", "air.2"))
    assert 0 < seldom["legal"] < seldom["asked"] / 10
    assert often["legal"] == often["asked"] == WANTED


def test_a_clause_that_no_log_can_show_is_credited_with_no_action() -> None:
    game, breaker = open_game("postcard1943"), find_breaker("postcard1943")
    assert {"win.1", "win.2"} <= set(judged(game)) - set(to_break(game, breaker))
    assert not set(breaker.unbroken) & set(to_break(game, breaker))


def test_the_page_counts_changes_by_kind_and_phase_and_explains_those_not_found() -> None:
    changed = {
        "kind": "changed",
        "seed": 1,
        "untold": 0,
        "wrong": [],
        "changes": {"removed": {"combat": {"illegal": 3, "slip": 1, GONE: 2}, "end": {"unproven": 4}}},
        "gone": [["removed", "seed 1, turn 2, axis combat: pz10 in B5: removed (axis-lost)"]],
    }
    breaker = Breaker(explained={"removed": "the log does not say why"})
    page = "\n".join(report(open_game("postcard1943"), breaker, [changed]))
    assert "| change | reinforcements | movement | combat | recovery | end | found |" in page
    assert "| removed |  |  | 3 / 1 / 2 |  | 0 / 4 / 0 | 80 % |" in page
    assert "- removed: 1: the log does not say why\n  - seed 1, turn 2" in page
    assert "10 changes without a reason, in 1 games: 3 found illegal, 5 unproven or a slip, 2 not" in page


@pytest.mark.parametrize("name", ["postcard1943", "tunisia1943", "patton1943", "vitoria1813"])
def test_the_readme_counts_what_logs_can_show(name: str) -> None:
    game = open_game(name)
    shown = len(to_break(game, find_breaker(name)))
    row = next(line for line in README.read_text(encoding="utf-8").splitlines() if f"(`{name}`)" in line)
    assert f"| {len(judged(game))} clauses judged, {shown} of them in logs |" in row
