"""The pictures of a module: their names in the archive, and their contents.

Counters are SVG, sharp at every zoom level; the boards are PNG. The names of the boards' files depend on
their content: VASSAL cuts boards into tiles only once, and would go on showing the old tiles under the old
name.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from io import BytesIO
from itertools import product

import attrs
from attrs import frozen

from vassalgen.caching import Cache, fingerprint
from vassalgen.drawing import tokens
from vassalgen.drawing.boards import Board
from vassalgen.drawing.counters import back, badge, face, masked, spent
from vassalgen.drawing.picture import Picture
from vassalgen.game.art import Style
from vassalgen.game.counters import Counter, State
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Placement, Scenario
from vassalgen.game.sequence import Sequence as Phases
from vassalgen.parts.boxes import BoxesBoard
from vassalgen.parts.odds import Odds, Several, odds_of
from vassalgen.parts.own_pictures import board_taken, counter_taken

CLERK, TURN_MARKER, MOVED, SPENT = "status.svg", "turn.svg", "moved.svg", "spent.svg"
MASKED_PICTURE = "face-down.svg"
TITLE = "about.png"
_TOGETHER = 4
"""How many states one layer shows; it has a picture for each possible combination."""
_APART = 0.31
"""The distance between badges, as a fraction of a counter's side."""
_COMPRESSION = 3
"""The compression level of PNG files: 2% more bytes than the default, in four fifths of the time."""
_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def counter_picture(counter: Counter, steps_left: int | None = None) -> str:
    """The name of a counter's picture with so many steps left, by default all of them."""
    reduced = steps_left is not None and steps_left < counter.steps
    return f"{counter.id}-{steps_left}.svg" if reduced else f"{counter.id}.svg"


def back_picture(side: str) -> str:
    """The name of the picture of a side's face-down counters."""
    return f"back-{side}.svg"


def states_picture(game: Game, shown: Sequence[str]) -> str:
    """The name of the picture of some states' badges, each in its position; empty if there are none."""
    known = list(game.states)
    places = "".join(_SIGNS[known.index(state)] if state else "_" for state in shown)
    return f"_{places.rstrip('_')}.svg" if any(shown) else ""


def die_picture(shown: int) -> str:
    """The name of the picture of a die's face."""
    return f"die-{shown}.svg"


def dice_in_pictures(odds: Odds | Several | None) -> int:
    """How many dice of the combat table are shown as pictures: all, if they are few and have six sides."""
    return odds.dice.count if odds and odds.dice.sides == 6 and odds.dice.count <= 3 else 0


@frozen
class Drawing:
    """A drawing as a file: its name in the archive, its content, its width and height in pixels."""

    name: str
    content: bytes
    size: tuple[int, int]


@frozen(slots=False)
class Pictures:
    """The pictures of a game's module; pictures drawn before are taken from a cache."""

    game: Game
    cache: Cache = Cache()

    @cached_property
    def _shown(self) -> Game:
        return _of_pieces(self.game)

    @cached_property
    def _looks(self) -> str:
        return fingerprint(self._shown) if self.cache.folder else ""

    def boards(self) -> tuple[Drawing, Drawing]:
        """The two boards: the hexes, and the boxes."""
        layout, shown = Board(self.game).layout, of_board(self.game)
        own = board_taken(self.game, (math.ceil(layout.size[0]), math.ceil(layout.size[1])))
        board = own or self.cache.kept(("board", shown), lambda: _png(Board(shown).picture))
        plates = BoxesBoard(self.game)
        drawn_from = ("boxes", plates.plates, plates.size, self.game.art.board.background)
        boxes = self.cache.kept(drawn_from, lambda: _png(plates.picture))
        return _named("board", board), _named("boxes", boxes)

    def title(self) -> Drawing:
        """The picture of the about screen."""
        content = self.cache.kept(("title", self._looks), lambda: _png(tokens.title_page(self._shown)))
        return _drawing(TITLE, content)

    def svgs(self) -> dict[str, bytes]:
        """All pictures of counters, states and tokens."""
        dice = dice_in_pictures(odds_of(self.game))

        def drawn() -> bytes:
            return json.dumps({name: content.decode() for name, content in _svgs(self._shown, dice)}).encode()

        kept = json.loads(self.cache.kept(("svgs", self._looks, dice), drawn))
        drawings = {name: content.encode() for name, content in kept.items()}
        for counter in self.game.counters.values():
            for steps in range(counter.steps, 0, -1):
                if own := counter_taken(self.game, counter, steps):
                    drawings[counter_picture(counter, steps)] = own
        return drawings


