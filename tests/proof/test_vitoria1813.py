"""Vitoria 1813 written as logs: claims of one side, words that mark a counter, and the convoy beset."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.position import Mark, World
from referee.games import find_rules
from tools.proof.breakers import find_breaker
from tools.proof.breaking import broken_games
from tools.proof.judging import EXACT, audit_broken
from tools.proof.logs.battles import Battles
from tools.proof.logs.declarations import Declarations
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import SOLO, opening_of
from vassalgen.announcements import state_property
from vassalgen.game.finding import open_game

GAME, SCENARIO = "vitoria1813", "historical"


@pytest.fixture(scope="module")
def world() -> World:
    return find_rules(GAME).world(open_game(GAME), SCENARIO)


@pytest.mark.parametrize("seed", [1, 2], ids=["where one plays for all", "where each plays for himself"])
def test_what_one_side_claims_falsely_is_reported_by_a_player_of_its_own(world: World, seed: int) -> None:
    game = play_for_log(world, 2, turns=1).steps
    broken = next(broken_games(game, find_breaker(GAME), Random(1), ["12.2b"]))
    assert audit_broken(opening_of(GAME, SCENARIO), broken, seed).outcome == EXACT


@pytest.mark.parametrize(("routed", "shown"), [(False, "1"), (True, "0")])
def test_who_is_displaced_is_marked_disordered_unless_he_is_routed(
    world: World, routed: bool, shown: str
) -> None:
    start = world.rulebook.start(world)
    if routed:
        start = start.with_state("fr-rey", "routed", Mark())
    writer = opening_of(GAME, SCENARIO).writer(start, SOLO)
    Declarations(writer, Battles(writer)).declare(("fr-rey",), "displaced", 1)
    assert writer.board.pieces["fr-rey"].value(state_property("disordered")) == shown


def test_the_convoy_that_does_not_go_away_from_who_resists_it_is_found(world: World) -> None:
    breaker, found = find_breaker(GAME), dict[str, str]()
    opening = next(one for one in breaker.openings if "11j" in one.clauses)
    for seed in range(1, 40):
        game = play_for_log(world, seed, 1, opening.make(world, Random(seed))).steps
        for broken in broken_games(game, breaker, Random(seed), ["11j"]):
            verdict = audit_broken(opening_of(GAME, SCENARIO), broken, seed)
            found.setdefault(broken.mutator.name, verdict.outcome)
        if len(found) == 2:
            break
    assert found == dict.fromkeys(("the_convoy_stays", "the_convoy_comes_no_further_away"), EXACT)
