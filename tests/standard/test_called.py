"""Names that the players of a game by data give its statements."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.games import find_rules
from referee.record import parse
from vassalgen.game.checking.called import statements_of
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

TESTS = Path(__file__).parents[1]
DIVISIONS = TESTS / "standard" / "divisions"
GAMES = [DIVISIONS, *sorted(file.parent for file in (TESTS / "clubs").glob("*/rules.toml"))]
CALLED = """
[called]
attack = ["storm", "hit hard"]
"roll rally" = "nerve"
eliminate = ["rtb", "go to rtb"]
"""
SAID = [
    ("attack 0502 with b1", "b1 storms 0502"),
    ("attack 0502 with b1 b2", "b1 and b2 hit hard at 0502"),
    ("roll rally 4 for b1", "b1 rolls a 4 for nerve"),
    ("roll rally 4 for b1", "nerve: b1 rolls 4"),
    ("eliminate b1", "b1 goes to the RTB"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = Path(shutil.copytree(DIVISIONS, tmp_path / "divisions"))
    rules = found / "rules.toml"
    rules.write_text(rules.read_text() + CALLED)
    return found


@pytest.mark.parametrize(("said", "called"), SAID)
def test_a_statement_is_read_in_the_words_of_the_club(folder: Path, said: str, called: str) -> None:
    place = str(folder.parent / "x.record")
    one, other = (parse(f"game divisions\n{text}\n", place).main[0].content for text in (said, called))
    assert other == one


def test_other_games_do_not_know_these_words() -> None:
    with pytest.raises(BadInput):
        parse("game divisions\nb1 storms 0502\n", str(DIVISIONS.parent / "x.record"))


@pytest.mark.parametrize("game", GAMES, ids=lambda folder: folder.name)
def test_all_statements_of_a_game_can_be_given_names(game: Path) -> None:
    found = open_game(str(game))
    assert found.families
    assert {*find_rules(found).verbs} - {*statements_of(found, found.families)} == set()
