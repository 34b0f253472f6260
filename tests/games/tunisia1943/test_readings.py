"""Readings of open questions that cannot be judged by."""

from __future__ import annotations

import pytest

from referee.games.tunisia1943.readings import UNJUDGED
from referee.record import parse
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

GAME = open_game("tunisia1943")
REFUSED = [(ruling, reading) for ruling, readings in UNJUDGED.items() for reading in readings]


@pytest.mark.parametrize(("ruling", "reading"), REFUSED)
def test_a_reading_that_is_not_judged_is_refused(ruling: str, reading: str) -> None:
    assert reading in GAME.rulings[ruling].readings
    assert reading != GAME.adopted(ruling)
    with pytest.raises(BadInput, match=f"the reading '{reading}' of {ruling} is not judged yet"):
        parse(f"game {GAME.id}\nadopt {ruling} {reading}\n", "game.record")
