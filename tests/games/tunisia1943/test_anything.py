"""Whatever is done, in whatever position and by whatever readings: it is ruled on, adopted, and described."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from referee.engine.actions import Action, Part, Verb
from referee.engine.position import Position
from tests.games.tunisia1943.positions import random_position

LABELS = {
    "odds": ["1/1", "3/2", "9/1", "none"],
    "result": ["BA", "FF", "DD*", "SU", "XX"],
    "claim": ["allied", "draw"],
    "aviation": ["axis", "allied", "nobody"],
    "no artillery": ["axis", "allied"],
}


def slots(verb: Verb) -> list[str]:
    """What the form of a verb calls for, optional parts left out."""

    def of(parts: tuple[Part, ...]) -> list[str]:
        return [part.text for part in parts if part.kind == "slot"]

    return of(verb.parts)


def anything(rng: random.Random, position: Position) -> Action:
    """Some action, sensible or not, by pieces that can do such a thing at all."""
    grid, rulebook = position.game.map.grid, position.world.rulebook
    verb = rng.choice([verb for verb in rulebook.verbs.values() if verb.name != "next"])
    able = [piece for piece in position.pieces.values() if not verb.kinds or piece.counter.kind in verb.kinds]
    on_map = [piece for piece in able if piece.where in grid] or able
    asked = slots(verb)
    many = min(rng.choice([1, 1, 2]), len(on_map)) if "PIECES" in asked else 1
    pieces = rng.sample(on_map, many) if {"PIECES", "PIECE"} & set(asked) else []
    here = pieces[0].where if pieces else ""
    path = [here if here in grid and rng.random() < 0.9 else rng.choice(grid.names)]
    dragged = rng.random() < 0.4
    for _ in range(rng.choice([1, 1, 2, 3])):
        path.append(rng.choice(grid.names) if dragged else rng.choice(grid.neighbours(path[-1])))
    words = [rng.choice(LABELS[verb.name])] if "WORD" in asked else []
    words += [str(rng.randint(0, 3))] if "NUMBER" in asked else []
    dice = tuple(rng.randint(1, 6) for _ in range(2 if "DICE" in asked else 1))
    near = [piece.where for piece in position.pieces.values() if piece.where in grid]
    target = rng.choice(near) if near and rng.random() < 0.8 else rng.choice(grid.names)
    names = tuple(piece.id for piece in pieces)
    return Action(verb.name, names, tuple(path), dragged, target, dice, tuple(words), None, rng.randint(0, 2))


@pytest.mark.parametrize("seed", range(12))
def test_anything_may_be_done_in_any_position(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(seed, rng.choice(["movement", "combat", "combat", "exploitation"]))
    rulebook, game = position.world.rulebook, position.game
    choices = {
        name: rng.choice(rulebook.judged_readings(game, name)) for name in rng.sample(list(game.rulings), 6)
    }
    chosen = rulebook.world(game.with_rulings(choices), position.scenario.id)
    position = evolve(position, world=chosen)
    for _ in range(40):
        attempts = position.options(rng.choice(list(position.pieces))) if rng.random() < 0.3 else ()
        action = rng.choice(attempts).ruling.action if attempts else anything(rng, position)
        played = position.play(action)
        for breach in played.ruling.breaches:
            assert breach.clause in game.clauses
            assert breach.provenance is not None
            assert breach.says
        position = played.position
        position.status()
