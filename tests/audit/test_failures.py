"""What happens when a rule or a reader of the referee itself fails."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.audit import Report, audit
from referee.cli import main
from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.engine.rules import Rule
from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.report import battles
from referee.report.as_json import report_json
from referee.scribe import facts, reader
from referee.scribe.facts import Fact, Shifted
from referee.table.table import Table
from tests.audit.test_report import validate
from tests.scribe.playing import Playing
from vassalgen.game.provenance import RECONSTRUCTION
from vassalgen.vassal.commands import Command, MovePiece

DATA = Path(__file__).resolve().parents[1] / "data" / "postcard1943"
BREACHES, CLEAN = DATA / "breaches.vlog", DATA / "clean.vlog"
HERE = "nobody thought of this"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def fail(*_: object, **__: object) -> Any:
    raise KeyError(HERE)


def failing_rule(monkeypatch: pytest.MonkeyPatch, verb: str, when: Callable[[Action], bool]) -> None:
    """A rule that fails at some actions of a verb, after all others of it."""

    def find(position: Position, action: Action) -> None:
        if when(action):
            fail()

    rules = find_rules("postcard1943")
    rule = Rule(("move.11",), find, RECONSTRUCTION)
    monkeypatch.setitem(dict_of(rules.rules), verb, (*rules.rules[verb], rule))


def dict_of(values: Any) -> dict[str, Any]:
    assert isinstance(values, dict)
    return values


def marching() -> Playing:
    """Hart Force marches too far before and after Blade Force moves, and once more in the next turn."""
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement")
    playing.move("hart", "I6").move("blade", "B2").turn(to="Allied Movement").move("hart", "A1")
    return playing


def at_blade(action: Action) -> bool:
    return "blade" in action.pieces


def test_an_action_at_which_a_rule_fails_is_named_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing_rule(monkeypatch, "move", at_blade)
    report = audit([marching().log()], marching().game)
    (unjudged,) = report.unjudged
    assert (unjudged.step, unjudged.failure.error) == (2, f"KeyError: '{HERE}'")
    assert unjudged.action is not None
    assert unjudged.action.piece == "blade"
    assert "in fail" in unjudged.failure.trace
    assert {one.steps[-1] for one in report.findings if one.grade is Grade.illegal} == {1, report.steps[0]}


def test_what_could_not_be_judged_is_done_on_the_board_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    failing_rule(monkeypatch, "move", at_blade)
    assert audit([marching().log()], marching().game).position.pieces["blade"].where == "B2"


def test_nothing_is_proved_in_the_rest_of_a_turn_of_which_something_could_not_be_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement")
    playing.move("blade", "B2").move("hart", "I6")
    assert audit([playing.log()], playing.game).count(Grade.illegal)
    failing_rule(monkeypatch, "move", at_blade)
    report = audit([playing.log()], playing.game)
    assert report.count(Grade.illegal) == 0
    assert "an earlier action of this turn could not be judged" in report.findings[-1].says


def test_when_a_phase_cannot_be_left_the_clock_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.engine.machine._leave", fail)
    report = audit([marching().log()], marching().game)
    assert {one.action.verb for one in report.unjudged if one.action} == {NEXT.name}
    assert report.position.turn == 2


def failed_at(report: Report) -> list[int]:
    return [one.step for one in report.unjudged]


def test_a_fact_at_which_the_reader_fails_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    take = reader.take

    def failing(draft: Any, page: Any) -> None:
        if isinstance(page.fact, Shifted) and page.fact.counter == "blade":
            fail()
        take(draft, page)

    monkeypatch.setattr(reader, "take", failing)
    report = audit([marching().log()], marching().game)
    assert failed_at(report) == [2]
    assert report.count(Grade.illegal)


def test_a_step_that_cannot_be_witnessed_is_taken_from_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = facts.differences

    def failing(number: int, *others: Any) -> list[Fact]:
        return fail() if number == 2 else list(differences(number, *others))

    monkeypatch.setattr(facts, "differences", failing)
    report = audit([marching().log()], marching().game)
    assert failed_at(report) == [2]
    assert report.position.pieces["blade"].where == "B2"


def test_a_command_at_which_the_replay_fails_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    carry_out = Table.carry_out

    def failing(table: Table, command: Command) -> Any:
        return (
            fail()
            if isinstance(command, MovePiece) and command.id == "id-blade"
            else carry_out(table, command)
        )

    monkeypatch.setattr(Table, "carry_out", failing)
    assert failed_at(audit([marching().log()], marching().game)) == [2]
    path = tmp_path / "game.vlog"
    path.write_text(marching().log().stream.encode(), encoding="utf-8")
    for command in (["replay"], ["page", "--game", "postcard1943"]):
        result = run(command[0], path, *command[1:])
        assert result.exit_code == 2
        assert "step 2: internal error: KeyError" in result.stderr


@pytest.mark.parametrize("where", ["log_reading._open", "reader._close", "log_reading.story_of"])
def test_a_log_that_cannot_be_read_as_a_whole_has_its_report(
    monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(f"referee.scribe.{where}", fail)
    report = audit([marching().log()], marching().game)
    assert failed_at(report) == [0]
    assert report_json(report)["steps"]


def test_a_table_of_the_report_that_fails_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "computed", fail)
    playing = fighting()
    whole = report_json(audit([playing.log()], playing.game))
    assert {one["error"] for one in whole["unjudged"]} == {f"KeyError: '{HERE}'"}
    assert whole["dice"]
    validate()(whole)


def fighting() -> Playing:
    playing = Playing({"blade": "B1", "superga": "B2"}, stop="Allied Combat")
    return playing.attack(1, "B2", "blade").resolve(1, 2, 2, "1:1", 3, "DR")


def test_the_commands_end_with_2_and_show_the_traceback_only_if_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    failing_rule(monkeypatch, "move", lambda action: True)
    page = tmp_path / "page.html"
    result = run("audit", BREACHES, "--page", page)
    assert result.exit_code == 2
    assert "could not be judged, internal error (KeyError" in " ".join(result.stdout.split())
    assert "illegal" in result.stdout
    assert "Traceback" not in result.output
    assert '"unjudged":[{"log":"breaches.vlog"' in page.read_text(encoding="utf-8")
    assert "Traceback" in run("audit", BREACHES, "--debug").stderr


def test_a_record_goes_on_where_a_rule_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failing_rule(monkeypatch, "move", at_blade)
    record = tmp_path / "a.record"
    moves = "move blade B1-B2 ! legal\nmove hart C1..I6 ! illegal move.1"
    record.write_text(
        f"game postcard1943\nat turn 1, Allied movement\nplace blade on B1; place hart on C1\n{moves}\n",
        encoding="utf-8",
    )
    result = run("judge", record)
    assert result.exit_code == 2
    assert "move blade B1-B2: could not be judged, internal error" in result.stdout
    assert "illegal move.1" in result.stdout


def test_a_log_at_which_the_referee_fails_costs_no_other_its_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = ("a", "b", "c")
    for name, log in zip(names, (CLEAN, BREACHES, DATA / "messy.vlog"), strict=True):
        shutil.copy(log, tmp_path / f"{name}.vlog")
    auditing = import_module("referee.audit")

    watched = auditing._watched

    def failing(one: Any, log: Any) -> Any:
        return fail() if log.name == "b.vlog" else watched(one, log)

    monkeypatch.setattr(auditing, "_watched", failing)
    result = run("watch", tmp_path, "--once")
    assert result.exit_code == 2
    assert sorted(path.name for path in tmp_path.glob("*.html")) == ["a.html", "c.html"]
    assert "b.vlog: internal error: KeyError" in result.stderr


def test_a_fault_of_the_program_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.commands.read_log", fail)
    result = run("audit", CLEAN)
    assert (result.exit_code, "Traceback" in result.stderr) == (2, False)
    assert "--debug shows the traceback" in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [(KeyboardInterrupt, 130, "Interrupted."), (MemoryError, 2, "there is not enough memory for this")],
)
def test_a_command_that_is_stopped_does_not_end_like_one_that_found_something(
    error: type[BaseException], code: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise error

    monkeypatch.setattr("referee.commands.read_log", stopped)
    result = run("audit", CLEAN)
    assert (result.exit_code, result.stderr) == (code, f"{words}\n")
