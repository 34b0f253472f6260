"""The contents of a module, read for adoption: pieces with their place in the palette, and positions of
pieces.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from attrs import field, frozen

from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.pictures import Pictures
from vassalgen.inspection.survey import Part, Survey
from vassalgen.problems import FormatError
from vassalgen.vassal import buildfile, grids, images, savedgame, streams
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.commands import AddPiece, PlacedBoard
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    DrawPile,
    Element,
    Entry,
    GameModule,
    HexGrid,
    Map,
    PieceSlot,
    PlayerRoster,
    PredefinedSetup,
    PrivateMap,
    PrototypeDefinition,
    SetupStack,
)
from vassalgen.vassal.grids import MapPlan, Size
from vassalgen.vassal.pieces import Piece, expand, from_slot_text
from vassalgen.vassal.traits.deck import DeckState
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.marker import Marker
from vassalgen.vassal.traits.stack import StackState
from vassalgen.vassal.traits.use_prototype import UsePrototype

SPECTATORS = ("observer", "solitaire", "referee", "umpire", "spectator", "moderator", "both", "all sides")
"""Seats of a roster that are not sides."""


@frozen
class Found:
    """A piece of the module: its definition, its place in the palette or on a map, and its picture.

    ``piece`` is the piece as VASSAL places it, with the traits of its prototypes; ``prototypes`` are their
    names.
    """

    name: str
    piece: Piece = field(repr=False)
    headings: tuple[str, ...]
    prototypes: tuple[str, ...]
    gpid: str
    in_palette: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies a counter: name, picture and text of the definition."""
        return self.name, self.image, self.piece.type_text

    @property
    def image(self) -> str:
        """The name of its picture."""
        return self.piece.basic.image if self.piece.basic else ""


@frozen
class Placed:
    """A piece in a position: its map and pixels. ``piece`` is the slot that it came from."""

    piece: Found
    map: str
    x: int
    y: int


@frozen
class Position:
    """A set-up, or (without ``file``) the pieces on the maps of the module itself."""

    title: str
    file: str
    placed: tuple[Placed, ...]
    text: str = ""


