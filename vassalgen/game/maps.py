"""The map: terrain, hexside features, roads, zones, places, and the boxes beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise

from attrs import field, frozen

from vassalgen.game.hexes import NOWHERE, Edge, Grid
from vassalgen.game.provenance import RECONSTRUCTION, Provenance


@frozen
class Hex:
    """One hex: its terrain, elevation level, country, and whether the sea extends into it."""

    name: str
    terrain: str
    level: int = 0
    country: str = ""
    coast: bool = False
    provenance: Provenance = RECONSTRUCTION


@frozen
class Hexside:
    """The features of the side between two hexes by id; some have a name (of a river)."""

    hexes: tuple[str, str]
    features: frozenset[str]
    names: Mapping[str, str] = field(factory=dict, hash=False)
    provenance: Provenance = RECONSTRUCTION


@frozen
class Road:
    """A road from hex to hex, open in both directions. ``exits``: the hexes where it leaves the map, and the
    direction.
    """

    id: str
    title: str
    kind: str
    path: tuple[str, ...]
    exits: Mapping[str, Edge] = field(factory=dict, hash=False)
    provenance: Provenance = RECONSTRUCTION


@frozen
class Zone:
    """Hexes with a common name in the rules.

    ``supplies``: the sides or formations that draw supply from them. ``supply_by_road``: supply runs along
    roads.
    """

    id: str
    title: str
    hexes: tuple[str, ...]
    supplies: tuple[str, ...] = ()
    supply_by_road: bool = False
    provenance: Provenance = RECONSTRUCTION


@frozen
class Place:
    """A named town, port or hill in a hex. ``offset``: its position in hex widths from the centre."""

    name: str
    hex: str
    kind: str
    offset: tuple[float, float] = (0.0, 0.0)
    provenance: Provenance = RECONSTRUCTION


@frozen
class Box:
    """A box for counters beside the map: pool, eliminated, base.

    It belongs to one side or, if none is given, to all. ``losses``: the box for what its side loses.
    """

    id: str
    title: str
    side: str = ""
    losses: bool = False


@frozen
class Map:
    """The map. Hexes, hexsides and roads are found by name; the tuples by index are for fast searches.
    ``regions`` are names written over several hexes, without any effect.
    """

    grid: Grid
    hexes: Mapping[str, Hex] = field(hash=False)
    hexsides: Mapping[tuple[str, str], Hexside] = field(factory=dict, hash=False)
    roads: Mapping[str, Road] = field(factory=dict, hash=False)
    zones: Mapping[str, Zone] = field(factory=dict, hash=False)
    places: Mapping[str, Place] = field(factory=dict, hash=False)
    boxes: Mapping[str, Box] = field(factory=dict, hash=False)
    regions: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    scale: str = ""
    provenance: Provenance = RECONSTRUCTION

    def hexside(self, name: str, other: str) -> Hexside:
        """Return the hexside between two neighbours; it is empty if it has no features."""
        side = self.grid.side(name, other)
        return self.hexsides.get(side) or Hexside(side, frozenset(), provenance=self.provenance)

    def roads_across(self, name: str, other: str) -> frozenset[str]:
        """Return the kinds of road that lead from a hex to a neighbour."""
        return self._road_kinds.get(self.grid.side(name, other), frozenset())

    def zones_of(self, name: str) -> tuple[str, ...]:
        """Return the ids of the zones to which a hex belongs."""
        return self._zones_by_hex.get(name, ())

    def places_of(self, name: str) -> tuple[Place, ...]:
        """Return the places in a hex."""
        return tuple(place for place in self.places.values() if place.hex == name)

    def box_of(self, boxes: tuple[str, ...], side: str) -> str:
        """Return the box of a side, or the one shared by all, among several; empty if there is none."""
        return next((box for box in boxes if self.boxes[box].side in (side, "")), "")

    @cached_property
    def _zones_by_hex(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for zone in self.zones.values():
            for name in zone.hexes:
                found[name] = (*found.get(name, ()), zone.id)
        return found

    @cached_property
    def _road_kinds(self) -> dict[tuple[str, str], frozenset[str]]:
        kinds: dict[tuple[str, str], frozenset[str]] = {}
        for road in self.roads.values():
            for name, other in road_steps(self.grid, road.path):
                side = self.grid.side(name, other)
                kinds[side] = kinds.get(side, frozenset()) | {road.kind}
        return kinds

    @cached_property
    def terrain(self) -> tuple[str, ...]:
        """Terrain ids by index of the hex."""
        return tuple(self.hexes[name].terrain for name in self.grid.names)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Levels by index of the hex."""
        return tuple(self.hexes[name].level for name in self.grid.names)

    @cached_property
    def features(self) -> tuple[tuple[frozenset[str], ...], ...]:
        """Feature ids by index of the hex and direction, in the order of ``grid.adjacent``."""
        sides = {side: hexside.features for side, hexside in self.hexsides.items()}
        return self._by_direction(sides)

    @cached_property
    def road_kinds(self) -> tuple[tuple[frozenset[str], ...], ...]:
        """Kinds of road by index of the hex and direction, in the order of ``grid.adjacent``."""
        return self._by_direction(self._road_kinds)

    def _by_direction(
        self, sides: Mapping[tuple[str, str], frozenset[str]]
    ) -> tuple[tuple[frozenset[str], ...], ...]:
        names, nothing = self.grid.names, frozenset[str]()
        return tuple(
            tuple(
                nothing
                if other == NOWHERE
                else sides.get((names[min(index, other)], names[max(index, other)]), nothing)
                for other in others
            )
            for index, others in enumerate(self.grid.adjacent)
        )


def road_steps(grid: Grid, path: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return a road's steps from hex to neighbour; invalid steps, which checking reports, are left out."""
    return [
        (name, other)
        for name, other in pairwise(path)
        if name in grid and other in grid and grid.are_neighbours(name, other)
    ]
