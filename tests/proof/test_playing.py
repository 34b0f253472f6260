"""How random players go about a phase that cannot be left yet."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.games import find_rules
from tools.proof.playing import Player
from vassalgen.game.finding import open_game


@pytest.mark.parametrize("seed", range(8))
def test_who_has_done_enough_pays_what_a_battle_demands_rather_than_advance(seed: int) -> None:
    game = open_game("vitoria1813")
    world = find_rules(game.id).world(game, "historical")
    at = evolve(world.rulebook.empty(world), clock=world.calendar.find(3, "combat", "french"))
    for name, where in {"fr-rey": "2617", "fr-morgan": "2617", "uk-cadogan": "2717"}.items():
        at = at.with_piece(name, where=where)
    for action in (
        Action("attack", ("fr-rey", "fr-morgan"), target="2717"),
        Action("roll combat", dice=(5,)),
        Action("eliminate", ("uk-cadogan",)),
    ):
        at = at.play(action).position
    open_ = {played.ruling.action.verb for played in at.options()}
    assert open_ == {"advance", "lose"}
    player = Player(world, Random(seed))
    step = player._one_less_due(at, at.play(Action(NEXT.name)).ruling, [])
    assert step is not None
    assert step.action.verb == "lose"
