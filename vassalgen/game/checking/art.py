"""Checks of art.toml: everything in the game needs a look, and every look must belong to something."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import frozen

from vassalgen.game.art import AREAS, GLYPHS, LINES, SIGNS, Style
from vassalgen.game.checking.play import known
from vassalgen.game.game import Game, unknown
from vassalgen.game.reading.documents import shown
from vassalgen.problems import Problem

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_FIELD = re.compile(r"\{([^}]*)\}")
_WRITTEN = ("id", "name", "label", "side", "nation", "formation", "size")


def art_problems(game: Game) -> Iterator[Problem]:
    """Find things without a style, styles for things that do not exist, and looks that cannot be drawn."""
    if game.folders and "art" not in game.origins:
        right = "write a file with colours of terrain and nations, symbols, faces"
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
            yield game.problem(f"art/board/{key}", f"is {number}", "expected a number of pixels")


@frozen
class _Part:
    """A section of art.toml: the name of its things, which of them need a look, and which may have one."""

    key: str
    thing: str
    styles: Mapping[str, Style]
    needed: Collection[str]
    possible: Collection[str]
    patterns: tuple[str, ...] = ()


def _styles(game: Game) -> Iterator[Problem]:
    for part in _parts(game):
        for name in part.needed:
            if name not in part.styles:
                right = f"write {name} = {{ fill = ... }} in [{part.key}]"
                yield game.problem(f"art/{part.key}", f"the {part.thing} '{name}' has no style", right)
        for name, style in part.styles.items():
            spot = f"art/{part.key}/{name}"
            yield from known(game, spot, name, part.thing, tuple(part.possible))
            yield from _colours(game, spot, [style.fill, style.ink, style.line])
            if style.pattern and style.pattern not in part.patterns:
                right = unknown(style.pattern, part.patterns)
                yield game.problem(f"{spot}/pattern", f"there is no pattern {style.pattern!r}", right)


def _parts(game: Game) -> tuple[_Part, ...]:
    art, map_, counters = game.art, game.map, game.counters.values()
    terrain = _known_of((hex_.terrain for hex_ in map_.hexes.values()), game.terrain)
    lying = (feature for side in map_.hexsides.values() for feature in sorted(side.features))
    roads = _known_of((road.kind for road in map_.roads.values()), game.road_kinds)
    nations = _known_of((counter.nation for counter in counters), game.nations)
    places = list(dict.fromkeys(place.kind for place in map_.places.values()))
    marking = [kind.id for kind in game.kinds.values() if kind.marker]
    markers = [counter.id for counter in counters if counter.kind in marking]
    return (
        _Part("terrain", "terrain", art.terrain, terrain, game.terrain, AREAS),
        _Part("hexsides", "feature", art.hexsides, _known_of(lying, game.features), game.features, LINES),
        _Part("roads", "kind of road", art.roads, roads, game.road_kinds, LINES),
        _Part("sides", "side", art.sides, game.sides, game.sides),
        _Part("nations", "nation", art.nations, nations, game.nations),
        _Part("formations", "formation", art.formations, (), game.formations),
        _Part("states", "state", art.states, game.states, game.states),
        _Part("places", "kind of place", art.places, places, places, SIGNS),
        _Part("zones", "zone", art.zones, (), map_.zones),
        _Part("markers", "marker", art.markers, markers, markers),
    )


def _known_of(names: Iterable[str], known_ones: Collection[str]) -> list[str]:
    """Each name once, without names that do not exist: other checks report those."""
    return [name for name in dict.fromkeys(names) if name in known_ones]


def _colours(game: Game, thing: str, colours: Iterable[str]) -> Iterator[Problem]:
    for colour in colours:
        if colour and not _COLOUR.fullmatch(colour):
            yield game.problem(thing, f"{colour!r} is not a colour", "expected #rrggbb, in lower case")


def _faces(game: Game) -> Iterator[Problem]:
    for kind in game.kinds:
        if kind not in game.art.faces:
            yield game.problem(
                "art/faces", f"'{kind}' has no face", f"write {kind} = {{ bottom = ... }} in [faces]"
            )
    fields = (*_WRITTEN, *game.factors, *game.columns)
    for kind, face in game.art.faces.items():
        yield from known(game, f"art/faces/{kind}", kind, "kind of counter", game.kinds)
        for key in ("top", "left", "right", "bottom"):
            for name in _FIELD.findall(getattr(face, key)):
                yield from known(game, f"art/faces/{kind}/{key}", name, "factor or column", fields)
        for key, column in (("underline", face.underline), ("boxed", face.boxed)):
            if column:
                yield from known(game, f"art/faces/{kind}/{key}", column, "column", game.columns)


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
