"""The map from the names of a module to those of a game, and its file.

    [counters]
    "78th Inf. Div" = "uk78"
    "1 Div" = "? us1 uk1"                 # open: nothing is judged that may depend on it

docs/map.md explains the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, fields, frozen

from referee.table import ModulePlan
from referee.table.texts import is_number
from vassalgen.game.finding import game_names
from vassalgen.game.game import Game, unknown
from vassalgen.game.reading.documents import read_toml
from vassalgen.problems import BadInput, Problem

UNSURE = "?"
"""A value that begins with it is open; the candidates follow, the most likely first."""
STEPS, NOTHING, ANY, FACE_DOWN = "steps", "nothing", "any", "face-down"
OF_MODULE, DRAWN = "module", "drawn"
"""The pictures of pages: those of the module, or drawn from the game's data."""
TABLES = ("counters", "layers", "places", "phases", "dice", "sides")

Pixel = tuple[int, int]


@frozen
class Meaning:
    """The meaning of a name in the module: ids of the game, and a number of steps if it is given.

    ``settled`` is false until one of the candidates has been chosen.
    """

    ids: tuple[str, ...] = ()
    steps: int | None = None
    settled: bool = True

    @classmethod
    def read(cls, text: str) -> Meaning:
        """Read a value of the file: ``uk78``, ``us1 steps 1``, ``? us1 uk1``, ``nothing``."""
        words = text.replace(",", " ").split()
        settled = not text.lstrip().startswith(UNSURE)
        words = [word.strip(UNSURE) for word in words if word.strip(UNSURE) and word != NOTHING]
        steps = None
        if len(words) > 1 and words[-2] == STEPS and is_number(words[-1]):
            steps, words = int(words[-1]), words[:-2]
        return cls(tuple(words), steps, settled)


