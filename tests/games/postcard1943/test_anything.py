"""Whatever is done, in whatever position and by whatever readings: it is ruled on, adopted, and described."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from tests.games.postcard1943.positions import random_position, the_world
from vassalgen.problems import BadInput

WORLD = the_world()
LABELS = {"odds": ["1:1", "2:1", "9:1"], "result": ["AE", "D", "Dr", "DE", "XX"], "claim": ["allied", "draw"]}


def anything(rng: random.Random, position: Position) -> Action:
    """Some action, sensible or not, by pieces that can do such a thing at all."""
    grid = position.game.map.grid
    verb = rng.choice(list(WORLD.rulebook.verbs.values()))
    able = [p for p in position.pieces.values() if not verb.kinds or p.counter.kind in verb.kinds]
    pieces = rng.sample(able, rng.choice([1, 1, 2]))
    here = pieces[0].where
    path = [here if here in grid and rng.random() < 0.9 else rng.choice(grid.names)]
    dragged = rng.random() < 0.4
    for _ in range(rng.choice([1, 1, 2, 3])):
        path.append(rng.choice(grid.names) if dragged else rng.choice(grid.neighbours(path[-1])))
    words = (rng.choice(LABELS[verb.name]),) if verb.name in LABELS else ()
    names, die = tuple(piece.id for piece in pieces), (rng.randint(1, 6),)
    return Action(
        verb.name, names, tuple(path), dragged, rng.choice(grid.names), die, words, None, rng.randint(0, 2)
    )


@pytest.mark.parametrize("seed", range(16))
def test_anything_may_be_done_in_any_position(seed: int) -> None:
    rng = random.Random(seed)
    game = WORLD.game
    choices = {
        name: rng.choice(WORLD.rulebook.judged_readings(game, name))
        for name in rng.sample(list(game.rulings), 3)
    }
    position = random_position(WORLD, seed)
    position = evolve(position, world=WORLD.rulebook.world(game.with_rulings(choices)))
    if rng.random() < 0.8:
        position = evolve(position, clock=WORLD.calendar.find(5, "combat", position.side))
    for _ in range(20):
        options = position.options(rng.choice(list(position.pieces))) if rng.random() < 0.5 else ()
        action = rng.choice(options).ruling.action if options else anything(rng, position)
        played = position.play(action)
        for breach in played.ruling.breaches:
            assert breach.clause in game.clauses
            assert breach.provenance is not None
            assert breach.says
        position = played.position
        position.status()


def test_what_is_no_action_is_refused() -> None:
    position = WORLD.rulebook.start(WORLD)
    with pytest.raises(BadInput, match="nothing of that name is done: did you mean 'move'"):
        position.judge(Action("moove", ("pz10",)))
    with pytest.raises(BadInput, match="there is no such piece: did you mean 'pz10'"):
        position.judge(Action("move", ("pz100",), ("B5", "B4")))
    with pytest.raises(BadInput, match="only a counter of kind ground unit can"):
        position.play(Action("move", ("meaaf",), ("B5", "B4")))
