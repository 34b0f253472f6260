"""Mistakes of a first author in rules.toml: words in the place of numbers, and ranges that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from vassalgen.game.checking.families import family_problems
from vassalgen.game.finding import open_game

GAME = Path(__file__).parent / "divisions"
MISTAKES = {
    '[zoc.limits.stop]\ndoes = "halt"': "is 'halt': a number, or",
    '[results.crt.A1]\nattacker = { lose = "al" }': "is 'al': a number, or did you mean 'all'?",
    '[results.crt.DR]\ndefender = { retreat = "two" }': "is 'two': a number, or",
    '[states.shaken]\nagain = "routed"': "is 'routed': a number, or",
    '[combat.attack.at_range]\n"1 to x" = { times = 2 }': "is not a range: a range such as 2, 3-4 or 5+",
    '[retreat.home]\nreds = "east"': "there is no side 'reds': did you mean 'red'?",
    '[movement.move]\nmost = "trains"\nmost_clause = "5.3"': "there is no entry of the turn track 'trains'",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_reported_with_its_place(text: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(text)
    found = [str(problem) for problem in family_problems(open_game(GAME, [tmp_path]))]
    assert any(MISTAKES[text] in problem for problem in found), found


def test_the_game_itself_has_none_of_them() -> None:
    assert [str(one) for one in family_problems(open_game(GAME)) if "a number, or" in str(one)] == []
