"""Random play of Vitoria 1813 at the level of records, in each of its scenarios that is set up."""

from __future__ import annotations

import pytest

from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse, write
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
