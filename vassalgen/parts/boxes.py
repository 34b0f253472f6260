"""The boxes beside the map: pools, losses, what waits for its turn, and the turn track itself.

A box in which counters wait is divided into cells by turn. Where no box is named for what arrives, it waits
on the turn track. The box of a side's losses is the one whose id ends with ``lost``; a side that has none
gets one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs
from attrs import frozen

from vassalgen.announcements import waiting
from vassalgen.drawing.boxes import BAR, HEADING, Cell, Plate, boxes
from vassalgen.drawing.picture import Picture
from vassalgen.drawing.tokens import MARKER, PLATE
from vassalgen.game.art import Style
from vassalgen.game.game import Game
from vassalgen.game.maps import Box
from vassalgen.game.scenarios import Arrival
from vassalgen.game.sequence import Turn
from vassalgen.parts.names import TRACK
from vassalgen.vassal.components import Region, RegionGrid, Zone, ZonedGrid

LOST = "lost"
STATUS = "Status"
"""The place of the status plate."""
FAN = 36
"""How far the counters of a stack lie apart in a box, in pixels."""
_GAP, _PAD = 20, 14
_WIDE = 688


def turns(game: Game) -> tuple[Turn, ...]:
    """All turns of all scenarios in order, each as the first scenario that has it tells it."""
    found: dict[int, Turn] = {}
    for scenario in game.scenarios.values():
        for turn in scenario.turns:
            found.setdefault(turn.number, turn)
    return tuple(found[number] for number in sorted(found)) or game.turns


def all_boxes(game: Game) -> tuple[Box, ...]:
    """The boxes of the game, and one for losses of each side that has none."""
    found = list(game.map.boxes.values())
    for side in game.sides.values():
        if not any(box.side == side.id and box.id.endswith(LOST) for box in found):
            found.append(Box(f"{side.id}-{LOST}", f"{side.adjective} losses", side.id))
    return tuple(found)


def loss_box(game: Game, side: str) -> Box:
    """The box of a side's losses."""
    return next(box for box in all_boxes(game) if box.side == side and box.id.endswith(LOST))


def place_of(game: Game, box: str) -> str:
    """The place of a box on the map of boxes, by its id."""
    return next(one.title for one in all_boxes(game) if one.id == box)


def waiting_place(game: Game, arrival: Arrival) -> str:
    """Where counters wait until they arrive."""
    return waiting(place_of(game, arrival.waiting) if arrival.waiting else TRACK, arrival.turn)