@frozen(slots=False)
class Module:
    """A module read for adoption. ``remarks`` list what could not be read."""

    archive: Archive
    survey: Survey
    remarks: list[str] = field(factory=list)

    @property
    def root(self) -> GameModule:
        """The root component of the module."""
        root = self.survey.root
        assert isinstance(root, GameModule)
        return root

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides of the roster, without the seats for spectators."""
        rosters = (roster for roster, _ in self.survey.all(PlayerRoster))
        named = [entry.content for roster in rosters for entry in roster.children_of(Entry)]
        kept = (one for one in named if one.strip() and one.strip().lower() not in SPECTATORS)
        return tuple(dict.fromkeys(kept))

    @cached_property
    def maps(self) -> dict[str, tuple[Map, MapPlan, Part]]:
        """The maps by name, each with the layout of its places."""
        found = {one.name: (one, part) for one, part in reversed(list(self.survey.all(Map)))}
        made: dict[str, tuple[Map, MapPlan, Part]] = {}
        for name, (one, part) in reversed(found.items()):
            lender = found.get(one.use_boards) if isinstance(one, PrivateMap) else None
            boards = _boards_to_choose(one)
            plan = grids.plan_of(one, boards, image_size=self.size_of, lender=lender[0] if lender else None)
            made[name] = one, plan, part
        return made

    @cached_property
    def pictures(self) -> Pictures:
        """The pictures by the names that the module uses."""
        return Pictures(self.archive, Gathering())

    def entry_of(self, image: str) -> str | None:
        """The entry of a picture: where VASSAL looks for it, or else an entry of that name anywhere in the
        file.
        """
        name = self.pictures.find(image)
        if name in self.pictures.entries:
            return self.pictures.entries[str(name)]
        return self._named(image)

    def picture_of(self, map_: str, board: str) -> bytes | None:
        """The picture of a board, as it is in the module."""
        pickers = self.maps[map_][0].children_of(BoardPicker)
        images_ = [one.image for picker in pickers for one in picker.children_of(Board) if one.name == board]
        entry = self.entry_of(images_[0]) if images_ and images_[0].strip() else None
        return self.archive.read(entry) if entry else None

    def size_of(self, image: str) -> Size | None:
        """The size of a picture."""
        entry = self.entry_of(image) if image.strip() else None
        if entry is None:
            return None
        try:
            return images.image_size(self.archive, entry)
        except FormatError:
            return None

    @cached_property
    def prototypes(self) -> dict[str, Piece]:
        """The prototypes that can be read."""
        found: dict[str, Piece] = {}
        for one, _ in self.survey.all(PrototypeDefinition):
            try:
                found[one.name] = from_slot_text(one.content)
            except FormatError:
                continue
        return found

    @cached_property
    def found(self) -> tuple[Found, ...]:
        """All pieces in slots of the palette, decks and at-start stacks."""
        return tuple(one for one, _ in self._slots)

    @cached_property
    def _slots(self) -> list[tuple[Found, Part]]:
        slots = []
        for slot, part in self.survey.all(PieceSlot):
            one = self._found(slot, part)
            if one is not None:
                slots.append((one, part))
        return slots

    def _found(self, slot: PieceSlot, part: Part) -> Found | None:
        if not slot.content:
            return None
        try:
            definition = from_slot_text(slot.content)
            piece = expand(definition, self.prototypes)
        except FormatError:
            self.remarks.append(f"{part.place}: a piece that cannot be read was left out")
            return None
        above = [_heading(element) for element in part.path[:-1]]
        headings = tuple(name for name in above if name)
        on_map = any(element.tag.endswith(("SetupStack", "DrawPile")) for element in part.path)
        name = definition.name or slot.name
        return Found(name, piece, headings, tuple(self._uses(definition)), slot.gpid, in_palette=not on_map)

    def _uses(self, piece: Piece) -> Iterator[str]:
        """The names of the prototypes that a piece uses, directly or through other prototypes."""
        waiting = [trait.name for trait in piece.traits if isinstance(trait, UsePrototype)]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop(0)
            if name in seen:
                continue
            seen.add(name)
            yield name
            inner = self.prototypes.get(name)
            waiting += [one.name for one in inner.traits if isinstance(one, UsePrototype)] if inner else []

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The set-ups, each read from its saved game, and the module itself if pieces are on its maps."""
        found: list[Position] = []
        for setup, part in self.survey.all(PredefinedSetup):
            if setup.is_menu or not setup.file:
                continue
            file = setup.file if setup.file in self.archive else self._named(setup.file)
            if file is None:
                self.remarks.append(f"{part.place}: the file {setup.file} is missing")
                continue
            try:
                placed = tuple(self._saved(file))
            except FormatError as error:
                self.remarks.append(f"{part.place}: {error.problem.wrong}")
                continue
            found.append(Position(setup.name or file, file, placed, setup.description))
        at_start = tuple(self._at_start())
        if at_start:
            found.append(Position("At start", "", at_start))
        return tuple(found)

    def _named(self, file: str) -> str | None:
        """The entry with this file name, in any folder."""
        wanted = PurePosixPath(file).name
        return next((entry for entry in self.archive.names if PurePosixPath(entry).name == wanted), None)

    def _at_start(self) -> Iterator[Placed]:
        stacks: dict[int, SetupStack | DrawPile] = {}
        stacks.update({id(part.path[-1]): one for one, part in self.survey.all(SetupStack)})
        stacks.update({id(part.path[-1]): one for one, part in self.survey.all(DrawPile)})
        for one, part in self._slots:
            for element in part.path[:-1]:
                stack = stacks.get(id(element))
                if stack is None:
                    continue
                name = next((_map_name(above) for above in part.path if _map_name(above) in self.maps), "")
                plan = self.maps[name][1] if name else None
                spot = plan.start_of(stack) if plan else None
                if spot is not None:
                    yield Placed(one, name, *spot)

    def _saved(self, file: str) -> Iterator[Placed]:
        """The pieces on the maps of a saved game, with stacks split up."""
        game = savedgame.read_setup(self.archive, file)
        pieces: dict[str, Piece] = {}
        spots: dict[str, tuple[str | None, int, int]] = {}
        for node in streams.decode(game.text).setup:
            try:
                command = node.command
                if isinstance(command, AddPiece) and command.id is not None:
                    self._lay(command, pieces, spots)
            except FormatError:
                continue
        for piece_id, piece in pieces.items():
            own = piece.basic_state
            map_, x, y = spots.get(piece_id) or (own.map, own.x, own.y)
            if map_ is not None and map_ != "null":
                yield Placed(self._known(piece), map_, x, y)

    def _lay(
        self, command: AddPiece, pieces: dict[str, Piece], spots: dict[str, tuple[str | None, int, int]]
    ) -> None:
        assert command.id is not None
        if command.type == "stack" or command.type.startswith("deck;"):
            kind = StackState if command.type == "stack" else DeckState
            state = kind.decode(command.state)
            for member in state.ids:
                spots[member] = state.map, state.x, state.y
        else:
            pieces[command.id] = Piece.decode(command.type, command.state)

    def _known(self, piece: Piece) -> Found:
        """The slot of a piece in a saved game: found by id, or else by name and picture; or else the piece
        itself.
        """
        image = piece.basic.image if piece.basic else ""
        by_id = self._by_gpid.get(piece.gpid)
        if by_id is not None and by_id.name == piece.name:
            return by_id
        stem = image.partition(".")[0]
        known = self._by_look.get((piece.name, image)) or self._by_stem.get((piece.name, stem))
        known = known or self._by_name.get(piece.name)
        if known is not None:
            return known
        made = Found(piece.name, piece, (), (), piece.gpid, in_palette=False)
        self._by_look[piece.name, image] = made
        return made

    @cached_property
    def _by_gpid(self) -> dict[str, Found]:
        return {one.gpid: one for one in reversed(self.found) if one.gpid}

    @cached_property
    def _by_stem(self) -> dict[tuple[str, str], Found]:
        """Pieces by name and by picture without its extension, which may be different in other versions of
        the module.
        """
        return {(one.name, one.image.partition(".")[0]): one for one in reversed(self.found)}

    @cached_property
    def _by_name(self) -> dict[str, Found]:
        """Pieces whose name is unique."""
        looks = {(one.name, one.image): one for one in self.found}
        names = Count(name for name, _ in looks)
        return {name: one for (name, _), one in looks.items() if names[name] == 1}

    @cached_property
    def _by_look(self) -> dict[tuple[str, str], Found]:
        looks: dict[tuple[str, str], Found] = {}
        for one in self.found:
            looks.setdefault((one.name, one.image), one)
        return looks


