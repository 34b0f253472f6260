"""The hex or box of the game at a spot on the table.

With the module, the names of places are VASSAL's own. Without it they come from the module's announcements in
the log: each move says where it began and ended. The other hexes are calculated by fitting the game's own
grid to the known ones or, if nothing was announced, to the set-up of the scenario. Pieces on another map than
the hexes, in a place without a name, are somewhere off the hexes. If a module's names differ from those
announced in the log, it is another version with places elsewhere; then the announcements count, as they do if
a module has no name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import hypot
from typing import TypeAlias

from attrs import frozen

from referee.scribe.facts import NOWHERE, UNKNOWN
from referee.table.events import Spot
from vassalgen.announcements import read_waiting
from vassalgen.game.game import Game
from vassalgen.game.layout import Layout

GUESSES = 12
"""For each pair of this many hexes the position of the grid is guessed."""
NEAR = 0.5
"""The maximum distance from the centre of a hex, in hex widths, for a counter to count as in it."""


@frozen
class Fit:
    """The game's grid fitted to a map: the pixels of a hex width, and of the origin."""

    layout: Layout
    across: float
    x: float
    y: float

    def hex_at(self, x: int, y: int) -> str | None:
        """The hex whose centre is near a pixel."""
        right, down = (x - self.x) / self.across, (y - self.y) / self.across
        name = self.layout.hex_at(right, down)
        return name if name is not None and self.is_near(name, x, y) else None

    def is_near(self, name: str, x: float, y: float) -> bool:
        """Whether a pixel is near the centre of a hex, and so in no other."""
        across, down = self.layout.centre(name)
        return hypot((x - self.x) / self.across - across, (y - self.y) / self.across - down) <= NEAR


Known: TypeAlias = "Sequence[tuple[str, float, float]]"
"""Hexes whose pixels are known."""


def fit(layout: Layout, known: Known) -> Fit | None:
    """Fit a grid to a map with hexes whose pixels are known; None if they are too few or do not agree."""
    known = [one for one in known if one[0] in layout.grid]
    found = _laid(layout, known)
    return found if found is not None and _agreeing(found, known) == known else None


def fit_of_most(layout: Layout, known: Known) -> Fit | None:
    """Fit a grid so that more than half of the hexes agree, at least three; None if that is impossible.

    Two hexes make a guess, and the guess with which most others agree counts.
    """
    known = [one for one in known if one[0] in layout.grid]
    some = known[:: max(1, len(known) // GUESSES)]
    guesses = (_laid(layout, pair) for pair in combinations(some, 2))
    agreeing = [_agreeing(guess, known) for guess in guesses if guess is not None]
    most = max(agreeing, key=len, default=[])
    return fit(layout, most) if len(most) >= max(3, len(known) // 2 + 1) else None


def _laid(layout: Layout, known: Known) -> Fit | None:
    """The best fit of the grid by least squares."""
    pairs = [(*layout.centre(name), x, y) for name, x, y in known]
    count = len(pairs)
    if count < 2:
        return None
    means = [sum(pair[at] for pair in pairs) / count for at in range(4)]
    spread = sum((u - means[0]) ** 2 + (v - means[1]) ** 2 for u, v, _, _ in pairs)
    along = sum((u - means[0]) * (x - means[2]) + (v - means[1]) * (y - means[3]) for u, v, x, y in pairs)
    if not spread or along <= 0:
        return None
    across = along / spread
    return Fit(layout, across, means[2] - across * means[0], means[3] - across * means[1])


def _agreeing(found: Fit, known: Known) -> Known:
    """The known hexes that contain their pixels with this grid."""
    return [one for one in known if found.is_near(*one)]


class Places:
    """Names spots by the hexes and boxes of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._layout = Layout(game.map.grid, 1.0)
        self._boxes = {box.title: box_id for box_id, box in game.map.boxes.items()}
        self._learned: dict[tuple[str, int, int], str] = {}
        self._fits: dict[str, Fit] = {}
        self._misled = False

    @property
    def are_fitted(self) -> bool:
        """Return whether the position of the hexes is known on any map."""
        return bool(self._fits)

    def named(self, name: str) -> str | None:
        """The hex or box that the module calls by a name, None if there is none."""
        if name in self.game.map.grid:
            return name
        return self._boxes.get(read_waiting(name)[0])

    def parse_line(
        self, said: Iterable[tuple[Spot, str]], expected: Iterable[Sequence[tuple[Spot, str]]] = ()
    ) -> None:
        """Learn from spots that the module named in its announcements; the most frequent name counts.

        ``expected`` are spots of counters and the hexes in which they start the game, possibly long ago: by
        scenario, of which the first that fits counts.
        """
        votes: dict[tuple[str, int, int], Counter[str]] = {}
        for spot, name in said:
            place = self.named(name)
            self._misled |= spot.location is not None and self.named(spot.location) != place
            if place is not None and spot.map is not None:
                votes.setdefault((spot.map, spot.x, spot.y), Counter())[place] += 1
        self._learned = {key: names.most_common(1)[0][0] for key, names in votes.items()}
        for map_ in sorted({key[0] for key in self._learned}):
            known = [(place, x, y) for (at, x, y), place in self._learned.items() if at == map_]
            fitted = fit(self._layout, known)
            if fitted is not None:
                self._fits[map_] = fitted
        if not self._fits:
            for one in expected:
                self._expect([] if self._fits else one)
        hexes = {place for place in self._learned.values() if place in self.game.map.grid}
        if len(hexes) == 1 and not self._fits:  # from a single hex its neighbours cannot be calculated
            self._learned = {key: place for key, place in self._learned.items() if place not in hexes}

    def _expect(self, expected: Sequence[tuple[Spot, str]]) -> None:
        """Position the grid so that most counters are in the expected hexes."""
        for map_ in sorted({spot.map for spot, _ in expected if spot.map is not None}):
            known = {(name, spot.x, spot.y) for spot, name in expected if spot.map == map_}
            fitted = fit_of_most(self._layout, sorted(known))
            if fitted is not None:
                self._fits[map_] = fitted

    def at(self, spot: Spot) -> str:
        """The place of a spot: a hex, a box, NOWHERE off the maps, or UNKNOWN."""
        if spot.map is None:
            return NOWHERE
        if spot.location is not None and not self._misled and (place := self.named(spot.location)):
            return place
        if spot.location is not None and read_waiting(spot.location)[1] is not None:
            return NOWHERE  # on the turn track
        learned = self._learned.get((spot.map, spot.x, spot.y))
        if learned is None and spot.map in self._fits:
            learned = self._fits[spot.map].hex_at(spot.x, spot.y)
        if learned is not None:
            return learned
        return NOWHERE if self._fits else UNKNOWN
