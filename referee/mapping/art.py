"""Board and counters as a module made elsewhere displays them, for pages and pictures of its games."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING

from attrs import frozen

from referee.mapping.aligning import Alignment, align
from referee.mapping.mapped_view import hexes_of, layer_key
from referee.mapping.modulemap import OF_MODULE, STEPS, MappedModule, ModuleMap
from referee.mapping.survey import PieceSeen, survey
from referee.report.artwork import Artwork
from referee.table.table import Table
from vassalgen.drawing.counters import face
from vassalgen.problems import FormatError
from vassalgen.vassal import archives, buildfile, images
from vassalgen.vassal.components import Board, Map, decode

if TYPE_CHECKING:
    from PIL import Image

    from referee.table import ModulePlan
    from vassalgen.drawing.picture import Picture
    from vassalgen.game.counters import Counter
    from vassalgen.game.game import Game
    from vassalgen.game.layout import Point
    from vassalgen.vassal.grids import MapPlan
    from vassalgen.vassal.limits import Limits

HALF = 180
MOST_OF_HEX = 0.95
"""The maximum width of a counter as a fraction of a hex."""


@frozen(slots=False)
class ModuleArt:
    """The board of a module with the game's hexes on it, and the pictures of its pieces.

    ``pieces`` are those that represent a counter with so many steps, None for any number.
    """

    game: Game
    names: ModuleMap
    board: Image.Image
    laid: Alignment
    pieces: Mapping[str, Sequence[tuple[PieceSeen, int | None]]]
    pictures: Mapping[str, Image.Image]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board in pixels at 100%."""
        return self.board.size

    @cached_property
    def across(self) -> float:
        """The width of a hex: the distance between neighbours."""
        scale = (self.laid.across[0] * self.laid.down[1] - self.laid.across[1] * self.laid.down[0]) or 1.0
        return float(abs(scale) ** -0.5)

    @cached_property
    def side(self) -> float:
        """The side of a counter: that of most pictures, but not wider than a hex."""
        sides = [max(self.pictures[image].size) for image in self._fronts if image in self.pictures]
        usual = statistics.median(sides) if sides else self.across
        return min(usual, MOST_OF_HEX * self.across)

    @cached_property
    def _fronts(self) -> tuple[str, ...]:
        return tuple(piece.image for known in self.pieces.values() for piece, _ in known[:1])

    def centre(self, hex_: str) -> Point:
        """The centre of a hex."""
        return self.laid.pixel_of(self.laid.layout.centre(hex_))

    def corners(self, hex_: str) -> tuple[Point, ...]:
        """The six corners of a hex."""
        return tuple(map(self.laid.pixel_of, self.laid.layout.corners(hex_)))

    def ground(self, scale: float) -> Image.Image:
        """The board without counters."""
        from PIL import Image  # noqa: PLC0415 - costly

        width, height = (max(1, round(along * scale)) for along in self.size)
        return self.board.resize((width, height), Image.Resampling.LANCZOS)

    def face(self, counter: Counter, steps: int) -> Picture | Image.Image:
        """A counter with so many steps left; it is drawn if no picture of its piece can be read."""
        known = self.pieces.get(counter.id, ())
        piece = next((piece for piece, left in known if left == steps), None)
        piece = piece or next((piece for piece, left in known if left is None), None)
        shown = self._shown(piece, counter.steps - steps + 1) if piece else None
        return shown or face(self.game, counter, steps)

    def _shown(self, piece: PieceSeen, level: int) -> Image.Image | None:
        """The picture of a piece with its layers; layers that show steps are at the level for them."""
        from PIL import Image  # noqa: PLC0415 - costly

        parts = [(self.pictures.get(piece.image), 0, 0)]
        for layer in reversed(piece.layers):
            meaning = self.names.layers.get(layer_key(layer))
            of_steps = meaning is not None and STEPS in meaning.ids
            number = level if of_steps else 1
            if (layer.always_active or (of_steps and level > 1)) and number <= len(layer.images):
                shown = self.pictures.get(layer.images[number - 1])
                parts.append((shown, layer.x_offset, layer.y_offset))
        seen = [(part, x, y) for part, x, y in parts if part is not None]
        if not seen:
            return None
        width, height = (max(part.size[along] for part, _, _ in seen) for along in (0, 1))
        found = Image.new("RGBA", (width, height))
        for part, x, y in seen:
            corner = (width - part.width) // 2 + x, (height - part.height) // 2 + y
            found.paste(part, corner, part)
        return found


