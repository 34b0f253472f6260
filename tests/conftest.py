"""Fixtures that all tests may use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material beside the project; where it is absent the test is skipped."""
    if not (SHARED / "corpus").is_dir():
        pytest.skip("the reference material is not beside the project")
    return SHARED
