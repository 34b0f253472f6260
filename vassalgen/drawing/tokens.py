"""Pictures that every module has: the status plate, the turn marker, the title."""

from __future__ import annotations

from attrs import evolve

from vassalgen.drawing.colours import shade
from vassalgen.drawing.counters import face
from vassalgen.drawing.lettering import lettered
from vassalgen.drawing.paths import ellipse, polygon, rectangle
from vassalgen.drawing.picture import Filled, Picture, Thing
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game

PLATE = 80.0
"""The height of the status plate in pixels."""
DIE = 64.0
"""The side of a die's face in pixels."""
MARKER = (32.0, 64.0)
"""The size of the turn marker in pixels."""
SIGN = 18.0
"""The side of the "moved" sign in pixels."""


def status_plate(background: str, wide: float) -> Picture:
    """The background of a module's status text."""
    high = PLATE
    things = (
        Filled(rectangle(0, 0, wide, high, 8), shade(background, 0.5)),
        Filled(rectangle(2, 2, wide - 4, high - 4, 6), shade(background, 1.25)),
    )
    return Picture(wide, high, things)


_PIPS = {"nw": (-1, -1), "ne": (1, -1), "w": (-1, 0), "mid": (0, 0), "e": (1, 0), "sw": (-1, 1), "se": (1, 1)}
_FACES = ("mid", "nw se", "nw mid se", "nw ne sw se", "nw ne mid sw se", "nw ne w e sw se")


def die_face(shown: int) -> Picture:
    """A face of a die with six sides."""
    half = DIE / 2
    things = [
        Filled(rectangle(0, 0, DIE, DIE, DIE * 0.2), "#5a5242"),
        Filled(rectangle(2, 2, DIE - 4, DIE - 4, DIE * 0.18), "#fffdf6"),
    ]
    for name in _FACES[shown - 1].split():
        x, y = _PIPS[name]
        things.append(Filled(ellipse(half + x * DIE * 0.25, half + y * DIE * 0.25, DIE * 0.095), "#2b2618"))
    return Picture(DIE, DIE, tuple(things))


def turn_marker() -> Picture:
    """The arrow on the turn track."""
    wide, high = MARKER
    arrow = [(0.5, 0.08), (0.9, 0.42), (0.66, 0.42), (0.66, 0.92), (0.34, 0.92), (0.34, 0.42), (0.1, 0.42)]
    things = (
        Filled(rectangle(0, 0, wide, high, 5), "#5b1f14"),
        Filled(rectangle(1.5, 1.5, wide - 3, high - 3, 4), "#b5402a"),
        Filled(polygon([(x * wide, y * high) for x, y in arrow]), "#ffffff"),
    )
    return Picture(wide, high, things)


def moved_sign() -> Picture:
    """A small arrow."""
    side = SIGN
    arrow = [(0.22, 0.38), (0.5, 0.38), (0.5, 0.18), (0.84, 0.5), (0.5, 0.82), (0.5, 0.62), (0.22, 0.62)]
    things = (
        Filled(rectangle(0, 0, side, side, side / 2), "#2e7d4f"),
        Filled(polygon([(x * side, y * side) for x, y in arrow]), "#ffffff"),
    )
    return Picture(side, side, things)


def title_page(game: Game) -> Picture:
    """The picture shown when the module opens: the title over a row of counters."""
    wide, high = 640.0, 320.0
    sides = list(game.art.sides.values())
    ground = game.art.board.background
    things: list[Thing] = [Filled(rectangle(0, 0, wide, high), ground)]
    for place, style in enumerate(sides):
        band = wide / len(sides)
        things.append(Filled(rectangle(place * band, 0, band, 18), style.fill or "#555555"))
        things.append(Filled(rectangle(place * band, high - 18, band, 18), style.fill or "#555555"))
    dark = shade(ground, 0.25)
    things.append(Filled(lettered(game.title, wide / 2, 96, 54, weight="Black", room=wide - 60), dark))
    below = ", ".join(part for part in (game.designer, game.edition) if part)
    things.append(Filled(lettered(below, wide / 2, 130, 20, weight="Regular", room=wide - 80), dark))
    shown = _representatives(game, 6)
    side = float(game.art.board.counter)
    left = wide / 2 - (len(shown) * (side + 4) - 4) / 2
    for place, counter in enumerate(shown):
        things += moved(face(game, counter), left + place * (side + 4), 176).things
    return Picture(wide, high, tuple(things))


def _representatives(game: Game, count: int) -> list[Counter]:
    """A few counters, alternating between the sides."""
    by_side = [[one for one in game.counters.values() if one.side == side] for side in game.sides]
    found: list[Counter] = []
    for place in range(count):
        of_side = by_side[place % len(by_side)] if by_side else []
        found += of_side[place * 2 : place * 2 + 1]
    return found


def moved(picture: Picture, x: float, y: float) -> Picture:
    """A picture moved to another position on a larger one."""
    things = tuple(evolve(thing, path=thing.path.moved(x, y)) for thing in picture.things)
    return evolve(picture, things=things)
