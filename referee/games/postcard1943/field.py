"""The game's map and counters turned into integers and sets, for fast searches.

Costs are in parts of an MF, ``scale`` parts to one, so that half MFs and the road rate are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Literal

from attrs import field, frozen

from referee.engine.movement import CLOSED, Ground
from referee.engine.supply import Net
from referee.engine.zones import bits, reaches
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.game.hexes import NOWHERE
from vassalgen.game.values import fraction

Kind = Literal["armour", "infantry"]
NOTHING: frozenset[str] = frozenset()


@frozen(eq=False)
class Field:
    """The map and counters of the game. Sets of hexes are bits by index [engine.zones].

    ``armour``, ``mobile`` and ``units`` are ids of counters; ``special`` what the rules say about single
    ones. ``alamein`` are the units of the armies from Alamein.
    """

    game: Game
    scale: int
    land: int
    swamps: int
    units: frozenset[str]
    armour: frozenset[str]
    mobile: frozenset[str]
    special: Mapping[str, frozenset[str]]
    alamein: frozenset[str]
    nets: dict[str, Net] = field(factory=dict)
    sources: dict[tuple[str, ...], int] = field(factory=dict)
    supplies: dict[tuple[int, int, int | None], tuple[int, int]] = field(factory=dict)
    budgets: dict[tuple[str, bool], int] = field(factory=dict)
    grounds: dict[tuple[Kind, frozenset[str]], Ground] = field(factory=dict)
    zones: dict[Kind, tuple[int, ...]] = field(factory=dict)

    @classmethod
    def of(cls, game: Game) -> Field:
        """Prepare a game."""
        grid, terrain = game.map.grid, game.map.terrain
        units = [counter for counter in game.counters.values() if counter.kind == "unit"]
        special = {
            counter.id: frozenset(counter.extra.words("special", ())) for counter in game.counters.values()
        }
        return cls(
            game,
            _scale(game),
            bits(at for at in range(len(grid.names)) if not game.terrain[terrain[at]].closed),
            bits(at for at in range(len(grid.names)) if _stuck(game, terrain[at])),
            frozenset(counter.id for counter in units),
            frozenset(counter.id for counter in units if counter.extra.flag("armour", False)),
            frozenset(counter.id for counter in units if counter.extra.flag("mobile", False)),
            special,
            frozenset(counter.id for counter in units if _formation(counter) in ALAMEIN),
        )

    def kind(self, unit: str) -> Kind:
        """Return the kind as which a unit moves and attacks [terrain.8 for the New Zealanders]."""
        return "armour" if unit in self.armour else "infantry"

    def is_(self, counter: str, special: str) -> bool:
        """Return whether the rules say something special of a counter."""
        return special in self.special[counter]

    def ground(self, kind: Kind, waived: frozenset[str] = NOTHING) -> Ground:
        """Return what steps cost a kind of unit when those clauses are waived."""
        key = kind, waived & {"move.4", "move.5", "move.8", "move.15"}
        if key not in self.grounds:
            self.grounds[key] = self._ground(*key)
        return self.grounds[key]

    def zone(self, kind: Kind) -> tuple[int, ...]:
        """Return, by hex, the neighbours that a kind of unit could move or attack into."""
        if kind not in self.zones:
            ground = self.ground(kind)
            self.zones[kind] = reaches(ground.adjacent, ground.country)
        return self.zones[kind]

    def can_attack(self, kind: Kind, at: int, to: int) -> bool:
        """Return whether a kind of unit can attack across a hexside [move.4 to 6, move.15]."""
        if kind == "armour" and self.game.adopted("armour-attack-by-road") == "movement-only":
            direction = self.game.map.grid.adjacent[at].index(to)
            if any(self.bar(feature) for feature in self.game.map.features[at][direction]):
                return False
        return bool(self.zone(kind)[at] >> to & 1)

    def bar(self, feature: str) -> str:
        """Return the clause by which a feature bars armour without a road; empty if none does."""
        if self.game.features[feature].effects.text("armour", "") != "road":
            return ""
        return "move.5" if feature == "river" else "move.4"

    def net(self) -> Net:
        """Return the connections along which supply runs [supply.3]."""
        if not self.nets:
            self.nets[""] = self._net()
        return self.nets[""]

    def source(self, *names: str) -> int:
        """Return the hexes from which sides or formations draw supply."""
        if names not in self.sources:
            index, zones = self.game.map.grid.index, self.game.map.zones.values()
            serving = (zone for zone in zones if set(names) & set(zone.supplies))
            self.sources[names] = bits(index[name] for zone in serving for name in zone.hexes)
        return self.sources[names]

    def _ground(self, kind: Kind, waived: frozenset[str]) -> Ground:
        grid, country, road = self.game.map.grid, [], []
        for at, around in enumerate(grid.adjacent):
            steps = [self._step(kind, waived, at, direction, to) for direction, to in enumerate(around)]
            country.append([plain for plain, _ in steps])
            road.append([fast for _, fast in steps])
        return Ground(grid.adjacent, grid.cubes, country, road)

    def _step(self, kind: Kind, waived: frozenset[str], at: int, direction: int, to: int) -> tuple[int, int]:
        """The cost of a step without and with the road rate [move.1, move.2, move.4 to 8, move.15]."""
        if to == NOWHERE or not self.land >> to & 1:
            return CLOSED, CLOSED
        game = self.game
        features = [game.features[name] for name in game.map.features[at][direction]]
        roads = [game.road_kinds[name] for name in game.map.road_kinds[at][direction]]
        over_mountains = roads and game.adopted("high-mountain-roads") == "open"
        if any(feature.closed for feature in features) and "move.15" not in waived and not over_mountains:
            return CLOSED, CLOSED
        cost = self._terrain_cost(to)
        if kind == "armour":
            bars = {self.bar(feature.id) for feature in features} - {""}
            if bars - waived and not roads:
                return CLOSED, CLOSED
        elif "move.8" not in waived and (not roads or game.adopted("crossing-by-road") == "two"):
            crossings = [fraction(feature.effects.number("move_infantry", 0)) for feature in features]
            crossing = int(max(crossings, default=Fraction(0)) * self.scale)
            if crossing:
                cost = crossing + (cost if game.adopted("crossing-cost") == "two-more" else 0)
        rates = [fraction(kind_.effects.number("move_mobile")) for kind_ in roads]
        return cost, int(min(rates) * self.scale) if rates else CLOSED

    def _terrain_cost(self, at: int) -> int:
        row = self.game.terrain[self.game.map.terrain[at]]
        return int(fraction(row.effects.number("move", 1)) * self.scale)

    def _net(self) -> Net:
        grid, map_ = self.game.map.grid, self.game.map
        road, off_road = [], []
        infantry = self.ground("infantry")
        step_costs = {
            cost: [0] * len(grid.adjacent) for steps in infantry.country for cost in steps if cost != CLOSED
        }
        for at, around in enumerate(grid.adjacent):
            near = [
                (direction, to)
                for direction, to in enumerate(around)
                if to != NOWHERE and self.land >> to & 1
            ]
            road.append(bits(to for direction, to in near if map_.road_kinds[at][direction]))
            # only closed hexsides stop the stretch beside the road, and those stop infantry as well
            off_road.append(bits(to for direction, to in near if infantry.country[at][direction] != CLOSED))
            for direction, to in near:
                if (cost := infantry.country[at][direction]) != CLOSED:
                    step_costs[cost][at] |= 1 << to
        return Net(road, off_road, self.game.values["supply"].values.integer("off_road"), step_costs)


ALAMEIN = ("eighth-army", "alamein-army")


def _formation(counter: Counter) -> str:
    return counter.formation


def _stuck(game: Game, terrain: str) -> bool:
    return game.terrain[terrain].effects.flag("stuck", False)


def _scale(game: Game) -> int:
    """The least number of parts of an MF in which every cost and every half allowance is whole."""
    amounts = [fraction(row.effects.number("move", 1)) for row in game.terrain.values()]
    amounts += [fraction(row.effects.number("move_infantry", 0)) for row in game.features.values()]
    amounts += [fraction(kind.effects.number("move_mobile", 1)) for kind in game.road_kinds.values()]
    amounts.append(fraction(game.values["supply"].values.number("halved")))
    amounts.append(fraction(game.values["reinforcements"].values.number("entry_move")))
    return lcm(*(amount.denominator for amount in amounts))
