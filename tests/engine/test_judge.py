"""The command ``referee judge``, and what helps at the table."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.carrying_out import carry_out
from referee.cli import main
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.record import parse
from vassalgen.game.finding import find_game, open_game
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


def test_a_ruling_shows_facts_rule_and_data(tmp_path: Path) -> None:
    done = judge(tmp_path, f"{HEADER}{MOVE}\n")
    assert done.exit_code == 0
    assert f"line 4, turn 3, Axis movement: {MOVE}: illegal" in done.output
    says = "10th Panzer Division needs 4.5 MF to reach H6, a road hex next to the enemy at its full cost"
    assert f"illegal move.11: {says}" in done.output
    assert (
        "facts: unit: 10th Panzer Division; path: B5, H6; movement cost: 4.5 MF; movement allowance: 4 MF"
        in done.output
    )
    assert "rule: " in done.output
    assert "data: reconstruction" in done.output


def test_an_expectation_that_is_met(tmp_path: Path) -> None:
    done = judge(tmp_path, f"{HEADER}{MOVE} ! illegal move.11\n")
    assert (done.exit_code, "1 expectation, 0 not met" in done.output) == (0, True)


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
    assert "game.record: line 2: 'fly to the moon' is not understood" in done.output


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "game.record").write_bytes(b"\xff\xfe\x00")
    done = CliRunner().invoke(main, ["judge", str(tmp_path / "game.record")])
    assert (done.exit_code, "is not UTF-8 text" in done.output) == (2, True)


def test_everything_as_json(tmp_path: Path) -> None:
    text = HEADER.replace("at", "case move.11 too far\nat", 1)
    done = judge(tmp_path, f"{text}{MOVE} ! legal\n", "--json", "-")
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
    current = position("game postcard1943\nplace pz10 superga de334 hg on B5; place broich on A4 disrupted\n")
    assert sorted(breach.clause for breach in current.status()) == ["disrupt.4", "stack.1"]


def test_a_game_without_rules_is_reported() -> None:
    with pytest.raises(BadInput, match="there are no rules for this game"):
        find_rules("skirmish")
    assert open_game("postcard1943").id in find_rules("postcard1943").game


def expect(tmp_path: Path, text: str, expected: str) -> Result:
    return judge(tmp_path, f"{HEADER}{MOVE} ! {expected}\n")


@pytest.mark.parametrize(
    "expected",
    [
        "illegal move.1 or move.11",
        "legal or illegal move.11",
        "unproven move.11 or illegal move.11",
        "illegal move.11 and more",
        "illegal move.1 and more or illegal move.11",
        "illegal",
        "legal or illegal",
    ],
)
def test_one_of_several_verdicts_is_enough(tmp_path: Path, expected: str) -> None:
    assert expect(tmp_path, MOVE, expected).exit_code == 0


@pytest.mark.parametrize(
    "expected",
    [
        "illegal move.1 or move.10",
        "illegal move.1 and more",
        "illegal move.11 move.1 and more",
        "slip",
        "unproven",
    ],
)
def test_verdicts_that_are_not_met(tmp_path: Path, expected: str) -> None:
    assert expect(tmp_path, MOVE, expected).exit_code == 1


LATE_ADVANCE = """game patton1943
at turn 5, Axis battles; place de-10pz on 8414; place de-15pz on 8415; place us-td on 8514; place us-9 on 8416
attack 8514 with de-10pz; roll attack 1; eliminate us-td
attack 8416 with de-15pz; roll attack 12; roll defence 12
advance de-10pz 8414-8514 ! illegal """


@pytest.mark.parametrize(("clause", "code"), [("7.5b", 0), ("14k", 0), ("7.5c", 1)])
def test_of_two_clauses_that_say_the_same_either_may_be_expected(
    tmp_path: Path, clause: str, code: int
) -> None:
    assert judge(tmp_path, f"{LATE_ADVANCE}{clause}\n").exit_code == code


def test_other_breaches_beside_those_expected() -> None:
    wanted = parse(f"{HEADER}{MOVE} ! illegal move.1 and more\n").main[-1].expected
    assert wanted is not None
    both = frozenset({(Grade.illegal, "move.1"), (Grade.slip, "seq.2")})
    assert wanted.met(both)
    assert wanted.met(both - {(Grade.illegal, "move.1")}) is None


@pytest.mark.parametrize(
    ("placed", "wrong"),
    [
        ("place pz10 on A1", "line 3: pz10 cannot be in A1, which is sea"),
        ("place pz10 on B5 disrupted turn 4 Allied", "line 3: pz10 cannot be disrupted since turn 4 Allied"),
        ("place pz10 on B5\nplace uk78 on B5", "line 4: uk78 and pz10 are enemies and cannot both be in B5"),
        ("place uk78 on B5; place pz10 on B5", "line 3: pz10 and uk78 are enemies and cannot both be in B5"),
    ],
)
def test_a_set_up_that_can_never_be_is_refused_at_its_line(tmp_path: Path, placed: str, wrong: str) -> None:
    header, rest = HEADER.split("\n", 1)
    text = f"{header}\nat turn 3, Axis movement\n{placed}\nnext ! legal\ncase too far\n{rest}"
    done = judge(tmp_path, f"{text}{MOVE} ! illegal move.11\n")
    assert done.exit_code == 2
    assert f"game.record: {wrong}" in done.output
    assert "2 expectations, 0 not met, 1 not checked; 1 set-up refused" in done.output


def test_a_counter_that_was_put_elsewhere_in_time_is_not_refused(tmp_path: Path) -> None:
    text = "place uk78 on B5; place pz10 on B5; place uk78 on B4"
    assert judge(tmp_path, f"game postcard1943\nat turn 3, Axis combat\n{text}\nnext\n").exit_code == 0


def test_what_a_log_shows_is_taken_as_found(tmp_path: Path) -> None:
    text = "place uk78 on B5; place pz10 on B5 as found; place superga on A1 as found"
    assert judge(tmp_path, f"game postcard1943\nat turn 3, Axis combat\n{text}\nnext\n").exit_code == 0


def test_terrain_may_be_set_for_a_case(tmp_path: Path) -> None:
    case = "at turn 3, Axis movement; {}place pz10 on B5\nmove pz10 B5-{} ! legal\n"
    game = open_game("postcard1943")
    sea = next(
        hex_ for hex_ in game.map.grid.neighbours("B5") if game.terrain[game.map.hexes[hex_].terrain].closed
    )
    plain = judge(tmp_path, "game postcard1943\n" + case.format("", sea))
    dried = judge(tmp_path, "game postcard1943\n" + case.format(f"terrain {sea} clear; ", sea))
    assert (plain.exit_code, dried.exit_code) == (1, 0)


def test_movement_may_be_spent_for_a_case(tmp_path: Path) -> None:
    text = "game postcard1943\nat turn 3, Axis movement; place superga on B5; {}move superga B5-B4 ! legal\n"
    assert judge(tmp_path, text.format("")).exit_code == 0
    done = judge(tmp_path, text.format("spent superga 4; "))
    assert (done.exit_code, "illegal move.1" in done.output) == (1, True)


def test_a_forgotten_place_is_said(tmp_path: Path) -> None:
    done = judge(tmp_path, f"game postcard1943\nat turn 3, Axis movement\n{MOVE}\n")
    assert "remark: 10th Panzer Division is not on the map: no statement has placed it" in done.output


def test_what_a_record_that_begins_late_cannot_know_is_said(tmp_path: Path) -> None:
    done = judge(tmp_path, f"{HEADER}{MOVE}\n", "--json", "-")
    ((action,),) = (
        [each for case in record["cases"] for each in case["actions"]] for record in json.loads(done.output)
    )
    assert "the record begins with turn 3, Axis movement" in action["remarks"][0]
    early = judge(tmp_path, f"{HEADER.replace('turn 3', 'turn 1')}{MOVE}\n")
    assert "the record begins" not in early.output


def test_one_unreadable_record_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.record").write_text("game postcard1943\nfly to the moon\nat noon\n", encoding="utf-8")
    (tmp_path / "good.record").write_text(f"{HEADER}{MOVE} ! legal\n", encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("bad.record", "good.record")]
    done = CliRunner().invoke(main, ["judge", *paths])
    assert done.exit_code == 2
    assert "bad.record: line 2" in done.output
    assert "bad.record: line 3" in done.output
    assert "EXPECTED legal" in done.output
    assert "1 expectation, 1 not met; 1 of 2 records not read" in done.output.splitlines()[-1]
    bad, good = json.loads(CliRunner().invoke(main, ["judge", *paths, "--json", "-"]).stdout)
    assert (len(bad["problems"]), good["problems"], good["cases"][0]["actions"][0]["met"]) == (2, [], False)


def test_a_byte_order_mark_is_no_part_of_the_record(tmp_path: Path) -> None:
    (tmp_path / "game.record").write_text(f"{HEADER}{MOVE}\n", encoding="utf-8-sig")
    assert CliRunner().invoke(main, ["judge", str(tmp_path / "game.record")]).exit_code == 0


def test_a_phase_in_which_a_record_begins_owes_what_it_would_in_a_game(tmp_path: Path) -> None:
    text = """game patton1943
