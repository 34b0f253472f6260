"""A picture of the board after a step, for a forum: counters in place, and the moves of the step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PIL import Image

from referee.report.artwork import Artwork, DrawnArtwork, smooth
from referee.report.pictures import known_steps
from vassalgen.drawing.counters import badge
from vassalgen.drawing.lettering import lettered
from vassalgen.drawing.paths import line, polygon, rectangle
from vassalgen.drawing.picture import Filled, Inked, Picture, Thing
from vassalgen.game.art import Style
from vassalgen.game.game import Game

FAN = (7, -9)
"""The distance between the counters of a stack, in pixels at 100%."""
CAPTION = 56
"""The height of the caption below the board, in pixels at 100%."""
_MADE, _HALO = "#17457c", "#ffffff"


def shot(
    values: Mapping[str, Any], game: Game, at: int, scale: float = 0.5, artwork: Artwork | None = None
) -> Image.Image:
    """Return the board after an entry of plain values, at a scale."""
    artwork = artwork or DrawnArtwork(game, is_fine=True)
    ground = artwork.ground(scale)
    high = ground.height + round(CAPTION * scale)
    picture = Image.new("RGB", (ground.width, high), game.art.board.background)
    picture.paste(ground, (0, 0))
    for x, y, drawing in _counters(values, game, artwork, at):
        pixels = _scaled(drawing, artwork.side, scale)
        picture.paste(pixels, (round(x * scale), round(y * scale)), pixels)
    size = (artwork.size[0], artwork.size[1] + CAPTION)
    over = Picture(*size, (*_arrows(values["steps"][at], game, artwork), *_caption(values, at, size)))
    pixels = smooth(over, scale).crop((0, 0, *picture.size))
    picture.paste(pixels, (0, 0), pixels)
    return picture


def _scaled(picture: Picture | Image.Image, side: float, scale: float) -> Image.Image:
    """A drawing, or a picture in the size of a counter, at a scale."""
    if isinstance(picture, Picture):
        return smooth(picture, scale)
    most = max(1, round(side * scale))
    size = tuple(max(1, round(along * most / max(picture.size))) for along in picture.size)
    return picture.convert("RGBA").resize((size[0], size[1]), Image.Resampling.LANCZOS)


def _counters(
    values: Mapping[str, Any], game: Game, artwork: Artwork, at: int
) -> list[tuple[float, float, Picture | Image.Image]]:
    """All counters and badges on the map, the lowest first: the position of the corner, and the picture."""
    standings: dict[str, Mapping[str, Any]] = {}
    covered: Mapping[str, int] = {}
    for step in values["steps"][: at + 1]:
        for name, standing in step.get("changes", {}).items():
            if standings.get(name, {}).get("place") != standing["place"]:
                standings.pop(name, None)
            standings[name] = standing
        covered = step.get("face_down", covered)
    side = artwork.side
    stacks: dict[str, list[list[Picture | Image.Image]]] = {}
    for name, standing in standings.items():
        if standing["place"] in game.map.grid:
            stacks.setdefault(standing["place"], []).append(_appearance(game, name, standing, artwork))
    for place in covered:
        stacks.setdefault(place, []).append([_cover(side)])
    found = []
    for place in sorted(stacks, key=lambda place: artwork.centre(place)[1]):
        x, y = artwork.centre(place)
        for number, parts in enumerate(stacks[place]):
            up = number - (len(stacks[place]) - 1) / 2
            found += [(x - side / 2 + up * FAN[0], y - side / 2 + up * FAN[1], one) for one in parts]
    return found


def _appearance(
    game: Game, name: str, standing: Mapping[str, Any], artwork: Artwork
) -> list[Picture | Image.Image]:
    """A counter's face, and the badges of its states."""
    counter = game.counters[name]
    found = [artwork.face(counter, known_steps(counter, standing.get("steps")))]
    for state in standing.get("states", {}):
        if game.states[state].levels == 1:
            found.append(badge(game.art.states.get(state, Style(text=state[:1])), artwork.side))
    return found


def _cover(side: float) -> Picture:
    """A counter whose identity must not be shown."""
    sign = lettered("?", side / 2, side * 0.72, side * 0.6)
    return Picture(
        side, side, (Filled(rectangle(0, 0, side, side, side / 12), "#6b6250"), Filled(sign, _HALO))
    )


def _arrows(step: Mapping[str, Any], game: Game, artwork: Artwork) -> list[Thing]:
    found: list[Thing] = []
    grid, across = game.map.grid, artwork.across
    for origin, target in dict.fromkeys((one["from"], one["to"]) for one in step.get("moves", ())):
        if origin not in grid or target not in grid or origin == target:
            continue
        (ax, ay), (bx, by) = artwork.centre(origin), artwork.centre(target)
        length = math.dist((ax, ay), (bx, by))
        dx, dy = (bx - ax) / length, (by - ay) / length
        tip = (bx - dx * across * 0.08, by - dy * across * 0.08)
        back = (tip[0] - dx * across * 0.2, tip[1] - dy * across * 0.2)
        wide = across * 0.1
        head = polygon(
            [tip, (back[0] - dy * wide, back[1] + dx * wide), (back[0] + dy * wide, back[1] - dx * wide)]
        )
        shaft = line([(ax, ay), back])
        found += [
            Inked(shaft, _HALO, across * 0.11, 0.8),
            Inked(shaft, _MADE, across * 0.06),
            Filled(head, _MADE),
        ]
    return found


def _caption(values: Mapping[str, Any], at: int, size: tuple[float, float]) -> list[Thing]:
    wide, high = size
    step = values["steps"][at]
    where = f"step {step['step']}" if step["step"] else "the opening"
    text = f"{values['title']}, {where}: {step['moment']}"
    written = lettered(
        text, wide / 2, high - CAPTION * 0.35, CAPTION * 0.5, weight="Semibold", room=wide * 0.94
    )
    return [Filled(written, "#2b2113")]
