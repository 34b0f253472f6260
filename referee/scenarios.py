"""The game and scenario of a log: those that it names, or else those that its set-up suggests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.scribe.facts import Standing
from referee.table import Log
from vassalgen.announcements import SCENARIO
from vassalgen.game.finding import game_names, games_titled
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.commands import RestoreProperty, read

_CLEARLY, _HARDLY = 0.8, 0.5
"""The share of a set-up that is as a scenario says: at least for the scenario being played, and at most for
any other.
"""


def game_of(path: Path, log: Log) -> str:
    """Return the game of the module with which a log was made; BadInput if there is none, or several."""
    name = log.module
    titled = games_titled(name) if name else ()
    if len(titled) == 1:
        return titled[0]
    if titled:
        wrong = f"made with the module {name!r}, the title of several games"
        raise BadInput(Problem(str(path), "", wrong, f"name one with --game: {', '.join(titled)}"))
    wrong = (
        f"made with the module {name!r}, which is not one of the installed games"
        if name
        else "does not say which module it was made with"
    )
    known = ", ".join(game_names())
    raise BadInput(Problem(str(path), "", wrong, f"name the game with --game: {known}, or a folder"))


def named_scenario(logs: Sequence[Log], game: Game) -> str:
    """Return the scenario that the first log names, empty if it names none of the game's."""
    named = remembered(logs[0], SCENARIO) if logs else None
    return named if named is not None and named in game.scenarios else ""


def remembered(log: Log, name: str) -> str | None:
    """Return the value of a module property at the start of a log; None if there is no such property."""
    for node in log.stream.setup:
        if node.text.startswith(RestoreProperty.PREFIX) and name in node.text:
            command = read(node.text)
            if isinstance(command, RestoreProperty) and command.name == name:
                return command.value
    return None


def likely_scenarios(opening: Mapping[str, Standing], game: Game) -> tuple[str, ...]:
    """Return the scenarios that fit the beginning of a game, the likeliest first.

    It is a single one if nearly everything is as this one sets it up, and no other has a similar set-up.
    """
    fits = {name: _fit(opening, scenario) for name, scenario in game.scenarios.items()}
    ranked = sorted(fits, key=lambda name: -fits[name])
    others = [fits[name] for name in ranked[1:]]
    if fits[ranked[0]] >= _CLEARLY and all(fit < _HARDLY for fit in others):
        return (ranked[0],)
    return tuple(ranked)


def _fit(opening: Mapping[str, Standing], scenario: Scenario) -> float:
    """The share of the counters set up by a scenario in a hex or box that are there."""
    wanted = {name: entry.at for entry in scenario.setup if entry.at for name in entry.counters}
    found = sum(name in opening and opening[name].place == where for name, where in wanted.items())
    return found / len(wanted) if wanted else 0.0
