"""The game's map turned into integers and sets, for fast searches.

Costs are in parts of a movement point, ``scale`` parts to one, so that the road rate is a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import lcm

from attrs import field, frozen

from referee.engine.movement import CLOSED, Ground
from referee.engine.zones import bits
from vassalgen.game.game import Game
from vassalgen.game.hexes import NOWHERE
from vassalgen.game.values import fraction

OWNED = ("strategic-road", "exit-bayonne", "exit-pamplona", "exit-logrono", "vitoria")
NOTHING: frozenset[tuple[str, str]] = frozenset()
ARM_OF = {"general": "infantry", "engineer": "infantry", "convoy": "artillery", "park": "artillery"}


@frozen(eq=False)
class Field:
    """The map of the game. Sets of hexes are bits by index [engine.zones].

    Bridges are named by their hexside, ``(hex, hex)`` as the grid orders it. ``owned`` are the hexes of the
    zones that a side controls.
    """

    game: Game
    scale: int
    bridges: frozenset[tuple[str, str]]
    corps: Mapping[str, str]
    grounds: dict[tuple[str, frozenset[tuple[str, str]], bool], Ground] = field(factory=dict)
    dry: dict[frozenset[tuple[str, str]], tuple[int, ...]] = field(factory=dict)
    passable: dict[tuple[frozenset[tuple[str, str]], str], tuple[int, ...]] = field(factory=dict)
    costs: dict[tuple[object, ...], tuple[int, int]] = field(factory=dict)
    entries: dict[tuple[str, str, bool], int] = field(factory=dict)
    owned: frozenset[str] = frozenset()

    @classmethod
    def of(cls, game: Game) -> Field:
        """Prepare a game."""
        rows = (*game.terrain.values(), *game.features.values(), *game.road_kinds.values())
        amounts = [
            fraction(row.effects.number(key, 1))
            for row in rows
            for key in ("move", "infantry", "cavalry", "artillery")
        ]
        bridges = frozenset(side for side, one in game.map.hexsides.items() if "bridge" in one.features)
        return cls(
            game,
            lcm(*(amount.denominator for amount in amounts)),
            bridges,
            {counter.id: _corps(game, counter.formation) for counter in game.counters.values()},
            owned=frozenset(where for zone in OWNED for where in game.map.zones[zone].hexes),
        )

    def ground(self, kind: str, destroyed: frozenset[tuple[str, str]], loose_roads: bool = False) -> Ground:
        """Return what steps cost a kind of counter [4.1b, 5.2].

        ``loose_roads``: as if roads of adjacent hexes were always joined.
        """
        arm = ARM_OF.get(kind, kind)
        key = arm, destroyed, loose_roads
        if key not in self.grounds:
            grid = self.game.map.grid
            adjacent, index = grid.adjacent, grid.index
            standing = self.ground(kind, NOTHING, loose_roads) if destroyed else None
            nowhere: list[Sequence[int]] = [()] * len(adjacent)
            country = list(standing.country if standing else nowhere)
            road = list(standing.road if standing else nowhere)
            banks = {index[name] for side in destroyed for name in side} if standing else range(len(adjacent))
            for at in banks:
                steps = [
                    self._step(arm, destroyed, loose_roads, at, direction, to)
                    for direction, to in enumerate(adjacent[at])
                ]
                country[at] = tuple(plain for plain, _ in steps)
                road[at] = tuple(fast for _, fast in steps)
            self.grounds[key] = Ground(adjacent, grid.cubes, country, road)
        return self.grounds[key]

    def entry(self, kind: str, name: str, *, by_road: bool = True) -> int:
        """Return what a kind of counter pays to enter the map in a hex, by road if there is one [12.1a]."""
        key = ARM_OF.get(kind, kind), name, by_road
        if key not in self.entries:
            self.entries[key] = self._entry(*key)
        return self.entries[key]

    def _entry(self, arm: str, name: str, by_road: bool) -> int:
        game, at = self.game, self.game.map.grid.index[name]
        cost = fraction(game.terrain[game.map.terrain[at]].effects.number(arm))
        kinds = [game.road_kinds[each] for sides in game.map.road_kinds[at] for each in sides]
        rates = [fraction(each.effects.number("move")) for each in kinds]
        return int(min((cost, *rates) if by_road else (cost,)) * self.scale)

    def zones(self, destroyed: frozenset[tuple[str, str]]) -> tuple[int, ...]:
        """Return, by hex, the hexes that a zone of control includes: not across water [3.2h]."""
        if destroyed not in self.dry:
            self.dry[destroyed] = self._links(destroyed)
        return self.dry[destroyed]

    def links(self, destroyed: frozenset[tuple[str, str]], kind: str = "infantry") -> tuple[int, ...]:
        """Return by hex the neighbours that a kind of counter can step to."""
        key = destroyed, ARM_OF.get(kind, kind)
        if key not in self.passable:
            self.passable[key] = self._links(destroyed, key[1])
        return self.passable[key]

    def has_water(self, name: str, other: str, destroyed: frozenset[tuple[str, str]]) -> bool:
        """Return whether water without a standing bridge is between two neighbours."""
        index = self.game.map.grid.index
        return not self.zones(destroyed)[index[name]] >> index[other] & 1

    def _links(self, destroyed: frozenset[tuple[str, str]], arm: str = "") -> tuple[int, ...]:
        """By hex the neighbours that an arm can enter, or without an arm those that zones include."""

        @cache  # many hexsides have the same features, or none
        def is_open(features: frozenset[str]) -> bool:
            return "bridge" in features or not (
                self._is_closed(features, arm) if arm else self._is_water(features)
            )

        return tuple(
            bits(
                to
                for direction, to in enumerate(around)
                if to != NOWHERE and is_open(self._features(at, direction, to, destroyed))
            )
            for at, around in enumerate(self.game.map.grid.adjacent)
        )

    def _features(
        self, at: int, direction: int, to: int, destroyed: frozenset[tuple[str, str]]
    ) -> frozenset[str]:
        features = self.game.map.features[at][direction]
        if "bridge" not in features:
            return features
        names = self.game.map.grid.names
        return (
            features - {"bridge"} if self.game.map.grid.side(names[at], names[to]) in destroyed else features
        )

    def _is_water(self, features: frozenset[str]) -> bool:
        if "ford" in features and self.game.adopted("fords") == "open":
            return False
        return any(self.game.features[name].effects.flag("water", False) for name in features)

    def _is_closed(self, features: frozenset[str], arm: str) -> bool:
        opened = {name for each in features for name in self.game.features[each].opens}
        if any(self.game.features[name].closed and name not in opened for name in features):
            return True
        return (
            any(arm in self.game.features[name].effects.words("closed_to", ()) for name in features)
            and "bridge" not in features
        )

    def _step(
        self,
        arm: str,
        destroyed: frozenset[tuple[str, str]],
        loose_roads: bool,
        at: int,
        direction: int,
        to: int,
    ) -> tuple[int, int]:
        """The cost of a step across country and by road [4.1b, 5.1a, 5.2a, 5.2b]."""
        if to == NOWHERE:
            return CLOSED, CLOSED
        map_ = self.game.map
        roads = map_.road_kinds[at][direction]
        if loose_roads and not roads:
            here, there = (frozenset().union(*map_.road_kinds[where]) for where in (at, to))
            roads = here & there
        uphill = map_.levels[to] > map_.levels[at]
        features = self._features(at, direction, to, destroyed)
        broken = features != map_.features[at][direction]
        key = arm, map_.terrain[to], uphill, features, roads, broken
        if key not in self.costs:
            self.costs[key] = self._cost(*key)
        return self.costs[key]

    def _cost(
        self,
        arm: str,
        terrain: str,
        uphill: bool,
        features: frozenset[str],
        roads: frozenset[str],
        broken: bool,
    ) -> tuple[int, int]:
        """Cost across country and by road of all steps into a terrain that are alike.

        A road cancels what is on the hexside, but not the water under a bridge that is ``broken`` [5.2b].
        """
        if self._is_closed(features, arm):
            return CLOSED, CLOSED
        game = self.game
        cost = fraction(game.terrain[terrain].effects.number(arm))
        opened = {name for each in features for name in game.features[each].opens}
        wading = fraction(0)
        for name in features - opened:
            effects = game.features[name].effects
            if uphill or not effects.flag("uphill", False):
                cost += fraction(effects.number(arm, 0))
            if broken and effects.flag("water", False):
                wading += fraction(effects.number(arm, 0))
        rates = [fraction(game.road_kinds[name].effects.number("move")) + wading for name in roads]
        return int(cost * self.scale), int(min(rates) * self.scale) if rates else CLOSED


def _corps(game: Game, formation: str) -> str:
    """The army or wing of a counter."""
    while formation and game.formations[formation].part_of:
        formation = game.formations[formation].part_of
    return formation
