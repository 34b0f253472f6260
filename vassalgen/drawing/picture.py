"""A picture as a list of filled outlines, written as SVG or as pixels.

The SVG keeps to what VASSAL's renderer is known to draw everywhere: ``svg`` and ``path`` with ``#rrggbb``, no
text and no references.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle, pairwise
from typing import TYPE_CHECKING, Any

from attrs import frozen

from vassalgen.drawing.paths import Path, Point, number

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

SUPERSAMPLING = 2
_GAP = 0.25
"""The width of a visible gap at a bend of a line, in pixels of the enlarged picture."""


@frozen
class Filled:
    """An outline and its colour, ``#rrggbb``. Contours inside contours are holes."""

    path: Path
    colour: str
    opacity: float = 1.0


@frozen
class Inked:
    """A line drawn with a round pen. ``dash``: lengths of strokes and gaps."""

    path: Path
    colour: str
    width: float
    opacity: float = 1.0
    dash: tuple[float, ...] = ()


Thing = Filled | Inked


@frozen
class Picture:
    """A picture: its size in pixels at 100%, and the things in it in drawing order."""

    width: float
    height: float
    things: tuple[Thing, ...] = ()

    def svg(self) -> bytes:
        """The picture as an SVG file."""
        w, h = number(self.width), number(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}px" height="{h}px" viewBox="0 0 {w} {h}">\n'
        )
        return (head + "".join(map(_element, self.things)) + "</svg>\n").encode()

    def raster(self, scale: float = 1.0, mode: str = "RGBA") -> Image.Image:
        """The picture as pixels, drawn larger and scaled down so that edges are smooth.

        ``mode`` is Pillow's: RGB for a picture that leaves no pixel transparent.
        """
        from PIL import Image, ImageDraw  # noqa: PLC0415 - counters do without

        fine = scale * SUPERSAMPLING
        canvas = Image.new(mode, (round(self.width * fine), round(self.height * fine)))
        draw = ImageDraw.Draw(canvas)
        for thing in self.things:
            contours = _contours(thing, fine)
            if thing.opacity >= 1 and (isinstance(thing, Inked) or len(contours) == 1):
                _draw(draw, thing, contours, fine, thing.colour)
            elif (placed := _mask(thing, contours, fine, canvas.size)) is not None:
                corner, mask = placed
                canvas.paste(thing.colour, corner, mask)
        return canvas.reduce(SUPERSAMPLING)


def _element(thing: Thing) -> str:
    opacity = f"{number(thing.opacity)}" if thing.opacity < 1 else ""
    if isinstance(thing, Filled):
        see_through = f' fill-opacity="{opacity}"' if opacity else ""
        return f'<path fill="{thing.colour}"{see_through} fill-rule="evenodd" d="{thing.path.svg()}"/>\n'
    see_through = f' stroke-opacity="{opacity}"' if opacity else ""
    dash = f' stroke-dasharray="{" ".join(map(number, thing.dash))}"' if thing.dash else ""
    return (
        f'<path fill="none" stroke="{thing.colour}" stroke-width="{number(thing.width)}"{see_through}{dash}'
        f' stroke-linecap="round" stroke-linejoin="round" d="{thing.path.svg()}"/>\n'
    )


def _contours(thing: Thing, scale: float) -> list[list[Point]]:
    """The outlines of a thing at a size, cut into strokes if it is dashed."""
    contours = [contour for contour in thing.path.contours(0.3, scale) if len(contour) > 1]
    if isinstance(thing, Inked) and thing.dash:
        return [part for contour in contours for part in _dashes(contour, thing.dash, scale)]
    return contours


def _draw(
    draw: ImageDraw.ImageDraw, thing: Thing, contours: Sequence[Sequence[Point]], scale: float, colour: Any
) -> None:
    """Draw a line, or an area without holes."""
    if isinstance(thing, Inked):
        closed = any(letter == "Z" for letter, _ in thing.path.pieces) and not thing.dash
        for contour in contours:
            _ink(draw, [*contour, contour[0]] if closed else contour, thing.width * scale / 2, colour)
    else:
        for contour in contours:
            draw.polygon(contour, fill=colour)