@frozen(slots=False)
class BoxesBoard:
    """Where everything lies on the map of boxes."""

    game: Game

    @cached_property
    def plates(self) -> tuple[Plate, ...]:
        """All plates: the status, the turn track, the boxes of each side, those of nobody."""
        top = [self._status(), self._track()]
        y = top[-1].y + top[-1].height + _GAP
        found = [*top]
        below = y
        for column, side in enumerate(self.game.sides):
            bottom = self._column([box for box in self._boxes if box.side == side], column, y, found)
            below = max(below, bottom)
        self._column([box for box in self._boxes if not box.side], 0, below, found)
        return tuple(found)

    @property
    def _boxes(self) -> tuple[Box, ...]:
        return all_boxes(self.game)

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """All cells by name."""
        return {cell.name: cell for plate in self.plates for cell in plate.cells}

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (
            max(plate.x + plate.width for plate in self.plates) + _GAP,
            max(plate.y + plate.height for plate in self.plates) + _GAP,
        )

    @property
    def picture(self) -> Picture:
        """The drawing."""
        return boxes(self.plates, self.size, self.game.art.board.background)

    @property
    def _counter(self) -> int:
        return self.game.art.board.counter

    @property
    def _all_wide(self) -> int:
        """The width of all columns together."""
        return len(self.game.sides) * (_WIDE + _GAP) - _GAP

    def middle(self, name: str) -> tuple[int, int]:
        """Where the first counter of a cell lies."""
        cell = self.cells[name]
        if name == STATUS:
            return cell.x + cell.width // 2, cell.y + cell.height // 2
        heading = HEADING if cell.heading else 0
        return cell.x + _PAD + self._counter // 2, cell.y + heading + (cell.height - heading) // 2

    @cached_property
    def markers(self) -> dict[int, tuple[int, int]]:
        """Where the turn marker stands on each turn: at the right of its cell."""
        found = {}
        for turn in turns(self.game):
            cell = self.cells[waiting(TRACK, turn.number)]
            found[turn.number] = cell.x + cell.width - round(MARKER[0] / 2) - 5, self.middle(cell.name)[1]
        return found

    def grid(self) -> ZonedGrid:
        """VASSAL's grid: a zone for each cell, so that a counter snaps to the place it is put down in."""
        return ZonedGrid(children=tuple(map(self._zone, self.cells)))

    def _zone(self, name: str) -> Zone:
        x, y = self.middle(name)
        region = RegionGrid(children=(Region(name=name, x=x, y=y),))
        return Zone(
            name=name, location_format="$gridLocation$", path=self.cells[name].outline, children=(region,)
        )

    def _status(self) -> Plate:
        wide, high = map(int, PLATE)
        cell = Cell(STATUS, _GAP + 8, _GAP + BAR + 8, wide, high)
        return Plate(self.game.title, _GAP, _GAP, self._all_wide, high + BAR + 16, (cell,))

    def _track(self) -> Plate:
        above = self._status()
        there: dict[int, int] = {}
        for arrival in self._arrivals:
            if not arrival.waiting:
                there[arrival.turn] = there.get(arrival.turn, 0) + len(arrival.counters)
        row = _Row(_GAP + 8, above.y + above.height + _GAP + BAR + 8, self._all_wide - 16, self._counter)
        for turn in turns(self.game):
            heading = f"{turn.number}  {turn.label}".strip()
            count = max(2, there.get(turn.number, 0) + 1)
            row.add(waiting(TRACK, turn.number), heading, count, turn.note)
        top = above.y + above.height + _GAP
        return Plate(TRACK, _GAP, top, self._all_wide, row.bottom + 8 - top, tuple(row.cells))

    def _column(self, found: Sequence[Box], column: int, y: int, plates: list[Plate]) -> int:
        x = _GAP + column * (_WIDE + _GAP)
        for box in found:
            row = _Row(x + 8, y + BAR + 8, _WIDE - 16, self._counter)
            for name, heading, count in self._places(box):
                row.add(name, heading, count)
            look = self.game.art.sides.get(box.side, Style(fill="#6b6250", ink="#ffffff"))
            plate = Plate(
                box.title, x, y, _WIDE, row.bottom + 8 - y, tuple(row.cells), look.fill, look.ink or "#ffffff"
            )
            plates.append(plate)
            y += plate.height + _GAP
        return y

    def _places(self, box: Box) -> list[tuple[str, str, int]]:
        """The cells of a box: name, heading and how many counters to make room for."""
        by_turn: dict[int, int] = {}
        for arrival in self._arrivals:
            if arrival.waiting == box.id:
                by_turn[arrival.turn] = by_turn.get(arrival.turn, 0) + len(arrival.counters)
        labels: Mapping[int, str] = {turn.number: turn.label for turn in turns(self.game)}
        found = [(box.title, "At hand" if by_turn else "", 2 if by_turn else 10)]
        for turn in sorted(by_turn):
            heading = f"Turn {turn}  {labels.get(turn, '')}".strip()
            found.append((waiting(box.title, turn), heading, by_turn[turn]))
        return found

    @property
    def _arrivals(self) -> tuple[Arrival, ...]:
        return tuple(arrival for scenario in self.game.scenarios.values() for arrival in scenario.arrivals)


@attrs.define
class _Row:
    """Cells set one beside the other, and in a new line where the width is used up."""

    left: int
    top: int
    width: int
    counter: int
    cells: list[Cell] = attrs.Factory(list)
    _x: int = 0

    @property
    def high(self) -> int:
        """The height of a cell."""
        return self.counter + 2 * _PAD + HEADING

    @property
    def bottom(self) -> int:
        """The lower edge of the last line."""
        return self.top + self.high

    def add(self, name: str, heading: str, count: int, note: str = "") -> None:
        """Set a cell with room for so many counters."""
        wide = min(self.counter + FAN * (count - 1) + 2 * _PAD + 4, self.width)
        wide = max(wide, 150) if heading else self.width
        if self._x and self._x + wide > self.width:
            self.top += self.high + 8
            self._x = 0
        self.cells.append(Cell(name, self.left + self._x, self.top, wide, self.high, heading, note))
        self._x += wide + 8
