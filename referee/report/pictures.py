"""The pictures of a page: the board as one compressed image, the counters as symbols that are used again.

They are drawn from the game's data by what draws them for the module.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Collection, Mapping
from io import BytesIO
from typing import Any

from attrs import define, field

from vassalgen.drawing.boards import Board
from vassalgen.drawing.counters import badge, face
from vassalgen.drawing.picture import Picture
from vassalgen.game.art import Style
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game

LONGEST = 2800
"""Pixels of the longer side of an embedded board: sharp on a large screen, small enough for a mail."""
QUALITY = 82


@define
class Symbols:
    """Drawings as symbols of SVG, each different one once."""

    side: float
    _names: dict[str, str] = field(factory=dict)

    def name(self, picture: Picture) -> str:
        """The id of the symbol of a drawing."""
        return self._names.setdefault(_inner(picture), f"p{len(self._names)}")

    def svg(self) -> str:
        """All symbols."""
        side = f"{self.side:g}"
        return "".join(
            f'<symbol id="{name}" viewBox="0 0 {side} {side}">{inner}</symbol>\n'
            for inner, name in self._names.items()
        )


def _inner(picture: Picture) -> str:
    """A drawing as SVG, without the element around it."""
    text = picture.svg().decode()
    return re.sub(r"^<svg[^>]*>|</svg>\s*$", "", text).replace("\n", "")


def pictures(game: Game, counters: Mapping[str, Collection[int | None]]) -> tuple[dict[str, Any], str]:
    """Return what a page needs to lay the table (board, hexes, faces by steps left), and the symbols.

    ``counters`` are those that are shown, with the steps they have then, None for all.
    """
    board = Board(game)
    side = float(game.art.board.counter)
    symbols = Symbols(side)
    faces = {
        name: {
            str(left): symbols.name(face(game, game.counters[name], left))
            for left in sorted({known_steps(game.counters[name], one) for one in steps})
        }
        for name, steps in counters.items()
    }
    badges = {
        state.id: symbols.name(badge(game.art.states.get(state.id, Style(text=state.id[:1])), side))
        for state in game.states.values()
        if state.levels == 1
    }
    layout = board.layout
    wide, high = (math.ceil(extent) for extent in layout.size)
    names = layout.grid.names
    x, y = layout.centre(names[0])
    drawn = {
        "width": wide,
        "height": high,
        "image": board_image(board),
        "side": side,
        "across": layout.across,
        "hexes": {name: [round(along, 1) for along in layout.centre(name)] for name in names},
        "corners": [[round(right - x, 1), round(down - y, 1)] for right, down in layout.corners(names[0])],
        "faces": faces,
        "badges": badges,
        "colours": {side: style.fill for side, style in game.art.sides.items() if style.fill},
    }
    return drawn, symbols.svg()


def known_steps(counter: Counter, steps: int | None) -> int:
    """Return the steps that a counter is shown with: all if the log gives it none that it can have."""
    return steps if steps is not None and 0 < steps <= counter.steps else counter.steps


def board_image(board: Board) -> str:
    """Return the board as a data URI."""
    picture = board.picture
    scale = min(1.0, LONGEST / max(picture.width, picture.height))
    stream = BytesIO()
    picture.raster(scale).convert("RGB").save(stream, "WEBP", quality=QUALITY, method=4)
    return f"data:image/webp;base64,{base64.b64encode(stream.getvalue()).decode()}"
