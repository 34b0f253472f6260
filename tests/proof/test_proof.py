"""Random play and broken rules, a few seeds of them; the full run is tools/prove.py."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.position import World
from referee.judge import judge_record
from referee.record import parse, write
from tests.games.postcard1943.positions import the_world
from tools.proof.breaking import find_breaker, mutations
from tools.proof.playing import Played, play

SEEDS = range(1, 5)


@pytest.fixture(scope="module")
def world() -> World:
    return the_world()


@pytest.fixture(scope="module")
def games(world: World) -> list[Played]:
    return [play(world, seed) for seed in SEEDS]


def test_random_games_come_to_their_end(games: list[Played]) -> None:
    assert [game.stuck for game in games] == [""] * len(games)


def test_what_is_told_with_less_detail_stays_legal(games: list[Played]) -> None:
    assert [game.accusations for game in games] == [()] * len(games)


def test_the_record_of_a_legal_game_is_found_legal(games: list[Played]) -> None:
    for game in games:
        for _, statements in judge_record(parse(write(game.record))):
            assert [each.statement.line for each in statements if each.ruling and each.ruling.breaches] == []


def test_games_have_all_that_a_game_has(games: list[Played]) -> None:
    played = {step.action.verb for game in games for step in game.steps}
    proposed = {"deploy", "arrive", "move", "attack", "bomb", "intercept", "retreat", "advance", "recover"}
    assert proposed <= played
    assert any(step.action.dragged for game in games for step in game.steps)
    assert any(len(step.action.pieces) > 1 for game in games for step in game.steps)


def test_the_same_seed_gives_the_same_game(world: World) -> None:
    assert write(play(world, 7, turns=2).record) == write(play(world, 7, turns=2).record)


def test_broken_rules_are_found_where_they_were_broken(games: list[Played]) -> None:
    found = mutations(games[0].steps, find_breaker("postcard1943"), Random(1), most=1)
    assert len({mutation.clause for mutation in found}) > 25
    assert [mutation for mutation in found if not mutation.is_found] == []
