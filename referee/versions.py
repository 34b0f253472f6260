"""The versions on which a verdict depends: of the program, of the rules and of the data.

Code and data are named by a hash of their files: two audits with the same hashes were made in the same way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import referee
import vassalgen
from referee.games import find_rules, shipped_rules
from vassalgen.game.game import Game

PROGRAM = "vassalgen"
_SHOWS_ONLY = (
    "archive",
    "report/web",
    "cli.py",
    "completion.py",
    "page_commands.py",
    "watching.py",
    "lookup.py",
)
"""What of the package only shows or sorts what was judged."""
_USED = ("game", "vassal", "announcements.py", "templates.py", "problems.py")
"""What of the other package is part of the judgement."""


@cache
def program_version() -> str:
    """Return the version of this program."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow to import

    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return ""


@cache
def rules_version(game: str) -> str:
    """Return a hash of the code that judges a game: its rules, and everything that the games share."""
    package = Path(referee.__file__).parent
    games = package / "games"
    own = _rules_of(game)
    shared = (
        path
        for path in package.rglob("*")
        if games not in path.parents and not path.relative_to(package).as_posix().startswith(_SHOWS_ONLY)
    )
    other = Path(vassalgen.__file__).parent
    used = (path for path in other.rglob("*") if path.relative_to(other).as_posix().startswith(_USED))
    found = {f"rules/{place}": path for place, path in own.items()}
    found |= {f"referee/{path.relative_to(package).as_posix()}": path for path in shared}
    found |= {f"vassalgen/{path.relative_to(other).as_posix()}": path for path in used}
    return _digest(_code(found))


def _rules_of(game: str) -> Mapping[str, Path]:
    """The files of the rules of a game, and those of other games that they import from, by their names."""
    home = Path(find_rules.__code__.co_filename).parent
    waiting, found, done = [game], dict[str, Path](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        done.add(name)
        folder = home / name if name in shipped_rules() else _installed(name)
        for path in sorted(folder.rglob("*")) if folder else ():
            found[f"{name}/{path.relative_to(folder).as_posix()}"] = path
            if path.suffix == ".py":
                waiting += _IMPORTED.findall(path.read_text(encoding="utf-8"))
    return found | {path.name: path for path in home.glob("*.py")}


_IMPORTED = re.compile(r"^\s*(?:from|import) referee\.games\.(\w+)", re.MULTILINE)


def _installed(game: str) -> Path:
    """The folder of rules that another package brings."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and for other people's games only
    from importlib.util import find_spec  # noqa: PLC0415

    for entry in entry_points(group="referee.games"):
        if entry.name == game:
            spec = find_spec(entry.module)
            if spec and spec.origin:
                return Path(spec.origin).parent
    return Path(__file__).parent / "games" / game


def data_version(game: Game) -> str:
    """Return a hash of the data of a game: its folder and those of corrections.

    What systems and programs hide in folders (``.git``, ``.DS_Store``) is no data.
    """
    files = (
        (place, path.relative_to(folder), path)
        for place, folder in enumerate(game.folders)
        for path in sorted(folder.rglob("*"))
    )
    return _digest(
        (f"{place}/{name.as_posix()}", path)
        for place, name, path in files
        if not any(part.startswith(".") for part in name.parts)
    )


def _code(files: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """The files of a package in the order of their names, without what Python makes of them."""
    for name in sorted(files):
        if "__pycache__" not in name:
            yield name, files[name]


def _digest(files: Iterable[tuple[str, Path]]) -> str:
    found = hashlib.sha256()
    for name, path in files:
        if path.is_file():
            content = path.read_bytes()
            found.update(f"{name}\n{len(content)}\n".encode("utf-8", "surrogateescape"))
            found.update(content)
    return found.hexdigest()[:16]
