"""The game's map and counters turned into integers and sets, for fast searches.

Costs are in parts of a movement point, ``scale`` parts to one, so that the road rate is a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial
from math import lcm

from attrs import field, frozen

from referee.engine.movement import CLOSED, Ground
from referee.engine.zones import bits, open_steps
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.game.hexes import NOWHERE
from vassalgen.game.scenarios import Scenario
from vassalgen.game.tables import Feature
from vassalgen.game.values import Values, fraction

NOTHING: frozenset[str] = frozenset()
HEX_COSTS, HEXSIDE_COSTS, WATER_COSTS, FLOOD, BY_ROAD, IMPASSABLE = (
    *("4.1c", "2.1a", "2.1d", "2.1b"),
    *("2.1c", "4.1g"),
)
GROUND_CLAUSES = frozenset((HEX_COSTS, HEXSIDE_COSTS, WATER_COSTS, FLOOD, BY_ROAD, IMPASSABLE))
WATERS = ("river", "wadi")


@frozen(eq=False)
class Field:
    """The map and counters of the game. Sets of hexes are bits by index [engine.zones].

    ``units`` are the combat units, ``ems`` the headquarters by division, ``division`` the division of each
    unit and EM that has one, ``organic`` the units of each division. ``links`` are the neighbours that can be
    entered, by hex, ``zones`` those that a unit controls, ``roads`` those to which a road leads.
    """

    game: Game
    scale: int
    land: int
    units: frozenset[str]
    armour: frozenset[str]
    tigers: frozenset[str]
    ems: Mapping[str, str]
    division: Mapping[str, str]
    organic: Mapping[str, tuple[str, ...]]
    links: tuple[int, ...]
    zones: tuple[int, ...]
    roads: tuple[int, ...]
    grounds: dict[tuple[bool, frozenset[str]], Ground] = field(factory=dict)
    nets: dict[tuple[int, int, bool], int] = field(factory=dict)
    sources: dict[tuple[str, str], int] = field(factory=dict)
    harbours: dict[str, Mapping[str, tuple[str, ...]]] = field(factory=dict)
    tracks: dict[str, Mapping[int, Values]] = field(factory=dict)

    @classmethod
    def of(cls, game: Game) -> Field:
        """Prepare a game."""
        grid, terrain = game.map.grid, game.map.terrain
        units = [counter for counter in game.counters.values() if counter.kind == "unit"]
        ems = {counter.formation: counter.id for counter in game.counters.values() if counter.kind == "em"}
        division = {
            counter.id: counter.formation
            for counter in game.counters.values()
            if counter.kind in ("unit", "em") and counter.formation in ems
        }
        land = bits(at for at in range(len(grid.names)) if not game.terrain[terrain[at]].closed)
        return cls(
            game,
            _scale(game),
            land,
            frozenset(counter.id for counter in units),
            frozenset(counter.id for counter in units if counter.extra.flag("armour", False)),
            frozenset(counter.id for counter in units if counter.extra.flag("tiger", False)),
            ems,
            division,
            {name: tuple(unit.id for unit in units if unit.formation == name) for name in ems},
            open_steps(game, land),
            open_steps(game, land, _stops_zones),
            _roads(game),
        )

    def ground(self, flooded: bool, waived: frozenset[str] = NOTHING) -> Ground:
        """Return what steps cost; clauses in ``waived`` are ignored."""
        key = flooded, waived & GROUND_CLAUSES
        if key not in self.grounds:
            self.grounds[key] = self._ground(*key)
        return self.grounds[key]

    def source(self, counter: Counter) -> int:
        """Return the hexes from which a counter's formation, army or side draws supply [9.1b-1 to 9.1b-3]."""
        key = counter.formation, counter.side
        if key not in self.sources:
            self.sources[key] = self._source(*key)
        return self.sources[key]

    def garrisons(self, scenario: Scenario) -> Mapping[str, tuple[str, ...]]:
        """Return the garrisons of a campaign by harbour."""
        if scenario.id not in self.harbours:
            counters, found = self.game.counters, dict[str, tuple[str, ...]]()
            for one in scenario.setup:
                names = tuple(name for name in one.counters if counters[name].kind == "garrison")
                found[one.at] = (*found.get(one.at, ()), *names)
            self.harbours[scenario.id] = found
        return self.harbours[scenario.id]

    def turns(self, scenario: Scenario) -> Mapping[int, Values]:
        """Return the turn track's entries of a campaign by turn."""
        if scenario.id not in self.tracks:
            turns = reversed(scenario.turns or self.game.turns)  # of two with one number the first counts
            self.tracks[scenario.id] = {turn.number: turn.values for turn in turns}
        return self.tracks[scenario.id]

    def _source(self, formation: str, side: str) -> int:
        index, zones = self.game.map.grid.index, self.game.map.zones.values()
        for name in (*self._formations(formation), side):
            found = bits(index[where] for zone in zones if name in zone.supplies for where in zone.hexes)
            if found:
                return found
        return 0

    def is_panzer(self, piece: str) -> bool:
        """Return whether a unit or EM belongs to a Panzerdivision, which is always sustained [10e]."""
        return self.game.counters[piece].extra.flag("panzer_division", False)

    def _formations(self, name: str) -> tuple[str, ...]:
        found: list[str] = []
        while name and name not in found:
            found.append(name)
            name = self.game.formations[name].part_of if name in self.game.formations else ""
        return tuple(found)

    def _ground(self, flooded: bool, waived: frozenset[str]) -> Ground:
        map_, step = self.game.map, cache(partial(self._step, flooded, waived))
        country, road = [], []
        for at, around in enumerate(map_.grid.adjacent):
            steps = [(CLOSED, CLOSED)] * len(around)
            for direction, to in enumerate(around):
                if to != NOWHERE:
                    kinds = map_.road_kinds[at][direction]
                    if BY_ROAD in waived and not kinds:
                        kinds = self._roads_of_both(at, to)
                    steps[direction] = step(map_.terrain[to], map_.features[at][direction], kinds)
            country.append([plain for plain, _ in steps])
            road.append([fast for _, fast in steps])
        return Ground(map_.grid.adjacent, map_.grid.cubes, country, road)

    def _step(
        self,
        flooded: bool,
        waived: frozenset[str],
        terrain: str,
        crossed: frozenset[str],
        kinds: frozenset[str],
    ) -> tuple[int, int]:
        """The cost of a step across country and by road [2.1a to 2.1d, 4.1c, 4.1g]."""
        row = self.game.terrain[terrain]
        features = [self.game.features[name] for name in crossed]
        barred = row.closed or any(feature.closed for feature in features)
        if barred and IMPASSABLE not in waived:
            return CLOSED, CLOSED
        plain = 1 if HEX_COSTS in waived or row.closed else row.effects.number("move")
        cost = fraction(plain)
        for feature in features:
            water = feature.id in WATERS
            if (WATER_COSTS if water else HEXSIDE_COSTS) not in waived:
                cost += self.crossing(feature.effects, flooded and FLOOD not in waived)
        rates = [fraction(self.game.road_kinds[kind].effects.number("move")) for kind in kinds]
        return int(cost * self.scale), int(min(rates) * self.scale) if rates else CLOSED

    def crossing(self, effects: Values, flooded: bool, key: str = "move") -> Fraction:
        """Return an effect of a hexside: the cost of crossing it, or another one, during floods if there is
        one [2.1b].
        """
        if flooded and "flooded" in effects:
            effects = effects.group("flooded")
        return fraction(effects.number(key, 0))

    def _roads_of_both(self, at: int, to: int) -> frozenset[str]:
        """The kinds of road in both hexes, wherever they lead."""
        here, there = (frozenset[str]().union(*self.game.map.road_kinds[where]) for where in (at, to))
        return here & there


def _roads(game: Game) -> tuple[int, ...]:
    """By hex the neighbours to which a road leads."""
    return tuple(
        bits(to for to, kinds in zip(around, game.map.road_kinds[at], strict=True) if to != NOWHERE and kinds)
        for at, around in enumerate(game.map.grid.adjacent)
    )


def _stops_zones(feature: Feature) -> bool:
    """Zones of control do not reach over crests [3a, 2.1e]."""
    return feature.closed or not feature.effects.flag("zoc", True)


def _scale(game: Game) -> int:
    """The least number of parts of a movement point in which every cost is whole."""
    rows = (*game.terrain.values(), *game.features.values(), *game.road_kinds.values())
    amounts = [fraction(row.effects.number("move", 1)) for row in rows]
    amounts += [
        fraction(row.effects.group("flooded").number("move", 1))
        for row in game.features.values()
        if "flooded" in row.effects
    ]
    return lcm(*(amount.denominator for amount in amounts))
