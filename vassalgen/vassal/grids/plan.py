"""A map with its boards as placed in a game: the place at a pixel of the map. [build.module.Map]"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs
from attrs import field, frozen

from vassalgen.problems import Problem
from vassalgen.vassal import buildfile
from vassalgen.vassal.commands import PlacedBoard, SetBoards
from vassalgen.vassal.components import Board, BoardPicker, DrawPile, Map, Node, PrivateMap, Setup, SetupStack
from vassalgen.vassal.grids.base import Grid, Point, Size, pixel_distance
from vassalgen.vassal.grids.making import grid_of
from vassalgen.vassal.grids.zones import Zones, ZoneShape

ANY_BOARD = "<any>"
"""An owning board that stands for any board. [SetupStack.OwningBoardPrompt]"""
OFFBOARD = "offboard"
"""The name of every place without one. [Map.offboard in VASSAL's English texts]"""

ImageSize = Callable[[str], Size | None]
"""The size of an image by the name in a board, without ``images/``; None if there is no such image."""

_MOST_REMEMBERED = 200_000


@frozen
class BoardInPlay:
    """A board on a map: its upper left pixel there, its size, whether it is rotated by 180°, its grid."""

    name: str
    x: int
    y: int
    width: int
    height: int
    reversed: bool = False
    grid: Grid | None = None

    def contains(self, x: int, y: int) -> bool:
        """Whether a pixel of the map is on the board."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def turn(self, x: int, y: int) -> Point:
        """Convert a pixel of the board to one of its grid, and back. [boardPicker.Board.localCoordinates]"""
        return (self.width - x, self.height - y) if self.reversed else (x, y)

    def location_name(self, x: int, y: int) -> str | None:
        """The name of the place at a pixel of the map. [boardPicker.Board.locationName]"""
        return self.grid.location_name(*self.turn(x - self.x, y - self.y)) if self.grid else None

    def snap(self, x: int, y: int, *, force: bool = False, only_centres: bool = False) -> Point:
        """Where on the map a piece placed on the board ends up. [boardPicker.Board.snapTo]"""
        if self.grid is None:
            return x, y
        here = self.turn(x - self.x, y - self.y)
        x, y = self.turn(*self.grid.snap(*here, force=force, only_centres=only_centres))
        return x + self.x, y + self.y

    def pixel(self, name: str) -> Point | None:
        """The pixel of the map that VASSAL takes for a name, as if the board were not rotated."""
        found = self.grid.pixel(name) if self.grid else None
        return (found[0] + self.x, found[1] + self.y) if found else None


@frozen
class Deck:
    """A deck of a map: its name is also that of the exact pixel at which it is."""

    name: str
    x: int
    y: int


@frozen
class MapPlan:
    """A map in a game. All pixels are those of the map, including its edges and preceding boards."""

    name: str
    boards: tuple[BoardInPlay, ...] = ()
    decks: tuple[Deck, ...] = ()
    edge_width: int = 0
    edge_height: int = 0
    _names: dict[Point, str] = field(factory=dict, init=False, eq=False, repr=False)

    def board_at(self, x: int, y: int) -> BoardInPlay | None:
        """The board under a pixel. [Map.findBoard]"""
        for board in self.boards:
            if board.contains(x, y):
                return board
        return None

    def board(self, name: str) -> BoardInPlay | None:
        """The board with a name. [Map.getBoardByName]"""
        return next((board for board in self.boards if board.name == name), None)

    def zone_at(self, x: int, y: int) -> ZoneShape | None:
        """The zone of a pixel. VASSAL ignores that a board is rotated. [Map.findZone]"""
        board = self.board_at(x, y)
        if board is None or not isinstance(board.grid, Zones):
            return None
        return board.grid.zone_at(x - board.x, y - board.y)

    def location_name(self, x: int, y: int) -> str:
        """The name of the place at a pixel. [Map.locationName]

        A deck at exactly that pixel takes precedence over the board.
        """
        name = self._names.get((x, y))
        if name is None:
            name = self._location_name(x, y)
            if len(self._names) >= _MOST_REMEMBERED:
                self._names.clear()
            self._names[x, y] = name
        return name

    def _location_name(self, x: int, y: int) -> str:
        for deck in self.decks:
            if (deck.x, deck.y) == (x, y):
                return deck.name
        board = self.board_at(x, y)
        name = board.location_name(x, y) if board else None
        return OFFBOARD if name is None else name

    def pixel(self, name: str, board: str | None = None) -> Point | None:
        """The pixel of a name: of a deck, or of the first board that has it, or only of a certain board. It
        is not snapped, as for an at-start stack; that of :meth:`centre` is.
        """
        if board is None:
            for deck in self.decks:
                if deck.name == name:
                    return deck.x, deck.y
        for one in self.boards:
            if board in (None, one.name):
                found = one.pixel(name)
                if found:
                    return found
        return None

    def centre(self, name: str, board: str | None = None) -> Point | None:
        """The pixel of a piece that was dragged to the place with a name."""
        found = self.pixel(name, board)
        return self.snap(*found) if found else None

    def snap(self, x: int, y: int, *, force: bool = False, only_centres: bool = False) -> Point:
        """Where a piece placed at a pixel ends up. [Map.snapTo] If it ends up on another board it is snapped
        again there; one pixel beyond the edge it is moved back.
        """
        board = self.board_at(x, y)
        if board is None:
            return x, y
        x, y = board.snap(x, y, force=force, only_centres=only_centres)
        landed = self.board_at(x, y)
        if landed is not None and landed is not board:
            x, y = landed.snap(x, y, force=force, only_centres=only_centres)
        if self.board_at(x, y) is None:
            x = board.x + _back(x - board.x, board.width)
            y = board.y + _back(y - board.y, board.height)
        return x, y

    def distance(self, ax: int, ay: int, bx: int, by: int) -> int:
        """The range between two pixels as VASSAL counts it, by the grid under the first.

        VASSAL uses the map's pixels as if they were the board's here, so that with edges or several boards
        the count of hexes may be off by one. [counters.RangeFilter, MapGrid.range]
        """
        board = self.board_at(ax, ay)
        if board is None or board.grid is None:
            return pixel_distance(ax, ay, bx, by)
        return board.grid.distance(ax, ay, bx, by, self.snap)

    def start_of(self, stack: SetupStack | DrawPile) -> Point | None:
        """The initial position of an at-start stack or a deck, or None if its board is not in play.
        [map.SetupStack.updatePosition, setup]
        """
        owning_board = "" if stack.owning_board == ANY_BOARD else stack.owning_board
        board = self.board(owning_board) if owning_board else None
        if board is None and owning_board:
            return None
        x, y = stack.x, stack.y
        gridded = board or (self.boards[0] if self.boards else None)
        grid = gridded.grid if gridded else None
        if isinstance(stack, SetupStack) and stack.use_grid_location and stack.location and grid:
            found = grid.pixel(stack.location)
            if found is None and isinstance(grid, Zones):
                found = grid.region_pixel(stack.location)
            x, y = found or (x, y)
        if board is None:
            return x + self.edge_width, y + self.edge_height
        return x + board.x, y + board.y

    def deck_of(self, pile: DrawPile) -> Deck:
        """The deck of a pile; its pixel has its name even if its board is not in play.
        [map.DrawPile.getPosition, Map.getDeckNameAt]
        """
        board = self.board(pile.owning_board) if pile.owning_board else None
        left, top = (board.x, board.y) if board else (self.edge_width, self.edge_height)
        return Deck(pile.name, pile.x + left, pile.y + top)


def _back(position: int, length: int) -> int:
    """A position just outside a board, moved onto it; any other stays."""
    if position == length:
        return length - 1
    return 0 if position == -1 else position


def plan_of(
    map_: Map,
    boards: Sequence[PlacedBoard] | None = None,
    *,
    image_size: ImageSize | None = None,
    lender: Map | None = None,
    problems: list[Problem] | None = None,
) -> MapPlan:
    """The plan of a map with certain boards, by default those of a new game.

    ``image_size`` returns the sizes of boards with an image; without it, or if it returns None, such a board
    has no size, and everything is off it. ``lender`` is the map whose boards a private map shows
    (``use_boards``). Errors are added to ``problems``, and the components concerned are left out.
    """
    source = lender or map_
    faults: list[Problem] = [] if problems is None else problems
    pickers = source.children_of(BoardPicker)
    known = pickers[-1].children_of(Board) if pickers else ()
    if boards is None:
        boards = default_boards(pickers[-1]) if pickers else ()
    placed = _placed(boards, known, faults)
    sizes = [_size(board, image_size, faults) for _, board in placed]
    widths = {(place.column, place.row): size[0] for (place, _), size in zip(placed, sizes, strict=True)}
    heights = {(place.column, place.row): size[1] for (place, _), size in zip(placed, sizes, strict=True)}
    in_play = tuple(
        BoardInPlay(
            board.name,
            source.edge_width + sum(w for (c, r), w in widths.items() if r == place.row and c < place.column),
            source.edge_height
            + sum(h for (c, r), h in heights.items() if c == place.column and r < place.row),
            *size,
            place.reversed and board.reversible,
            grid_of(board, size, faults),
        )
        for (place, board), size in zip(placed, sizes, strict=True)
    )
    plan = MapPlan(map_.name, in_play, (), source.edge_width, source.edge_height)
    return attrs.evolve(plan, decks=tuple(plan.deck_of(pile) for pile in map_.children_of(DrawPile)))


def plans_of(
    root: Node,
    chosen: Iterable[SetBoards] = (),
    *,
    image_size: ImageSize | None = None,
    problems: list[Problem] | None = None,
) -> dict[str, MapPlan]:
    """The plans of all maps of a module by name.

    ``chosen`` are the boards set by a saved game or log; the last entry for a map counts; other maps have
    those of a new game.
    """
    maps = [found.component for found in buildfile.find_all(root, Map)]
    named = {map_.name: map_ for map_ in reversed(maps)}
    boards: dict[str, tuple[PlacedBoard, ...]] = {}
    for choice in chosen:
        number = choice.map.removeprefix("Map")
        if choice.map not in named and number.isdecimal() and int(number[:9]) < len(maps):
            boards[maps[int(number[:9])].name] = choice.boards
        else:
            boards[choice.map] = choice.boards
    plans = {}
    for name, map_ in named.items():
        lender = named.get(map_.use_boards) if isinstance(map_, PrivateMap) and map_.use_boards else None
        in_play = boards.get((lender or map_).name)
        plans[name] = plan_of(map_, in_play, image_size=image_size, lender=lender, problems=problems)
    return plans


def default_boards(picker: BoardPicker) -> tuple[PlacedBoard, ...]:
    """The boards with which a new game starts; None if the players have to choose.
    [BoardPicker.getDefaultSetup]
    """
    for setup in picker.children_of(Setup)[:1]:
        if setup.content:
            return SetBoards.from_text(setup.content).boards
    boards = picker.children_of(Board)
    if len(boards) == 1 and not boards[0].reversible:
        return (PlacedBoard(boards[0].name),)
    return ()


def _placed(
    boards: Sequence[PlacedBoard], known: Sequence[Board], problems: list[Problem]
) -> list[tuple[PlacedBoard, Board]]:
    found = []
    for place in boards:
        board = next((board for board in known if board.name == place.name), None)
        if board is None:
            problems.append(Problem("", f'Board "{place.name}"', "there is no such board"))
        elif place.column < 0 or place.row < 0:
            wrong = f"stands in column {place.column}, row {place.row}"
            problems.append(Problem("", f'Board "{place.name}"', wrong, "both count from 0"))
        else:
            found.append((place, board))
    return found


def _size(board: Board, image_size: ImageSize | None, problems: list[Problem]) -> Size:
    if not board.image.strip():
        return board.width, board.height
    size = image_size(board.image) if image_size else None
    if size is None:
        wrong = f"its image {board.image!r} has no size"
        problems.append(Problem("", f'Board "{board.name}"', wrong, "the image is in the archive"))
    return size or (0, 0)
