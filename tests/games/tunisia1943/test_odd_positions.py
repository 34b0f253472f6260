"""Positions that no game reaches: counters in boxes, in the sea or off the map while they fight and move.

Whatever is done there, it is ruled on.
"""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from tests.games.test_anything import anything
from tests.games.tunisia1943.positions import random_position

PHASES = ("sustain", "movement", "combat", "exploitation", "supply")
ODD_WORDS = (
    ("axis", "-2"),
    ("axis", "1.5"),
    ("nobody", "1"),
    ("nobody", "9"),
    ("allied", "99"),
    ("-3",),
    ("2.5",),
)


def scattered(rng: random.Random, position: Position) -> Position:
    """Some counters taken off the map, or put into a box or the sea."""
    places = ["", *position.game.map.boxes, *rng.sample(position.game.map.grid.names, 5)]
    for name in rng.sample(list(position.pieces), 6):
        position = position.with_piece(name, where=rng.choice(places))
    return position


def odd_action(rng: random.Random, position: Position) -> Action:
    """Something done, at times by counters that are on no hex, or with words that make no sense."""
    action = anything(rng, position)
    if action.pieces and rng.random() < 0.3:
        kinds = position.world.rulebook.verbs[action.verb].kinds
        able = [one.id for one in position.pieces.values() if not kinds or one.counter.kind in kinds]
        action = evolve(action, pieces=tuple(rng.sample(able, len(action.pieces))))
    if action.words and rng.random() < 0.2:
        fitting = [words for words in ODD_WORDS if len(words) == len(action.words)]
        action = evolve(action, words=rng.choice(fitting)) if fitting else action
    return action


@pytest.mark.parametrize("seed", range(40))
def test_odd_positions_are_ruled_on(seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(seed, rng.choice(PHASES))
    for _ in range(60):
        proposed = position.options(rng.choice(list(position.pieces))) if rng.random() < 0.4 else ()
        on = rng.random() < 0.05
        action = rng.choice(proposed).ruling.action if proposed else odd_action(rng, position)
        position = position.play(Action(NEXT.name) if on else action).position
        if rng.random() < 0.2:
            position = scattered(rng, position)
        position.status()


@pytest.mark.parametrize("words", [("nobody", "9"), ("turn", "99")])
def test_aviation_of_no_side_is_a_slip_however_much_it_is(words: tuple[str, str]) -> None:
    ruling = random_position(0, "combat").play(Action("aviation", words=words)).ruling
    assert ruling.failure is None
    assert any("is not a side of this game" in breach.says for breach in ruling.breaches)
