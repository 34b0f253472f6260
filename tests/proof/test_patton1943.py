"""Random play of Patton 1943 from both of its set-ups, and its rules broken."""

from __future__ import annotations

from random import Random

import pytest

from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse, write
from referee.scribe.idiom import find_idiom
from tools.proof.breaking import broken_games, find_breaker
from tools.proof.comparing import differences, steps_read
from tools.proof.games.patton1943 import battlefields
from tools.proof.judging import EXACT, audit_broken, audit_game
from tools.proof.logs.opening import opening_of
from tools.proof.logs.talk import play_for_log
from tools.proof.playing import Played, play
from vassalgen.game.finding import open_game

GAME = "patton1943"
SET_UP_BY_ONE, SET_UP_BY_TWO = ("set-up", 5), ("set-up", 8)


@pytest.fixture(scope="module", params=["historical", "set-up"])
def game(request: pytest.FixtureRequest) -> Played:
    return play(find_rules(GAME).world(open_game(GAME), request.param), seed=1, turns=2)


def test_a_random_game_comes_to_its_end(game: Played) -> None:
    assert (game.stuck, game.accusations) == ("", ())


def test_the_record_of_a_legal_game_is_found_legal(game: Played) -> None:
    for _, statements in judge_record(parse(write(game.record))):
        assert [each.statement.line for each in statements if each.ruling and each.ruling.breaches] == []


def test_broken_rules_are_found_where_they_were_broken(game: Played) -> None:
    broken = list(broken_games(game.steps, find_breaker(GAME), Random(1)))
    assert len({each.clause for each in broken}) > 10
    assert [(each.clause, each.how) for each in broken if not each.is_exact] == []


def test_all_that_waits_off_the_map_is_set_up_before_play_begins() -> None:
    start = play(find_rules(GAME).world(open_game(GAME), "set-up"), seed=1, turns=1)
    verbs = [step.action.verb for step in start.steps]
    begins = start.steps[verbs.index("move")].before
    waiting = [piece.id for piece in begins.pieces.values() if piece.where.startswith(("axis-g", "axis-i"))]
    assert waiting == []
    assert verbs[: verbs.index("move")].count("complete") == 2


@pytest.mark.parametrize(("scenario", "seed"), [SET_UP_BY_ONE, SET_UP_BY_TWO])
def test_the_log_of_a_random_game_is_read_as_it_was_played(scenario: str, seed: int) -> None:
    played = play_for_log(find_rules(GAME).world(open_game(GAME), scenario), seed, turns=1)
    report, _ = audit_game(opening_of(GAME, scenario), played.steps, seed)
    assert [(one.steps, one.says) for one in report.findings] == []
    read = list(steps_read(report.readings))
    assert list(differences(played.steps, read, find_idiom(GAME))) == []


@pytest.mark.parametrize("clause", ["10c", "10d"])
def test_aircraft_of_an_air_battle_are_in_no_battle_that_nobody_declared(clause: str) -> None:
    world = find_rules(GAME).world(open_game(GAME), "historical")
    dogfight = play_for_log(world, 2, 1, battlefields.dogfight("axis")(world, Random(2)))
    broken = next(broken_games(dogfight.steps, find_breaker(GAME), Random(1), [clause]))
    found = {audit_broken(opening_of(GAME, "historical"), broken, seed).outcome for seed in range(1, 7)}
    assert found == {EXACT}
