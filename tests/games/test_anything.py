"""Whatever is done, in whatever position and by whatever readings: it is ruled on, adopted, and described."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve

from referee.engine.actions import Action, Part, Verb
from referee.engine.position import Mark, Position, World
from referee.games import find_rules, shipped_rules
from referee.record import read
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

CASES = Path(__file__).parents[1] / "cases"
CROWD = 26
"""Counters that stand within two hexes of each other."""


@cache
def world(game: str, scenario: str) -> World:
    return find_rules(game).world(open_game(game), scenario)


@cache
def labels(game: str) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """By verb the words that the cases of a game use with it."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for path in sorted((CASES / game).glob("*.record")):
        for case in read(path).cases:
            for statement in case.statements:
                if isinstance(statement.content, Action) and statement.content.words:
                    found.setdefault(statement.content.verb, []).append(statement.content.words)
    return {verb: tuple(dict.fromkeys(words)) for verb, words in found.items()}


def crowded(rng: random.Random, position: Position) -> Position:
    """Both sides close together, some counters reduced, some in a state, in any phase of any turn."""
    game, grid = position.game, position.game.map.grid
    land = [name for name in grid.names if not game.terrain[game.map.hexes[name].terrain].closed]
    center = rng.choice(land)
    near = [name for name in land if grid.distance(name, center) <= 2]
    pieces = dict(position.pieces)
    for counter in rng.sample([piece.counter for piece in pieces.values()], CROWD):
        states = [name for name, state in game.states.items() if counter.kind in state.kinds]
        marks = {rng.choice(states): Mark()} if states and rng.random() < 0.2 else {}
        steps = rng.randint(1, counter.steps) if rng.random() < 0.4 else counter.steps
        pieces[counter.id] = evolve(pieces[counter.id], where=rng.choice(near), steps=steps, states=marks)
    turn = rng.randint(1, position.world.calendar.last_turn)
    return evolve(
        position,
        pieces=pieces,
        clock=evolve(position.clock, turn=turn, stop=rng.randrange(len(position.world.calendar.stops))),
    )


def slots(verb: Verb) -> list[str]:
    """The required slots of a verb's form."""

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
    said = labels(position.game.id).get(verb.name, ())
    words = rng.choice(said) if said else ("1",) if {"WORD", "NUMBER"} & set(asked) else ()
    dice = tuple(rng.randint(1, 6) for _ in range(2 if "DICE" in asked else 1))
    near = [piece.where for piece in position.pieces.values() if piece.where in grid]
    target = rng.choice(near) if near and rng.random() < 0.8 else rng.choice(grid.names)
    names = tuple(piece.id for piece in pieces)
    return Action(verb.name, names, tuple(path), dragged, target, dice, words, None, rng.randint(0, 2))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", sorted(shipped_rules()))
def test_anything_may_be_done_in_any_position(game: str, seed: int) -> None:
    rng = random.Random(seed)
    started = world(game, rng.choice(list(open_game(game).scenarios)))
    rulebook, rulings = started.rulebook, started.game.rulings
    choices = {
        name: rng.choice(rulebook.judged_readings(started.game, name))
        for name in rng.sample(list(rulings), min(6, len(rulings)))
    }
    chosen = rulebook.world(started.game.with_rulings(choices), started.scenario.id)
    position = rulebook.empty(chosen) if rng.random() < 0.5 else rulebook.start(chosen)
    position = crowded(rng, position)
    for _ in range(40):
        proposed = position.options(rng.choice(list(position.pieces))) if rng.random() < 0.3 else ()
        action = rng.choice(proposed).ruling.action if proposed else anything(rng, position)
        played = position.play(action)
        for breach in played.ruling.breaches:
            assert breach.clause in chosen.game.clauses
            assert breach.provenance is not None
            assert breach.says
        position = played.position
        position.status()


def test_what_is_no_action_is_refused() -> None:
    position = world("postcard1943", "").rulebook.start(world("postcard1943", ""))
    with pytest.raises(BadInput, match="there is no such verb: did you mean 'move'"):
        position.judge(Action("moove", ("pz10",)))
    with pytest.raises(BadInput, match="there is no such counter: did you mean 'pz10'"):
        position.judge(Action("move", ("pz100",), ("B5", "B4")))
    with pytest.raises(BadInput, match="only a counter of kind ground unit can"):
        position.play(Action("move", ("meaaf",), ("B5", "B4")))
