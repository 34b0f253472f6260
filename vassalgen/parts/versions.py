"""The version of the module with which a game was started: a player who opens it with another one is warned.

VASSAL itself warns about a saved game made with another version, but only until it is saved again. Therefore
the game stores the version: in its set-up or, if it began with an empty board, in the clerk.
"""

from __future__ import annotations

import hashlib

from vassalgen.announcements import BEGUN_WITH
from vassalgen.game.game import Game
from vassalgen.parts.boxes import turns
from vassalgen.parts.names import TURN
from vassalgen.parts.trait_shorthand import Part, command, global_, on
from vassalgen.parts.turn_track import NEW_PHASE, begins
from vassalgen.templates import quoted
from vassalgen.vassal.components import GlobalProperty, StartupGlobalKeyCommand

_BEGUN = f'GetString("{BEGUN_WITH}")'


def version_of(game: Game) -> str:
    """The version of a game's module; with the user's own data it includes a hash of them.

    VASSAL warns players whose modules have different versions.
    """
    files = [
        (path.relative_to(folder).as_posix(), path.read_bytes())
        for folder in game.folders[1:]
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    if not files:
        return game.version
    return f"{game.version}+data.{hashlib.sha256(repr(files).encode()).hexdigest()[:6]}"


def properties() -> tuple[GlobalProperty, ...]:
    """The property of the module in which a game stores it; earlier versions had none."""
    return (GlobalProperty(name=BEGUN_WITH, initial_value=""),)


def remembering(version: str) -> tuple[Part, ...]:
    """What the clerk needs; its definition has the version with which the game was started."""
    return (
        command("", NEW_PHASE, "begun", when=f"{_BEGUN}!={quoted(version)}"),
        global_(BEGUN_WITH, on("begun", version), numeric=False),
    )


def warning(game: Game, version: str) -> StartupGlobalKeyCommand:
    """The warning when a game is opened, unless it may have been started just now with an empty board."""
    first = next((turn.number for turn in turns(game)), 1)
    just_begun = f'{_BEGUN}==""&&{TURN}=={first}&&{begins(game)}'
    before = f'({_BEGUN}==""?"an earlier version":"version "+{_BEGUN})'
    advice = (
        f" of the module, and this is version {version}. Its counters keep the commands of that version: all "
        "players go on with it, or one carries the game over with vassalgen migrate."
    )
    said = f'"This game was begun with "+{before}+{quoted(advice)}'
    return StartupGlobalKeyCommand(
        name="Version",
        report_format=f'{{{_BEGUN}=={quoted(version)}||{just_begun}?"":{said}}}',
    )
