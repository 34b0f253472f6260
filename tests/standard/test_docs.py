"""The page about rules as data against the values that the file is read into."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import attrs
import pytest

from vassalgen.game import families
from vassalgen.game.reading.documents import TomlDocument
from vassalgen.game.reading.families_file import read_families
from vassalgen.game.reading.nodes import Node, Notes

PAGE = (Path(__file__).parents[2] / "docs" / "rules-as-data.md").read_text(encoding="utf-8")
PARTS = [
    one
    for one in vars(families).values()
    if isinstance(one, type) and one.__module__.startswith(families.__name__) and attrs.has(one)
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_key_is_documented(part: type[attrs.AttrsInstance]) -> None:
    known = set(re.findall(r"[a-z_]+", PAGE))
    assert {field.name for field in attrs.fields(part)} - known == set()


FAMILIES = [name for name in re.findall(r"^## (.+)$", PAGE, re.MULTILINE) if name == name.lower()]


def read(section: str) -> families.Families:
    """Return the rules in the indented lines of a section, which must be without errors."""
    example = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    lines = [line[4:] for line in example.splitlines() if line.startswith("    ")]
    text = "\n".join(lines if "clock" in lines[0] else ['clock = "3.1"', *lines])
    document, notes = TomlDocument("rules.toml", text), Notes()
    found = read_families(Node.of(tomllib.loads(text), document, notes))
    assert notes.problems == []
    return found


def test_the_whole_example_is_read() -> None:
    found = read("A whole example")
    assert found.movement
    assert found.results


@pytest.mark.parametrize("family", FAMILIES)
def test_the_example_of_a_family_is_read(family: str) -> None:
    assert getattr(read(family), family, True)
