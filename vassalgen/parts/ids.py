"""The numbers by which VASSAL and saved games identify the counters, stored permanently in the game's folder.

VASSAL links a piece in a saved game to its definition by a number, and saved games and logs identify a piece
by an id. Both come from the file ``ids.toml``; new counters are appended to it, and nothing is ever removed:
this way saved games work with new versions of a module. The file is written only if a counter has been added.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import attrs
from attrs import frozen

from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.archives import replace_file

FILE = "ids.toml"
CLERK, TURN_MARKER, PLATE, LINE = "_clerk", "_turn", "_plate", "_line"
"""Ids of pieces that every module has; no counter's id begins like these."""

_HEAD = """\
# The numbers by which VASSAL and saved games know the counters. New ones are appended when a module is built;
# none is ever changed, taken away or used again.
"""


@frozen
class Ids:
    """The numbers by the counters' ids. ``added`` are those that are not in the file yet."""

    numbers: dict[str, int]
    added: tuple[str, ...] = ()

    def gpid(self, id_: str) -> str:
        """The number in VASSAL's slots."""
        return str(self.numbers[id_])

    def piece(self, id_: str) -> str:
        """The id of the piece in set-ups, and therefore in saved games and logs."""
        return f"U{self.numbers[id_]:03d}"

    def stack(self, id_: str) -> str:
        """The id of the stack whose lowest piece this is in a set-up."""
        return f"S{self.numbers[id_]:03d}"

    @property
    def next(self) -> int:
        """The first free number."""
        return max(self.numbers.values(), default=0) + 1

    def lines(self) -> str:
        """The lines to be appended to the file."""
        return "".join(f'"{id_}" = {self.numbers[id_]}\n' for id_ in self.added)


def ids_of(game: Game) -> Ids:
    """The numbers of a game's counters; new counters get the next. BadInput if the file is unusable."""
    numbers = _read(_file(game)) if game.folders else {}
    ids = Ids(dict(numbers))
    added = [id_ for id_ in (CLERK, TURN_MARKER, *game.counters, PLATE, LINE) if id_ not in numbers]
    for id_ in added:
        ids.numbers[id_] = ids.next
    return attrs.evolve(ids, added=tuple(added))


def keep(game: Game, ids: Ids) -> Path | None:
    """Append the new numbers to the game's file and return it; None if there is nothing to append.

    BadInput if it cannot be written.
    """
    if not ids.added or not game.folders:
        return None
    file = _file(game)
    replace_file(file, text(game, ids).encode())
    return file


def text(game: Game, ids: Ids) -> str:
    """The contents of the game's file with the new numbers appended."""
    file = _file(game)
    written = file.read_text("utf-8") if file.exists() else _HEAD
    return written + ("" if written.endswith("\n") else "\n") + ids.lines()


def _file(game: Game) -> Path:
    return game.folders[0] / FILE


def _read(file: Path) -> dict[str, int]:
    try:
        numbers = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadInput(Problem(str(file), "", f"cannot be read ({error})")) from None
    problems = []
    owners: dict[int, str] = {}
    for id_, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            problems.append(Problem(str(file), id_, f"is {number!r}", "a whole number from 1"))
        elif number in owners:
            problems.append(
                Problem(str(file), id_, f"has the number {number}, as {owners[number]!r} has", "its own")
            )
        else:
            owners[number] = id_
    if problems:
        raise BadInput(problems)
    return dict(numbers)
