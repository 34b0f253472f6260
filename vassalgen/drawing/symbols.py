"""The glyphs inside a unit's box, as named in a game's ``art.toml`` under ``symbols``.

Every glyph is drawn in a box 3 units wide and 2 high around the origin; the box itself is drawn by
:func:`symbol`. The forms follow the map symbols that wargames have used since the middle of the 20th century.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vassalgen.drawing.figures import FIGURES
from vassalgen.drawing.paths import Path, Piece, ellipse, line, polygon
from vassalgen.drawing.picture import Filled, Inked, Thing

WIDTH, HEIGHT = 3.0, 2.0
_X, _Y = WIDTH / 2, HEIGHT / 2


def _cross() -> list[Path]:
    return [line([(-_X, -_Y), (_X, _Y)]), line([(-_X, _Y), (_X, -_Y)])]


def _diagonal() -> list[Path]:
    return [line([(-_X, _Y), (_X, -_Y)])]


def _oval() -> list[Path]:
    pieces: list[Piece] = [
        ("M", ((-0.5, -0.42),)),
        ("L", ((0.5, -0.42),)),
        ("C", ((1.06, -0.42), (1.06, 0.42), (0.5, 0.42))),
        ("L", ((-0.5, 0.42),)),
        ("C", ((-1.06, 0.42), (-1.06, -0.42), (-0.5, -0.42))),
        ("Z", ()),
    ]
    return [Path(tuple(pieces))]


def _wheels() -> list[Path]:
    return [ellipse(-0.75, _Y - 0.17, 0.13), ellipse(0, _Y - 0.17, 0.13), ellipse(0.75, _Y - 0.17, 0.13)]


def _wings() -> list[Path]:
    pieces: list[Piece] = [
        ("M", ((-0.62, 0.52),)),
        ("C", ((-0.62, 0.2), (-0.08, 0.2), (0, 0.62))),
        ("C", ((0.08, 0.2), (0.62, 0.2), (0.62, 0.52))),
    ]
    return [Path(tuple(pieces))]


def _tracks() -> list[Path]:
    return [line([(-_X, 0), (_X, 0)])]


def _half_tracks() -> list[Path]:
    return [line([(-0.3, _Y - 0.2), (0.3, _Y - 0.2)])]


def _anchor() -> list[Path]:
    return [
        line([(0, -0.6), (0, 0.6)]),
        line([(-0.3, -0.3), (0.3, -0.3)]),
        Path((("M", ((-0.5, 0.2),)), ("C", ((-0.4, 0.6), (0.4, 0.6), (0.5, 0.2))))),
        ellipse(0, -0.72, 0.12),
    ]


def _mountain() -> list[Path]:
    return [polygon([(-0.35, _Y), (0, 0.4), (0.35, _Y)])]


def _engineer() -> list[Path]:
    return [line([(-0.7, 0.35), (-0.7, -0.35), (0.7, -0.35), (0.7, 0.35)]), line([(0, -0.35), (0, 0.35)])]


def _antitank() -> list[Path]:
    return [line([(-_X, _Y), (0, -_Y), (_X, _Y)])]


def _headquarters() -> list[Path]:
    return [line([(-_X, -0.25), (_X, -0.25)])]


def _leader() -> list[Path]:
    points = []
    for corner in range(10):
        radius = 0.8 if corner % 2 == 0 else 0.32
        points.append((radius * _SIN[corner], -radius * _COS[corner]))
    return [polygon(points)]


_SIN = (0.0, 0.5878, 0.9511, 0.9511, 0.5878, 0.0, -0.5878, -0.9511, -0.9511, -0.5878)
_COS = (1.0, 0.8090, 0.3090, -0.3090, -0.8090, -1.0, -0.8090, -0.3090, 0.3090, 0.8090)


def _aircraft() -> list[Path]:
    body = [(0, -1.15), (0.16, -0.7), (0.16, -0.35), (1.75, 0.2), (1.75, 0.55), (0.16, 0.3), (0.12, 0.85)]
    tail = [(0.6, 1.1), (0.6, 1.32), (0, 1.2)]
    right = [*body, *tail]
    left = [(-x, y) for x, y in reversed(right[1:-1])]
    return [polygon([*right, *left])]


def _train() -> list[Path]:
    return [polygon([(-0.9, -0.3), (0.9, -0.3), (0.9, 0.3), (-0.9, 0.3)]), *_wheels()[::2]]


def _supply() -> list[Path]:
    return [line([(-_X, _Y - 0.4), (_X, _Y - 0.4)])]


def _rockets() -> list[Path]:
    return [line([(0, 0.6), (0, -0.6)]), line([(-0.25, -0.3), (0, -0.6), (0.25, -0.3)])]


def _commando() -> list[Path]:
    return [line([(0, -0.7), (0, 0.7)]), line([(-0.25, 0.35), (0.25, 0.35)])]


def _guard() -> list[Path]:
    """A chief across the upper part."""
    return [line([(-_X, -_Y + 0.34), (_X, -_Y + 0.34)]), line([(-_X, -_Y + 0.5), (_X, -_Y + 0.5)])]


def _light() -> list[Path]:
    """One chevron."""
    return [line([(-0.3, -0.5), (0, -0.75), (0.3, -0.5)])]


def _heavy() -> list[Path]:
    """A bar at each end."""
    return [line([(-_X + 0.28, -_Y), (-_X + 0.28, _Y)]), line([(_X - 0.28, -_Y), (_X - 0.28, _Y)])]


def _horse() -> list[Path]:
    """A horseshoe."""
    pieces: list[Piece] = [
        ("M", ((-0.34, 0.55),)),
        ("C", ((-0.8, -0.85), (0.8, -0.85), (0.34, 0.55))),
    ]
    return [Path(tuple(pieces))]


def _treasure() -> list[Path]:
    """A chest."""
    lid: list[Piece] = [("M", ((-0.7, -0.1),)), ("C", ((-0.7, -0.7), (0.7, -0.7), (0.7, -0.1)))]
    body = polygon([(-0.7, -0.1), (0.7, -0.1), (0.7, 0.55), (-0.7, 0.55)])
    return [Path(tuple(lid)), body, line([(0, -0.1), (0, 0.15)])]


def _dot() -> list[Path]:
    return [ellipse(0, 0, 0.36)]


LINES: dict[str, Callable[[], Sequence[Path]]] = {
    "infantry": _cross,
    "cavalry": _diagonal,
    "armour": _oval,
    "wings": _wings,
    "mountain": _mountain,
    "engineer": _engineer,
    "antitank": _antitank,
    "headquarters": _headquarters,
    "half-tracks": _half_tracks,
    "anchor": _anchor,
    "train": _train,
    "supply": _supply,
    "rockets": _rockets,
    "commando": _commando,
    "mixed": _tracks,
    "guard": _guard,
    "light": _light,
    "heavy": _heavy,
    "horse": _horse,
    "treasure": _treasure,
}
"""Glyphs drawn with a pen."""

SOLID: dict[str, Callable[[], Sequence[Path]]] = {
    "artillery": _dot,
    "wheels": _wheels,
    "leader": _leader,
    "aircraft": _aircraft,
}
"""Glyphs filled with ink."""

BOXLESS = {"aircraft", "leader"}
"""Glyphs without a box."""


def symbol(
    glyphs: Sequence[str],
    x: float,
    y: float,
    width: float,
    ink: str,
    paper: str,
    pen: float,
    accent: str = "",
) -> tuple[Thing, ...]:
    """A unit's symbol of some width around a centre: its box, filled with ``paper``, and the glyphs in it.

    Figures have no box; ``accent`` is a third colour in them. Unknown glyphs are left out; checking a game's
    data reports them.
    """
    scale = width / WIDTH
    things: list[Thing] = []
    tones = {"ink": ink, "paper": paper, "line": accent or ink}
    for glyph in glyphs:
        for tone, path in FIGURES.get(glyph, tuple)():
            things.append(Filled(path.scaled(scale).moved(x, y), tones[tone]))
    if not (things or BOXLESS.intersection(glyphs)):
        left, top = x - width / 2, y - scale * _Y
        outer = polygon(
            [(left, top), (left + width, top), (left + width, top + 2 * scale), (left, top + 2 * scale)]
        )
        inner = polygon(
            [
                (left + pen, top + pen),
                (left + width - pen, top + pen),
                (left + width - pen, top + 2 * scale - pen),
                (left + pen, top + 2 * scale - pen),
            ]
        )
        things += [Filled(outer, ink), Filled(inner, paper)]
    inside = (width - pen) / width  # lines end in the middle of the box's own line
    for glyph in glyphs:
        for path in LINES.get(glyph, tuple)():
            things.append(Inked(path.scaled(scale * inside).moved(x, y), ink, pen))
        for path in SOLID.get(glyph, tuple)():
            things.append(Filled(path.scaled(scale * inside).moved(x, y), ink))
    return tuple(things)
