"""Legal games that are sent in several logs, played carelessly: nobody is accused."""

from __future__ import annotations

import pytest

from tools.proof.carelessness import accused_in_parts
from tools.proof.habits import LATE, ONCE_A_PLAYER_TURN
from tools.proof.habits.parts import PARTS

CARELESS = frozenset({LATE, ONCE_A_PLAYER_TURN})


@pytest.mark.parametrize("how", PARTS)
def test_a_game_in_parts_accuses_nobody(how: str) -> None:
    assert accused_in_parts("postcard1943", 300302, 2, CARELESS, how) == []
