"""Who has won a game by data, by its last position."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse
from vassalgen.game.finding import open_game

ORSA = Path(__file__).parents[1] / "clubs" / "orsa"
TOWNS = "place r11 on 0505; place r23 on 0304"


@pytest.mark.parametrize(
    ("moment", "placed", "winner"),
    [
        ("turn 5, German exploitation", TOWNS, "soviet"),
        ("turn 5, German exploitation", "place r11 on 0505", "german"),
        ("turn 5, German combat", TOWNS, ""),
    ],
    ids=["enough points", "otherwise the other side", "before the end"],
)
def test_the_winner_is_known_when_the_game_is_over(moment: str, placed: str, winner: str) -> None:
    record = parse(f"game {ORSA}\nat {moment}; {placed}\nclaim german\n", "end.record")
    ((_, judged),) = judge_record(record)
    judge_of = find_rules(open_game(ORSA)).winner
    assert judge_of and judge_of(list(judged)[-1].after) == winner
