"""Games of Patton 1943: its set-up, and aircraft in the air."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.rulings import Grade
from referee.games import find_rules
from tools.proof.breakers import find_breaker
from tools.proof.breaking import broken_games
from tools.proof.changing import audit_changed, changed_games
from tools.proof.games.patton1943 import battlefields
from tools.proof.judging import EXACT, audit_broken
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import play
from vassalgen.game.finding import open_game

GAME = "patton1943"


def test_all_that_waits_off_the_map_is_set_up_before_play_begins() -> None:
    start = play(find_rules(GAME).world(open_game(GAME), "set-up"), seed=1, turns=1)
    verbs = [step.action.verb for step in start.steps]
    begins = start.steps[verbs.index("move")].before
    waiting = [piece.id for piece in begins.pieces.values() if piece.where.startswith(("axis-g", "axis-i"))]
    assert waiting == []
    assert verbs[: verbs.index("move")].count("complete") == 2


@pytest.mark.parametrize("clause", ["10c", "10d"])
def test_aircraft_of_an_air_battle_are_in_no_battle_that_nobody_declared(clause: str) -> None:
    world = find_rules(GAME).world(open_game(GAME), "historical")
    dogfight = play_for_log(world, 2, 1, battlefields.dogfight("axis", world, Random(2)))
    broken = next(broken_games(dogfight.steps, find_breaker(GAME), Random(1), [clause]))
    found = {audit_broken(opening_of(GAME, "historical"), broken, seed).outcome for seed in range(1, 7)}
    assert found == {EXACT}


def test_marks_that_a_hand_sets_without_a_battle_are_found() -> None:
    world = find_rules(GAME).world(open_game(GAME), "historical")
    game = play_for_log(world, 2, 1, battlefields.fight("axis", world, Random(2))).steps
    found = {
        changed.change.kind: audit_changed(opening_of(GAME, "historical"), changed, 2).grade
        for changed in changed_games(game, find_breaker(GAME), Random(1))
        if changed.phase == "supply" and changed.change.kind.startswith("gets ")
    }
    assert found == {"gets Flying": Grade.unproven, "gets Left out of the battle": Grade.slip}


def test_an_allied_piece_put_elsewhere_after_its_side_has_set_up_is_found() -> None:
    world = find_rules(GAME).world(open_game(GAME), "set-up")
    start = play_for_log(world, 5, 1)
    broken = next(broken_games(start.steps, find_breaker(GAME), Random(1), ["5k"]))
    assert broken.mutator.name == "an_allied_piece_after_the_axis"
    assert audit_broken(opening_of(GAME, "set-up"), broken, 5).outcome == EXACT


def test_aircraft_dragged_from_their_battle_to_an_airfield_have_not_retreated() -> None:
    world = find_rules(GAME).world(open_game(GAME), "historical")
    dogfight = play_for_log(world, 2, 1, battlefields.dogfight("axis", world, Random(2)))
    broken = next(broken_games(dogfight.steps, find_breaker(GAME), Random(1), ["7.4d"]))
    assert broken.mutator.name == "aircraft_skip_the_box"
    assert audit_broken(opening_of(GAME, "historical"), broken, 2).outcome == EXACT