def artwork_of(module: ModulePlan, game: Game, limits: Limits) -> Artwork | None:
    """The look of a module's games, None if everything is drawn from the game's data.

    This is the case for modules that were built from the data, if the map requests it, and if no picture of
    the board can be read.
    """
    if not isinstance(module, MappedModule) or module.file is None or module.names.pictures != OF_MODULE:
        return None
    for name, known in module.names.hexes.items():
        laid = align(game.map.grid, ((hex_, *spot) for hex_, spot in hexes_of(known, Table(module), name)))
        facts = module.map(name)
        if laid is None or facts is None:
            continue
        seen = survey(module.file, limits)
        pieces = _pieces_of(game, module.names, seen.pieces)
        with archives.Archive.open(module.file, limits) as archive:
            board = _board(archive, name, facts.plan)
            if board is not None:
                return ModuleArt(
                    game=game,
                    names=module.names,
                    board=board,
                    laid=laid,
                    pieces=pieces,
                    pictures=dict(_pictures(archive, pieces)),
                )
    return None


def _pieces_of(
    game: Game, names: ModuleMap, seen: Sequence[PieceSeen]
) -> dict[str, list[tuple[PieceSeen, int | None]]]:
    """The pieces that represent each counter."""
    found: dict[str, list[tuple[PieceSeen, int | None]]] = {}
    for piece in seen:
        meaning = names.counters.get(piece.key)
        for word in meaning.ids if meaning is not None and meaning.settled else ():
            if word in game.counters and meaning is not None:
                found.setdefault(word, []).append((piece, meaning.steps))
    return found


def _pictures(
    archive: archives.Archive, pieces: Mapping[str, Sequence[tuple[PieceSeen, int | None]]]
) -> Iterator[tuple[str, Image.Image]]:
    """The pictures of pieces and their layers, as far as they can be read."""
    shown = [piece for known in pieces.values() for piece, _ in known]
    layers = (image for piece in shown for layer in piece.layers for image in layer.images)
    for name in dict.fromkeys([*(piece.image for piece in shown), *layers]):
        picture = _picture(archive, name, "RGBA") if name else None
        if picture is not None:
            yield name, picture


def _board(archive: archives.Archive, map_name: str, plan: MapPlan) -> Image.Image | None:
    """The boards of a map as one picture; None if one of them has no readable picture."""
    from PIL import Image  # noqa: PLC0415 - costly

    root = buildfile.read_from(archive)
    pictures = {
        found.component.name: found.component.image
        for found in buildfile.find_all(root, Board)
        if any(isinstance(one := decode(above), Map) and one.name == map_name for above in found.path)
    }
    if not plan.boards:
        return None
    width = max(board.x + board.width for board in plan.boards) + plan.edge_width
    height = max(board.y + board.height for board in plan.boards) + plan.edge_height
    if not 0 < width * height <= archive.limits.image_pixels:
        return None
    found_picture = Image.new("RGB", (width, height), "#ffffff")
    for board in plan.boards:
        picture = _picture(archive, pictures.get(board.name, ""), "RGB")
        if picture is None:
            return None
        found_picture.paste(picture.rotate(HALF) if board.reversed else picture, (board.x, board.y))
    return found_picture


def _picture(archive: archives.Archive, name: str, mode: str) -> Image.Image | None:
    """A picture of a module, None if it is missing, unreadable, or a vector drawing."""
    from PIL import Image  # noqa: PLC0415 - costly

    entry = f"images/{name}"
    with suppress(FormatError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        if entry in archive.names and not name.endswith(images.SVG_SUFFIX):
            images.image_size(archive, entry)
            with Image.open(BytesIO(archive.read(entry)), formats=("PNG", "JPEG", "GIF", "BMP")) as picture:
                return picture.convert(mode)
    return None
