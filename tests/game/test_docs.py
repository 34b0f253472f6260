"""The page on the format names what the format has."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from vassalgen.game.art import AREAS, GLYPHS, LINES, SIGNS
from vassalgen.game.counters import COLUMN_TYPES
from vassalgen.game.reading.counters_file import CORE
from vassalgen.game.rules import JUDGED
from vassalgen.game.sequence import SPEAKERS, SUBJECTS

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
