"""The game's map turned into integers and sets, for fast searches.

Costs are in parts of a movement point, ``scale`` parts to one, so that the road rate is a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from attrs import field, frozen

from referee.engine.movement import CLOSED, Ground
from referee.engine.zones import bits, open_steps
from vassalgen.game.game import Game
from vassalgen.game.hexes import NOWHERE
from vassalgen.game.values import fraction

NOTHING: frozenset[str] = frozenset()
IMPASSABLE, OFF_THE_HEXES = "8n", "8l"
GROUND_CLAUSES = frozenset((IMPASSABLE, OFF_THE_HEXES))


@frozen(eq=False)
class Field:
    """The map of the game. Sets of hexes are bits by index [engine.zones].

    ``land`` are the hexes that pieces can be in, ``links`` the neighbours that can be entered, by hex,
    ``around`` all neighbours. ``airfields`` are the hexes with a silhouette, by side; ``owned`` are villages,
    ports and airfields: the hexes that belong to a side. ``twins`` are the pieces of II Corps, by the
    two-star piece that replaces each. ``starts`` stores where pieces may start, ``grounds`` what steps cost.
    """

    game: Game
    scale: int
    land: int
    links: tuple[int, ...]
    around: tuple[int, ...]
    airfields: Mapping[str, frozenset[str]]
    villages: frozenset[str]
    ports: Mapping[str, str]
    owned: frozenset[str]
    twins: Mapping[str, str]
    grounds: dict[tuple[bool, frozenset[str]], Ground] = field(factory=dict)
    starts: dict[tuple[str, ...], tuple[str, ...]] = field(factory=dict)

    @classmethod
    def of(cls, game: Game) -> Field:
        """Prepare a game."""
        grid, terrain = game.map.grid, game.map.terrain
        land = bits(at for at in range(len(grid.names)) if not game.terrain[terrain[at]].closed)
        places = game.map.places.values()
        return cls(
            game,
            _scale(game),
            land,
            open_steps(game, land),
            tuple(bits(to for to in around if to != NOWHERE) for around in grid.adjacent),
            {side: frozenset(game.map.zones[f"{side}-airfields"].hexes) for side in game.sides},
            frozenset(place.hex for place in places if place.kind == "village"),
            {place.name: place.hex for place in places if place.kind == "port"},
            frozenset(
                (
                    *(place.hex for place in places if place.kind in ("village", "port")),
                    *(where for side in game.sides for where in game.map.zones[f"{side}-airfields"].hexes),
                )
            ),
            {
                counter.id: counter.extra.text("twin")
                for counter in game.counters.values()
                if counter.extra.text("twin", "")
            },
        )

    def ground(self, bridgeless_roads: bool, waived: frozenset[str] = NOTHING) -> Ground:
        """Return what steps cost, without the clauses in ``waived``.

        ``bridgeless_roads``: a road over a river without a bridge costs only half a point.
        """
        key = bridgeless_roads, waived & GROUND_CLAUSES
        if key not in self.grounds:
            grid, country, road = self.game.map.grid, [], []
            for at, around in enumerate(grid.adjacent):
                steps = [self._step(*key, at, direction, to) for direction, to in enumerate(around)]
                country.append([plain for plain, _ in steps])
                road.append([fast for _, fast in steps])
            self.grounds[key] = Ground(grid.adjacent, grid.cubes, country, road)
        return self.grounds[key]

    def river(self, at: int, direction: int) -> Fraction:
        """Return the cost of a river on a hexside, 0 if it has a bridge [8g, 8h]."""
        features = self.game.map.features[at][direction]
        if "river" not in features or "bridge" in features:
            return Fraction(0)
        return fraction(self.game.features["river"].effects.number("move"))

    def _step(
        self, bridgeless_roads: bool, waived: frozenset[str], at: int, direction: int, to: int
    ) -> tuple[int, int]:
        """The cost of a step across country and by road [8e to 8i, 8l, 8n]."""
        if to == NOWHERE:
            return CLOSED, CLOSED
        game = self.game
        row = game.terrain[game.map.terrain[to]]
        if row.closed and OFF_THE_HEXES not in waived:
            return CLOSED, CLOSED
        features = [game.features[name] for name in game.map.features[at][direction]]
        if any(feature.closed for feature in features) and IMPASSABLE not in waived:
            return CLOSED, CLOSED
        river = self.river(at, direction)
        plain = fraction(1 if row.closed else row.effects.number("move")) + river
        kinds = [game.road_kinds[name] for name in game.map.road_kinds[at][direction]]
        rates = [fraction(kind.effects.number("move")) for kind in kinds]
        if not rates:
            return int(plain * self.scale), CLOSED
        fast = min(rates) + (0 if bridgeless_roads else river)
        return int(plain * self.scale), int(fast * self.scale)


def _scale(game: Game) -> int:
    """The least number of parts of a movement point in which every cost is whole."""
    rows = (*game.terrain.values(), *game.features.values(), *game.road_kinds.values())
    return lcm(*(fraction(row.effects.number("move", 1)).denominator for row in rows))
