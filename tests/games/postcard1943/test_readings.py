"""Readings of open questions: each is judged by, or refused; none is passed over in silence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import referee.games.postcard1943
from referee.games.postcard1943.readings import UNJUDGED
from referee.record import parse
from tests.games.postcard1943.positions import the_world
from vassalgen.problems import BadInput

WORLD = the_world()
REFUSED = [(ruling, reading) for ruling, readings in UNJUDGED.items() for reading in readings]


@pytest.mark.parametrize(("ruling", "reading"), REFUSED)
def test_a_reading_that_is_not_judged_is_refused(ruling: str, reading: str) -> None:
    usual = WORLD.game.adopted(ruling)
    with pytest.raises(BadInput) as record:
        parse(f"game postcard1943\nadopt {ruling} {reading}\n", "game.record")
    said = str(record.value)
    assert said.startswith(f"game.record: line 2: the reading {reading!r} of {ruling} is not judged yet")
    assert usual in said
    with pytest.raises(BadInput) as data:
        WORLD.rulebook.world(WORLD.game.with_rulings({ruling: reading}))
    assert f"its reading {reading!r} is not judged yet: judged are {usual}" in str(data.value)


def test_only_readings_that_the_data_offer_are_named() -> None:
    for ruling, reading in REFUSED:
        assert reading in WORLD.game.rulings[ruling].readings
        assert reading != WORLD.game.adopted(ruling)


def test_the_rules_ask_for_every_ruling_that_has_another_reading_to_judge_by() -> None:
    rules = Path(referee.games.postcard1943.__file__).parent
    text = "".join(path.read_text("utf-8") for path in sorted(rules.glob("*.py")))
    asked = set(re.findall(r'adopted\(\s*"([\w-]+)"', text))
    open_to_choice = {
        name for name in WORLD.game.rulings if len(WORLD.rulebook.judged_readings(WORLD.game, name)) > 1
    }
    assert open_to_choice - asked == set()
