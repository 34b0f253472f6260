"""A picture of the board after a step, for a forum: counters in their places, and the moves of the step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PIL import Image

from referee.report.pictures import known_steps
from vassalgen.drawing.boards import Board
from vassalgen.drawing.counters import badge, face
from vassalgen.drawing.lettering import lettered
from vassalgen.drawing.paths import line, polygon, rectangle
from vassalgen.drawing.picture import Filled, Inked, Picture, Thing
from vassalgen.game.art import Style
from vassalgen.game.game import Game

FAN = (7, -9)
"""How far the counters of a stack lie apart, in pixels at 100 %."""
CAPTION = 56
"""The height of the line below the board that says what it shows, in pixels at 100 %."""
_MADE, _HALO = "#17457c", "#ffffff"


def shot(values: Mapping[str, Any], game: Game, at: int, scale: float = 0.5) -> Image.Image:
    """Return the board after an entry of plain values, at a scale."""
    board = Board(game)
    ground = smooth(board.picture, scale).convert("RGB")
    high = ground.height + round(CAPTION * scale)
    picture = Image.new("RGB", (ground.width, high), game.art.board.background)
    picture.paste(ground, (0, 0))
    for x, y, drawing in _counters(values, game, board, at):
        pixels = smooth(drawing, scale)
        picture.paste(pixels, (round(x * scale), round(y * scale)), pixels)
    size = (board.picture.width, board.picture.height + CAPTION)
    over = Picture(*size, (*_arrows(values["steps"][at], board), *_caption(values, at, size)))
    pixels = smooth(over, scale).crop((0, 0, *picture.size))
    picture.paste(pixels, (0, 0), pixels)
    return picture


def smooth(picture: Picture, scale: float) -> Image.Image:
    """Draw a picture at a scale: small ones are drawn larger and brought down, as their lines are thin."""
    if scale >= 1:
        return picture.raster(scale)
    size = round(picture.width * scale), round(picture.height * scale)
    return picture.raster(min(1.0, 2 * scale)).resize(size, Image.Resampling.LANCZOS)


def _counters(
    values: Mapping[str, Any], game: Game, board: Board, at: int
) -> list[tuple[float, float, Picture]]:
    """All counters and badges on the map, the lowest first: where their corner is, and how they look."""
    lying: dict[str, Mapping[str, Any]] = {}
    covered: Mapping[str, int] = {}
    for step in values["steps"][: at + 1]:
        for name, standing in step.get("changes", {}).items():
            if lying.get(name, {}).get("place") != standing["place"]:
                lying.pop(name, None)
            lying[name] = standing
        covered = step.get("face_down", covered)
    side = float(game.art.board.counter)
    stacks: dict[str, list[list[Picture]]] = {}
    for name, standing in lying.items():
        if standing["place"] in game.map.grid:
            stacks.setdefault(standing["place"], []).append(_looks(game, name, standing, side))
    for place in covered:
        stacks.setdefault(place, []).append([_cover(side)])
    found = []
    for place in sorted(stacks, key=lambda place: board.layout.centre(place)[1]):
        x, y = board.layout.centre(place)
        for number, looks in enumerate(stacks[place]):
            up = number - (len(stacks[place]) - 1) / 2
            found += [(x - side / 2 + up * FAN[0], y - side / 2 + up * FAN[1], one) for one in looks]
    return found


def _looks(game: Game, name: str, standing: Mapping[str, Any], side: float) -> list[Picture]:
    """A counter's face, and the badges of its states."""
    counter = game.counters[name]
    looks = [face(game, counter, known_steps(counter, standing.get("steps")))]
    for state in standing.get("states", {}):
        if game.states[state].levels == 1:
            looks.append(badge(game.art.states.get(state, Style(text=state[:1])), side))
    return looks


def _cover(side: float) -> Picture:
    """A counter of which nobody may know which it is."""
    sign = lettered("?", side / 2, side * 0.72, side * 0.6)
    return Picture(
        side, side, (Filled(rectangle(0, 0, side, side, side / 12), "#6b6250"), Filled(sign, _HALO))
    )


def _arrows(step: Mapping[str, Any], board: Board) -> list[Thing]:
    found: list[Thing] = []
    grid, across = board.game.map.grid, board.layout.across
    for origin, target in dict.fromkeys((one["from"], one["to"]) for one in step.get("moves", ())):
        if origin not in grid or target not in grid or origin == target:
            continue
        (ax, ay), (bx, by) = board.layout.centre(origin), board.layout.centre(target)
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
