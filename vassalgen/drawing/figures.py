"""Figures for horse-and-musket games, whose players expect them instead of map symbols.

Each is a silhouette around the origin, at most 5.2 units wide and 3 high (the box of map symbols is 3 by 2),
facing right, in three tones: ``ink``, ``paper`` for what is cut out of it, ``line`` for a touch of the other
colour. Edges are straight if a curve could not be seen at the size of a counter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

from vassalgen.drawing.paths import Path, Point, ellipse, outline, polygon, rectangle

Tone = Literal["ink", "paper", "line"]
Figure: TypeAlias = "tuple[tuple[Tone, Path], ...]"


def _inked(*paths: Path) -> Figure:
    return tuple(("ink", path) for path in paths)


def _band(start: Point, end: Point, wide: float, narrow: float | None = None) -> Path:
    """A straight band between two points, which may be narrower at its end."""
    (ax, ay), (bx, by) = start, end
    length = math.dist(start, end)
    nx, ny = (ay - by) / length / 2, (bx - ax) / length / 2
    last = wide if narrow is None else narrow
    near = [(ax + nx * wide, ay + ny * wide), (ax - nx * wide, ay - ny * wide)]
    far = [(bx - nx * last, by - ny * last), (bx + nx * last, by + ny * last)]
    return polygon([*near, *far])


# on foot

_LEGS = outline(
    "M-0.36,0.2 0.3,0.2 0.62,0.74 0.7,1.22 1,1.3 1,1.42 0.42,1.42 0.34,0.86 0,0.52 -0.36,0.98 -0.84,1.42"
    " -1.1,1.3 -0.66,0.84 Z"
)
_COAT = outline(
    "M-0.3,-0.66 0.26,-0.66 0.38,-0.4 0.34,0.28 -0.28,0.34 -0.6,0.72 -0.72,0.62 -0.46,0.1 -0.42,-0.45 Z"
)
_KNAPSACK = outline("M-0.78,-0.6 -0.47,-0.64 -0.5,-0.06 -0.8,-0.04 Z")
_FACE = ellipse(0.03, -0.84, 0.2, 0.23)
_SHAKO = outline("M-0.2,-0.94 -0.28,-1.36 0.3,-1.36 0.26,-0.98 0.46,-0.9 0.44,-0.84 0.2,-0.9 Z")
_PLUME = ellipse(0.02, -1.44, 0.09, 0.14)
_BEARSKIN = outline("M-0.26,-0.86 C-0.5,-1.7 0.52,-1.7 0.34,-0.9 Z")
_CROSSBELT = outline("M-0.26,-0.62 -0.12,-0.66 0.32,0.1 0.33,0.26 Z")
_LEVELLED = (
    outline("M0.12,-0.62 0.4,-0.5 0.86,-0.12 0.72,0.06 0.1,-0.16 Z"),
    outline("M-0.56,0.36 -0.5,0.1 1.7,-0.5 1.73,-0.4 0.2,0.08 -0.36,0.36 Z"),
    outline("M1.7,-0.52 2.4,-0.7 1.73,-0.42 Z"),
)
_AIMED = (
    outline("M0.1,-0.6 0.86,-0.74 0.86,-0.54 0.2,-0.26 Z"),
    outline("M-0.05,-0.72 0.5,-0.86 2.3,-0.86 2.3,-0.77 0.6,-0.68 0,-0.54 Z"),
)


def _soldier(hat: Path, plume: Figure, weapon: tuple[Path, ...]) -> Figure:
    body = _inked(_LEGS, _COAT, _KNAPSACK, _FACE, hat)
    return (*body, *plume, ("paper", _CROSSBELT), *_inked(*weapon))


def _infantry() -> Figure:
    """A soldier in a shako, bayonet levelled."""
    return _soldier(_SHAKO, (("line", _PLUME),), _LEVELLED)


def _skirmisher() -> Figure:
    """A skirmisher taking aim."""
    return _soldier(_SHAKO, (("line", _PLUME),), _AIMED)


def _guardsman() -> Figure:
    """A soldier in a bearskin."""
    return _soldier(_BEARSKIN, (), _LEVELLED)


# on horse

_HORSE = outline(
    "M2.2,-0.42 2.24,-0.24 2.06,-0.14 1.78,-0.3 1.6,-0.16 1.42,0.2"  # head, throat, chest
    " 1.5,0.36 2.02,0.4 2.5,0.82 2.4,0.94 2.22,0.84 1.92,0.62 1.34,0.66"  # forelegs, stretched
    " 1.66,0.92 1.5,1.34 1.28,1.34 1.4,0.98 0.96,0.7 0.2,0.66 -0.5,0.54"
    " -0.86,0.74 -1.2,0.98 -1.5,1.4 -1.74,1.4 -1.52,0.92 -1.3,0.62"  # hind legs, thrown back
    " -1.7,0.76 -2.14,1.18 -2.34,1.06 -1.98,0.62 -1.6,0.3"
    " -1.8,0.12 -2.2,0.28 -2.52,0.62 -2.4,0.16 -1.98,-0.1 -1.5,-0.16"  # tail
    " -1.1,-0.24 0.5,-0.2 0.86,-0.36 1.2,-0.76 1.56,-0.96 1.58,-1.14 1.74,-0.96 Z"  # back, neck, ear
)
_RIDER = outline(
    "M-0.34,0 -0.4,-0.6 -0.28,-0.86 0.16,-0.9 0.34,-0.76 0.3,-0.1 0.46,0 0.62,0.34 0.5,0.78 0.82,0.84"
    " 0.82,0.94 0.26,0.92 0.3,0.42 -0.1,0.24 Z"
)
_RIDERS_EDGE = outline(
    "M-0.42,0.04 -0.48,-0.24 0.4,-0.24 0.54,-0.04 0.72,0.34 0.62,0.7 0.94,0.78 0.94,1 0.18,1 0.2,0.46"
    " -0.16,0.32 Z"
)
_RIDERS_FACE = ellipse(0.02, -1.02, 0.16, 0.18)
_RIDERS_SHAKO = outline("M-0.16,-1.08 -0.22,-1.42 0.26,-1.42 0.22,-1.12 0.36,-1.04 0.14,-1.06 Z")
_RIDERS_PLUME = outline("M-0.14,-1.42 -0.34,-1.62 -0.2,-1.66 0.06,-1.42 Z")
_HELMET = outline("M-0.2,-1.02 C-0.3,-1.5 0.26,-1.5 0.26,-1.08 0.38,-1.02 Z")
_CREST = outline("M0.3,-1.42 C0,-1.7 -0.5,-1.5 -0.62,-0.72 -0.42,-0.8 C-0.36,-1.3 -0.1,-1.44 0.3,-1.42 Z")
_ARM = outline("M0.04,-0.84 0.26,-0.84 0.78,-0.98 0.84,-0.82 0.3,-0.54 Z")
_SABRE = outline("M0.68,-0.94 C1.1,-1.08 1.4,-1.3 1.52,-1.66 C1.52,-1.3 1.2,-0.94 0.78,-0.82 Z")
_SWORD = _band((0.66, -0.86), (2.16, -1.36), 0.12, 0.06)


def _mounted(hat: Path, plume: Path, blade: Path) -> Figure:
    rider = _inked(_RIDER, _RIDERS_FACE, hat)
    return (("ink", _HORSE), ("paper", _RIDERS_EDGE), *rider, ("line", plume), *_inked(_ARM, blade))


def _horseman() -> Figure:
    """Light cavalry: shako and curved sabre."""
    return _mounted(_RIDERS_SHAKO, _RIDERS_PLUME, _SABRE)


def _dragoon() -> Figure:
    """Heavy cavalry: a crested helmet and a straight sword."""
    return _mounted(_HELMET, _CREST, _SWORD)


def _bicorne() -> Figure:
    """A general: hat across, collar, epaulettes."""
    hat = outline(
        "M-1.62,-0.34 C-1,-0.62 -0.8,-1.46 0,-1.46 C0.8,-1.46 1,-0.62 1.62,-0.34"
        " C1.1,-0.36 0.62,-0.56 0,-0.56 C-0.62,-0.56 -1.1,-0.36 -1.62,-0.34 Z"
    )
    bust = outline("M-1.5,1.4 C-1.5,0.72 -1.2,0.5 -0.44,0.42 0.44,0.42 C1.2,0.5 1.5,0.72 1.5,1.4 Z")
    epaulette = outline("M-0.38,0.62 0.38,0.62 0.44,0.96 -0.44,0.96 Z")
    return (
        ("ink", bust),
        ("paper", outline("M-0.52,0.36 0.52,0.36 0,1.16 Z")),
        ("ink", outline("M-0.34,0.1 0.34,0.1 0.4,0.44 0,0.96 -0.4,0.44 Z")),
        ("ink", ellipse(0, -0.16, 0.5, 0.56)),
        ("paper", rectangle(-0.7, -0.6, 1.4, 0.14)),
        ("ink", hat),
        ("line", ellipse(0.3, -0.98, 0.2)),
        *(("line", epaulette.moved(x, 0)) for x in (-1.14, 1.14)),
    )


# guns and wagons


def _wheel(x: float, y: float, radius: float) -> Figure:
    """A wheel with eight spokes."""
    spokes = [
        _band((-radius * 0.9, 0), (radius * 0.9, 0), radius * 0.13).turned(45 * place + 22.5).moved(x, y)
        for place in range(4)
    ]
    rim, inside, hub = (ellipse(x, y, radius * part) for part in (1, 0.78, 0.24))
    return (("ink", rim), ("paper", inside), *_inked(*spokes, hub))


def _cannon() -> Figure:
    """A gun on its carriage."""
    barrel = outline(
        "M-1.2,-0.2 -1.06,-0.44 -0.9,-0.4 1.9,-1 2,-1.12 2.16,-1.14 2.24,-0.74 2.1,-0.68 1.96,-0.72"
        " -0.8,0.08 -1,0.06 Z"
    )
    trail = outline("M0.5,-0.1 0.62,0.3 -2.1,1.4 -2.5,1.4 -2.46,1.2 -0.7,0.1 Z")
    return (*_inked(trail, barrel), *_wheel(0.3, 0.56, 0.84))


def _horseshoe() -> Figure:
    """The horseshoe at the upper left of mounted units."""
    shoe = "M-2.3,-0.3 C-2.8,-1.7 -1,-1.7 -1.5,-0.3 -1.74,-0.3 C-1.4,-1.3 -2.4,-1.3 -2.06,-0.3 Z"
    return _inked(outline(shoe))


def _axes() -> Figure:
    """Crossed axes: sappers."""
    head = outline(
        "M-0.24,-1.14 0.2,-1.14 C0.5,-1.14 0.7,-1.3 0.84,-1.42 C1,-1 1,-0.7 0.84,-0.3"
        " C0.7,-0.56 0.5,-0.7 0.2,-0.7 -0.24,-0.7 Z"
    )
    right = [_band((0, -1.3), (0, 1.4), 0.2).turned(38), head.turned(38)]
    return _inked(*right, *(one.scaled(-1, 1) for one in right))


def _wagon() -> Figure:
    """A covered wagon."""
    tilt = "M-1.76,0.14 C-2.1,-1 -1.7,-1.36 -0.9,-1.36 0.7,-1.36 C1.5,-1.36 1.9,-1 1.56,0.14 Z"
    return (
        ("ink", outline(tilt)),
        *(("paper", _band((x, -1.3), (x, 0.14), 0.1)) for x in (-0.94, -0.1, 0.74)),
        ("ink", rectangle(-1.8, 0.22, 3.44, 0.34)),
        ("ink", _band((1.6, 0.5), (2.6, 0.86), 0.14)),
        *_wheel(-1.1, 0.84, 0.58),
        *_wheel(1.0, 0.84, 0.58),
    )


def _chest() -> Figure:
    """A treasure chest."""
    lid = outline("M-1.5,-0.18 C-1.5,-1.66 1.5,-1.66 1.5,-0.18 Z")
    return (
        *_inked(lid, rectangle(-1.5, -0.04, 3, 1.36, 0.1)),
        *(("paper", rectangle(x - 0.07, -1.2, 0.14, 2.52)) for x in (-0.98, 0.98)),
        ("line", rectangle(-0.32, -0.34, 0.64, 0.74, 0.08)),
        ("ink", ellipse(0, -0.06, 0.1)),
    )


def _balls() -> Figure:
    """Shot piled beside a gun."""
    places = ((1.3, 1.2), (1.74, 1.2), (2.18, 1.2), (1.52, 0.82), (1.96, 0.82), (1.74, 0.44))
    return _inked(*(ellipse(x, y, 0.21) for x, y in places))


FIGURES: dict[str, Callable[[], Figure]] = {
    "soldier": _infantry,
    "skirmisher": _skirmisher,
    "guardsman": _guardsman,
    "horseman": _horseman,
    "dragoon": _dragoon,
    "bicorne": _bicorne,
    "cannon": _cannon,
    "horseshoe": _horseshoe,
    "axes": _axes,
    "wagon": _wagon,
    "chest": _chest,
    "balls": _balls,
}
"""By their names in ``art.toml``."""
