"""The contents of a module that matter for a map of its names: pieces, places, turn track and dice."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import evolve, field, frozen

from referee.mapping.likeness import words_of
from referee.mapping.mapped_view import layer_key, picture_of
from referee.mapping.modulemap import piece_keys
from referee.table import ModulePlan, Replay, read_log, read_module
from referee.table.events import OFFBOARD, Spot
from vassalgen.problems import FormatError
from vassalgen.vassal import archives, buildfile
from vassalgen.vassal.components import (
    Board,
    DiceButton,
    Element,
    Entry,
    HexGrid,
    Map,
    Node,
    PieceSlot,
    PredefinedSetup,
    PrototypeDefinition,
    Region,
    SetupStack,
    SpecialDiceButton,
    Widget,
    Zone,
    decode,
)
from vassalgen.vassal.grids.plan import BoardInPlay
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.pieces import Piece, expand, from_slot_text
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.place_marker import PlaceMarker
from vassalgen.vassal.traits.replace import Replace
from vassalgen.vassal.traits.use_prototype import UsePrototype

_SLOT = "PieceSlot:"
"""The prefix of a slot's name in a trait that places the piece of a slot in the palette."""
_TURNED = words_of("reduced")[0]


@frozen
class PieceSeen:
    """A piece of the module: its name and picture, and the words around it.

    ``around`` are the tabs, prototypes and marker values that it shares with others. ``start`` is its
    position in a new game, ``other_side_of`` the piece that it replaces, as side number ``turned``.
    """

    name: str
    image: str
    around: tuple[str, ...] = ()
    layers: tuple[Embellishment, ...] = ()
    start: Spot | None = None
    other_side_of: str = ""
    count: int = 1
    key: str = ""
    slot: str = ""
    turned: int = 0

    @property
    def exact_key(self) -> str:
        """Its name with its picture, which identify it."""
        return piece_keys(self.name, self.image)[0]

    @property
    def is_turned(self) -> bool:
        """Whether its name indicates a reduced side."""
        return any(_TURNED in words_of(text) for text in (*self.said, self.stem))

    @property
    def said(self) -> tuple[str, ...]:
        """Its names: its own, and that of its slot in the palette, which logs do not show."""
        return tuple(dict.fromkeys(text for text in (self.name, self.slot) if text))

    @property
    def stem(self) -> str:
        """The name of its picture without folder and extension."""
        return re.sub(r"\.[A-Za-z]{3,4}$", "", self.image.rpartition("/")[2])


@frozen
class HexesSeen:
    """A grid of hexes: the names of its map and board, and the grid itself."""

    map: str
    board: str
    grid: HexGrid
    left: int
    top: int
    width: int
    height: int


@frozen
class Survey:
    """The contents of a module. ``points`` are the regions of each map with their pixels."""

    plan: ModulePlan
    pieces: tuple[PieceSeen, ...]
    hexes: tuple[HexesSeen, ...]
    places: tuple[str, ...]
    dice: Mapping[str, int] = field(factory=dict)
    sides: tuple[str, ...] = ()
    points: Mapping[str, Mapping[str, tuple[int, int]]] = field(factory=dict)


def survey(path: Path, limits: Limits = Limits()) -> Survey:  # noqa: B008 - a frozen value
    """Read a module file."""
    plan = read_module(path, limits)
    with archives.Archive.open(path, limits) as archive:
        root = buildfile.read_from(archive)
        starts = _starts(archive, root, plan, limits)
    prototypes: dict[str, Piece] = {}
    for found in buildfile.find_all(root, PrototypeDefinition):
        with suppress(FormatError):
            prototypes[found.component.name] = from_slot_text(found.component.content)
    hexes = tuple(_hexes(root, plan))
    return Survey(
        plan=plan,
        pieces=_with_keys(list(_pieces(root, prototypes, plan, starts))),
        hexes=hexes,
        places=tuple(dict.fromkeys(_places(root, {one.map for one in hexes}))),
        dice=dict(_dice(root)),
        sides=tuple(
            one.component.content for one in buildfile.find_all(root, Entry) if one.component.content
        ),
        points=_points(root, plan),
    )


