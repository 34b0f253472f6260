"""The command ``referee judge``, and what helps at the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.engine.position import Position
from referee.games import find_rules
from referee.judge import carry_out
from referee.record import parse
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

HEADER = "game postcard1943\nat turn 3, Axis movement\nplace pz10 on B5; place uk78 on I6\n"
MOVE = "move pz10 B5..H6"


def judge(tmp_path: Path, text: str, *options: str) -> Result:
    path = tmp_path / "game.record"
    path.write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["judge", str(path), *options])


def position(text: str) -> Position:
    record = parse(text)
    assert record.world is not None
    found = record.world.rulebook.empty(record.world)
    for statement in record.main:
        _, found = carry_out(found, statement)
    return found


def test_a_ruling_tells_facts_rule_and_data(tmp_path: Path) -> None:
    done = judge(tmp_path, f"{HEADER}{MOVE}\n")
    assert done.exit_code == 0
    assert f"line 4, turn 3, Axis movement: {MOVE}: illegal" in done.output
    assert "illegal move.11: a step next to the enemy costs a full MF by road; 4.5 needed of 4" in done.output
    assert "facts: unit pz10, way B5 H6, cost 4.5, allowance 4" in done.output
    assert "rule: " in done.output
    assert "data: reconstruction" in done.output


def test_an_expectation_that_is_met(tmp_path: Path) -> None:
    done = judge(tmp_path, f"{HEADER}{MOVE} ! illegal move.11\n")
    assert (done.exit_code, "1 expectations, 0 not met" in done.output) == (0, True)


@pytest.mark.parametrize(
    "expected", ["legal", "illegal move.1", "unproven move.11", "illegal move.11 move.1"]
)
def test_an_expectation_that_is_not_met(tmp_path: Path, expected: str) -> None:
    done = judge(tmp_path, f"{HEADER}{MOVE} ! {expected}\n", "--quiet")
    assert done.exit_code == 1
    assert f"EXPECTED {expected.replace('move.11 move.1', 'move.1 move.11')}" in done.output


def test_an_unreadable_record(tmp_path: Path) -> None:
    done = judge(tmp_path, "game postcard1943\nfly to the moon\n")
    assert done.exit_code == 2
    assert "game.record: line 2: nothing is done by 'fly to the moon'" in done.output


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "game.record").write_bytes(b"\xff\xfe\x00")
    done = CliRunner().invoke(main, ["judge", str(tmp_path / "game.record")])
    assert (done.exit_code, "is no text in UTF-8" in done.output) == (2, True)


def test_everything_as_json(tmp_path: Path) -> None:
    text = HEADER.replace("at", "case move.11 too far\nat", 1)
    done = judge(tmp_path, f"{text}{MOVE} ! legal\n", "--json")
    assert done.exit_code == 1
    (record,) = json.loads(done.output)
    (action,) = record["cases"][-1]["actions"]
    assert (record["game"], action["grade"], action["met"], action["expected"]) == (
        "postcard1943",
        "illegal",
        False,
        "legal",
    )
    assert action["breaches"][0]["clause"] == "move.11"


def test_an_impossible_position_says_why() -> None:
    at_hand = position("game postcard1943\nplace pz10 superga de334 hg on B5; place broich on A4 disrupted\n")
    assert sorted(breach.clause for breach in at_hand.status()) == ["disrupt.4", "stack.1"]


def test_a_game_without_rules_is_told() -> None:
    with pytest.raises(BadInput, match="there are no rules for this game"):
        find_rules("skirmish")
    assert open_game("postcard1943").id in find_rules("postcard1943").game
