"""The faces of counters and markers, drawn from a game's data and its looks.

All counters of a game share one size. Proportions are those measured to read at 37 pixels: factors a third of
the side, names an eighth, no line thinner than a fortieth; the edge is two nested shapes, as strokes there
blur in VASSAL.
"""

from __future__ import annotations

import re

from attrs import evolve

from vassalgen.drawing.colours import legible_on, shade
from vassalgen.drawing.figures import FIGURES
from vassalgen.drawing.lettering import capital_height, lettered, width
from vassalgen.drawing.paths import Path, ellipse, rectangle
from vassalgen.drawing.picture import Filled, Picture, Thing
from vassalgen.drawing.symbols import symbol
from vassalgen.game.art import FaceLayout, Style
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game

EDGE = 1 / 48
CORNER = 1 / 12
BOX = "#b3261e"
FIELD = re.compile(r"\{(\w[\w-]*)\}")


def face(game: Game, counter: Counter, steps_left: int | None = None) -> Picture:
    """The face of a counter with so many steps left, by default the full-strength face."""
    side = float(game.art.board.counter)
    nation = game.art.nations.get(counter.nation)
    owner = game.art.sides.get(counter.side, Style(fill="#dddddd", ink="#000000"))
    look = nation or game.art.markers.get(counter.id) or owner
    layout = game.art.faces.get(counter.kind, FaceLayout(bottom="{label}"))
    piece, lost = _on_piece(counter, steps_left)
    if piece:
        look = evolve(look, fill=shade(look.fill or "#ffffff", 0.86))
    reduced = lost > 0
    things = [*_ground(game, counter, layout, look, side, reduced=reduced)]
    ink = look.ink or "#000000"
    if layout.symbol and counter.symbol:
        things += _symbol(game, counter, look, side)
    things += _writing(game, counter, layout, ink, side, steps_left)
    return Picture(side, side, tuple(things))


