"""Fixtures that all tests may use."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from vassalgen.game import finding
from vassalgen.game.game import Game
from vassalgen.game.reading.folder import read

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

_read_once = cache(read)


def _shared(folder: Path, corrections: Sequence[Path]) -> Game:
    is_shipped = not corrections and folder in finding.shipped_games().values()
    return _read_once(folder) if is_shipped else read(folder, corrections)


pytest.MonkeyPatch().setattr(finding, "read", _shared)  # shipped games are values, which tests may share

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material beside the project; where it is absent the test is skipped."""
    if not (SHARED / "corpus").is_dir():
        pytest.skip("the reference material is not beside the project")
    return SHARED
