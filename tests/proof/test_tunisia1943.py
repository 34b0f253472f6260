"""Random play of Tunisia 1943 and its rules broken, at the level of records."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.actions import NEXT, Action
from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse, write
from referee.scribe.idiom import find_idiom
from tools.proof.breaking import broken_games, find_breaker
from tools.proof.comparing import differences, steps_read
from tools.proof.judging import audit_game
from tools.proof.logs.opening import opening_of
from tools.proof.logs.talk import PLAIN, play_for_log
from tools.proof.playing import Played, Step, play
from vassalgen.game.finding import open_game

SOME = 24
SCENARIOS = ("campaign1", "campaign2")


@pytest.fixture(scope="module", params=SCENARIOS)
def game(request: pytest.FixtureRequest) -> Played:
    data = open_game("tunisia1943")
    return play(find_rules(data.id).world(data, request.param), seed=1, turns=2)


def test_a_random_game_comes_to_its_end(game: Played) -> None:
    assert (game.stuck, game.accusations) == ("", ())


def test_the_record_of_a_legal_game_is_found_legal(game: Played) -> None:
    for _, statements in judge_record(parse(write(game.record))):
        assert [each.statement.line for each in statements if each.ruling and each.ruling.breaches] == []


def test_broken_rules_are_found_where_they_were_broken(game: Played) -> None:
    breaker = find_breaker("tunisia1943")
    some = Random(1).sample(sorted({one.clause for one in breaker.mutators}), SOME)
    broken = list(broken_games(game.steps, breaker, Random(1), some))
    assert len({each.clause for each in broken}) > 10
    assert [(each.clause, each.how) for each in broken if not each.is_exact] == []


@pytest.mark.parametrize(("scenario", "seed"), [("campaign1", 2), ("campaign2", 1)])
def test_the_log_of_a_random_game_is_read_as_it_was_played(scenario: str, seed: int) -> None:
    data = open_game("tunisia1943")
    played = play_for_log(find_rules(data.id).world(data, scenario), seed, turns=1)
    report, _ = audit_game(opening_of(data.id, scenario), played.steps, seed)
    assert [(one.steps, one.says) for one in report.findings] == []
    read = list(steps_read(report.readings))
    assert list(differences(played.steps, read, find_idiom(data.id))) == []


def test_one_of_the_inactive_side_who_moves_before_any_combat_is_found_in_the_log() -> None:
    data = open_game("tunisia1943")
    world, steps = find_rules(data.id).world(data, "campaign1"), list[Step]()
    at = world.rulebook.start(world)
    mine, his = (
        Action("move", ("de-barenthin",), ("1303", "1304")),
        Action("move", ("uk-36",), ("1004", "0904")),
    )
    for action in (Action(NEXT.name), mine, his, Action(NEXT.name)):
        played = at.play(action)
        steps.append(Step(action, at, played.position, played.ruling))
        at = played.position
    report, _ = audit_game(opening_of(data.id, "campaign1"), steps, 1, PLAIN)
    assert [(one.grade.name, one.clause) for one in report.findings] == [("illegal", "1b")]
