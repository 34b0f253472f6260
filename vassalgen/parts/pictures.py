"""The pictures of a module: their names in the archive, and their contents.

Counters are SVG, sharp at every zoom; the boards are PNG. The names of the boards' files follow from their
content: VASSAL cuts boards into tiles once, and would go on showing the old ones under the old name.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from io import BytesIO

from attrs import frozen

from vassalgen.drawing import tokens
from vassalgen.drawing.boards import Board
from vassalgen.drawing.counters import back, badge, face, masked, spent
from vassalgen.drawing.picture import Picture
from vassalgen.game.art import Style
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.parts.boxes import BoxesBoard
from vassalgen.parts.odds import Odds, odds_of
from vassalgen.parts.taken import board_taken, counter_taken

CLERK, TURN_MARKER, MOVED, SPENT = "status.svg", "turn.svg", "moved.svg", "spent.svg"
MASKED_PICTURE = "face-down.svg"
TITLE = "about.png"


def counter_picture(counter: Counter, steps_left: int | None = None) -> str:
    """The name of a counter's picture with so many steps left, all of them if not said."""
    reduced = steps_left is not None and steps_left < counter.steps
    return f"{counter.id}-{steps_left}.svg" if reduced else f"{counter.id}.svg"


def back_picture(side: str) -> str:
    """The name of the picture of a side's counters face down."""
    return f"back-{side}.svg"


def state_picture(state: str) -> str:
    """The name of a state's badge."""
    return f"state-{state}.svg"


def die_picture(shown: int) -> str:
    """The name of the picture of a die's face."""
    return f"die-{shown}.svg"


def dice_in_pictures(odds: Odds | None) -> int:
    """How many dice of the combat table are shown as pictures: all, if they are few and have six sides."""
    return odds.dice.count if odds and odds.dice.sides == 6 and odds.dice.count <= 3 else 0


def svgs(game: Game) -> Iterator[tuple[str, bytes]]:
    """All pictures of counters, states and tokens."""
    side = float(game.art.board.counter)
    for counter in game.counters.values():
        for steps in range(counter.steps, 0, -1):
            own = counter_taken(game, counter, steps)
            yield counter_picture(counter, steps), own or face(game, counter, steps).svg()
    for state in (one.id for one in game.states.values() if one.levels == 1):
        yield state_picture(state), badge(game.art.states.get(state, Style(text=state[:1])), side).svg()
    yield CLERK, tokens.status_plate(game.art.board.background, BoxesBoard(game).status_size[0]).svg()
    if dice_in_pictures(odds_of(game)):
        yield from ((die_picture(face), tokens.die_face(face).svg()) for face in range(1, 7))
    yield TURN_MARKER, tokens.turn_marker().svg()
    if any(state.back for state in game.states.values()):
        yield SPENT, spent(side).svg()
    if any(kind.hidden for kind in game.kinds.values()):
        yield MASKED_PICTURE, masked(side).svg()
        for one in game.sides:
            yield back_picture(one), back(game.art.sides.get(one, Style()), side).svg()
    yield MOVED, tokens.moved_sign().svg()


@frozen
class Drawing:
    """A drawing as a file: its name in the archive, its content, its width and height in pixels."""

    name: str
    content: bytes
    size: tuple[int, int]


def boards(game: Game) -> tuple[Drawing, Drawing]:
    """The two boards: that of the hexes, and that of the boxes."""
    board = Board(game)
    size = math.ceil(board.layout.size[0]), math.ceil(board.layout.size[1])
    own = board_taken(game, size)
    hexes = _named("board", own, size) if own else _drawn("board", board.picture)
    return hexes, _drawn("boxes", BoxesBoard(game).picture)


def title(game: Game) -> Drawing:
    """The picture of the about screen."""
    picture = tokens.title_page(game)
    return Drawing(TITLE, *_png(picture))


def _png(picture: Picture) -> tuple[bytes, tuple[int, int]]:
    pixels = picture.raster(mode="RGB")
    stream = BytesIO()
    pixels.save(stream, "PNG")
    return stream.getvalue(), pixels.size


def _drawn(name: str, picture: Picture) -> Drawing:
    return _named(name, *_png(picture))


def _named(name: str, content: bytes, size: tuple[int, int]) -> Drawing:
    fingerprint = hashlib.sha256(content).hexdigest()[:8]
    return Drawing(f"{name}-{fingerprint}.png", content, size)
