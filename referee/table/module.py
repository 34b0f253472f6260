"""The parts of a module that a replay needs: maps and grids, properties, turn trackers, dice."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import attrs
from attrs import field, frozen

from vassalgen.vassal.commands import PlacedBoard
from vassalgen.vassal.turns import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vassalgen.vassal.grids import MapPlan

MODULE = "Module"


@frozen
class MapFacts:
    """A map as the module defines it: the names of its places, whether pieces stack, and in which layers.

    ``raises_last_moved``: the piece moved last is on top of its layer, so that later moves find it last.
    ``plan_for`` makes the plan of its places for certain boards, None for those of a new game.
    """

    name: str
    plan_for: Callable[[tuple[PlacedBoard, ...] | None], MapPlan] = field(eq=False, repr=False)
    plan: MapPlan = field(eq=False, repr=False)
    stacking: bool = True
    layer_property: str | None = None
    layer_order: tuple[str, ...] = ()
    raises_last_moved: bool = True


@frozen(slots=False)
class ModulePlan:
    """The parts of a module that a replay needs.

    ``known`` is false if there is no module, and the log must suffice. ``properties`` are the initial values
    by container: ``Module``, a map's name, or ``map:zone``. ``digest`` is the SHA-256 of its file.
    """

    known: bool = False
    name: str = ""
    version: str = ""
    maps: tuple[MapFacts, ...] = ()
    properties: Mapping[str, Mapping[str, str]] = field(factory=dict)
    trackers: tuple[Tracker, ...] = ()
    dice: tuple[str, ...] = ()
    digest: str = ""

    def map(self, name: str) -> MapFacts | None:
        """The map with a name."""
        return self._maps_by_name.get(name)

    def tracker(self, tracker_id: str) -> Tracker | None:
        """The tracker with an id used in streams."""
        return self._trackers_by_id.get(tracker_id)

    @cached_property
    def _maps_by_name(self) -> dict[str, MapFacts]:
        return {facts.name: facts for facts in self.maps}

    @cached_property
    def _trackers_by_id(self) -> dict[str, Tracker]:
        return {tracker.id: tracker for tracker in self.trackers}

    def with_boards(self, map_name: str, boards: tuple[PlacedBoard, ...]) -> ModulePlan:
        """The same module with other boards in play on a map."""
        maps = tuple(
            attrs.evolve(facts, plan=facts.plan_for(boards)) if facts.name == map_name else facts
            for facts in self.maps
        )
        return attrs.evolve(self, maps=maps)


EMPTY_MODULE = ModulePlan()
