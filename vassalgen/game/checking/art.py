"""Checks of art.toml: everything the game has must have a look, and every look must be of something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from vassalgen.game.art import AREAS, GLYPHS, LINES, SIGNS, Style
from vassalgen.game.checking.play import known
from vassalgen.game.game import Game, unknown
from vassalgen.game.reading.documents import shown
from vassalgen.problems import Problem

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_FIELD = re.compile(r"\{([^}]*)\}")
_WRITTEN = ("id", "name", "label", "side", "nation", "formation", "size")


def art_problems(game: Game) -> Iterator[Problem]:
    """Find what has no look, looks of nothing, and looks that cannot be drawn."""
    if game.folders and "art" not in game.origins:
        right = "a file with colours of terrain and nations, symbols, faces"
        yield Problem(shown(game.folders[0] / "art.toml"), "", "is missing", right)
        return
    yield from _styles(game)
    yield from _faces(game)
    yield from _symbols(game)
    board = game.art.board
    yield from _colours(game, "art/board/background", [board.background])
    yield from _colours(game, "art/board/grid", [board.grid.line, board.grid.fill, board.grid.ink])
    for key, number in (("across", board.across), ("counter", board.counter)):
        if number < 8:
            yield game.problem(f"art/board/{key}", f"is {number}", "a number of pixels")


def _styles(game: Game) -> Iterator[Problem]:
    art = game.art
    nations = dict.fromkeys(counter.nation for counter in game.counters.values() if counter.nation)
    kinds_of_place = dict.fromkeys(place.kind for place in game.map.places.values())
    markers = {
        name: c for name, c in game.counters.items() if c.kind in game.kinds and game.kinds[c.kind].marker
    }
    parts: tuple[tuple[str, Mapping[str, Style], Iterable[str], Iterable[str], tuple[str, ...]], ...] = (
        ("terrain", art.terrain, _used_terrain(game), game.terrain, AREAS),
        ("hexsides", art.hexsides, _used_features(game), game.features, LINES),
        ("roads", art.roads, {road.kind: None for road in game.map.roads.values()}, game.road_kinds, LINES),
        ("sides", art.sides, game.sides, game.sides, ()),
        ("nations", art.nations, nations, game.nations, ()),
        ("formations", art.formations, (), game.formations, ()),
        ("states", art.states, game.states, game.states, ()),
        ("places", art.places, kinds_of_place, kinds_of_place, SIGNS),
        ("zones", art.zones, (), game.map.zones, ()),
        ("markers", art.markers, markers, markers, ()),
    )
    for part, styles, needed, possible, patterns in parts:
        for name in needed:
            if name not in styles:
                yield game.problem(
                    f"art/{part}", f"'{name}' has no look", f"{name} = {{ fill = ... }} in [{part}]"
                )
        for name, style in styles.items():
            thing = f"art/{part}/{name}"
            yield from known(game, thing, name, f"such thing as the {part}", tuple(possible))
            yield from _colours(game, thing, [style.fill, style.ink, style.line])
            if style.pattern and style.pattern not in patterns:
                right = unknown(style.pattern, patterns)
                yield game.problem(f"{thing}/pattern", f"there is no pattern {style.pattern!r}", right)


def _used_terrain(game: Game) -> dict[str, None]:
    return {hex_.terrain: None for hex_ in game.map.hexes.values() if hex_.terrain in game.terrain}


def _used_features(game: Game) -> dict[str, None]:
    sides = game.map.hexsides.values()
    return {name: None for side in sides for name in sorted(side.features) if name in game.features}


def _colours(game: Game, thing: str, colours: Iterable[str]) -> Iterator[Problem]:
    for colour in colours:
        if colour and not _COLOUR.fullmatch(colour):
            yield game.problem(thing, f"{colour!r} is no colour", "#rrggbb, in small letters")


def _faces(game: Game) -> Iterator[Problem]:
    for kind in game.kinds:
        if kind not in game.art.faces:
            yield game.problem(
                "art/faces", f"'{kind}' has no face", f"{kind} = {{ bottom = ... }} in [faces]"
            )
    fields = (*_WRITTEN, *game.factors, *game.columns)
    for kind, face in game.art.faces.items():
        yield from known(game, f"art/faces/{kind}", kind, "kind of counter", game.kinds)
        for key in ("top", "left", "right", "bottom"):
            for name in _FIELD.findall(getattr(face, key)):
                yield from known(game, f"art/faces/{kind}/{key}", name, "factor or column", fields)
        if face.underline:
            yield from known(game, f"art/faces/{kind}/underline", face.underline, "column", game.columns)


def _symbols(game: Game) -> Iterator[Problem]:
    for what, drawn, used in (
        ("symbols", game.art.symbols, {counter.symbol: counter.id for counter in game.counters.values()}),
        ("sizes", game.art.sizes, {counter.size: counter.id for counter in game.counters.values()}),
    ):
        for name, counter in used.items():
            if name and name not in drawn:
                key = what.removesuffix("s")
                wrong = f"the {key} {name!r} is not in art.toml"
                yield game.problem(f"counter/{counter}/{key}", wrong, unknown(name, tuple(drawn)))
    for name, glyphs in game.art.symbols.items():
        for glyph in glyphs:
            yield from known(game, f"art/symbols/{name}", glyph, "glyph", GLYPHS)
