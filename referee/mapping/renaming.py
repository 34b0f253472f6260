"""Steps of a log with the game's names instead of the module's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
from attrs import evolve, frozen

from referee.mapping.finding import find_map, open_mapped
from referee.mapping.mapped_view import MappedPlaces, MappedRoster
from referee.mapping.modulemap import MappedModule, ModuleMap
from referee.scribe.facts import NOWHERE, UNKNOWN
from referee.table import Log, Replay
from referee.table.events import Event, Spot, Step, Subject
from referee.table.things import Piece
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game
from vassalgen.vassal.limits import Limits


@frozen
class Opened:
    """The module of a log with its map, remarks on how well it fits, and the game."""

    module: MappedModule
    remarks: tuple[str, ...]
    game: Game

    def of(self, replay: Replay) -> Callable[[Step], Step]:
        """Return a function that puts the game's names into the steps of a replay."""
        return Renaming(self.module.names, self.game, replay).step


def open_renaming(log: Log, module: Path | None, module_map: Path, limit: Limits) -> Opened | None:
    """Open the map for a log, a file or one in a folder; None if there is none in the folder."""
    found = find_map(module_map, (log,))
    if found is None:
        return None
    game = open_game(found.names.game)
    return Opened(open_mapped(found.names, module, game, (log,), limit), found.remarks, game)


class Renaming:
    """Names the counters and places of one log as the game does; hidden pieces keep the name
    that they show.
    """

    def __init__(self, names: ModuleMap, game: Game, replay: Replay) -> None:
        self.game = game
        self.table = replay.table
        self.roster = MappedRoster(game, names)
        self.places = MappedPlaces(game, names, replay.table)
        for piece in replay.table.pieces():
            self.roster.counter(replay.table, piece)

    def step(self, step: Step) -> Step:
        """The step with the names of the game."""
        return evolve(step, events=tuple(map(self._event, step.events)))

    def _event(self, event: Event) -> Event:
        changes = {one.name: self._value(getattr(event, one.name)) for one in attrs.fields(type(event))}
        return evolve(event, **changes)

    def _value(self, value: Any) -> Any:
        match value:
            case Subject():
                return evolve(value, name=self._name(value))
            case Spot():
                return evolve(value, location=self._location(value))
            case tuple() if value and all(isinstance(one, Event) for one in value):
                return tuple(map(self._event, value))
        return value

    def _name(self, subject: Subject) -> str:
        piece = self.table.things.get(subject.id)
        if isinstance(piece, Piece):
            if self.table.sight.hiding(piece):
                return subject.name
            self.roster.counter(self.table, piece)
        known = self.roster.known(subject.id)
        return self.game.counters[known].name if known is not None and subject.name else subject.name

    def _location(self, spot: Spot) -> str | None:
        place = self.places.at(spot)
        if place in (NOWHERE, UNKNOWN):
            return spot.location
        box = self.game.map.boxes.get(place)
        return box.title if box is not None else place
