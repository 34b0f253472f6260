"""Rolls of a phase, as logs show them: a button of the toolbar, which belongs to no counter and no battle."""

from __future__ import annotations

from pathlib import Path

from referee.engine.actions import Action
from referee.scribe.facts import Fact, Rolled
from tests.standard.test_dragged_stacks import dragged, findings, read
from tests.standard.test_sentences_of_rulebooks import DICE, WEATHER


def weather(step: int, face: int) -> tuple[Fact, ...]:
    """The weather die, rolled by its button."""
    return (Rolled(step=step, side="blue", dice="weather", faces=(face,)),)


def test_the_weather_that_was_rolled_holds_for_the_moves_after_it(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(DICE)
    far = dragged(2, "b3", "0406", "0403")
    clear = read(tmp_path, WEATHER, "movement", weather(1, 5), far, b3="0406")
    assert findings(clear) == []
    mud = read(tmp_path, WEATHER, "movement", weather(1, 2), far, b3="0406")
    assert findings(mud) == [("5.1", "illegal")]
    verbs = [one.statement.content.verb for one in mud.readings if isinstance(one.statement.content, Action)]
    assert verbs == ["roll weather", "move"]