def _on_piece(counter: Counter, steps_left: int | None) -> tuple[int, int]:
    """Which piece of cardboard is shown, counted from 0, and how many of its steps are lost."""
    lost = 0 if steps_left is None else counter.steps - steps_left
    return divmod(lost, max(1, counter.steps // counter.pieces))


def _formation(game: Game, counter: Counter) -> Style | None:
    """The style of the smallest formation of a counter that has a style."""
    formation, seen = game.formations.get(counter.formation), set[str]()
    while formation and formation.id not in seen:
        if style := game.art.formations.get(formation.id):
            return style
        seen.add(formation.id)
        formation = game.formations.get(formation.part_of)
    return None


def _side_shown(game: Game, counter: Counter) -> Style | None:
    """The style of a counter's side, if its nation has units on both sides and therefore does not show the
    side.
    """
    nation = game.nations.get(counter.nation)
    return game.art.sides.get(counter.side) if nation and not nation.side else None


def _ground(
    game: Game, counter: Counter, layout: FaceLayout, look: Style, side: float, *, reduced: bool
) -> list[Thing]:
    """The counter itself: edge, background, formation bar, and the band of reduced faces."""
    edge, corner = side * EDGE, side * CORNER
    paper = look.fill or "#ffffff"
    rim = shade(paper, 0.45)
    if owner := _side_shown(game, counter):
        edge, rim = edge * 3, owner.fill
    things: list[Thing] = [
        Filled(rectangle(0, 0, side, side, corner), rim),
        Filled(rectangle(edge, edge, side - 2 * edge, side - 2 * edge, corner - edge), paper),
    ]
    formation = _formation(game, counter)
    if formation and formation.fill:
        high = side * (0.15 if formation.text or layout.top else 0.075)
        things += _bar(formation, side, edge, corner - edge, high)
    if reduced:
        y, high = side * 0.60, side * 0.34
        things.append(Filled(rectangle(edge, y, side - 2 * edge, high), shade(paper, 0.78)))
    return things


def _bar(formation: Style, side: float, edge: float, corner: float, high: float) -> list[Thing]:
    """The formation's colour along the upper edge, with its short name if it has one."""
    things: list[Thing] = [Filled(_top_bar(edge, side - edge, edge, high, corner), formation.fill)]
    if formation.text:
        written = lettered(formation.text, side / 2, edge + high * 0.84, high * 0.9, room=side * 0.84)
        things.append(Filled(written, formation.ink or legible_on(formation.fill)))
    return things


def _top_bar(left: float, right: float, top: float, height: float, radius: float) -> Path:
    """A bar along the upper edge with rounded upper corners."""
    whole = rectangle(left, top, right - left, height * 2, radius)
    upper = [(letter, tuple((x, min(y, top + height)) for x, y in points)) for letter, points in whole.pieces]
    return Path(tuple(upper))


def _symbol(game: Game, counter: Counter, look: Style, side: float) -> list[Thing]:
    glyphs = game.art.symbols.get(counter.symbol, ())
    ink = look.line or look.ink or "#000000"
    wide, centre = side * 0.46, side * 0.41
    pen = side / 38
    formation = _formation(game, counter)
    named = formation is not None and formation.text
    centre += side * 0.05 if named else 0
    drawn = FIGURES.keys() & set(glyphs)
    centre += side * 0.02 if drawn else 0
    paper = look.fill or "#ffffff"
    accent = game.art.sides.get(counter.side, Style()).line
    inside = paper if drawn else shade(paper, 1.16)
    things = [*symbol(glyphs, side / 2, centre, wide, ink, inside, pen, accent)]
    size = game.art.sizes.get(counter.size, "")
    if size:
        high = side * (0.1 if named else 0.125)
        sign = lettered(size, side / 2, centre - wide / 3 - side * 0.03, high, room=side * 0.5)
        things.append(Filled(sign, ink))
    return things


def _writing(
    game: Game, counter: Counter, layout: FaceLayout, ink: str, side: float, steps_left: int | None
) -> list[Thing]:
    things: list[Thing] = []
    room = side * 0.86
    if top := fill(layout.top, counter, steps_left):
        formation = _formation(game, counter)
        on_bar = formation.ink or legible_on(formation.fill) if formation and formation.fill else ink
        things.append(Filled(lettered(top, side / 2, side * 0.132, side * 0.13, room=room), on_bar))
    for text, x in ((layout.left, side * 0.145), (layout.right, side * 0.855)):
        if written := fill(text, counter, steps_left):
            things.append(Filled(_upright(written, x, side), ink))
    if bottom := fill(layout.bottom, counter, steps_left):
        size = side * (0.345 if re.search(r"\d", bottom) or len(bottom) < 5 else 0.22)
        base = side * 0.915
        if layout.boxed and counter.extra.get(layout.boxed):
            things += _boxed(bottom, side, base, size, room, ink)
        else:
            things.append(Filled(lettered(bottom, side / 2, base, size, room=room), ink))
        if layout.underline and counter.extra.get(layout.underline):
            things.append(Filled(_underline(bottom, side, base, size, room), ink))
    return things


def _upright(text: str, x: float, side: float) -> Path:
    """A short name beside the symbol, turned sideways if it is too long."""
    size = side * 0.155
    if width(text, size) <= side * 0.2:
        return lettered(text, x, side * 0.41 + capital_height(size) / 2, size)
    size = side * 0.135
    written = lettered(text, 0, capital_height(size) / 2, size, room=side * 0.46)
    return written.turned(-90 if x < side / 2 else 90).moved(x, side * 0.41)


def _boxed(text: str, side: float, base: float, size: float, room: float, ink: str) -> list[Thing]:
    """A line of numbers; the first is white on a red square."""
    number = re.match(r"[^-–/ ]*", text)
    first = number[0] if number else text
    rest = text[len(first) :]
    whole = width(text, size)
    squeeze = min(1.0, room / whole)
    left, wide = side / 2 - whole * squeeze / 2, width(first, size) * squeeze
    high = capital_height(size)
    square = rectangle(left - side * 0.02, base - high - side * 0.03, wide + side * 0.035, high + side * 0.06)
    return [
        Filled(square, BOX),
        Filled(lettered(first, left, base, size, align="left", room=wide), "#ffffff"),
        Filled(lettered(rest, left + wide, base, size, align="left", room=whole * squeeze - wide), ink),
    ]


def spent(side: float) -> Picture:
    """The shading over a counter that has no points left."""
    corner = side * CORNER
    return Picture(side, side, (Filled(rectangle(0, 0, side, side, corner), "#3a3a3a", 0.55),))


def back(style: Style, side: float) -> Picture:
    """A face-down counter: the colours of its side as a cockade."""
    edge, corner = side * EDGE, side * CORNER
    paper, ink = style.fill or "#777777", style.ink or "#ffffff"
    things: list[Thing] = [
        Filled(rectangle(0, 0, side, side, corner), shade(paper, 0.45)),
        Filled(rectangle(edge, edge, side - 2 * edge, side - 2 * edge, corner - edge), paper),
    ]
    for radius, colour in ((0.34, ink), (0.25, style.line or ink), (0.13, paper)):
        things.append(Filled(ellipse(side / 2, side / 2, side * radius), colour))
    return Picture(side, side, tuple(things))


def masked(side: float) -> Picture:
    """What the owner sees over a face-down counter: a frame around it, thinner above its name."""
    corner, wide, above = side * CORNER, side * 0.065, side * 0.03
    outer = rectangle(0, 0, side, side, corner)
    inner = rectangle(wide, above, side - 2 * wide, side - wide - above, corner * 0.5)
    return Picture(side, side, (Filled(Path((*outer.pieces, *inner.pieces)), "#1c1c1c", 0.8),))


def _underline(text: str, side: float, base: float, size: float, room: float) -> Path:
    """A bar under the last number of a line."""
    whole = width(text, size)
    squeeze = min(1.0, room / whole)
    number = re.search(r"[^-–/ ]*$", text)
    last = width(number[0] if number else text, size) * squeeze
    right = side / 2 + whole * squeeze / 2
    return rectangle(right - last + last * 0.08, base + side * 0.02, last * 0.84, side * 0.032)


def fill(text: str, counter: Counter, steps_left: int | None = None) -> str:
    """A layout's text with the counter's factors and columns in place of ``{name}``."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        printed = counter.printed(name, steps_left)
        if printed is not None:
            return str(printed)
        if name in ("id", "name", "label", "size"):
            return str(getattr(counter, name))
        found = counter.extra.get(name)
        return "" if found is None else str(found)

    return FIELD.sub(value, text)


def badge(style: Style, side: float, off: tuple[float, float] = (0, 0)) -> Picture:
    """The mark of a state, a round plate with a letter: in a counter's upper right corner, or ``off`` from it

    to the left and down.
    """
    radius = side * 0.17
    x, y = side - radius - side * 0.02 - off[0], radius + side * 0.02 + off[1]
    size = radius * 1.5
    plate = rectangle(x - radius, y - radius, 2 * radius, 2 * radius, radius)
    rim = rectangle(x - radius * 1.14, y - radius * 1.14, 2.28 * radius, 2.28 * radius, radius * 1.14)
    ink = style.ink or "#ffffff"
    letter = lettered(style.text[:2], x, y + capital_height(size) / 2, size, room=radius * 1.6)
    things = (Filled(rim, ink), Filled(plate, style.fill or "#555555"), Filled(letter, ink))
    return Picture(side, side, things)
