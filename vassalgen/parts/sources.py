"""The data from which a module was built are stored in it, so that ``vassalgen adopt`` can extract them.

Code is not data: Python files in a game's folder are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vassalgen.game.game import Game
from vassalgen.parts import ids as ids_room
from vassalgen.parts.ids import Ids

FOLDER = "data/"
CORRECTIONS = "corrections"
"""The folder for corrections inside that of the data; a second one is ``corrections-2``."""
_PATTERNS = ("*.toml", "*.csv", "*.record", "scenarios/*.toml", "help/*.md")


def sources(game: Game, ids: Ids) -> Iterator[tuple[str, bytes]]:
    """The files of the game's folder and of corrections on top of it, as entries of the module."""
    for layer, folder in enumerate(game.folders):
        inside = FOLDER
        if layer:
            inside += f"{CORRECTIONS}/" if layer == 1 else f"{CORRECTIONS}-{layer}/"
        for path in _files(folder):
            name = path.relative_to(folder).as_posix()
            if layer or name != ids_room.FILE:
                yield inside + name, path.read_bytes()
        if not layer:
            yield inside + ids_room.FILE, ids_room.text(game, ids).encode()


def _files(folder: Path) -> list[Path]:
    found = {path for pattern in _PATTERNS for path in folder.glob(pattern) if path.is_file()}
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())
