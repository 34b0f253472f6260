"""The boxes beside the map: pools, losses, waiting units, and the turn track itself.

A box in which counters wait is divided into cells by turn. Arrivals without a box wait on the turn track. A
side without a box for losses gets one.
"""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
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
from vassalgen.templates import quoted
from vassalgen.vassal.components import GlobalProperty, Region, RegionGrid, Zone, ZonedGrid

LOST = "lost"
STATUS = "Status"
"""The name of the status plate's place."""
_GAP, _PAD, _BETWEEN = 20, 14, 8
_WIDE = 712  # five cells
_PLAIN, _ABREAST = 224, 3
"""The width of a box without cells, and the number of such boxes side by side."""
_NOTE = 16
"""The height of a cell's note."""
_LOST = 8
"""How many losses a box has room for."""


def fan(game: Game) -> int:
    """The distance between the counters of a stack in a box, in pixels: the values at their bottom edge stay
    visible.
    """
    return math.ceil(game.art.board.counter * 0.34)


def _titled(turn: str, label: str) -> str:
    """The heading of a turn's cell: ``Turn 2 · December 1942``."""
    return f"{turn} · {label}" if label else turn


def turns(game: Game) -> tuple[Turn, ...]:
    """All turns of all scenarios in order, with all their names and notes."""
    found: dict[int, list[Turn]] = {}
    for scenario in game.scenarios.values():
        for turn in scenario.turns:
            found.setdefault(turn.number, []).append(turn)
    merged = (
        Turn(number, _all(turn.label for turn in same), _all(turn.note for turn in same))
        for number, same in sorted(found.items())
    )
    return tuple(merged) or game.turns


def _all(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(text for text in texts if text))


def all_boxes(game: Game) -> tuple[Box, ...]:
    """The boxes of the game, and a box for losses for each side that has none."""
    found = list(game.map.boxes.values())
    for side in game.sides.values():
        if not any(box.side == side.id and box.losses for box in found):
            found.append(Box(f"{side.id}-{LOST}", f"{side.adjective} losses", side.id, losses=True))
    return tuple(found)


def loss_box(game: Game, side: str) -> Box:
    """The box for a side's losses."""
    return next(box for box in all_boxes(game) if box.side == side and box.losses)


LOSSES = "LossBoxes"
"""The property of the module that lists the boxes for losses."""
IS_LOST = f'{LOSSES}.contains("|"+LocationName+"|")'
"""The condition that a counter is in one."""


def loss_property(game: Game) -> GlobalProperty:
    """The property of the module that lists the boxes for losses."""
    titles = (loss_box(game, side).title for side in game.sides)
    return GlobalProperty(name=LOSSES, initial_value=f"|{'|'.join(titles)}|")


def loss_place(game: Game) -> str:
    """The expression for the box with the losses of a counter's side."""
    found = '""'
    for side in reversed(list(game.sides.values())):
        found = f"(Side=={quoted(side.title)}?{quoted(loss_box(game, side.id).title)}:{found})"
    return found


def place_of(game: Game, box: str) -> str:
    """The place of a box on the map of boxes, by its id."""
    return next(one.title for one in all_boxes(game) if one.id == box)


def waiting_place(game: Game, arrival: Arrival) -> str:
    """Where counters wait until they arrive."""
    return waiting(place_of(game, arrival.waiting) if arrival.waiting else TRACK, arrival.turn)


@frozen
class _Space:
    """A cell in the layout: its name, heading and note, and the number of counters that it must hold."""

    name: str
    heading: str
    count: int
    note: str = ""


