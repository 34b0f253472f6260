"""The look of a game's board and counters: drawn from its data, or taken from a module made elsewhere."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

from vassalgen.drawing.boards import Board
from vassalgen.drawing.counters import face
from vassalgen.drawing.picture import Picture

if TYPE_CHECKING:
    from PIL import Image

    from vassalgen.game.counters import Counter
    from vassalgen.game.game import Game
    from vassalgen.game.layout import Point


class Artwork(Protocol):
    """Where the hexes are on the picture of a board, and what board and counters look like."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board in pixels at 100%."""

    @property
    def across(self) -> float:
        """The width of a hex."""

    @property
    def side(self) -> float:
        """The side of a counter."""

    def centre(self, hex_: str) -> Point:
        """The centre of a hex."""

    def corners(self, hex_: str) -> tuple[Point, ...]:
        """The six corners of a hex."""

    def ground(self, scale: float) -> Image.Image:
        """The board without counters."""

    def face(self, counter: Counter, steps: int) -> Picture | Image.Image:
        """A counter with so many steps left."""


@frozen
class DrawnArtwork:
    """Board and counters as vassalgen draws them for its own modules.

    ``is_fine``: the board is drawn larger and scaled down, which takes longer.
    """

    game: Game
    is_fine: bool = False
    _board: Board = field(init=False)

    @_board.default
    def _draw_board(self) -> Board:
        return Board(self.game)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board in pixels at 100%."""
        width, height = self._board.layout.size
        return math.ceil(width), math.ceil(height)

    @property
    def across(self) -> float:
        """The width of a hex."""
        return self._board.layout.across

    @property
    def side(self) -> float:
        """The side of a counter."""
        return float(self.game.art.board.counter)

    def centre(self, hex_: str) -> Point:
        """The centre of a hex."""
        return self._board.layout.centre(hex_)

    def corners(self, hex_: str) -> tuple[Point, ...]:
        """The six corners of a hex."""
        return self._board.layout.corners(hex_)

    def ground(self, scale: float) -> Image.Image:
        """The board without counters."""
        picture = self._board.picture
        return (smooth(picture, scale) if self.is_fine else picture.raster(scale)).convert("RGB")

    def face(self, counter: Counter, steps: int) -> Picture:
        """A counter with so many steps left."""
        return face(self.game, counter, steps)


def smooth(picture: Picture, scale: float) -> Image.Image:
    """Draw a picture at a scale; small pictures are drawn larger and scaled down, because their lines are
    thin.
    """
    from PIL import Image  # noqa: PLC0415 - costly

    if scale >= 1:
        return picture.raster(scale)
    size = round(picture.width * scale), round(picture.height * scale)
    return picture.raster(min(1.0, 2 * scale)).resize(size, Image.Resampling.LANCZOS)
