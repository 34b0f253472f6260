"""Games of Tunisia 1943 that a real VASSAL recorded, to their end."""

from __future__ import annotations

import pytest

from tests.audit.recorded import audited, expected
from vassalgen.game.finding import open_game

GAME = "tunisia1943"


@pytest.mark.parametrize("name", expected(GAME))
def test_in_the_end_all_lies_where_it_was_set_up_or_dragged_to(name: str) -> None:
    report, game = audited(GAME, name), open_game(GAME)
    set_up = {
        counter: one.at
        for one in game.scenarios[expected(GAME)[name]["scenario"]].setup
        for counter in one.counters
        if one.at in game.map.grid
    }
    lying = {
        piece.id: piece.where for piece in report.position.pieces.values() if piece.where in game.map.grid
    }
    moved = expected(GAME)[name]["moved"]
    assert lying == {one: where for one, where in {**set_up, **moved}.items() if where}
