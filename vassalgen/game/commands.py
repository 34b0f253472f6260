"""The bodies of the commands about games' data; the command line itself is elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import frozen

from vassalgen.game.checking import check
from vassalgen.game.finding import find_game
from vassalgen.game.game import Game
from vassalgen.game.reading.folder import load
from vassalgen.plurals import count
from vassalgen.problems import BadInput, Problem


@frozen
class Checked:
    """The result of checking: the game if it could be read, files that could not, and the problems found."""

    game: Game | None
    unreadable: tuple[Problem, ...]
    findings: tuple[Problem, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, file by file and line by line."""
        return tuple(sorted((*self.unreadable, *self.findings), key=_place))

    @property
    def exit_code(self) -> int:
        """0: no problems; 1: problems were found; 2: there is no such game, or a file cannot be read."""
        return 2 if self.unreadable else 1 if self.findings else 0


def check_game(spec: str | Path, data: Sequence[str | Path] = ()) -> Checked:
    """Find, read and check a game with folders of corrections on top of it. Raises nothing."""
    try:
        folder = find_game(spec)
    except BadInput as error:
        return Checked(None, error.problems, ())
    loaded = load(folder, [Path(overlay) for overlay in data])
    whole = loaded.game if loaded.game and not loaded.unreadable else None
    findings = (*loaded.problems, *(check(whole) if whole else ()))
    return Checked(loaded.game, loaded.unreadable, tuple(dict.fromkeys(findings)))


def run(spec: str | Path, data: Sequence[str | Path] = (), say: Callable[[str], None] = print) -> int:
    """Check a game, print every problem and a summary, and return the exit code."""
    checked = check_game(spec, data)
    for problem in checked.problems:
        say(str(problem))
    say(_last_line(checked, str(spec)))
    return checked.exit_code


def _last_line(checked: Checked, spec: str) -> str:
    if checked.problems:
        return f"{spec}: {count(len(checked.problems), 'problem')}"
    game = checked.game
    if game is None:
        return f"{spec}: nothing to check"
    numbers = ", ".join(
        (
            count(len(game.map.grid.names), "hex", "hexes"),
            count(len(game.counters), "counter"),
            count(len(game.tables), "table"),
            count(len(game.scenarios), "scenario"),
            count(len(game.clauses), "clause"),
            count(len(game.rulings), "ruling"),
        )
    )
    return f"{game.title}: no problem found in {numbers}"


def _place(problem: Problem) -> tuple[str, int, str]:
    line = re.match(r"line (\d+)", problem.place)
    return problem.file, int(line[1]) if line else 0, problem.place
