"""Other people's files: all of them can be inspected, and none gives a password away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED
from vassalgen.inspection.command import facts_of
from vassalgen.inspection.facts import as_json
from vassalgen.inspection.listing import listing
from vassalgen.inspection.report import report
from vassalgen.inspection.sources import Source, opened
from vassalgen.problems import BadInput
from vassalgen.vassal import streams
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.savedgame import SavedGame, read_setup
from vassalgen.vassal.streams import LOG

FILES = sorted(path for path in (SHARED / "corpus").glob("v*/*") if path.is_file())
NO_VASSAL_FILES = {"vassalengine__game-library-service__test.vmod"}
TOO_LONG_TO_LIST = 500_000
"""Characters of games in a file; the listing of one with more takes seconds."""
LISTED_ALL_THE_SAME = {"uckelman__tld-mod__0606-2.log"}
"""A long log of two players."""


def games_in(source: Source) -> Iterator[SavedGame]:
    if source.game is not None:
        yield source.game
    elif source.archive is not None:
        for name in source.archive.names:
            if name.lower().endswith((".vsav", ".vlog", ".sav", ".log")):
                yield read_setup(source.archive, name)


def passwords_in(game: SavedGame) -> Iterator[str]:
    """The passwords in a game that are not just the name of their player."""
    for node in streams.decode(game.text).root.walk():
        fields = node.text.removeprefix(LOG).split("\t")
        if fields[0] == "PLAYER" and fields[1] not in fields[2:] and len(fields[1]) > 3:
            yield fields[1]


def texts_in(value: Any) -> Iterator[str]:
    """All texts that are values in an object of JSON; its keys are none of the file's."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_of_other_people_is_reported_without_passwords(path: Path) -> None:
    try:
        with opened(path, "", Limits()) as source:
            facts = facts_of(source)
            passwords = {word for game in games_in(source) for word in passwords_in(game)}
            length = sum(len(game.text) for game in games_in(source))
            reported = [*report(facts, True), *texts_in(as_json(facts))]
            if length < TOO_LONG_TO_LIST or path.name in LISTED_ALL_THE_SAME:
                reported += listing(source)
    except BadInput:
        assert path.name in NO_VASSAL_FILES
        return
    if passwords:
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, passwords))})(?!\w)")
        assert not [line for line in reported if pattern.search(line)]


def test_the_corpus_is_there(shared: Path) -> None:
    assert len(FILES) == 87
