"""The maps of a module: their boards and grids, and what is on them at the start."""

from __future__ import annotations

from collections import Counter

from vassalgen.inspection.facts import BoardFacts, FindingKind, MapFacts, Size, StackFacts
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.gridding import gridding
from vassalgen.inspection.pictures import Pictures
from vassalgen.inspection.survey import Part, Survey
from vassalgen.problems import Problem
from vassalgen.vassal import grids
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    DrawPile,
    Map,
    PieceSlot,
    PlayerHand,
    PrivateMap,
    SetupStack,
    WidgetMap,
)
from vassalgen.vassal.grids import Grid, Regions, Zones
from vassalgen.vassal.grids.plan import ANY_BOARD

_MOST_LOOKED_AT = 5_000_000
"""How many zones and regions are searched to name the places of stacks; after that a map's other stacks get
no name.
"""
_KINDS = ((PlayerHand, "hand"), (PrivateMap, "private map"), (WidgetMap, "chart map"))


def maps_of(survey: Survey, pictures: Pictures, findings: Gathering) -> tuple[MapFacts, ...]:
    """All maps in the order of the build file."""
    found = list(survey.all(Map))
    named = {one.name: one for one, _ in reversed(found)}
    for name, count in Counter(one.name for one, _ in found).items():
        if count > 1:
            right = "saves tell maps apart by their names"
            findings.add(FindingKind.DUPLICATE_NAME, f"map {name}", right=right)
    return tuple(_Maker(survey, part, one, named, pictures, findings).facts() for one, part in found)


class _Maker:
    """Makes the facts of one map."""

    def __init__(
        self,
        survey: Survey,
        part: Part,
        component: Map,
        named: dict[str, Map],
        pictures: Pictures,
        findings: Gathering,
    ) -> None:
        lender = named.get(component.use_boards) if isinstance(component, PrivateMap) else None
        self.survey, self.part, self.component, self.findings = survey, part, component, findings
        self.source = lender or component
        self.looks_left = _MOST_LOOKED_AT
        self.plan = grids.plan_of(component, image_size=pictures.size, lender=lender)
        self.sizes: dict[str, Size | None] = {}
        self.grids: dict[str, Grid | None] = {}
        pickers = self.source.children_of(BoardPicker)
        self.boards = pickers[-1].children_of(Board) if pickers else ()
        for board in self.boards:
            problems: list[Problem] = []
            size = pictures.size(board.image) if board.image.strip() else (board.width, board.height)
            self.sizes[board.name] = size
            self.grids[board.name] = grids.grid_of(board, size or (0, 0), problems)
            for problem in problems:
                where = f'{part.place} > Board "{board.name}"'
                what = f"{problem.place}: {problem.wrong}"
                findings.add(FindingKind.GRID, what, where, right=problem.right, serious=False)
        for name, count in Counter(board.name for board in self.boards).items():
            if count > 1 and not lender:
                right = "saves tell boards apart by their names"
                findings.add(FindingKind.DUPLICATE_NAME, f"board {name}", part.place, right=right)
        for placed in grids.default_boards(pickers[-1]) if pickers and not lender else ():
            self._know_board(placed.name, f"{part.place} > BoardPicker > setup")

    def facts(self) -> MapFacts:
        component = self.component
        in_play = {board.name for board in self.plan.boards}
        stacks, decks = [], []
        for part in self.survey.below(self.part):
            if isinstance(part.component, SetupStack):
                stacks.append(self._stack(part.component, part))
            elif isinstance(part.component, DrawPile):
                decks.append(self._stack(part.component, part))
        return MapFacts(
            name=component.name,
            kind=next((word for cls, word in _KINDS if isinstance(component, cls)), "map"),
            size=self._extent,
            edge=(self.source.edge_width, self.source.edge_height),
            boards=tuple(
                BoardFacts(
                    name=board.name,
                    image=board.image or None,
                    size=self.sizes[board.name],
                    in_play=board.name in in_play,
                    reversible=board.reversible,
                    grid=gridding(self.grids[board.name], self.sizes[board.name]),
                )
                for board in self.boards
            ),
            stacks=tuple(stacks),
            decks=tuple(decks),
            sides=component.side if isinstance(component, PrivateMap) else (),
        )

    @property
    def _extent(self) -> Size:
        """The size of the map with the boards of a new game, its edges included. [Map.mapSize]"""
        plan = self.plan
        if not plan.boards:
            return 0, 0
        right = max(board.x + board.width for board in plan.boards)
        bottom = max(board.y + board.height for board in plan.boards)
        return right + plan.edge_width, bottom + plan.edge_height

    def _stack(self, stack: SetupStack | DrawPile, part: Part) -> StackFacts:
        board = "" if stack.owning_board == ANY_BOARD else stack.owning_board
        if board:
            self._know_board(board, part.place)
        self._know_location(stack, board, part)
        position = self.plan.start_of(stack)
        width, height = self._extent
        sized = all(one.width and one.height for one in self.plan.boards)
        if position and width and height and sized:
            x, y = position
            if not (0 <= x < width and 0 <= y < height):
                what = f"{stack.name} at {x}, {y}"
                right = f"the map is {width} × {height} pixels; helper pieces are often put out of sight so"
                self.findings.add(FindingKind.OFF_MAP, what, part.place, right=right, serious=False)
        under = self.plan.board_at(*position) if position else None
        can_look = under is not None and self._may_look(under.grid)
        location = under.location_name(*position) if under and position and can_look else None
        slots = [one.component for one in self.survey.below(part) if isinstance(one.component, PieceSlot)]
        return StackFacts(
            name=stack.name,
            map=self.component.name,
            board=board or None,
            position=position,
            location=location,
            pieces=tuple(slot.name for slot in slots),
        )

    def _know_board(self, name: str, place: str) -> None:
        if name not in self.sizes:
            known = ", ".join(self.sizes) or "the map has none"
            self.findings.add(FindingKind.UNKNOWN_BOARD, name, place, right=known)

    def _know_location(self, stack: SetupStack | DrawPile, board: str, part: Part) -> None:
        """Report a location that does not exist in the grid. [map.SetupStack.updatePosition]"""
        if not (isinstance(stack, SetupStack) and stack.use_grid_location and stack.location):
            return
        first = self.plan.boards[0].name if self.plan.boards else ""
        grid = self.grids.get(board or first)
        if grid is None or not self._may_look(grid) or grid.pixel(stack.location) is not None:
            return
        if isinstance(grid, Zones) and grid.region_pixel(stack.location) is not None:
            return
        right = f"a place of the board {board or first!r}; VASSAL takes {stack.x}, {stack.y} instead"
        self.findings.add(FindingKind.UNKNOWN_LOCATION, stack.location, part.place, right=right)

    def _may_look(self, grid: Grid | None) -> bool:
        """Whether another place of a grid may be searched, which takes time on a large one."""
        if isinstance(grid, Zones):
            self.looks_left -= len(grid.zones)
            self.looks_left -= sum(
                len(zone.grid.regions) for zone in grid.zones if isinstance(zone.grid, Regions)
            )
        elif isinstance(grid, Regions):
            self.looks_left -= len(grid.regions)
        return self.looks_left >= 0
