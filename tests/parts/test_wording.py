"""A game with names that would be misread is refused, with every one of them."""

from __future__ import annotations

import attrs
import pytest

from vassalgen.compile import compile_game
from vassalgen.game.game import Game
from vassalgen.parts.wording import problems
from vassalgen.problems import BadInput


def test_games_can_be_spoken_of(game: Game) -> None:
    assert problems(game) == ()


def test_every_name_that_cannot_be_said_is_reported_at_once(small: Game) -> None:
    b1 = attrs.evolve(small.counters["b1"], name="Guards [old]")
    blue = attrs.evolve(small.sides["blue"], title="Blues (first)")
    game = attrs.evolve(small, counters={**small.counters, "b1": b1}, sides={**small.sides, "blue": blue})
    with pytest.raises(BadInput) as caught:
        compile_game(game)
    reported = str(caught.value)
    assert "'Guards [old]' cannot be announced: a text without [ ]" in reported
    assert "'Blues (first)' cannot be announced" in reported
    assert "counters.csv" in reported


def test_two_boxes_of_one_title_are_reported(small: Game) -> None:
    first, *others = small.map.boxes.values()
    twin = attrs.evolve(first, id="twin")
    boxes = {one.id: one for one in (first, *others, twin)}
    game = attrs.evolve(small, map=attrs.evolve(small.map, boxes=boxes))
    assert len(problems(game)) == 2


def test_a_side_may_not_have_the_name_of_the_solitaire_player(small: Game) -> None:
    red = attrs.evolve(small.sides["red"], title="Solitaire")
    game = attrs.evolve(small, sides={**small.sides, "red": red})
    assert [problem.wrong for problem in problems(game)] == ["another side is called 'Solitaire'"]
