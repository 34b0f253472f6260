"""The page on the format names what the format has."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from vassalgen.game.art import AREAS, GLYPHS, LINES, SIGNS
from vassalgen.game.commands import check_game
from vassalgen.game.counters import COLUMN_TYPES
from vassalgen.game.reading.counters_file import CORE
from vassalgen.game.rules import JUDGED
from vassalgen.game.sequence import SPEAKERS, SUBJECTS
from vassalgen.new import BARE, write_game

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "game-data.md").read_text(encoding="utf-8")


def named(row: str) -> tuple[str, ...]:
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| {row} |"))
    return tuple(re.findall(r"`([^`]+)`", line.removeprefix(f"| {row} |")))


def test_the_page_names_all_patterns_and_glyphs() -> None:
    assert named("of areas") == AREAS
    assert named("of lines") == LINES
    assert named("of signs") == SIGNS
    assert (*named("glyphs"), *named("figures of 1800")) == GLYPHS


def test_the_page_names_all_columns_and_choices() -> None:
    words = set(re.findall(r"`([^`]+)`", PAGE))
    assert {*CORE, *COLUMN_TYPES, *SPEAKERS, *SUBJECTS} <= words
    assert all(judged in PAGE for judged in JUDGED)


def test_the_examples_of_the_page_are_toml() -> None:
    block = PAGE.split("## clauses.toml and rulings.toml")[1].split("*enforced*")[0]
    data = tomllib.loads("\n".join(line.strip() for line in block.splitlines()))
    assert data["odds-rounding"]["adopted"] in data["odds-rounding"]["readings"]


@pytest.mark.parametrize(
    "section",
    ("game.toml", "map.toml", "tables.toml", "scenarios/*.toml", "art.toml"),
    ids=lambda one: one[:4],
)
def test_the_section_of_a_file_begins_with_an_example(section: str) -> None:
    block = PAGE.split(f"## {section}\n")[1].split("| ")[0]
    assert tomllib.loads("\n".join(line[4:] for line in block.splitlines() if line.startswith("    ")))


def test_the_counter_of_the_first_game_joins_the_skeleton(tmp_path: Path) -> None:
    first = PAGE.split("## A first game\n")[1].split("\n## ")[0]
    lines = [line[4:] for line in first.splitlines() if line.startswith("    ")]
    write_game(tmp_path / "mygame", BARE)
    counters, scenario = (tmp_path / "mygame" / name for name in ("counters.csv", "scenarios/first.toml"))
    assert all(line in counters.read_text() for line in lines[:2])
    counters.write_text(f"{counters.read_text()}{lines[2]}\n")
    assert any("b2" in str(problem) for problem in check_game(tmp_path / "mygame").problems)
    scenario.write_text("\n".join((scenario.read_text(), *lines[3:])))
    assert not check_game(tmp_path / "mygame").problems
