"""The pictures: the board painted with Pillow, everything else drawn as SVG. No letters, hence no fonts."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

from tests.data.skirmish.places import (
    BOX_SIZE,
    BOXES,
    CAMPS_SIZE,
    COLUMNS,
    DECK,
    FIELD_SIZE,
    ROWS,
    SIDES,
    TRACK,
    TRACK_HEIGHT,
    corners,
    middle,
)

Pixel = tuple[float, float]
Colour = tuple[int, int, int]

COUNTER = 56
CARD = (76, 104)
COLOURS = {"Herons": ("#2f6f78", "#d9ecec"), "Thorns": ("#93443a", "#f3ded6")}
"""Ground and ink of each side."""

GRASS, WOOD, HILL, MARGIN = (204, 212, 166), (150, 176, 120), (208, 186, 138), (232, 226, 206)
RIVER, FORD, ROAD, GRID = (108, 152, 184), (176, 204, 214), (150, 116, 78), (150, 156, 128)
TREE, CONTOUR, ROOF, BOX = (92, 126, 78), (176, 146, 96), (168, 84, 60), (246, 242, 228)

WOODS = ((1, 1), (2, 1), (6, 5), (7, 5), (7, 6), (3, 6))
HILLS = ((6, 1), (7, 2), (7, 1), (2, 4))
RIVER_COURSE = ((4, 0), (4, 1), (5, 2), (4, 2), (4, 3), (5, 4), (5, 5), (4, 5), (4, 6), (5, 7))
ROAD_COURSE = ((0, 4), (1, 4), (2, 3), (3, 4), (4, 3), (5, 4), (6, 3), (7, 4), (8, 3), (9, 4))
FORDS = ((4, 3), (5, 4))
VILLAGE = (2, 3)
FINER = 3
"""How much larger the board is painted before it is made smaller, for smooth edges."""

GLYPHS = {
    "spears": "M18 40 V15 M28 42 V11 M38 40 V15 M15 20 L18 12 21 20 M25 17 L28 8 31 17 M35 20 L38 12 41 20",
    "bows": "M20 9 Q40 25 20 41 M20 9 V41 M14 25 H42 M36 20 L42 25 L36 30",
    "riders": "M18 40 Q10 12 28 11 Q46 12 38 40 M18 40 H23 M38 40 H33 M19 24 H22 M37 24 H34",
    "captain": "M28 9 L32.5 20 L44 20.7 L35 28 L38 39.5 L28 33 L18 39.5 L21 28 L12 20.7 L23.5 20 Z",
    "axes": "M16 41 L36 13 M40 41 L20 13 M31 11 Q42 11 42 22 L36 18 Z M25 11 Q14 11 14 22 L20 18 Z",
    "slings": "M28 42 V30 L17 12 M28 30 L39 12 M17 12 Q28 28 39 12 M25 12 a3 3 0 1 0 6 0 a3 3 0 1 0 -6 0",
    "wolves": "M14 12 L22 18 H34 L42 12 L40 28 L28 41 L16 28 Z M22 25 L25 27 M34 25 L31 27 M26 35 H30",
    "chief": "M13 38 V16 L21 25 L28 11 L35 25 L43 16 V38 Z M13 33 H43",
    "turn": "M17 10 H39 M17 46 H39 M19 10 Q19 22 28 28 Q37 34 37 46 M37 10 Q37 22 28 28 Q19 34 19 46",
    "flag": "M18 46 V10 L40 17 L18 25",
    "hidden": "M19 21 a9 9 0 1 1 13 8 q-4 2.5 -4 8 M28 43 v1.5",
}
CARD_GLYPHS = {
    "rain": "M20 44 q-2 -16 14 -16 q6 -14 20 -4 q12 2 8 20 Z M26 54 l-4 12 M38 54 l-4 12 M50 54 l-4 12",
    "fog": "M16 36 q10 -10 20 0 t24 0 M16 52 q10 -10 20 0 t24 0 M16 68 q10 -10 20 0 t24 0",
    "wind": "M16 44 H52 a8 8 0 1 0 -8 -8 M16 54 H60 M16 64 H46 a8 8 0 1 1 -8 8",
    "lost": "M38 26 V78 M24 36 H52 L60 43 L52 50 H24 Z M52 58 H26 L18 65 L26 72 H52 Z",
    "oath": "M24 34 L38 26 L52 34 V56 Q52 70 38 80 Q24 70 24 56 Z M38 38 V66 M29 48 H47",
    "back": "M38 22 L60 52 L38 82 L16 52 Z M38 36 L50 52 L38 68 L26 52 Z",
}


def images() -> dict[str, bytes]:
    """Every picture of the module by its name in the archive, without the folder."""
    found = {
        "field.png": field(),
        "camps.svg": camps(),
        "hidden.svg": _counter("hidden", "#5d5a66", "#e8e4f0"),
    }
    found["turn.svg"] = _counter("turn", "#d8c27a", "#4a3d1c")
    for side in SIDES:
        found[f"{side.lower()}-flag.svg"] = _counter("flag", *COLOURS[side])
    for name in CARD_GLYPHS:
        found[f"card-{name}.svg"] = _card(name)
    return found


def unit_images(kind: str, side: str, strengths: Sequence[int]) -> list[tuple[str, bytes]]:
    """The faces of a unit, one for each of its steps, the full one first, as names and contents.

    The dots are its strength; a face that is not the first has a bar across a corner.
    """
    return [
        (f"{kind}-{step}.svg", _counter(kind, *COLOURS[side], dots=strength, reduced=step > 1))
        for step, strength in enumerate(strengths, 1)
    ]


def _svg(width: int, height: int, shapes: Iterable[str]) -> bytes:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    return "\n".join([f'{head} viewBox="0 0 {width} {height}">', *shapes, "</svg>\n"]).encode()


def _line(path: str, colour: str, width: float = 2.6) -> str:
    style = 'stroke-linejoin="round" stroke-linecap="round"'
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" {style}/>'


def _box(x: float, y: float, width: float, height: float, radius: int, fill: str, stroke: str) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}" stroke-width="2"/>'


def _counter(glyph: str, ground: str, ink: str, dots: int = 0, *, reduced: bool = False) -> bytes:
    shapes = [_box(1, 1, COUNTER - 2, COUNTER - 2, 7, ground, "#2b2a26")]
    if reduced:
        shapes.append(f'<path d="M2 20 V8 Q2 2 8 2 H20 Z" fill="{ink}" fill-opacity="0.55"/>')
    shapes.append(_line(GLYPHS[glyph], ink))
    start = COUNTER / 2 - 4.5 * (dots - 1)
    shapes += [f'<circle cx="{start + 9 * dot:g}" cy="49" r="3" fill="{ink}"/>' for dot in range(dots)]
    return _svg(COUNTER, COUNTER, shapes)


def _card(name: str) -> bytes:
    ground, ink = ("#4b5d52", "#d8e0c8") if name == "back" else ("#f4efdf", "#4a4a3c")
    width, height = CARD
    frame = _box(1, 1, width - 2, height - 2, 8, ground, "#2b2a26")
    inner = _box(6, 6, width - 12, height - 12, 5, "none", ink)
    return _svg(width, height, [frame, inner, _line(CARD_GLYPHS[name], ink, 3)])


def camps() -> bytes:
    """The board of the camps: boxes in the colours of the sides, a bar through those of the lost."""
    width, height = BOX_SIZE
    shapes = [f'<rect width="{CAMPS_SIZE[0]}" height="{CAMPS_SIZE[1]}" fill="#e8e2ce"/>']
    for name, (x, y) in {**BOXES, "Events": DECK}.items():
        side = name.split()[0]
        colour = COLOURS[side][0] if side in COLOURS else "#6b6752"
        left, top = x - width / 2, y - height / 2
        shapes.append(_box(left, top, width, height, 10, "#f6f2e4", colour))
        badge = f"M{left + 14:g} {top + 14:g} h22"
        shapes.append(_line(badge, colour, 8))
        if name.endswith(("Lost", "Played")):
            shapes.append(_line(f"M{left + 10:g} {top + 24:g} L{left + 40:g} {top + 4:g}", "#2b2a26", 2))
    return _svg(*CAMPS_SIZE, shapes)


def field() -> bytes:
    """The board of the field: hexes with a river, a road that fords it, woods, hills, a village."""
    picture = Image.new("RGB", (FIELD_SIZE[0] * FINER, FIELD_SIZE[1] * FINER), MARGIN)
    draw = ImageDraw.Draw(picture)
    cells = [(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
    for cell in cells:
        ground = WOOD if cell in WOODS else HILL if cell in HILLS else GRASS
        draw.polygon(_large(corners(*cell)), fill=ground)
    for cell in HILLS:
        _hill(draw, cell)
    _stroke(draw, RIVER_COURSE, 22, RIVER)
    _stroke(draw, ROAD_COURSE, 7, ROAD)
    for cell in FORDS:
        _ford(draw, cell)
    for cell in WOODS:
        _wood(draw, cell)
    _village(draw)
    for cell in cells:
        around = corners(*cell)
        draw.line(_large([*around, around[0]]), fill=GRID, width=FINER)
    _cover_margin(picture, cells)
    _track(ImageDraw.Draw(picture))
    file = io.BytesIO()
    picture.reduce(FINER).save(file, "PNG", optimize=True)
    return file.getvalue()


def _large(points: Iterable[Pixel]) -> list[tuple[int, int]]:
    """Points as they are painted, on whole pixels so that every computer paints the same."""
    return [(round(x * FINER), round(y * FINER)) for x, y in points]


def _dot(draw: ImageDraw.ImageDraw, centre: Pixel, radius: float, fill: Colour) -> None:
    x, y = centre
    box = _large([(x - radius, y - radius), (x + radius, y + radius)])
    draw.ellipse([*box[0], *box[1]], fill=fill)


def _stroke(
    draw: ImageDraw.ImageDraw, course: Sequence[tuple[int, int]], width: float, colour: Colour
) -> None:
    """A smooth line through the middles of hexes: dots along a spline."""
    points = [middle(*cell) for cell in course]
    for i, (start, end) in enumerate(pairwise(points)):
        before, after = points[max(i - 1, 0)], points[min(i + 2, len(points) - 1)]
        for step in range(60):
            _dot(draw, _spline(before, start, end, after, step / 60), width / 2, colour)


def _spline(a: Pixel, b: Pixel, c: Pixel, d: Pixel, t: float) -> Pixel:
    """A point between ``b`` and ``c`` of the Catmull-Rom spline through four points."""
    x, y = (
        (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t**2 + (3 * q - p - 3 * r + s) * t**3) / 2
        for p, q, r, s in zip(a, b, c, d, strict=True)
    )
    return x, y


def _hill(draw: ImageDraw.ImageDraw, cell: tuple[int, int]) -> None:
    x, y = middle(*cell)
    for width, height in ((34, 24), (22, 14)):
        box = _large([(x - width, y - height), (x + width, y + height)])
        draw.ellipse([*box[0], *box[1]], outline=CONTOUR, width=2 * FINER)


def _wood(draw: ImageDraw.ImageDraw, cell: tuple[int, int]) -> None:
    x, y = middle(*cell)
    for tree in range(9):
        angle, distance = tree * 2.4, 10 * math.sqrt(tree)
        _dot(draw, (x + distance * math.cos(angle), y + distance * math.sin(angle)), 7, TREE)


def _ford(draw: ImageDraw.ImageDraw, cell: tuple[int, int]) -> None:
    x, y = middle(*cell)
    for dx in (-9, 0, 9):
        for dy in (-8, 0, 8):
            _dot(draw, (x + dx + dy / 2, y + dy), 3.2, FORD)


def _village(draw: ImageDraw.ImageDraw) -> None:
    x, y = middle(*VILLAGE)
    for dx, dy in ((-24, -14), (8, -22), (18, 8), (-16, 14)):
        box = _large([(x + dx, y + dy), (x + dx + 13, y + dy + 10)])
        draw.rectangle([*box[0], *box[1]], fill=ROOF, outline=(80, 50, 40), width=FINER)


def _cover_margin(picture: Image.Image, cells: Iterable[tuple[int, int]]) -> None:
    """Take away what runs beyond the hexes."""
    inside = Image.new("1", picture.size)
    draw = ImageDraw.Draw(inside)
    for cell in cells:
        draw.polygon(_large(corners(*cell)), fill=1, outline=1, width=FINER)
    picture.paste(Image.composite(picture, Image.new("RGB", picture.size, MARGIN), inside))


def _track(draw: ImageDraw.ImageDraw) -> None:
    """The turn track: a box for each turn, with as many dots as its number."""
    for turn, (x, y) in enumerate(TRACK.values(), 1):
        box = _large([(x - 43, y - 36), (x + 43, TRACK_HEIGHT - 10)])
        draw.rounded_rectangle([*box[0], *box[1]], 8 * FINER, fill=BOX, outline=GRID, width=2 * FINER)
        for dot in range(turn):
            _dot(draw, (x - 36 + 8 * dot, y - 29), 2.6, (90, 84, 62))