@frozen
class ModuleMap:
    """The meaning of a module's names in a game.

    ``counters`` by the name of the piece, with its picture in brackets where several share the name;
    ``layers`` by name and level; ``hexes`` by map: hexes of the game with their pixels, or the module's names
    for them; ``places`` by the name of a place or of a whole map; ``turn`` is the level or property that
    counts turns, ``phases`` are by the words of the other levels; with a printed track, ``turn`` and
    ``phase`` are the markers on it, and phases are by its boxes; ``dice`` by the name of the button.
    ``pictures`` are those that pages show.
    """

    game: str
    module: str = ""
    version: str = ""
    counters: Mapping[str, Meaning] = field(factory=dict)
    layers: Mapping[str, Meaning] = field(factory=dict)
    hexes: Mapping[str, Mapping[str, Pixel | str]] = field(factory=dict)
    places: Mapping[str, Meaning] = field(factory=dict)
    turn: str = ""
    phases: Mapping[str, str] = field(factory=dict)
    dice: Mapping[str, Meaning] = field(factory=dict)
    sides: Mapping[str, str] = field(factory=dict)
    pictures: str = OF_MODULE
    file: str = ""
    phase: str = ""

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The pieces that the map does not identify."""
        return tuple(key for key, meaning in self.counters.items() if not meaning.settled)


@frozen(slots=False)
class MappedModule(ModulePlan):
    """A module that was not built here, with the map of its names; its pictures are in ``file``."""

    names: ModuleMap = field(factory=lambda: ModuleMap(""))
    file: Path | None = None

    @classmethod
    def of(cls, module: ModulePlan, names: ModuleMap, file: Path | None = None) -> MappedModule:
        """The module of a plan, with a map."""
        facts = {one.name: getattr(module, one.name) for one in fields(ModulePlan)}
        return cls(**facts, names=names, file=file)


def read_map(path: Path) -> ModuleMap:
    """Read the file of a map; BadInput describes the problems in it."""
    typed = read_toml(path)
    problems = list(_problems(typed, str(path)))
    if problems:
        raise BadInput(problems)

    def meanings(table: str) -> dict[str, Meaning]:
        return {key: Meaning.read(value) for key, value in typed.get(table, {}).items()}

    return ModuleMap(
        game=typed["game"],
        module=typed.get("module", ""),
        version=str(typed.get("version", "")),
        counters=meanings("counters"),
        layers=meanings("layers"),
        hexes={
            name: {
                hex_: spot if isinstance(spot, str) else (spot[0], spot[1]) for hex_, spot in known.items()
            }
            for name, known in typed.get("hexes", {}).items()
        },
        places=meanings("places"),
        turn=typed.get("turn", ""),
        phases={key: value for key, value in typed.get("phases", {}).items() if not value.startswith(UNSURE)},
        dice=meanings("dice"),
        sides={key: value for key, value in typed.get("sides", {}).items() if not value.startswith(UNSURE)},
        pictures=typed.get("pictures", OF_MODULE),
        file=str(path),
        phase=typed.get("phase", ""),
    )


def _problems(typed: Mapping[str, Any], file: str) -> Iterator[Problem]:
    """The problems in the form of a file."""
    for key in ("game", "module", "turn", "phase"):
        if not isinstance(typed.get(key, ""), str):
            yield Problem(file, key, "must be a text")
    if not typed.get("game"):
        yield Problem(file, "game", "is missing; it names the game of the map")
    if typed.get("pictures", OF_MODULE) not in (OF_MODULE, DRAWN):
        yield Problem(file, "pictures", f"must be {OF_MODULE!r} or {DRAWN!r}")
    for name in typed:
        if name not in (*TABLES, "hexes", "game", "module", "version", "turn", "phase", "pictures"):
            yield Problem(file, name, "is not part of a map", unknown(name, (*TABLES, "hexes", "pictures")))
    for name in TABLES:
        table = typed.get(name, {})
        if not isinstance(table, dict):
            yield Problem(file, name, "must be a table")
            continue
        for key, value in table.items():
            if not isinstance(value, str):
                yield Problem(file, f"{name}.{key}", "must be a text in quotes")
    hexes = typed.get("hexes", {})
    if not isinstance(hexes, dict) or not all(isinstance(known, dict) for known in hexes.values()):
        yield Problem(file, "hexes", "must be a table for each map", '[hexes."Main Map"]')
        return
    for name, known in hexes.items():
        for hex_, spot in known.items():
            if not isinstance(spot, str) and not _is_pixel(spot):
                right = 'a place such as "0101", or pixels such as [120, 340]'
                yield Problem(file, f"hexes.{name}.{hex_}", "is neither a place nor a pixel", right)


def _is_pixel(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value)


def game_of_map(names: ModuleMap) -> str:
    """The game that a map names; BadInput if no installed game has that name: a map never opens a folder."""
    if names.game not in game_names():
        right = f"{unknown(names.game, game_names())}; or --game FOLDER, if you trust the folder"
        raise BadInput(Problem(names.file, "game", f"there is no installed game {names.game!r}", right))
    return names.game


def wrong_names(found: ModuleMap, game: Game) -> Iterator[Problem]:
    """Names on the game's side of a map that the game does not have."""
    stops = phases_of(game)
    hexes = game.map.grid.names
    known = {
        "counters": (*game.counters, *game.states),
        "layers": (*game.states, STEPS, FACE_DOWN),
        "places": (*game.map.boxes, *hexes),
        "dice": (*game.dice, ANY),
    }
    for table, names in known.items():
        for key, meaning in getattr(found, table).items():
            for word in meaning.ids:
                if word not in names:
                    right = unknown(word, names)
                    yield Problem(found.file, f"{table}.{key}", f"{word!r} is not in the game", right)
    for key, value in found.phases.items():
        if value and value != NOTHING and value.lower() not in stops:
            right = unknown(value, tuple(stops))
            yield Problem(found.file, f"phases.{key}", f"{value!r} is not a phase of the game", right)
    for key, value in found.sides.items():
        if value != NOTHING and value not in game.sides:
            right = unknown(value, tuple(game.sides))
            yield Problem(found.file, f"sides.{key}", f"{value!r} is not a side of the game", right)
    for name, points in found.hexes.items():
        for hex_ in points:
            if hex_ not in game.map.grid:
                right = unknown(hex_, game.map.grid.names) or f"a hex such as {game.map.grid.names[0]}"
                yield Problem(found.file, f"hexes.{name}", f"{hex_!r} is not a hex of the game", right)


def phases_of(game: Game) -> list[str]:
    """The phases of a turn in lower-case words, as a map may name them."""
    found = []
    for stop in game.sequence.stops():
        adjective = game.sides[stop.side].adjective if stop.side else ""
        found += [f"{adjective} {words}".strip().lower() for words in (stop.phase.title, stop.phase.id)]
    return found


def piece_keys(name: str, image: str) -> tuple[str, str]:
    """The possible names of a piece in a map, the more exact ones first."""
    stem = re.sub(r"\.[A-Za-z]{3,4}$", "", image)
    return f"{name} [{stem}]".strip(), name