def of_board(game: Game) -> Game:
    """The game as its board shows it: with the places of the scenarios' set-ups only."""
    setups = {
        name: Scenario(
            name, "", "", (), setup=tuple(Placement(one.counters, one.at) for one in scenario.setup)
        )
        for name, scenario in game.scenarios.items()
    }
    return Game(game.id, game.title, game.map, Phases(()), {}, scenarios=setups, art=game.art)


def _of_pieces(game: Game) -> Game:
    """The game as its counters, tokens and title show it, without texts that are not on them."""
    faces = game.art.faces.values()
    named = any("{name}" in text for one in faces for text in (one.top, one.left, one.right, one.bottom))
    return Game(
        game.id,
        game.title,
        game.map,
        Phases(()),
        game.sides,
        designer=game.designer,
        edition=game.edition,
        nations=game.nations,
        formations=game.formations,
        kinds={kind: attrs.evolve(one, title="") for kind, one in game.kinds.items()},
        states={state: attrs.evolve(one, title="") for state, one in game.states.items()},
        counters={
            counter: attrs.evolve(one, name=one.name if named else "", note="")
            for counter, one in game.counters.items()
        },
        art=game.art,
    )


def _svgs(game: Game, dice: int) -> Iterator[tuple[str, bytes]]:
    side = float(game.art.board.counter)
    for counter in game.counters.values():
        for steps in range(counter.steps, 0, -1):
            yield counter_picture(counter, steps), face(game, counter, steps).svg()
    for kind in game.kinds:
        found = (state for state in game.states.values() if kind in state.kinds)
        for group in badges_of(found):
            for shown in together(group):
                if any(shown):
                    yield states_picture(game, shown), _badges(game, shown, side).svg()
    yield CLERK, tokens.status_plate(game.art.board.background, BoxesBoard(game).status_size[0]).svg()
    if dice:
        yield from ((die_picture(face), tokens.die_face(face).svg()) for face in range(1, 7))
    yield TURN_MARKER, tokens.turn_marker().svg()
    if any(state.back for state in game.states.values()):
        yield SPENT, spent(side).svg()
    if any(kind.hidden for kind in game.kinds.values()):
        yield MASKED_PICTURE, masked(side).svg()
        for one in game.sides:
            yield back_picture(one), back(game.art.sides.get(one, Style()), side).svg()
    yield MOVED, tokens.moved_sign().svg()


def _badges(game: Game, shown: Sequence[str], side: float) -> Picture:
    """The badges of some states: two, one below the other, leave the factors visible; further ones are beside
    them.
    """
    apart = round(_APART * side)
    found = (
        badge(
            game.art.states.get(state, Style(text=state[:1])), side, (place // 2 * apart, place % 2 * apart)
        )
        for place, state in enumerate(shown)
        if state
    )
    return Picture(side, side, tuple(thing for one in found for thing in one.things))


def badges_of(found: Iterable[State]) -> tuple[tuple[str, ...], ...]:
    """The states of a kind that are shown as badges, in groups of as many as one layer shows.

    In each position there is a state, or nothing if a state is shown in another way.
    """
    shown = tuple("" if state.is_count or state.back else state.id for state in found)
    groups = (shown[start : start + _TOGETHER] for start in range(0, len(shown), _TOGETHER))
    return tuple(("",) * (number * _TOGETHER) + group for number, group in enumerate(groups) if any(group))


def together(group: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All possible combinations of a group of states, the empty one first; VASSAL counts the levels in this
    order.
    """
    for choice in product(*((("",) if not state else ("", state)) for state in reversed(group))):
        yield tuple(reversed(choice))


def _png(picture: Picture) -> bytes:
    stream = BytesIO()
    picture.raster(mode="RGB").save(stream, "PNG", compress_level=_COMPRESSION)
    return stream.getvalue()


def _named(name: str, content: bytes) -> Drawing:
    return _drawing(f"{name}-{hashlib.sha256(content).hexdigest()[:8]}.png", content)


def _drawing(file: str, content: bytes) -> Drawing:
    """A PNG file; its size is at the start of its header."""
    wide, high = struct.unpack(">II", content[16:24])
    return Drawing(file, content, (wide, high))
