"""Pictures in the folder ``pictures`` of a game, used instead of drawn ones.

``pictures/ID.png`` is a counter, ``pictures/ID@2.png`` its second step; ``pictures/board.png`` is the board,
in exactly the size at which it would be drawn.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Problem

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDER = "pictures"
BOARD = "board"
_MOST = 16 * 2**20
T = TypeVar("T")
_KINDS = (".svg", ".png", ".gif", ".jpg", ".jpeg")


def counter_taken(game: Game, counter: Counter, steps_left: int) -> bytes | None:
    """The user's picture of a counter with so many steps left, as SVG; None if there is none."""
    lost = counter.steps - steps_left
    path = _path(game, counter.id if not lost else f"{counter.id}@{lost + 1}")
    if path is None:
        return None
    if path.suffix == ".svg":
        return _content(path)
    width, height, png = _opened(path, lambda image: (*image.size, _png(image.convert("RGBA"))))
    data = base64.b64encode(png).decode()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' width="{width}px" height="{height}px" viewBox="0 0 {width} {height}">'
        f'<image width="{width}" height="{height}" xlink:href="data:image/png;base64,{data}"/></svg>\n'
    ).encode()


def board_taken(game: Game, size: tuple[int, int]) -> bytes | None:
    """The user's picture of the board as PNG; None if there is none; BadInput if its size is wrong."""
    path = _path(game, BOARD)
    if path is None:
        return None
    found, png = _opened(path, lambda image: (image.size, _png(image.convert("RGB"))))
    if found != size:
        wrong = f"is {found[0]} × {found[1]} pixels"
        right = f"{size[0]} × {size[1]}, as [board] of art.toml and the grid make it; or no such file"
        raise BadInput(Problem(str(path), "", wrong, right))
    return png


def _path(game: Game, name: str) -> Path | None:
    """The file of that name in the last folder that has one."""
    paths = [folder / FOLDER / f"{name}{kind}" for folder in reversed(game.folders) for kind in _KINDS]
    return next((path for path in paths if path.is_file()), None)


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size <= _MOST * (16 if path.stem == BOARD else 1):
            return path.read_bytes()
    except OSError as error:
        raise BadInput(Problem(str(path), "", f"cannot be read ({error.strerror})")) from None
    most = _MOST * (16 if path.stem == BOARD else 1) >> 20
    raise BadInput(Problem(str(path), "", "is too large for a picture", f"at most {most} MB"))


def _opened(path: Path, use: Callable[[Image], T]) -> T:
    from PIL import Image  # noqa: PLC0415 - costly, and most games draw all pictures

    content = _content(path)
    try:
        with Image.open(BytesIO(content), formats=("PNG", "JPEG", "GIF")) as image:
            return use(image)
    except Exception:  # Pillow raises nearly anything for damaged pictures
        raise BadInput(Problem(str(path), "", "is no picture", "a PNG, JPEG or GIF")) from None


def _png(image: Image) -> bytes:
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()
