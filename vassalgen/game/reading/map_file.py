"""Reading map.toml: grid, terrain, hexsides, roads, zones, places and boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import define, field

from vassalgen.game.hexes import Edge, Grid, Numbering, Orientation, Parity
from vassalgen.game.maps import Box, Hex, Hexside, Map, Place, Road, Zone
from vassalgen.game.origins import Origin
from vassalgen.game.provenance import PRINTED, RECONSTRUCTION, Provenance
from vassalgen.game.reading.nodes import Node

ORIENTATIONS: tuple[Orientation, ...] = ("flat", "pointy")
PARITIES: tuple[Parity, ...] = ("odd", "even")
EDGES: tuple[Edge, ...] = ("north", "east", "south", "west")
NOTHING = "none"


@define
class _Hex:
    """A hex being assembled from the lists of several files."""

    terrain: str = ""
    level: int = 0
    country: str = ""
    coast: bool = False
    origin: Origin | None = None
    given: dict[str, int] = field(factory=dict)
    provenance: Provenance = RECONSTRUCTION


MOST_HEXES = 100_000
"""More hexes than any map has; calculations for each hex take time."""


def read_map(layers: list[Node], root: Node, road_kinds: tuple[str, ...]) -> Map | None:
    """Return the map, None without a grid. ``layers`` are the files one by one, ``root`` is their
    combination.
    """
    inherited = root.document.provenance
    if inherited is None:
        root.notes.no_provenance(root.origin)
    inherited = inherited or RECONSTRUCTION
    root.remember("map")
    grid = _grid(root)
    if grid is None:
        return None
    hexes = _hexes(layers, root, grid, inherited)
    found = Map(
        grid=grid,
        hexes=hexes,
        hexsides=_hexsides(layers, root, grid, inherited),
        roads={name: _road(name, node, road_kinds, inherited) for name, node in root.tables("roads", "road")},
        zones=_zones(root, grid, hexes, inherited),
        places={name: _place(name, node, inherited) for name, node in root.tables("places", "place")},
        boxes={name: _box(name, node) for name, node in root.tables("boxes", "box")},
        regions=_regions(root),
        scale=root.text("scale", ""),
        provenance=inherited,
    )
    root.finish("map.toml")
    return found


def _grid(root: Node) -> Grid | None:
    if "grid" not in root:
        root.wrong(
            "",
            "'grid' is missing",
            "add a table [grid] with orientation, shifted, columns, rows and numbering",
        )
        return None
    node = root.node("grid")
    node.remember("grid")
    before = len(node.notes.problems)
    orientation = node.choice("orientation", ORIENTATIONS)
    shifted = node.choice("shifted", PARITIES)
    columns, rows = _span(node, "columns", either=True), _span(node, "rows", either=True)
    numbering = Numbering(node.text("numbering", "CCRR"))
    if numbering.problem():
        node.wrong(
            "numbering", numbering.problem(), "expected one of C..., c and one of R..., r, as in CCRR or rC"
        )
    missing = frozenset(node.words("missing", ()))
    node.finish("the grid")
    size = (abs(columns[1] - columns[0]) + 1) * (abs(rows[1] - rows[0]) + 1)
    if size > MOST_HEXES:
        node.wrong("columns", f"make {size:,} hexes with the rows", f"expected at most {MOST_HEXES:,}")
    if len(node.notes.problems) > before:
        return None
    grid = Grid(
        orientation=orientation,
        shifted=shifted,
        columns=columns,
        rows=rows,
        numbering=numbering,
        missing=missing,
    )
    whole = Grid(orientation, shifted, columns, rows, numbering)
    for name in sorted(missing - set(whole.names)):
        node.wrong(
            "missing", f"{name} is not a hex of the grid", f"hexes are {whole.names[0]} to {whole.names[-1]}"
        )
    return grid


def _span(node: Node, key: str, *, either: bool = False) -> tuple[int, int]:
    """The first and last number; ``either``: the greater one may come first."""
    numbers = node.integers(key)
    backwards = len(numbers) == 2 and numbers[0] > numbers[1] and not either
    if key in node and (len(numbers) != 2 or backwards or min(numbers) < 0):
        node.wrong(key, f"is {list(numbers)}", "expected the first and the last number, as in [1, 25]")
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (1, 1)


def _hexes(layers: list[Node], root: Node, grid: Grid, inherited: Provenance) -> dict[str, Hex]:
    """Assemble the hexes from the lists of hexes by terrain, level and country; later files override earlier
    ones.
    """
    found = {name: _Hex() for name in grid.names}
    for key in ("terrain", "level", "country", "coast"):
        root.used.add(key)
        for number, layer in enumerate(layers):
            _spread(layer, key, number, found)
    for name, hex_ in found.items():
        if not hex_.terrain:
            root.wrong(
                "terrain", f"hex {name} has none", "add a 'default', or put the hex into one of the lists"
            )
        if hex_.origin:
            root.notes.origins[f"hex/{name}"] = hex_.origin
    return {
        name: Hex(
            name=name,
            terrain=hex_.terrain,
            level=hex_.level,
            country=hex_.country,
            coast=hex_.coast,
            provenance=_given(hex_, inherited, layers),
        )
        for name, hex_ in found.items()
    }


def _given(hex_: _Hex, inherited: Provenance, layers: list[Node]) -> Provenance:
    last = max(hex_.given.values(), default=0)
    return (layers[last].document.provenance or PRINTED) if last else inherited


def _spread(layer: Node, key: str, number: int, found: dict[str, _Hex]) -> None:
    if key not in layer:
        return
    node = layer.node(key)
    if key in ("terrain", "country") and "default" in node:
        default = node.text("default")
        if number:
            node.wrong("default", "has no place in corrections", "list the hexes that differ")
        for hex_ in found.values():
            if key not in hex_.given:
                setattr(hex_, key, default)
    for value in node:
        if value == "default":
            continue
        node.used.add(value)
        meant: Any = value
        if key == "level":
            if not re.fullmatch(r"-?\d{1,9}", value):
                node.wrong(value, f"{value!r} is not a level", "expected a whole number")
                continue
            meant = int(value)
        elif key == "coast":
            if value != "hexes":
                node.wrong(value, f"[coast] has no {value!r}", "expected hexes")
                continue
            meant = True
        for name in node.words(value):
            hex_named = found.get(name)
            if hex_named is None:
                node.wrong(value, f"{name} is not on the map", _range(found))
            elif hex_named.given.get(key) == number:
                node.wrong(
                    value,
                    f"{name} already has the {key} {getattr(hex_named, key)!r}",
                    "give one for each hex",
                )
            else:
                setattr(hex_named, key, meant)
                hex_named.given[key] = number
                if key == "terrain":
                    hex_named.origin = node.origins[value]


def _range(found: dict[str, _Hex]) -> str:
    names = list(found)
    return f"hexes are {names[0]} to {names[-1]}" if names else ""


def _hexsides(
    layers: list[Node], root: Node, grid: Grid, inherited: Provenance
) -> dict[tuple[str, str], Hexside]:
    """Assemble the hexsides; a later file replaces all features of a side that it mentions."""
    found: dict[tuple[str, str], Hexside] = {}
    root.used.add("hexsides")
    for number, layer in enumerate(layers):
        provenance = (layer.document.provenance or PRINTED) if number else inherited
        here: dict[tuple[str, str], Hexside] = {}
        for feature, name, words, node, key in _features(layer):
            for word in words:
                first, _, second = word.partition("/")
                if not second:
                    node.wrong(key, f"{word!r} is not a hexside", "expected two neighbours, as in B1/B2")
                    continue
                side = _side(grid, first, second)
                before = here.get(side, Hexside(side, frozenset(), {}, provenance))
                if feature in before.features:
                    node.wrong(key, f"{word} is given twice", "list each side once for each feature")
                names = {**before.names, feature: name} if name else before.names
                here[side] = Hexside(side, before.features | {feature}, names, provenance)
                layer.notes.origins[f"hexside/{'/'.join(side)}"] = node.origins[key]
                layer.notes.origins[f"hexside/{'/'.join(side)}/{feature}"] = node.origins[key]
        found.update(here)
    return {
        side: Hexside(side, hexside.features - {NOTHING}, hexside.names, hexside.provenance)
        for side, hexside in found.items()
    }


def _side(grid: Grid, first: str, second: str) -> tuple[str, str]:
    """The canonical pair, or the pair as written if the hexes are not neighbours, which checking reports."""
    if first in grid and second in grid and grid.are_neighbours(first, second):
        return grid.side(first, second)
    return first, second


def _features(layer: Node) -> Iterator[tuple[str, str, tuple[str, ...], Node, str]]:
    """Every list of hexsides: feature, name (of a river), the words, and their place."""
    if "hexsides" not in layer:
        return
    node = layer.node("hexsides")
    for feature in node:
        node.used.add(feature)
        if isinstance(node.entries[feature], Node):
            named = node.node(feature)
            for name in named:
                yield feature, name, named.words(name), named, name
        else:
            yield feature, "", node.words(feature), node, feature


def _road(name: str, node: Node, kinds: tuple[str, ...], inherited: Provenance) -> Road:
    usual = kinds[0] if len(kinds) == 1 else None
    road = Road(
        id=name,
        title=node.text("title", name),
        kind=node.text("kind", usual),
        path=node.words("path"),
        exits=_exits(node.node("exits")),
        provenance=node.provenance(inherited),
    )
    node.finish("a road")
    return road


def _exits(node: Node) -> dict[str, Edge]:
    found: dict[str, Edge] = {}
    for name in node:
        text = node.text(name)
        for edge in EDGES:
            if edge == text:
                found[name] = edge
        if text and name not in found:
            node.wrong(name, f"is {text!r}", f"expected one of {', '.join(EDGES)}")
    return found


def _zones(root: Node, grid: Grid, hexes: dict[str, Hex], inherited: Provenance) -> dict[str, Zone]:
    zones: dict[str, Zone] = {}
    for name, node in root.tables("zones", "zone"):
        members = _members(node, grid, hexes, zones)
        zones[name] = Zone(
            id=name,
            title=node.text("title", name),
            hexes=members,
            supplies=node.words("supplies", ()),
            supply_by_road=node.flag("supply_by_road", False),
            provenance=node.provenance(inherited),
        )
        node.finish("a zone")
    return zones


def _members(node: Node, grid: Grid, hexes: dict[str, Hex], zones: dict[str, Zone]) -> tuple[str, ...]:
    """The hexes of a zone, listed or matching every condition; later files override earlier ones."""
    conditions = ("country", "edge", "near", "without", "terrain", "columns", "rows")
    given = [key for key in conditions if key in node]
    listed, described = node.layer_of("hexes"), max(map(node.layer_of, conditions))
    node.used.update({"hexes", "distance", *given})
    if listed >= 0 and listed == described:
        node.wrong(given[0], f"{given[0]!r} is used together with 'hexes'", "use either hexes or conditions")
    if listed >= 0 and listed >= described:
        return node.words("hexes")
    if not given:
        node.wrong("", "'hexes' is missing", f"give the zone's hexes, or conditions: {', '.join(conditions)}")
        return ()
    country, terrain = node.words("country", ()), node.words("terrain", ())
    edges = set(node.words("edge", ()))
    for edge in sorted(edges - {*EDGES}):
        node.wrong("edge", f"there is no edge {edge!r}", f"expected one of {', '.join(EDGES)}")
    near, distance = node.text("near", ""), node.integer("distance", 0)
    if near and near not in grid:
        node.wrong("near", f"{near} is not on the map", "expected a hex of the map")
    columns, rows = (_span(node, key) if key in node else None for key in ("columns", "rows"))
    without: set[str] = set()
    for zone in node.words("without", ()):
        if zone not in zones:
            node.wrong(
                "without", f"there is no zone {zone!r} before this one", f"expected one of {', '.join(zones)}"
            )
        without.update(zones[zone].hexes if zone in zones else ())
    return tuple(
        name
        for name in grid.names
        if (not country or hexes[name].country in country)
        and (not terrain or hexes[name].terrain in terrain)
        and (not edges or edges & grid.edges(name))
        and (near not in grid or grid.distance(near, name) <= distance)
        and (columns is None or columns[0] <= grid.places[grid.index[name]][0] <= columns[1])
        and (rows is None or rows[0] <= grid.places[grid.index[name]][1] <= rows[1])
        and name not in without
    )


def _place(name: str, node: Node, inherited: Provenance) -> Place:
    offset: Any = node.entries.get("offset", [0, 0])
    node.used.add("offset")
    good = (
        isinstance(offset, list)
        and len(offset) == 2
        and all(isinstance(part, int | float) for part in offset)
    )
    if not good:
        node.wrong("offset", f"is {offset!r}", "expected two numbers, as in [0.2, -0.1]")
    at = (float(offset[0]), float(offset[1])) if good else (0.0, 0.0)
    place = Place(name, node.text("hex"), node.text("kind"), at, node.provenance(inherited))
    node.finish("a place")
    return place


def _box(name: str, node: Node) -> Box:
    box = Box(name, node.text("title"), node.text("side", ""), node.flag("losses", False))
    node.finish("a box")
    return box


def _regions(root: Node) -> dict[str, tuple[str, ...]]:
    node = root.node("regions")
    node.remember("region")
    return {name: node.words(name) for name in node}