@frozen(slots=False)
class BoxesBoard:
    """The layout of the map of boxes."""

    game: Game

    @cached_property
    def plates(self) -> tuple[Plate, ...]:
        """All plates: the status, the turn track, the boxes of each side, and the shared boxes."""
        top = [self._status(), self._track()]
        y = top[-1].y + top[-1].height + _GAP
        columns = [
            plate
            for place, side in enumerate(self.game.sides)
            for plate in self._column([box for box in self._boxes if box.side == side], place, y)
        ]
        below = max((plate.y + plate.height for plate in columns), default=y - _GAP) + _GAP
        nobody = self._column([box for box in self._boxes if not box.side], 0, below)
        return (*top, *columns, *nobody)

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
        """The total width of all columns."""
        return len(self.game.sides) * (_WIDE + _GAP) - _GAP

    def middle(self, name: str) -> tuple[int, int]:
        """Where the first counter of a cell is: at the bottom, because stacks grow upwards."""
        cell = self.cells[name]
        if name == STATUS:
            return cell.x + cell.width // 2, cell.y + cell.height // 2
        foot = cell.y + cell.height - _PAD - (_NOTE if cell.note else 0)
        return cell.x + _PAD + self._counter // 2, foot - self._counter // 2

    @cached_property
    def markers(self) -> dict[int, tuple[int, int]]:
        """Where the turn marker is on each turn: at the right of the cell."""
        found = {}
        for turn in turns(self.game):
            cell = self.cells[waiting(TRACK, turn.number)]
            found[turn.number] = cell.x + cell.width - round(MARKER[0] / 2) - 5, self.middle(cell.name)[1]
        return found

    def grid(self) -> ZonedGrid:
        """VASSAL's grid: a zone for each cell, so that counters snap to the cell in which they are placed."""
        return ZonedGrid(children=tuple(self._zone(*one) for one in enumerate(self.cells, 1)))

    def _zone(self, number: int, name: str) -> Zone:
        """The zone of a cell, by its number: VASSAL stores in every counter in which zone it was last."""
        x, y = self.middle(name)
        region = RegionGrid(children=(Region(name=name, x=x, y=y),))
        return Zone(
            name=str(number),
            location_format="$gridLocation$",
            path=self.cells[name].outline,
            children=(region,),
        )

    @property
    def status_size(self) -> tuple[int, int]:
        """Width and height of the status plate, across the whole board."""
        return self._all_wide - 2 * _BETWEEN, round(PLATE)

    def _status(self) -> Plate:
        wide, high = self.status_size
        cell = Cell(STATUS, _GAP + _BETWEEN, _GAP + BAR + _BETWEEN, wide, high)
        return Plate(self.game.title, _GAP, _GAP, self._all_wide, high + BAR + 2 * _BETWEEN, (cell,))

    def _track(self) -> Plate:
        above = self._status()
        there = self._waiting("")
        places = [
            _Space(
                waiting(TRACK, turn.number),
                _titled(str(turn.number), turn.label),
                there.get(turn.number, 1),
                turn.note,
            )
            for turn in turns(self.game)
        ]
        return self._plate(TRACK, _GAP, above.y + above.height + _GAP, self._all_wide, places)

    def _column(self, found: Sequence[Box], column: int, y: int) -> list[Plate]:
        """Boxes with cells one below the other, then the others in rows."""
        plates: list[Plate] = []
        left = _GAP + column * (_WIDE + _GAP)
        for box in found:
            if len(places := self._places(box)) > 1:
                plates.append(self._coloured(box, self._plate(box.title, left, y, _WIDE, places)))
                y += plates[-1].height + _GAP
        plain = [(box, places) for box in found if len(places := self._places(box)) == 1]
        for start in range(0, len(plain), _ABREAST):
            row = plain[start : start + _ABREAST]
            most = max(space.count for _, (space,) in row)
            for place, (box, (space,)) in enumerate(row):
                x = left + place * (_PLAIN + _GAP)
                cells = [attrs.evolve(space, count=most)]
                plates.append(self._coloured(box, self._plate(box.title, x, y, _PLAIN, cells)))
            y += plates[-1].height + _GAP
        return plates

    def _coloured(self, box: Box, plate: Plate) -> Plate:
        look = self.game.art.sides.get(box.side, Style(fill="#6b6250", ink="#ffffff"))
        return attrs.evolve(plate, colour=look.fill, ink=look.ink or "#ffffff")

    def _plate(self, title: str, x: int, y: int, wide: int, places: Sequence[_Space]) -> Plate:
        """A plate with its cells, all of one size, in as few rows as possible."""
        room = wide - 2 * _BETWEEN
        most = max((place.count for place in places), default=1)
        high = self._counter + fan(self.game) * (most - 1) + 2 * _PAD
        high += HEADING if any(place.heading for place in places) else 0
        high += _NOTE if any(place.note for place in places) else 0
        least = min(room, self._counter + (round(MARKER[0]) if title == TRACK else 0) + 2 * _PAD)
        lines = math.ceil(len(places) / max(1, (room + _BETWEEN) // (least + _BETWEEN)))
        columns = math.ceil(len(places) / max(1, lines))
        each = (room + _BETWEEN) // max(1, columns) - _BETWEEN
        cells = [
            Cell(
                place.name,
                x + _BETWEEN + number % columns * (each + _BETWEEN),
                y + BAR + _BETWEEN + number // columns * (high + _BETWEEN),
                each,
                high,
                place.heading,
                place.note,
            )
            for number, place in enumerate(places)
        ]
        return Plate(title, x, y, wide, BAR + _BETWEEN + lines * (high + _BETWEEN), tuple(cells))

    def _places(self, box: Box) -> list[_Space]:
        """The cells of a box: one for counters that may enter, and one for each turn in which some arrive."""
        by_turn = self._waiting(box.id)
        labels: Mapping[int, str] = {turn.number: turn.label for turn in turns(self.game)}
        found = [_Space(box.title, "Available" if by_turn else "", self._room(box))]
        for turn in sorted(by_turn):
            heading = _titled(f"Turn {turn}", labels.get(turn, ""))
            found.append(_Space(waiting(box.title, turn), heading, by_turn[turn]))
        return found

    def _room(self, box: Box) -> int:
        """The number of counters for which a box has room: those that start in it, and some of the losses."""
        begin = max(
            (
                sum(len(placement.counters) for placement in scenario.setup if placement.at == box.id)
                for scenario in self.game.scenarios.values()
            ),
            default=0,
        )
        return max(begin, _LOST if box.losses else 3)

    def _waiting(self, box: str) -> dict[int, int]:
        """How many counters wait in a box by turn, in the scenario with the most; without a box: on the turn
        track.
        """
        found: dict[int, int] = {}
        for scenario in self.game.scenarios.values():
            here = Tally[int]()
            for arrival in scenario.arrivals:
                if arrival.waiting == box:
                    here[arrival.turn] += len(arrival.counters)
            found |= {turn: max(count, found.get(turn, 0)) for turn, count in here.items()}
        return found
