"""The boxes beside the map: plates with a title, divided into cells that hold counters."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from vassalgen.drawing.colours import shade
from vassalgen.drawing.lettering import lettered, width
from vassalgen.drawing.paths import Path, rectangle
from vassalgen.drawing.picture import Filled, Inked, Picture, Thing

BAR = 34
"""The height of a plate's title bar in pixels."""
HEADING = 24
"""The height of a cell's heading in pixels."""
NARROWEST, SMALLEST = 0.85, 0.7
"""How narrow and how small, as parts of the usual width and size, a title may be made to fit."""


@frozen
class Cell:
    """A place for counters. ``heading`` and ``note`` are written in it."""

    name: str
    x: int
    y: int
    width: int
    height: int
    heading: str = ""
    note: str = ""

    @property
    def outline(self) -> tuple[tuple[int, int], ...]:
        """Its corners."""
        right, bottom = self.x + self.width, self.y + self.height
        return ((self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom))


@frozen
class Plate:
    """Cells under one title. ``colour`` is that of the title bar, ``ink`` that of the title."""

    title: str
    x: int
    y: int
    width: int
    height: int
    cells: tuple[Cell, ...]
    colour: str = "#6b6250"
    ink: str = "#ffffff"


def boxes(plates: Sequence[Plate], size: tuple[int, int], background: str) -> Picture:
    """The plates as one picture."""
    things: list[Thing] = [Filled(rectangle(0, 0, *size), background)]
    for plate in plates:
        things += _plate(plate, background)
    return Picture(*size, tuple(things))


def _plate(plate: Plate, background: str) -> list[Thing]:
    edge = rectangle(plate.x, plate.y, plate.width, plate.height, 8)
    room = plate.width - 28
    title = _written(plate.title, plate.x + 14, plate.y + BAR - 10, 20, room)
    found: list[Thing] = [
        Filled(edge, plate.colour),
        Filled(
            rectangle(plate.x + 2, plate.y + BAR, plate.width - 4, plate.height - BAR - 2, 6),
            shade(background, 1.2),
        ),
        Filled(title, plate.ink),
    ]
    for cell in plate.cells:
        found += _cell(cell, plate.colour)
    return found


def _cell(cell: Cell, colour: str) -> list[Thing]:
    found: list[Thing] = []
    if cell.heading:
        found.append(Inked(rectangle(cell.x, cell.y, cell.width, cell.height, 4), colour, 1.5, 0.7))
        room = cell.width - 16
        written = _written(cell.heading, cell.x + 8, cell.y + HEADING - 6, 16, room)
        found.append(Filled(written, shade(colour, 0.8)))
    if cell.note:
        room = cell.width - 16
        written = lettered(
            cell.note, cell.x + 8, cell.y + cell.height - 8, 12, weight="Regular", align="left", room=room
        )
        found.append(Filled(written, "#4a4538"))
    return found


def _written(text: str, x: float, y: float, size: float, room: float) -> Path:
    """A title: if it is too long, smaller letters before narrow ones, which are hard to read."""
    whole = width(text, size, "Semibold")
    smaller = size * min(1.0, max(SMALLEST, room / (NARROWEST * whole))) if whole else size
    return lettered(text, x, y, smaller, weight="Semibold", align="left", room=room)