def _pieces(
    root: Node, prototypes: Mapping[str, Piece], plan: ModulePlan, starts: Mapping[tuple[str, str], Spot]
) -> Iterator[PieceSeen]:
    slots = list(buildfile.find_all(root, PieceSlot))
    by_name = {found.component.name: found.component.content for found in slots}
    for found in slots:
        try:
            raw = from_slot_text(found.component.content)
            piece = expand(raw, prototypes)
        except FormatError:
            continue
        seen = _seen(piece, raw, found.component.name)
        above = [decode(element) for element in found.path[:-1]]
        tabs = tuple(one.name for one in above if isinstance(one, Widget) and one.name)
        start = starts.get((seen.name, seen.image))
        stack = next((one for one in above if isinstance(one, SetupStack)), None)
        board = next((one for one in above if isinstance(one, Map)), None)
        if stack is not None and board is not None:
            facts = plan.map(board.name)
            spot = facts.plan.start_of(stack) if facts is not None else None
            if facts is not None and spot is not None:
                name = facts.plan.location_name(*spot)
                start = Spot(board.name, *spot, name)
        seen = evolve(seen, around=(*tabs, *seen.around), start=start)
        yield seen
        for other in _others(piece, seen, prototypes, by_name):
            yield evolve(other, around=(*tabs, *other.around))


def _others(
    piece: Piece, seen: PieceSeen, prototypes: Mapping[str, Piece], slots: Mapping[str, str]
) -> Iterator[PieceSeen]:
    """The pieces that a piece places or that replace it, defined in it or named as slots."""
    for trait in piece.traits:
        if not isinstance(trait, PlaceMarker) or not trait.definition:
            continue
        path = trait.definition if _SLOT in trait.definition else ""
        name = path.rpartition(_SLOT)[2].replace("\\", "")
        with suppress(FormatError):
            raw = from_slot_text(slots.get(name, "") if name else trait.definition)
            inner = expand(raw, prototypes)
            mine = seen.exact_key if isinstance(trait, Replace) else ""
            other = evolve(_seen(inner, raw, name), other_side_of=mine)
            yield other
            if not name:
                yield from _others(inner, other, prototypes, slots)


def _seen(piece: Piece, raw: Piece, slot: str) -> PieceSeen:
    values: list[str] = [trait.name for trait in raw.traits if isinstance(trait, UsePrototype)]
    for trait, state in piece.pairs():
        if isinstance(trait, Marker) and isinstance(state, MarkerState):
            values += [
                f"{name}={value}" for name, value in zip(trait.names, state.items, strict=False) if value
            ]
    layers = tuple(trait for trait in piece.traits if isinstance(trait, Embellishment))
    inner = (one for layer in reversed(layers) for one in layer.images if one)
    image = (piece.basic.image if piece.basic else "") or next(inner, "")
    folder = image.rpartition("/")[0]
    return PieceSeen(piece.name, image, (*values, *([folder] if folder else [])), layers, slot=slot)


def _with_keys(found: Sequence[PieceSeen]) -> tuple[PieceSeen, ...]:
    """Each piece once, under its name in a map; those set up in a new game come first."""
    kept: dict[tuple[str, str], PieceSeen] = {}
    starting: Counter[tuple[str, str]] = Counter()
    for one in found:
        known = kept.get((one.name, one.image))
        starting[one.name, one.image] += one.start is not None
        if known is None:
            kept[one.name, one.image] = one
        else:
            kept[one.name, one.image] = evolve(
                known,
                start=known.start or one.start,
                around=tuple(dict.fromkeys((*known.around, *one.around))),
                other_side_of=known.other_side_of or one.other_side_of,
            )
    names = Counter(one.name for one in kept.values())
    return tuple(
        evolve(
            one,
            key=piece_keys(one.name, one.image)[names[one.name] == 1 and bool(one.name)],
            count=max(1, starting[one.name, one.image]),
        )
        for one in with_sides(tuple(kept.values()))
    )