def _mask(
    thing: Thing, contours: Sequence[Sequence[Point]], scale: float, size: tuple[int, int]
) -> tuple[tuple[int, int], Image.Image] | None:
    """The mask of a thing, and the position of its upper left corner."""
    from PIL import Image, ImageChops, ImageDraw  # noqa: PLC0415 - counters do without

    if not contours:
        return None
    pen = thing.width * scale / 2 if isinstance(thing, Inked) else 0.0
    xs = [x for contour in contours for x, _ in contour]
    ys = [y for contour in contours for _, y in contour]
    left, top = max(0, math.floor(min(xs) - pen) - 1), max(0, math.floor(min(ys) - pen) - 1)
    right, bottom = min(size[0], math.ceil(max(xs) + pen) + 2), min(size[1], math.ceil(max(ys) + pen) + 2)
    if left >= right or top >= bottom:
        return None
    shifted = [[(x - left, y - top) for x, y in contour] for contour in contours]
    corner, size = (left, top), (right - left, bottom - top)
    shade = round(255 * thing.opacity)
    if isinstance(thing, Inked) or len(shifted) == 1:
        mask = Image.new("L", size)
        _draw(ImageDraw.Draw(mask), thing, shifted, scale, shade)
        return corner, mask
    mask = Image.new("1", size)
    for group in _apart(shifted):
        layer = Image.new("1", size)
        draw = ImageDraw.Draw(layer)
        for contour in group:
            draw.polygon(contour, fill=1)
        mask = ImageChops.logical_xor(mask, layer)
    return corner, mask if shade == 255 else mask.convert("L").point([0] * 255 + [shade])


def _apart(contours: Sequence[list[Point]]) -> list[list[list[Point]]]:
    """Contours in a few groups without overlaps within a group: letters first, then the holes in them."""
    groups: list[list[list[Point]]] = []
    taken: list[list[tuple[float, float, float, float]]] = []
    for contour in contours:
        xs, ys = zip(*contour, strict=True)
        left, top, right, bottom = min(xs), min(ys), max(xs) + 2, max(ys) + 2
        apart = (
            all(r <= left or right <= x or b <= top or bottom <= y for x, y, r, b in grounds)
            for grounds in taken
        )
        place = next((place for place, free in enumerate(apart) if free), len(groups))
        if place == len(groups):
            groups.append([])
            taken.append([])
        groups[place].append(contour)
        taken[place].append((left, top, right, bottom))
    return groups


def _ink(draw: ImageDraw.ImageDraw, points: Sequence[Point], pen: float, colour: Any) -> None:
    """Draw a line with round ends, rounded also at bends where a gap would be visible."""
    straight = (
        2 * max(0.0, 1 - _GAP / pen) ** 2 - 1 if pen else -1.0
    )  # cosine of the turn that leaves that gap
    before: Point | None = None
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        if length:
            ux, uy = (bx - ax) / length, (by - ay) / length
            nx, ny = -uy * pen, ux * pen
            draw.polygon(
                [(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)],
                fill=colour,
            )
            if before is None or before[0] * ux + before[1] * uy < straight:
                draw.ellipse((ax - pen, ay - pen, ax + pen, ay + pen), fill=colour)
            before = ux, uy
    x, y = points[-1]
    draw.ellipse((x - pen, y - pen, x + pen, y + pen), fill=colour)


def _dashes(points: Sequence[Point], dash: Sequence[float], scale: float) -> list[list[Point]]:
    """A line cut into strokes; without lengths it stays whole."""
    if not sum(dash) > 0:
        return [list(points)]
    found: list[list[Point]] = []
    lengths = cycle(length * scale for length in dash)
    left, drawing = next(lengths), True
    current = [points[0]]
    for (ax, ay), (bx, by) in pairwise(points):
        whole = math.dist((ax, ay), (bx, by))
        done = 0.0
        while whole - done > left:
            done += left
            here = (ax + (bx - ax) * done / whole, ay + (by - ay) * done / whole)
            if drawing:
                found.append([*current, here])
            current, drawing, left = [here], not drawing, next(lengths)
        left -= whole - done
        current.append((bx, by))
    if drawing and len(current) > 1:
        found.append(current)
    return found
