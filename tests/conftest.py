"""Fixtures that all tests may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material beside the project; where it is absent the test is skipped."""
    if not (SHARED / "corpus").is_dir():
        pytest.skip("the reference material is not beside the project")
    return SHARED