def with_sides(pieces: Sequence[PieceSeen]) -> Iterator[PieceSeen]:
    """The pieces, each with the piece whose other side it is; of pieces that replace each other, one is the
    front.

    A piece in the palette is the other side of one with the same name except for a word such as "reduced".
    """
    known = {one.exact_key: one for one in pieces}
    fronts = {words_of(one.name): one.exact_key for one in pieces if one.name and not one.is_turned}
    before = {key: one.other_side_of for key, one in known.items() if one.other_side_of in known}
    for key, one in known.items():
        if key not in before and one.is_turned and one.name:
            rest = tuple(word for word in words_of(one.name) if word != _TURNED)
            if fronts.get(rest, key) != key:
                before[key] = fronts[rest]
    for key in known:
        chain = [key]
        while chain[-1] in before and before[chain[-1]] not in chain:
            chain.append(before[chain[-1]])
        if chain[-1] in before:
            ring = chain[chain.index(before[chain[-1]]) :]
            front = min(ring, key=lambda name: (known[name].start is None, known[name].is_turned))
            del before[front]
    for key, one in known.items():
        turned, front = 0, key
        while front in before:
            turned, front = turned + 1, before[front]
        yield evolve(one, other_side_of=front if turned else "", turned=turned)


def _starts(
    archive: archives.Archive, root: Node, plan: ModulePlan, limits: Limits
) -> dict[tuple[str, str], Spot]:
    """The positions of pieces in the predefined set-ups; the first one that places a piece counts."""
    spots: dict[tuple[str, str], Spot] = {}
    for found in buildfile.find_all(root, PredefinedSetup):
        if not found.component.use_file or found.component.file not in archive.names:
            continue
        with tempfile.TemporaryDirectory() as folder, suppress(FormatError):
            file = Path(folder) / "setup.vsav"
            file.write_bytes(archive.read(found.component.file))
            table = Replay(read_log(file, limits), plan).table
            for piece in table.pieces():
                if piece.map is not None:
                    spots.setdefault((piece.type.basic_name, picture_of(piece)), table.spot(piece))
    return spots


def _hexes(root: Node, plan: ModulePlan) -> Iterator[HexesSeen]:
    for found in buildfile.find_all(root, HexGrid):
        map_, board, placed = _placed_in(found.path, plan)
        if map_ is not None and board is not None and placed is not None:
            yield HexesSeen(
                map=map_.name,
                board=board.name,
                grid=found.component,
                left=placed.x,
                top=placed.y,
                width=placed.width,
                height=placed.height,
            )


def _placed_in(
    path: Sequence[Element], plan: ModulePlan
) -> tuple[Map | None, Board | None, BoardInPlay | None]:
    """The map and the board around a component, and the position of that board on the map in a new game."""
    above = [decode(element) for element in path[:-1]]
    map_ = next((one for one in above if isinstance(one, Map)), None)
    board = next((one for one in above if isinstance(one, Board)), None)
    facts = plan.map(map_.name) if map_ is not None else None
    return map_, board, facts.plan.board(board.name) if facts is not None and board is not None else None


def _points(root: Node, plan: ModulePlan) -> dict[str, dict[str, tuple[int, int]]]:
    """The regions of each map with their pixels."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for one in buildfile.find_all(root, Region):
        map_, _, placed = _placed_in(one.path, plan)
        if map_ is not None and placed is not None:
            spot = placed.turn(one.component.x, one.component.y)
            found.setdefault(map_.name, {})[one.component.name] = (spot[0] + placed.x, spot[1] + placed.y)
    return found


def _places(root: Node, maps_with_hexes: set[str]) -> Iterator[str]:
    """Names of regions, of zones without hexes, and of maps without hexes."""
    for found in buildfile.find_all(root, Region):
        yield found.component.name
    for zone in buildfile.find_all(root, Zone):
        if not any(True for _ in buildfile.find_all(zone.component, HexGrid)):
            yield zone.component.name
    for map_ in buildfile.find_all(root, Map):
        if map_.component.name not in maps_with_hexes:
            yield map_.component.name


def _dice(root: Node) -> Iterator[tuple[str, int]]:
    for found in buildfile.find_all(root, DiceButton):
        yield found.component.name, found.component.n_sides or 0
    for special in buildfile.find_all(root, SpecialDiceButton):
        yield special.component.name, 0


def layers_of(pieces: Sequence[PieceSeen]) -> dict[str, list[tuple[PieceSeen, Embellishment]]]:
    """The layers of pieces by their names in a map, with the pieces that have them."""
    found: dict[str, list[tuple[PieceSeen, Embellishment]]] = {}
    for piece in pieces:
        for layer in piece.layers:
            found.setdefault(layer_key(layer), []).append((piece, layer))
    return found


def place_of(spot: Spot) -> str:
    """The name of a spot in a map: that of the place, or else of the whole map."""
    return spot.location if spot.location and spot.location != OFFBOARD else spot.map or ""
