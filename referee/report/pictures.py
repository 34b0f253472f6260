"""The pictures of a page: the board as one compressed image, the counters as reusable symbols.

They are drawn from the game's data by the same code as those of the module, or are those of a module made
elsewhere.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

from attrs import define, field

from referee.report.artwork import Artwork
from vassalgen.drawing.counters import badge
from vassalgen.drawing.picture import Picture
from vassalgen.game.art import Style
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game

if TYPE_CHECKING:
    from PIL import Image

LONGEST = 2800
"""The longer side of an embedded board in pixels: sharp on a large screen, small enough for a mail."""
QUALITIES = (82, 60, 40)
LARGEST = 2_000_000
"""Embedded boards that are larger than this many characters are compressed with lower quality."""
MOST_OF_COUNTER = 150
"""The longer side of an embedded counter in pixels."""


@define
class Symbols:
    """Drawings as SVG symbols, each distinct one once."""

    side: float
    _names: dict[str, str] = field(factory=dict)

    def name(self, picture: Picture | Image.Image) -> str:
        """The id of the symbol of a drawing or a picture."""
        inner = _inner(picture) if isinstance(picture, Picture) else self._image(picture)
        return self._names.setdefault(inner, f"p{len(self._names)}")

    def _image(self, picture: Image.Image) -> str:
        """A picture as SVG, in the size of a counter."""
        small = picture.copy()
        small.thumbnail((MOST_OF_COUNTER, MOST_OF_COUNTER))
        side = f"{self.side:g}"
        return f'<image href="{_webp(small, QUALITIES[0])}" width="{side}" height="{side}"/>'

    def svg(self) -> str:
        """All symbols."""
        side = f"{self.side:g}"
        return "".join(
            f'<symbol id="{name}" viewBox="0 0 {side} {side}">{inner}</symbol>\n'
            for inner, name in self._names.items()
        )


def _inner(picture: Picture) -> str:
    """A drawing as SVG, without the outer element."""
    text = picture.svg().decode()
    return re.sub(r"^<svg[^>]*>|</svg>\s*$", "", text).replace("\n", "")


def pictures(
    game: Game, counters: Mapping[str, Collection[int | None]], artwork: Artwork
) -> tuple[dict[str, Any], str]:
    """Return what a page needs to display the table (board, hexes, faces by steps left), and the symbols.

    ``counters`` are those to be shown with their numbers of steps, None for all.
    """
    side = artwork.side
    symbols = Symbols(side)
    faces = {
        name: {
            str(left): symbols.name(artwork.face(game.counters[name], left))
            for left in sorted({known_steps(game.counters[name], one) for one in steps})
        }
        for name, steps in counters.items()
    }
    badges = {
        state.id: symbols.name(badge(game.art.states.get(state.id, Style(text=state.id[:1])), side))
        for state in game.states.values()
        if state.levels == 1
    }
    wide, high = artwork.size
    names = game.map.grid.names
    x, y = artwork.centre(names[0])
    drawn = {
        "width": wide,
        "height": high,
        "image": board_image(artwork),
        "side": side,
        "across": artwork.across,
        "hexes": {name: [round(along, 1) for along in artwork.centre(name)] for name in names},
        "corners": [[round(right - x, 1), round(down - y, 1)] for right, down in artwork.corners(names[0])],
        "faces": faces,
        "badges": badges,
        "colours": {side: style.fill for side, style in game.art.sides.items() if style.fill},
    }
    return drawn, symbols.svg()


def known_steps(counter: Counter, steps: int | None) -> int:
    """Return the number of steps with which a counter is shown: all if the log gives no valid number."""
    return steps if steps is not None and 0 < steps <= counter.steps else counter.steps


def board_image(artwork: Artwork) -> str:
    """Return the board as a data URI."""
    picture = artwork.ground(min(1.0, LONGEST / max(artwork.size)))
    for quality in QUALITIES:
        uri = _webp(picture, quality)
        if len(uri) <= LARGEST:
            break
    return uri


def _webp(picture: Image.Image, quality: int) -> str:
    """A picture as a data URI."""
    stream = BytesIO()
    picture.save(stream, "WEBP", quality=quality, method=4)
    return f"data:image/webp;base64,{base64.b64encode(stream.getvalue()).decode()}"
