"""Random play of Tunisia 1943 and its rules broken, at the level of records."""

from __future__ import annotations

from random import Random

import pytest

from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse, write
from tools.proof.breaking import broken_games, find_breaker
from tools.proof.playing import Played, play
from vassalgen.game.finding import open_game

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
    broken = list(broken_games(game.steps, find_breaker("tunisia1943"), Random(1)))
    assert len({each.clause for each in broken}) > 10
    assert [(each.clause, each.how) for each in broken if not each.is_exact] == []
