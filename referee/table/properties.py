"""Properties that belong to no piece: those of the module, maps, zones, dice, turn tracks and decks."""

from __future__ import annotations

from collections.abc import Mapping

from referee.table.module import MODULE, ModulePlan
from referee.table.texts import fill
from vassalgen.vassal import turns
from vassalgen.vassal.commands import ChangeProperty, RestoreProperty


class Globals:
    """The current values, by container: ``Module``, a map's name, or ``map:zone``."""

    def __init__(self, module: ModulePlan) -> None:
        self._module = module
        self.values: dict[str, dict[str, str]] = {MODULE: {}}
        for container, initial in module.properties.items():
            self.values[container] = dict(initial)
        self._readings: dict[str, turns.Reading] = {}
        for tracker in module.trackers:
            self._readings[tracker.id] = tracker.read()
            self.values[MODULE].update(self._readings[tracker.id].properties())
        self.begin_game()

    def begin_game(self) -> None:
        """Set the properties of every tracker at the start of a game.
        [build.module.turn.TurnTracker.setup]
        """
        for tracker in self._module.trackers:
            self.values[MODULE][f"{tracker.name}_command"] = "Set"
            self.values[MODULE][f"{tracker.name}_value"] = ""

    def get(self, name: str, map_: str | None = None, zone: str | None = None) -> str | None:
        """The value that a piece finds under a name: its zone's, or else its map's, or the module's."""
        containers = (f"{map_}:{zone}" if map_ and zone else None, map_, MODULE)
        for container in containers:
            if container is not None and name in self.values.get(container, ()):
                return self.values[container][name]
        return None

    def restore(self, command: RestoreProperty) -> None:
        """Set a property to the value in a saved game. [properties.GlobalProperty, map.ZoneProperty]"""
        name, container = command.name, command.container
        if name.count("\t") == 3:
            name, zone, _board, map_ = name.split("\t")
            container = f"{map_}:{zone}"
        self._set(container or self._first_with(name), name, command.value)

    def change(self, command: ChangeProperty) -> str | None:
        """Set a property to a new value; return its old value, None if VASSAL would not know it."""
        container = command.container or self._first_with(command.name)
        old = self.values.get(container, {}).get(command.name)
        if not self._set(container, command.name, command.new or ""):
            return None
        return old if old is not None else command.old or ""

    def _first_with(self, name: str) -> str:
        """The owner of a property that a command names without a container, as in old files."""
        return next((key for key, values in self.values.items() if name in values), MODULE)

    def _set(self, container: str, name: str, value: str) -> bool:
        if self._module.known and name not in self.values.get(container, ()):
            return False
        self.values.setdefault(container, {})[name] = value
        return True

    def set_turn(self, tracker_id: str, state: str) -> None:
        """Change the turn of a tracker."""
        tracker = self._module.tracker(tracker_id)
        if tracker is None:
            return
        reading = self._readings[tracker_id] = tracker.read(state)
        self.values[MODULE].update(reading.properties())
        self.values[MODULE][f"{tracker.name}_command"] = "Set"
        self.values[MODULE][f"{tracker.name}_value"] = self.turn_text(tracker_id) or ""

    def turn_name(self, tracker_id: str) -> str:
        """The tracker's name, or its id if there is no module."""
        tracker = self._module.tracker(tracker_id)
        return tracker.name if tracker else tracker_id

    def turn_text(self, tracker_id: str) -> str | None:
        """The turn as players see it, None if there is no module."""
        reading = self._readings.get(tracker_id)
        if reading is None:
            return None

        def fill_in(text: str, words: Mapping[str, str]) -> str:
            return fill(text, lambda name: words.get(name, self.values[MODULE].get(name)))

        return reading.text(fill_in)