at turn 5, Axis supply; place de-10pz on 8722
place us-1 on 8721; place us-3 on 8622; place us-9 on 8823; place us-34 on 8624
next ! illegal 7.8e
"""
    assert judge(tmp_path, text).exit_code == 0
    assert (
        judge(
            tmp_path, text.replace("at turn", "during turn").replace("illegal 7.8e", "unproven 7.8e")
        ).exit_code
        == 0
    )


def test_a_game_is_opened_beside_the_record_only(tmp_path: Path) -> None:
    beside, apart = tmp_path / "club" / "postcard1943", tmp_path / "postcard1943"
    for folder in (beside, apart):
        shutil.copytree(find_game("postcard1943"), folder)
    path = tmp_path / "club" / "game.record"
    for name, option, code in (
        ("./postcard1943", (), 0),
        ("../postcard1943", (), 2),
        (str(apart), (), 2),
        ("../postcard1943", ("--any-folder",), 0),
    ):
        path.write_text(f"game {name}\nnext\n", encoding="utf-8")
        done = CliRunner().invoke(main, ["judge", str(path), *option])
        assert (done.exit_code, "--any-folder" in done.output) == (code, code == 2)


def test_a_state_that_a_later_place_does_not_name_is_said_to_be_gone(tmp_path: Path) -> None:
    start = "game postcard1943\nat turn 3, Axis movement; place superga on B5 disrupted\nnext\n"
    start += "place superga on B4"
    done = judge(tmp_path, f"{start}\nnext\n")
    assert "remark: superga is no longer Disrupted" in done.output
    named = judge(tmp_path, f"{start} disrupted\nnext\n")
    assert "is no longer" not in named.output


def test_a_case_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    game, _, begun = HEADER.partition("\n")
    done = judge(tmp_path, f"{game}\ncase one\nfly to the moon\nat noon\ncase two\n{begun}{MOVE} ! legal\n")
    assert done.exit_code == 2
    assert "case one: not judged, because it cannot be read: line 3, line 4" in done.output
    assert "game.record: line 3: 'fly to the moon' is not understood" in done.output
    assert "1 expectation, 1 not met; 1 case not read" in done.output