def _boards_to_choose(map_: Map) -> tuple[PlacedBoard, ...] | None:
    """The first board with hexes that players can choose; None if a new game has boards already."""
    pickers = map_.children_of(BoardPicker)
    if not pickers or grids.default_boards(pickers[-1]):
        return None
    boards = pickers[-1].children_of(Board)
    of_hexes = [board for board in boards if any(True for _ in buildfile.find_all(board, HexGrid))]
    return tuple(PlacedBoard(board.name) for board in (of_hexes or boards)[:1])


def _heading(element: Element) -> str:
    """The title of a part of the palette; empty for parts without a name and for maps."""
    if ".widget." not in element.tag and not element.tag.endswith("PieceWindow"):
        return ""
    return element.get("entryName") or element.get("name")


def _map_name(element: Element) -> str:
    return element.get("mapName")


def labels(piece: Piece) -> Mapping[str, str]:
    """Markers, dynamic properties and text labels of a piece, by name."""
    found: dict[str, str] = {}
    for trait, state in piece.pairs():
        if isinstance(trait, Marker):
            found.update({name: trait.value(name, state) or "" for name in trait.names if name not in found})
        elif isinstance(trait, DynamicProperty) and isinstance(state, DynamicPropertyState):
            found.setdefault(trait.name, state.value)
        elif isinstance(trait, Labeler) and isinstance(state, LabelerState) and state.label:
            found.setdefault(trait.property_name or "label", state.label)
    return found
