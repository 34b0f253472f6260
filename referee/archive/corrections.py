"""``archive.toml`` beside the logs: corrections to the sorting, and information that is not in the logs.

    [players]
    "Bob K." = "Bob"                    # one player under two names

    [seasons]
    "2024 league" = ["league/*"]        # otherwise the year in which a game was saved last

    [ignore]
    logs = ["tests/*.vlog"]

    [rules.postcard1943]                # how all plays of a game are judged
    rulings = ["even-chance=high"]
    data = ["our-map"]                  # folders of corrections

    [[game]]                            # these logs, in this order, are one game
    logs = ["final-1.vlog", "final-2.vlog"]
    title = "The final"                 # all of these may be left out
    season = "2024 league"
    game = "postcard1943"
    scenario = "tunisia"
    module = "modules/postcard.vmod"
    map = "modules/postcard.map.toml"   # of a module made elsewhere: docs/map.md
    notes = "final.notes"
    rulings = ["even-chance=high"]

Paths are relative to the file, with slashes; those of files in a zip continue with their name in it; ``*``
matches anything.
"""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from attrs import field, frozen

from vassalgen.game.game import unknown
from vassalgen.game.reading.documents import read_toml
from vassalgen.problems import BadInput, Problem

NAME = "archive.toml"


@frozen
class Given:
    """A game as given in the file: its logs, and whatever else is known about it. Paths are absolute."""

    logs: tuple[str, ...]
    title: str = ""
    season: str = ""
    game: str = ""
    scenario: str = ""
    module: str = ""
    map: str = ""
    notes: str = ""
    rulings: tuple[str, ...] = ()


@frozen
class Rules:
    """How all plays of a game are judged: rulings chosen, and folders of corrections to the data."""

    rulings: tuple[str, ...] = ()
    data: tuple[str, ...] = ()


@frozen
class Corrections:
    """The contents of the files of some folders."""

    games: tuple[Given, ...] = ()
    ignored: tuple[str, ...] = ()
    players: Mapping[str, str] = field(factory=dict, hash=False)
    seasons: tuple[tuple[str, str], ...] = ()
    rules: Mapping[str, Rules] = field(factory=dict, hash=False)

    def player(self, name: str) -> str:
        """The name by which a player is listed."""
        return self.players.get(name, name)

    def ignores(self, place: str) -> bool:
        """Whether a file is to be left out."""
        return any(fnmatchcase(place, pattern) for pattern in self.ignored)

    def season(self, places: Sequence[str]) -> str:
        """The season of logs by their location, empty if the file does not say."""
        return next(
            (name for name, pattern in self.seasons if any(fnmatchcase(place, pattern) for place in places)),
            "",
        )


def read_corrections(folders: Sequence[Path]) -> Corrections:
    """Read the files of some folders; BadInput with all problems in them."""
    games: list[Given] = []
    ignored: list[str] = []
    players: dict[str, str] = {}
    seasons: list[tuple[str, str]] = []
    rules: dict[str, Rules] = {}
    problems: list[Problem] = []
    for folder in folders:
        path = folder.resolve() / NAME
        if not path.is_file():
            continue
        try:
            values = read_toml(path)
        except BadInput as error:
            problems += error.problems
            continue
        reader = _Reader(path, problems)
        reader.only(values, "", ("players", "seasons", "ignore", "rules", "game"))
        ignore = reader.table(values, "ignore")
        reader.only(ignore, "ignore", ("logs",))
        ignored += map(reader.pattern, reader.texts(ignore, "logs", "ignore"))
        players |= {
            alias: reader.text(values["players"], alias, "players")
            for alias in reader.table(values, "players")
        }
        for name in reader.table(values, "seasons"):
            patterns = reader.texts(values["seasons"], name, "seasons")
            seasons += [(name, reader.pattern(pattern)) for pattern in patterns]
        for name, chosen in reader.table(values, "rules").items():
            reader.only(chosen, f"rules {name}", ("rulings", "data"))
            rules[name] = Rules(
                reader.texts(chosen, "rulings", f"rules {name}"),
                tuple(map(reader.whole, reader.texts(chosen, "data", f"rules {name}"))),
            )
        found = values.get("game", [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            reader.wrong("game", "is not a list of tables", "[[game]]")
            continue
        games += [reader.given(one, f"game {number}") for number, one in enumerate(found, 1)]
    if problems:
        raise BadInput(problems)
    return Corrections(tuple(games), tuple(ignored), players, tuple(seasons), rules)


@frozen
class _Reader:
    path: Path
    problems: list[Problem]

    def wrong(self, place: str, wrong: str, right: str = "") -> None:
        self.problems.append(Problem(str(self.path), place, wrong, right))

    def whole(self, path: str) -> str:
        """A path relative to the file as an absolute one, with slashes on every system."""
        if "\0" in path:
            self.wrong(
                "", f"{path!r} is not the name of a file", "a path from this folder, such as league/1.vlog"
            )
            return ""
        return (self.path.parent / path).as_posix() if path else ""

    def pattern(self, path: str) -> str:
        """A pattern relative to the file as one for absolute paths."""
        return (Path(glob.escape(str(self.path.parent))) / path).as_posix() if path else ""

    def only(self, values: Mapping[str, Any], place: str, known: tuple[str, ...]) -> None:
        for name in values:
            if name not in known:
                self.wrong(place, f"there is no {name!r} here", unknown(name, known))

    def table(self, values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        found = values.get(name, {})
        return found if isinstance(found, dict) else self._instead(name, "is not a table", f"[{name}]", {})

    def text(self, values: Mapping[str, Any], name: str, place: str) -> str:
        found = values.get(name, "")
        return found if isinstance(found, str) else self._instead(f"{place}, {name}", "is not a text", "", "")

    def texts(self, values: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
        found = values.get(name, [])
        found = [found] if isinstance(found, str) else found
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return tuple(found)
        self.wrong(f"{place}, {name}", "is not a list of texts", '["one", "another"]')
        return ()

    def _instead(self, place: str, wrong: str, right: str, instead: Any) -> Any:
        self.wrong(place, wrong, right)
        return instead

    def given(self, values: Mapping[str, Any], place: str) -> Given:
        names = ("logs", "title", "season", "game", "scenario", "module", "map", "notes", "rulings")
        self.only(values, place, names)
        logs = self.texts(values, "logs", place)
        if not logs:
            self.wrong(place, "has no logs", 'logs = ["first.vlog", "second.vlog"]')
        return Given(
            logs=tuple(map(self.whole, logs)),
            title=self.text(values, "title", place),
            season=self.text(values, "season", place),
            game=self._game(self.text(values, "game", place), place),
            scenario=self.text(values, "scenario", place),
            module=self.whole(self.text(values, "module", place)),
            map=self.whole(self.text(values, "map", place)),
            notes=self.whole(self.text(values, "notes", place)),
            rulings=self.texts(values, "rulings", place),
        )

    def _game(self, spec: str, place: str) -> str:
        """A game by name, or by the path of its folder relative to the file."""
        folder = self.path.parent / spec
        try:
            return str(folder) if spec and (folder / "game.toml").is_file() else spec
        except OSError as error:
            wrong = f"cannot be looked for ({error.strerror})"
            self.wrong(f"{place}, game, {spec[:60]}…", wrong, "name a game, or its folder")
            return ""
