"""Games of Patton 1943 that a real VASSAL recorded, to their end."""

from __future__ import annotations

import pytest

from tests.audit.recorded import audited, expected

GAME = "patton1943"


@pytest.mark.parametrize("name", expected(GAME))
def test_in_the_end_all_lies_where_it_was_dragged_to(name: str) -> None:
    pieces = audited(GAME, name).position.pieces
    assert {one: pieces[one].where for one in expected(GAME)[name]["moved"]} == expected(GAME)[name]["moved"]
