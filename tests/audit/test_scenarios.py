"""Logs that do not name their scenario: the set-up decides; what is a breach in only one possible scenario is
unproven.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from attrs import evolve
from click.testing import CliRunner

from referee.audit import Report, audit
from referee.cli import main
from referee.engine.rulings import Grade, Ruling
from referee.scenarios import likely_scenarios, named_scenario
from referee.scribe.facts import Standing
from referee.table import Log, read_log
from vassalgen.announcements import SCENARIO
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.vassal.commands import RestoreProperty
from vassalgen.vassal.metadata import ModuleData
from vassalgen.vassal.savedgame import SavedGame
from vassalgen.vassal.streams import Node, Stream

DATA = Path(__file__).parents[1] / "data" / "tunisia1943"


@cache
def the_game() -> Game:
    return open_game("tunisia1943")


def without_word(node: Node) -> Node:
    """A command and all below it, without the word on the scenario."""
    is_word = node.text.startswith(RestoreProperty.PREFIX) and SCENARIO in node.text
    return Node("" if is_word else node.text, tuple(map(without_word, node.children)))


def unnamed(name: str) -> Log:
    """A log that does not say its scenario, as modules of other make do not."""
    log = read_log(DATA / f"{name}.vlog")
    root = log.stream.root
    children = tuple(one if one.logged else without_word(one) for one in root.children)
    return evolve(log, stream=Stream(Node(root.text, children)))


def found(report: Report) -> list[tuple[int, Grade, str]]:
    return [(one.steps[-1], one.grade, one.clause) for one in report.findings]


def test_the_set_up_shows_which_campaign_is_played() -> None:
    for name, scenario in (("clean2", "campaign2"), ("breaches1", "campaign1")):
        log = unnamed(name)
        assert named_scenario([log], the_game()) == ""
        report = audit([log], the_game())
        assert report.world.scenario.id == scenario
        assert found(report) == found(audit([read_log(DATA / f"{name}.vlog")], the_game()))


def test_a_game_under_way_may_be_either() -> None:
    few = {"us-16": Standing("1705"), "it-91": Standing("1805")}
    assert set(likely_scenarios(few, the_game())) == {"campaign1", "campaign2"}


def test_what_one_of_the_scenarios_alone_forbids_is_not_proved() -> None:
    first = the_game().scenarios["campaign1"]
    twin = evolve(first, id="twin", title="Twin", stacking=())
    report = audit([unnamed("breaches1")], evolve(the_game(), scenarios={"campaign1": first, "twin": twin}))
    grades = {(one.clause, one.grade) for one in report.findings}
    assert ("C1.5", Grade.unproven) in grades
    assert ("C1.5", Grade.illegal) not in grades
    assert ("4.1a", Grade.illegal) in grades
    assert all(one.breach in (one.reading.ruling or fail()).breaches for one in report.findings)
    assert "does not say which scenario" in report.unread[0].text


def test_the_scenario_can_be_named(tmp_path: Path) -> None:
    log = tmp_path / "clean2.vlog"
    made_with = ModuleData(name=the_game().title, version="1")
    SavedGame.new(unnamed("clean2").stream.encode(), moduledata=made_with).write(log)
    result = CliRunner().invoke(main, ["audit", str(log), "--scenario", "campaign2"])
    assert result.exit_code == 0
    assert "0 illegal" in result.output


def test_a_scenario_that_the_game_has_not_is_refused() -> None:
    result = CliRunner().invoke(main, ["audit", str(DATA / "clean2.vlog"), "--scenario", "campaign3"])
    assert result.exit_code == 2
    assert "no scenario 'campaign3'" in result.output
    assert "campaign2" in result.output


def test_a_log_is_not_audited_by_another_scenario_than_it_says() -> None:
    result = CliRunner().invoke(main, ["audit", str(DATA / "clean2.vlog"), "--scenario", "campaign1"])
    assert result.exit_code == 2
    assert "is of the scenario campaign2" in result.output


def fail() -> Ruling:
    raise AssertionError("a finding without a ruling")
