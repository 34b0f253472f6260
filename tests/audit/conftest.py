"""Fixtures of the tests of audits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.report import pictures
from referee.report.artwork import DrawnArtwork


@pytest.fixture(scope="session")
def drawn_once() -> Iterator[None]:
    """Boards take longest to draw, so each game's is drawn once."""
    drawn: dict[str, str] = {}
    draw = pictures.board_image

    def board_image(board: DrawnArtwork) -> str:
        if board.game.id not in drawn:
            drawn[board.game.id] = draw(board)
        return drawn[board.game.id]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "board_image", board_image)
        yield
