"""Words of a game's files with letters changed places: `vassalgen check` reports each of them."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest

from tests.standard.variants import HERE
from vassalgen.game.checking import check
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

CLUBS = HERE.parent / "clubs"
EVERY = 9
"""Which words are tried; the first is another one in each game."""


def problems(folder: Path) -> list[str]:
    """What is wrong with a game."""
    try:
        return [str(problem) for problem in check(open_game(folder))]
    except BadInput as refused:
        return [str(refused)]


@pytest.mark.parametrize(("game", "first"), [("orsa", 0), ("dalia", 3), ("grauwald", 6)])
def test_no_misspelt_word_of_the_rules_passes(game: str, first: int, tmp_path: Path) -> None:
    folder = tmp_path / game
    copytree(CLUBS / game, folder)
    text = (folder / "rules.toml").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    words = [
        (number, found)
        for number, line in enumerate(lines)
        for found in re.finditer(r"(?<![\w.-])[A-Za-z][\w-]{2,}(?![\w.-])", line.partition("#")[0])
        if found[0] not in ("true", "false")
    ]
    silent = []
    for number, found in words[first::EVERY]:
        word, line = found[0], lines[number]
        wrong = line[: found.start()] + word[:-2] + word[-1] + word[-2] + "x" + line[found.end() :]
        (folder / "rules.toml").write_text("\n".join([*lines[:number], wrong, *lines[number + 1 :]]))
        if not problems(folder):
            silent.append(wrong)
    assert silent == []


MISTAKES = {
    "a season that is no entry of the track": (
        "game.toml",
        "[turns]\n2 = { wheather = 'mud' }\n",
        "nothing reads 'wheather': did you mean 'weather'?",
    ),
    "a cost that is none": ("tables.toml", "[terrain.wood]\nmove = 'al'\n", "is 'al': a number such as 2"),
    "a word of the track that there is not": (
        "rules.toml",
        "[words.wet]\ntrack = { weather = 'mdu' }\n",
        "there is no word of weather 'mdu'",
    ),
    "a roll that nothing reads": (
        "rules.toml",
        "[rolls.weather]\nclause = '3.6'\ndice = 'weather'\nphase = 'movement'\nsets = 'wether'\n"
        "values = { 1-6 = 'mud' }\n",
        "nothing reads 'wether'",
    ),
    "a phase of supply that there is not": ("rules.toml", "[supply]\nwhen = 'suply'\n", "is 'suply'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_reported(mistake: str, tmp_path: Path) -> None:
    file, text, says = MISTAKES[mistake]
    (tmp_path / file).write_text(text)
    found = [str(problem) for problem in check(open_game(HERE / "divisions", [tmp_path]))]
    assert any(says in problem for problem in found), found
