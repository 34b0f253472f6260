"""Random play of Vitoria 1813 at the level of records, in each of its scenarios that is set up."""

from __future__ import annotations

import pytest

from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse, write
from referee.scribe.idiom import find_idiom
from tools.proof.comparing import differences, steps_read
from tools.proof.judging import audit_game
from tools.proof.logs.opening import opening_of
from tools.proof.logs.talk import play_for_log
from tools.proof.playing import Played, play
from vassalgen.game.finding import open_game

SCENARIOS = ("historical", "jourdan")


@pytest.fixture(scope="module", params=SCENARIOS)
def game(request: pytest.FixtureRequest) -> Played:
    data = open_game("vitoria1813")
    return play(find_rules(data.id).world(data, request.param), seed=1, turns=2)


def test_a_random_game_comes_to_its_end(game: Played) -> None:
    assert (game.stuck, game.accusations) == ("", ())


def test_the_record_of_a_legal_game_is_found_legal(game: Played) -> None:
    for _, statements in judge_record(parse(write(game.record))):
        assert [each.statement.line for each in statements if each.ruling and each.ruling.breaches] == []


@pytest.mark.parametrize(("scenario", "seed"), [("historical", 2), ("jourdan", 1), ("open-set-up", 3)])
def test_the_log_of_a_random_game_is_read_as_it_was_played(scenario: str, seed: int) -> None:
    """With the second seed a general who lies face down is thrown for."""
    data = open_game("vitoria1813")
    turns = 2 if scenario == "historical" else 1
    played = play_for_log(find_rules(data.id).world(data, scenario), seed, turns)
    report, _ = audit_game(opening_of(data.id, scenario), played.steps, seed)
    assert [(one.steps, one.says) for one in report.findings] == []
    read = list(steps_read(report.readings))
    assert list(differences(played.steps, read, find_idiom(data.id))) == []
