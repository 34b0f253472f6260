"""Checks of map.toml: hexes, hexsides, roads, zones, places, boxes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from vassalgen.game.checking.play import known
from vassalgen.game.game import Game
from vassalgen.game.maps import Road
from vassalgen.problems import Problem


def map_problems(game: Game) -> Iterator[Problem]:
    """Find inconsistencies on the map."""
    yield from _terrain(game)
    yield from _hexsides(game)
    for road in game.map.roads.values():
        yield from _road(game, road)
    yield from _named_hexes(game)
    yield from _boxes(game)


def roads_through_closed(game: Game) -> Iterator[Problem]:
    """Find roads through closed hexes or hexsides; the rules work nevertheless."""
    grid = game.map.grid
    for road in game.map.roads.values():
        thing = f"road/{road.id}/path"
        for name in road.path:
            if name in grid and closed(game, name):
                terrain = game.map.hexes[name].terrain
                yield game.problem(thing, f"{name} is {terrain}, which is closed", "choose a path around it")
        for name, other in pairwise(road.path):
            if (
                name in grid
                and other in grid
                and grid.are_neighbours(name, other)
                and shut(game, name, other)
            ):
                yield game.problem(
                    thing, f"crosses {name}/{other}, which is closed", "choose a path around it"
                )


def _terrain(game: Game) -> Iterator[Problem]:
    reported = set()
    for hex_ in game.map.hexes.values():
        if hex_.terrain and hex_.terrain not in game.terrain and hex_.terrain not in reported:
            reported.add(hex_.terrain)
            listed = f"hex/{hex_.name}" in game.origins
            thing = f"hex/{hex_.name}" if listed else "map/terrain/default"
            yield from known(game, thing, hex_.terrain, "terrain in tables.toml", game.terrain)


def _hexsides(game: Game) -> Iterator[Problem]:
    grid = game.map.grid
    for (first, second), hexside in game.map.hexsides.items():
        thing = f"hexside/{first}/{second}"
        off = [name for name in (first, second) if name not in grid]
        for name in off:
            yield game.problem(
                thing, f"{first}/{second}: {name} is not on the map", "expected two neighbours"
            )
        if not off and not grid.are_neighbours(first, second):
            right = f"neighbours of {first} are {', '.join(grid.neighbours(first))}"
            yield game.problem(thing, f"{first} and {second} are not neighbours", right)
        for feature in sorted(hexside.features):
            yield from known(game, f"{thing}/{feature}", feature, "feature in tables.toml", game.features)


def closed(game: Game, name: str) -> bool:
    """Return whether the terrain of a hex is closed to ground units."""
    terrain = game.terrain.get(game.map.hexes[name].terrain)
    return terrain is not None and terrain.closed


def shut(game: Game, name: str, other: str) -> bool:
    """Return whether ground units may not cross from hex to neighbour."""
    features = [game.features[key] for key in game.map.hexside(name, other).features if key in game.features]
    opened = {key for feature in features for key in feature.opens}
    return any(feature.closed and feature.id not in opened for feature in features)


def _road(game: Game, road: Road) -> Iterator[Problem]:
    thing, grid = f"road/{road.id}", game.map.grid
    yield from known(game, f"{thing}/kind", road.kind, "kind of road in tables.toml", game.road_kinds)
    if len(road.path) < 2:
        yield game.problem(f"{thing}/path", "has no steps", "expected at least two hexes")
    for name in road.path:
        if name not in grid:
            yield game.problem(f"{thing}/path", f"{name} is not on the map", "expected a hex of the map")
    for name, other in pairwise(road.path):
        if name not in grid or other not in grid:
            continue
        if not grid.are_neighbours(name, other):
            right = "each hex of a road must be adjacent to the previous one"
            yield game.problem(f"{thing}/path", f"{name} and {other} are not neighbours", right)
    for before, name, after in zip(road.path, road.path[1:], road.path[2:], strict=False):
        if before == after:
            right = "list each step once: roads are open in both directions"
            yield game.problem(f"{thing}/path", f"turns back at {name}", right)
    for name, edge in road.exits.items():
        if name not in road.path:
            yield game.problem(
                f"{thing}/exits/{name}",
                f"leaves the map at {name}, which it does not reach",
                "expected a hex of the road",
            )
        elif name in grid and edge not in grid.edges(name):
            edges = " and ".join(sorted(grid.edges(name)))
            right = f"{name} is on the {edges} edge" if edges else f"{name} is inside the map"
            yield game.problem(f"{thing}/exits/{name}", f"{name} is not on the {edge} edge", right)


def _named_hexes(game: Game) -> Iterator[Problem]:
    for zone in game.map.zones.values():
        thing = f"zone/{zone.id}"
        if zone.id in game.map.grid:
            yield game.problem(thing, "is named like a hex", "choose another name")
        if not zone.hexes:
            yield game.problem(thing, "has no hexes", "expected at least one hex")
        yield from _on_map(game, f"{thing}/hexes", zone.hexes)
        for name in zone.supplies:
            who = {**game.sides, **game.formations}
            yield from known(game, f"{thing}/supplies", name, "side or formation", who)
    for place in game.map.places.values():
        yield from _on_map(game, f"place/{place.name}/hex", (place.hex,))
    for region, names in game.map.regions.items():
        yield from _on_map(game, f"map/regions/{region}", names)


def _on_map(game: Game, thing: str, names: tuple[str, ...]) -> Iterator[Problem]:
    for number, name in enumerate(names):
        if name not in game.map.grid:
            ends = f"hexes are {game.map.grid.names[0]} to {game.map.grid.names[-1]}"
            yield game.problem(thing, f"{name} is not on the map", ends)
        elif name in names[:number]:
            yield game.problem(thing, f"{name} appears twice", "list each hex once")


def _boxes(game: Game) -> Iterator[Problem]:
    for box in game.map.boxes.values():
        if box.id in game.map.grid or box.id in game.map.zones:
            yield game.problem(f"box/{box.id}", "is named like a hex or a zone", "choose another name")
        if box.side:
            yield from known(game, f"box/{box.id}/side", box.side, "side", game.sides)
