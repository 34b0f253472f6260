"""How rules by data are broken for the proof: each mutator does what its clause forbids, and is found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.games import find_rules
from tools.proof.breaking import Moment
from tools.proof.playing import Step
from tools.proof.standard import breaker_of
from vassalgen.game.finding import open_game

GAME = Path(__file__).parent / "divisions"
MUTATORS = {
    "attack_at_a_range_for_all": (
        '[combat.attack]\nat_range_clause = "7.5"\n[combat.attack.at_range]\n1 = { times = 2, who = "guns" }',
        "combat",
        {"ba": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_without_its_range": (
        '[combat.attack]\nat_range_clause = "7.5"\n[combat.attack.at_range]\n1 = { times = 2, who = "guns" }',
        "combat",
        {"bg": "0501", "r1": "0601"},
        "odds",
    ),
    "attack_left_before_the_dice": (
        '[retreat]\nbefore = "9.1"\nbefore_from = "not armour"',
        "combat",
        {"ba": "0501", "r1": "0601"},
        "retreat",
    ),
    "move_a_hex_beyond_its_points": (
        '[movement.move]\nminimum = "5.3"\nminimum_who = "not guns"\npoints = 0',
        "movement",
        {"bg": "0201", "b1": "0301"},
        "move",
    ),
}


@pytest.mark.parametrize("name", MUTATORS)
def test_a_mutator_breaks_its_clause(name: str, tmp_path: Path) -> None:
    rules, phase, places, verb = MUTATORS[name]
    (tmp_path / "rules.toml").write_text(rules)
    game = open_game(GAME, [tmp_path])
    assert game.families is not None
    world = find_rules(game).world(game, "")
    empty = world.rulebook.empty(world)
    pieces = {one: evolve(piece, where=places.get(one, "")) for one, piece in empty.pieces.items()}
    start = evolve(empty, clock=world.calendar.find(2, phase, "blue"), pieces=pieces)
    onward = Action(NEXT.name)
    moment = Moment((Step(onward, start, start, start.play(onward).ruling),), 0, Random(1))
    (mutator,) = [one for one in breaker_of(game, game.families).mutators if one.name == name]
    found = list(mutator.mutate(moment))
    assert found
    for *before, last in found:
        position = start
        for action in before:
            position = position.play(action).position
        assert last.verb == verb
        assert mutator.clause in {breach.clause for breach in position.play(last).ruling.breaches}
