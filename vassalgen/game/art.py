"""The look of a game: colours, patterns, symbols, and the text on counters. Data only, no drawing."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

# The drawings that a pattern may name, for areas, lines and places; and the glyphs that symbols are made of.
AREAS = ("plain", "hills", "mountains", "marsh", "desert", "salt", "woods", "fields", "town", "sea", "rough")
LINES = (
    "solid",
    "dashed",
    "dotted",
    "double",
    "river",
    "stream",
    "ridge",
    "hachures",
    "fort",
    "bridge",
    "ford",
)
SIGNS = ("dot", "ring", "square", "star", "anchor", "triangle", "cross", "wheel", "bridge")
GLYPHS = (
    *("infantry", "armour", "cavalry", "artillery", "antitank", "engineer", "headquarters", "leader"),
    *("wheels", "half-tracks", "wings", "mountain", "anchor", "guard", "light", "heavy", "horse", "commando"),
    *("aircraft", "train", "treasure", "rockets", "mixed", "supply"),
    *("soldier", "skirmisher", "guardsman", "horseman", "dragoon", "bicorne", "cannon", "horseshoe", "axes"),
    *("wagon", "chest", "balls"),
)


@frozen
class Style:
    """The look of a terrain, hexside feature, road, nation, side, state, place or zone.

    Colours are ``#rrggbb``. ``fill`` colours an area, ``ink`` writing and drawings on it, ``line`` a border
    or stroke of ``width`` hundredths of a hex. ``pattern`` is one of AREAS for terrain, of LINES for hexsides
    and roads, of SIGNS for places.
    """

    fill: str = ""
    ink: str = ""
    line: str = ""
    width: float = 0.0
    pattern: str = ""
    text: str = ""


@frozen
class FaceLayout:
    """The texts on the counters of a kind; ``{name}`` is a factor or column of the counter.

    ``underline`` and ``boxed`` name columns: if they are true, the last number of the bottom line is
    underlined, and the first is white on a red square.
    """

    top: str = ""
    left: str = ""
    right: str = ""
    bottom: str = ""
    underline: str = ""
    boxed: str = ""
    symbol: bool = True


@frozen
class Board:
    """Sizes in pixels: ``across`` is a hex from flat to flat, ``counter`` the side of a counter."""

    across: int = 144
    counter: int = 96
    margin: int = 72
    title: str = ""
    background: str = "#ffffff"
    grid: Style = Style(line="#000000", width=1.0)


@frozen
class Art:
    """All looks of a game, each by the id of what it shows.

    ``symbols`` and ``sizes`` say how a counter's symbol and size are drawn: GLYPHS, one on another; text.
    """

    board: Board = Board()
    terrain: Mapping[str, Style] = field(factory=dict, hash=False)
    hexsides: Mapping[str, Style] = field(factory=dict, hash=False)
    roads: Mapping[str, Style] = field(factory=dict, hash=False)
    sides: Mapping[str, Style] = field(factory=dict, hash=False)
    nations: Mapping[str, Style] = field(factory=dict, hash=False)
    formations: Mapping[str, Style] = field(factory=dict, hash=False)
    states: Mapping[str, Style] = field(factory=dict, hash=False)
    places: Mapping[str, Style] = field(factory=dict, hash=False)
    zones: Mapping[str, Style] = field(factory=dict, hash=False)
    markers: Mapping[str, Style] = field(factory=dict, hash=False)
    faces: Mapping[str, FaceLayout] = field(factory=dict, hash=False)
    symbols: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    sizes: Mapping[str, str] = field(factory=dict, hash=False)
