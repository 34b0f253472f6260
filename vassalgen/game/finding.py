"""Finding a game: a folder, a name among the games that come with the package, or an installed package of a
club.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from vassalgen.game.game import Game, unknown
from vassalgen.game.reading.folder import read
from vassalgen.problems import BadInput, Problem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "vassalgen.games"
MARK = "game.toml"


def open_game(spec: str | Path, data: Sequence[str | Path] = ()) -> Game:
    """Find and read a game, with folders of corrections on top of it; BadInput with every problem."""
    return read(find_game(spec), [Path(folder) for folder in data])


def find_game(spec: str | Path) -> Path:
    """Return the folder of a game:

    ``spec`` is that folder, or the id or title of a shipped or installed game. BadInput if there is none,
    with suggestions.
    """
    folder = Path(spec)
    try:
        if (folder / MARK).is_file():
            return folder
    except OSError as error:
        wrong = f"cannot be looked for ({error.strerror})"
        raise BadInput(
            Problem(f"{str(spec)[:60]}…", "", wrong, "name a game, or the folder of one")
        ) from error
    shipped = shipped_games()
    named = spec in shipped or not isinstance(spec, str) or spec in _entry_points()
    titled = () if named else games_titled(str(spec))
    if len(titled) == 1:
        return find_game(titled[0])
    if titled:
        raise BadInput(Problem(str(spec), "", "several games have this title", f"one of {', '.join(titled)}"))
    if isinstance(spec, Path) or folder.name != spec:
        wrong = f"has no {MARK}" if folder.is_dir() else "there is no such folder"
        wrong = "is a file" if folder.is_file() else wrong
        raise BadInput(Problem(str(spec), "", wrong, "name a game, or the folder of one"))
    if spec in shipped:
        return shipped[spec]
    installed = _entry_points()
    if spec in installed:
        return _installed(installed[spec])
    if folder.exists():
        wrong = f"has no {MARK}" if folder.is_dir() else "is a file"
        raise BadInput(Problem(spec, "", wrong, "name a game, or the folder of one"))
    known = game_names()
    raise BadInput(Problem(spec, "", "there is no such game", unknown(spec, known)))


def named_in_a_file(spec: str) -> str | Path:
    """Return the folder of an installed game for a name in a log or map; any other name is returned
    unchanged. The sender of a log might send along a folder of that name, which must not be taken for the
    game.
    """
    if spec in shipped_games():
        return shipped_games()[spec]
    installed = _entry_points()
    return _installed(installed[spec]) if spec in installed else spec


def shipped_games() -> dict[str, Path]:
    """Return the games that come with this package, by name."""
    package = Path(__file__).resolve().parents[1]
    inside, beside = package / "modules", package.parent / "modules"
    home = inside if inside.is_dir() else beside
    return {path.parent.name: path.parent for path in sorted(home.glob(f"*/{MARK}"))}


def game_names() -> tuple[str, ...]:
    """Return the names of the games that come with this package or are installed, in alphabetical order."""
    return tuple(sorted({*shipped_games(), *_entry_points()}))


def games_titled(title: str) -> tuple[str, ...]:
    """Return the ids of the shipped or installed games with a title, ignoring case."""
    wanted = " ".join(title.split()).casefold()
    return tuple(name for name, one in game_titles().items() if one.casefold() == wanted)


def game_titles() -> dict[str, str]:
    """Return the titles of the shipped and installed games by id, without games that cannot be read."""
    found: dict[str, str] = {}
    for name in game_names():
        with suppress(BadInput, OSError, ValueError):
            folder = shipped_games().get(name) or _installed(_entry_points()[name])
            found[name] = _title(folder)
    return found


def _title(folder: Path) -> str:
    with (folder / MARK).open("rb") as file:
        title = tomllib.load(file).get("title", folder.name)
    return " ".join(str(title).split())


def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and needed for other people's games only

    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}


def _installed(entry: EntryPoint) -> Path:
    """The folder of an entry point: that of the package it names, or the path it names."""
    package = entry.dist.name if entry.dist else entry.value
    place = f"entry point {entry.name} = {entry.value}"
    try:
        found = entry.load()
    except Exception as error:
        raise BadInput(Problem(package, place, f"cannot be loaded ({error})")) from error
    if isinstance(found, ModuleType):
        folder = Path(next(iter(found.__path__))) if hasattr(found, "__path__") else None
    else:
        folder = Path(found) if isinstance(found, str | Path) else None
    if folder is None or not (folder / MARK).is_file():
        raise BadInput(
            Problem(package, place, "is not a game", f"a package, or the path of a folder, with {MARK}")
        )
    return folder
