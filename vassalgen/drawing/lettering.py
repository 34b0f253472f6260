"""Text as outlines, so that it looks the same everywhere.

VASSAL replaces the fonts of text inside SVG by those of the machine; outlines need none. The font is Source
Sans, under the SIL Open Font License, from a package of its own.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Literal

from vassalgen.drawing.paths import Path, Piece

Weight = Literal["Regular", "Semibold", "Bold", "Black"]
Align = Literal["left", "centre", "right"]


class Face:
    """One weight of the font: its letters as paths, and their widths."""

    def __init__(self, weight: Weight) -> None:
        from fontTools.ttLib import TTFont  # noqa: PLC0415 - only for what is drawn anew

        resource = files("font_source_sans_pro") / "files" / f"SourceSansPro-{weight}.ttf"
        font = TTFont(BytesIO(resource.read_bytes()), lazy=True)  # which reads the letters that are asked for
        self._glyphs = font.getGlyphSet()
        self._names = font.getBestCmap()
        self._units = float(font["head"].unitsPerEm)
        self.capital = float(font["OS/2"].sCapHeight) / self._units
        """The height of capitals and digits at size 1."""
        self._letters: dict[str, tuple[Path, float]] = {}

    def letter(self, letter: str) -> tuple[Path, float]:
        """A letter at size 1, on the baseline at the origin, and the distance to the next letter."""
        if letter not in self._letters:
            from fontTools.pens.recordingPen import DecomposingRecordingPen  # noqa: PLC0415

            glyph = self._glyphs[self._names.get(ord(letter), self._names[ord("?")])]
            pen = DecomposingRecordingPen(self._glyphs)
            glyph.draw(pen)
            outline = Path(tuple(_pieces(pen.value)))
            scale = 1 / self._units
            self._letters[letter] = outline.mapped(scale, 0, 0, -scale, 0, 0), glyph.width * scale
        return self._letters[letter]


def _pieces(recorded: list[tuple[str, tuple[tuple[float, float], ...]]]) -> list[Piece]:
    found: list[Piece] = []
    for verb, points in recorded:
        match verb:
            case "moveTo":
                found.append(("M", points))
            case "lineTo":
                found.append(("L", points))
            case "curveTo":
                found.append(("C", points))
            case "qCurveTo":
                found += _quadratic(points)
            case "closePath" | "endPath":
                found.append(("Z", ()))
    return found


def _quadratic(points: tuple[tuple[float, float], ...]) -> list[Piece]:
    """TrueType's curves, in which on-curve points midway between two handles are omitted."""
    *handles, end = points
    found: list[Piece] = []
    for place, (x, y) in enumerate(handles):
        last = place == len(handles) - 1
        ahead = end if last else handles[place + 1]
        stop = end if last else ((x + ahead[0]) / 2, (y + ahead[1]) / 2)
        found.append(("Q", ((x, y), stop)))
    return found


@cache
def face(weight: Weight = "Bold") -> Face:
    """The face of a weight."""
    return Face(weight)


def width(text: str, size: float, weight: Weight = "Bold") -> float:
    """The width of a text."""
    return _advance(text, weight) * size


@lru_cache(maxsize=4096)
def _advance(text: str, weight: Weight) -> float:
    return sum(face(weight).letter(letter)[1] for letter in text)


def lettered(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    weight: Weight = "Bold",
    align: Align = "centre",
    room: float | None = None,
) -> Path:
    """A line of text with its baseline at y, set narrower if it would be wider than ``room``."""
    whole = width(text, size, weight)
    squeeze = min(1.0, room / whole) if room and whole else 1.0
    start = {"left": 0.0, "centre": -whole * squeeze / 2, "right": -whole * squeeze}[align]
    found: list[Piece] = []
    at = x + start
    for letter in text:
        outline, advance = face(weight).letter(letter)
        found += outline.mapped(size * squeeze, 0, 0, size, at, y).pieces
        at += advance * size * squeeze
    return Path(tuple(found))


def capital_height(size: float, weight: Weight = "Bold") -> float:
    """The height of digits and capitals above the baseline."""
    return face(weight).capital * size
