"""Combat steps played at random, and retreats against a slow literal reading of their rules."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games.tunisia1943.retreat_paths import exits
from tests.games.tunisia1943.positions import random_position, the_world
from tools.proof.playing import Player


@pytest.mark.parametrize("seed", range(6))
def test_a_combat_step_played_by_the_rules_comes_to_its_end_and_nobody_is_accused(seed: int) -> None:
    position = random_position(seed)
    player = Player(position.world, random.Random(seed))
    steps = player._phase(position)
    assert steps[-1].action.verb == "next"
    assert player.accusations == []


def test_a_garrison_has_no_zone_of_control_that_a_star_could_take() -> None:
    world = the_world(2)
    at = evolve(world.rulebook.empty(world), clock=world.calendar.find(4, "combat", "allied"))
    standing = {"garrison-tunis": "1805", "it-91": "1805", "uk-128": "1705", "uk-138": "1705"}
    for name, where in standing.items():
        at = at.with_piece(name, where=where)
    for action in (
        Action("attack", ("uk-128", "uk-138"), target="1805"),
        Action("roll combat", dice=(6,)),
        Action("result", words=("DD*",), battle=1),
    ):
        at = at.play(action).position
    listed = {
        name: [played.ruling.action.verb for played in at.options(name)]
        for name in ("it-91", "garrison-tunis")
    }
    assert "lose zoc" in listed["it-91"]
    assert "lose zoc" not in listed["garrison-tunis"]


def literally(position: Position, side: str, where: str) -> tuple[set[str], set[str], str]:
    """The hexes that a retreat may enter free, those that cost a step, and the clause that bars all."""
    game, grid = position.game, position.game.map.grid

    def there(name: str, mine: bool, *kinds: str) -> bool:
        return any((p.side == side) == mine and p.counter.kind in kinds for p in position.at(name))

    def passable(here: str, to: str) -> bool:
        features = game.map.hexside(here, to).features
        closed = game.terrain[game.map.hexes[to].terrain].closed
        return not closed and not any(game.features[name].closed for name in features)

    def in_zone(name: str) -> bool:
        return any(
            there(near, False, "unit")
            and passable(near, name)
            and "crest" not in game.map.hexside(near, name).features
            for near in grid.neighbours(name)
        )

    around = grid.neighbours(where)
    open_ = {to for to in around if passable(where, to) and not there(to, False, "unit", "em", "garrison")}
    free = {to for to in open_ if not in_zone(to) or there(to, True, "unit", "em", "garrison")}
    if open_:
        return free, set() if free else open_, ""
    hemmed = len(around) == 6 and all(there(to, False, "unit", "em", "garrison") for to in around)
    return set(), set(), "7.5a" if hemmed else "7.5d"


@pytest.mark.parametrize("seed", range(10))
def test_exits_of_a_retreat_are_those_of_the_literal_reading(seed: int) -> None:
    position = random_position(seed)
    grid = position.game.map.grid
    for piece in position.pieces.values():
        if piece.where in grid:
            found = exits(position, piece.side, grid.index[piece.where])
            named = [
                {name for at, name in enumerate(grid.names) if mask >> at & 1}
                for mask in (found.free, found.costly)
            ]
            assert (*named, found.bar) == literally(position, piece.side, piece.where), piece.id
