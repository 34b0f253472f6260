"""Random play of the larger games, their logs, and their rules broken."""

from __future__ import annotations

from random import Random

import pytest

from referee.games import find_idiom, find_rules
from referee.judge import judge_record
from referee.record import parse, write
from tools.proof.breakers import find_breaker
from tools.proof.breaking import broken_games
from tools.proof.comparing import differences, steps_read
from tools.proof.judging import audit_game
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Played, play
from vassalgen.game.finding import open_game

PLAYED = [
    ("tunisia1943", "campaign1"),
    ("tunisia1943", "campaign2"),
    ("patton1943", "historical"),
    ("patton1943", "set-up"),
    ("vitoria1813", "historical"),
    ("vitoria1813", "jourdan"),
]
SHOWN = [
    pytest.param("tunisia1943", "campaign1", 2, 1),
    pytest.param("tunisia1943", "campaign2", 1, 1),
    pytest.param("patton1943", "set-up", 5, 1, id="patton1943-set up by one player"),
    pytest.param("patton1943", "set-up", 8, 1, id="patton1943-set up by two players"),
    pytest.param("vitoria1813", "historical", 2, 2, id="vitoria1813-a general face down is rolled for"),
    pytest.param("vitoria1813", "jourdan", 1, 1),
    pytest.param("vitoria1813", "open-set-up", 3, 1),
]
SOME, FEWEST = 24, 3
"""How many clauses are tried to be broken, and how many come up at least in so short a game."""


@pytest.fixture(scope="module", params=PLAYED, ids="-".join)
def game(request: pytest.FixtureRequest) -> Played:
    """Two turns of a game."""
    name, scenario = request.param
    return play(find_rules(name).world(open_game(name), scenario), seed=1, turns=2)


def test_a_random_game_comes_to_its_end(game: Played) -> None:
    assert (game.stuck, game.accusations) == ("", ())


def test_the_record_of_a_legal_game_is_found_legal(game: Played) -> None:
    for _, statements in judge_record(parse(write(game.record))):
        assert [each.statement.line for each in statements if each.ruling and each.ruling.breaches] == []


def test_broken_rules_are_found_where_they_were_broken(game: Played) -> None:
    breaker = find_breaker(game.world.game.id)
    some = Random(1).sample(sorted({one.clause for one in breaker.mutators}), SOME)
    broken = list(broken_games(game.steps, breaker, Random(1), some))
    assert len({each.clause for each in broken}) >= FEWEST
    assert [(each.clause, each.mutator.name) for each in broken if not each.is_exact] == []


@pytest.mark.parametrize("name", sorted({name for name, _ in PLAYED}))
def test_nobody_has_broken_a_rule_in_an_opening_and_its_clauses_can_be_broken(name: str) -> None:
    breaker, world = find_breaker(name), find_rules(name).world(open_game(name), "")
    known = {mutator.clause for mutator in breaker.mutators}
    for opening in breaker.openings:
        position = opening.make(world, Random(1))
        assert (opening.name, {one.says for one in position.status()}) == (opening.name, set())
        assert (opening.name, set(opening.clauses) - known) == (opening.name, set())


@pytest.mark.parametrize(("name", "scenario", "seed", "turns"), SHOWN)
def test_the_log_of_a_random_game_is_read_as_it_was_played(
    name: str, scenario: str, seed: int, turns: int
) -> None:
    played = play_for_log(find_rules(name).world(open_game(name), scenario), seed, turns)
    report, _ = audit_game(opening_of(name, scenario), played.steps, seed)
    assert [(one.steps, one.says) for one in report.findings] == []
    read = list(steps_read(report.readings))
    assert list(differences(played.steps, read, find_idiom(name))) == []
