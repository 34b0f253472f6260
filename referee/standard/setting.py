"""A game by data made ready for fast searches: words that are true of counters and hexes, costs, zones.

Costs are in parts of a point, ``scale`` parts to one, so that halves are whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from math import lcm
from typing import TypeAlias

from attrs import field, frozen

from referee.engine.movement import CLOSED, Ground
from referee.engine.position import Position, prepared_as
from referee.engine.supply import Supply
from referee.engine.zones import bits, open_steps
from vassalgen.game.families import Bar, Families, Movement, Where
from vassalgen.game.game import Game
from vassalgen.game.hexes import NOWHERE
from vassalgen.game.tables import ChartRow
from vassalgen.game.values import fraction
from vassalgen.game.words import counter_words

ALL, NO = "all", "no"
"""Costs of a step that are no numbers: the whole allowance, and "cannot be made"."""
ANY_MOVE = ("move", "retreat", "advance")


Closed: TypeAlias = tuple[tuple[str, int], ...]
"""Features of hexsides that are not there around some hexes, as bits: the bridges that a marker closes."""


@frozen
class Terms:
    """What the cost of a step depends on: the effects looked up, the bars that apply, the season's word.

    ``whole`` is what a step costs that takes a whole allowance; without it such a step cannot be made.
    ``by_road``: only along roads. ``closed`` are features that are not there around some hexes, as bits;
    nothing crosses those that are ``shut``.
    """

    effects: tuple[str, ...]
    bars: tuple[str, ...] = ()
    season: str = ""
    whole: int = 0
    by_road: bool = False
    closed: Closed = ()
    shut: tuple[str, ...] = ()


@frozen(eq=False)
class Setting:
    """A game with its rules, and what is true of its counters and hexes. Sets of hexes are bits by index.

    ``controlled`` and ``supply_of`` are what the game's own words ask of zones and of supply, which ask for
    words themselves.
    """

    game: Game
    rules: Families
    scale: int
    land: int
    units: frozenset[str]
    true_of: Mapping[str, frozenset[str]]
    true_at: tuple[frozenset[str], ...]
    controlled: Callable[[Position, str], int]
    supply_of: Callable[[Position, str], Supply | None]
    grounds: dict[Terms, Ground] = field(factory=dict)
    zones: dict[Closed, tuple[int, ...]] = field(factory=dict)
    masks: dict[Where, int] = field(factory=dict)
    supply_lines: dict[tuple[frozenset[str] | None, Closed, tuple[str, ...]], tuple[int, ...]] = field(
        factory=dict
    )

    @classmethod
    def of(
        cls,
        game: Game,
        rules: Families,
        controlled: Callable[[Position, str], int],
        supply_of: Callable[[Position, str], Supply | None],
    ) -> Setting:
        """Prepare a game that has rules as data."""
        grid = game.map.grid
        return cls(
            game,
            rules,
            _scale(game, rules),
            bits(at for at in range(len(grid.names)) if not game.terrain[game.map.terrain[at]].closed),
            frozenset(c.id for c in game.counters.values() if not game.kinds[c.kind].marker),
            {counter.id: frozenset(counter_words(game, counter)) for counter in game.counters.values()},
            tuple(frozenset(_words_at(game, name)) for name in grid.names),
            controlled,
            supply_of,
        )

    def hexes(self, where: Where) -> int:
        """Return the hexes that a condition chooses."""
        if where not in self.masks:
            self.masks[where] = bits(at for at, true in enumerate(self.true_at) if where.holds(true))
        return self.masks[where]

    def features(self, at: int, direction: int, closed: Closed = ()) -> frozenset[str]:
        """Return the features of a hexside that are not ``closed``, without those that another opens."""
        found = self.game.map.features[at][direction]
        if closed:
            found -= self._gone(at, direction, closed)
        opened = {closed for name in found for closed in self.game.features[name].opens}
        return found - opened

    def road_kinds(self, at: int, direction: int, closed: Closed = ()) -> frozenset[str]:
        """Return the kinds of road that cross a hexside: none over what is ``closed``."""
        gone = self._gone(at, direction, closed) if closed else frozenset()
        over = not gone.isdisjoint(self.game.map.features[at][direction])
        return frozenset() if over else self.game.map.road_kinds[at][direction]

    def _gone(self, at: int, direction: int, closed: Closed) -> frozenset[str]:
        to = self.game.map.grid.adjacent[at][direction]
        return frozenset(name for name, hexes in closed if (hexes >> at | hexes >> to) & 1)

    def ground(self, terms: Terms) -> Ground:
        """Return the costs of steps on given terms."""
        if terms not in self.grounds:
            grid, country, road = self.game.map.grid, [], []
            for at, around in enumerate(grid.adjacent):
                steps = [self._step(terms, at, direction, to) for direction, to in enumerate(around)]
                country.append([plain for plain, _ in steps])
                road.append([fast for _, fast in steps])
            self.grounds[terms] = Ground(grid.adjacent, grid.cubes, country, road)
        return self.grounds[terms]

    def _step(self, terms: Terms, at: int, direction: int, to: int) -> tuple[int, int]:
        """What a step costs across country and along a road."""
        if to == NOWHERE or not self.land >> to & 1:
            return CLOSED, CLOSED
        features = self.features(at, direction, terms.closed)
        roads = self.road_kinds(at, direction, terms.closed)
        if terms.by_road and not roads & self._kept_to(terms):
            return CLOSED, CLOSED
        if any(self.game.features[name].closed or name in terms.shut for name in features):
            return CLOSED, CLOSED
        for name in terms.bars:
            if self.is_barred(self.rules.bars[name], at, to, features, bool(roads)):
                return CLOSED, CLOSED
        found = [_effect(self.game.terrain[self.game.map.terrain[to]], terms, 1)]
        found += [_effect(self.game.features[name], terms, 0) for name in sorted(features)]
        rates = [_effect(self.game.road_kinds[name], terms, NO) for name in sorted(roads)]
        fast = [self._parts(rate, terms) for rate in rates if rate != NO]
        road = min((cost for cost in fast if cost != CLOSED), default=CLOSED)
        costs = [self._parts(cost, terms) for cost in found]
        if CLOSED in costs:
            return (road, road) if road != CLOSED else (CLOSED, CLOSED)
        return (terms.whole if ALL in found else sum(costs)), road

    def _kept_to(self, terms: Terms) -> frozenset[str]:
        """The kinds of road that a march keeps to: those with its effects, or all if none has them."""
        kinds = self.game.road_kinds.values()
        mine = [kind.id for kind in kinds if _effect(kind, terms, NO) != NO]
        return frozenset(mine or self.game.road_kinds)

    def _parts(self, cost: float | str, terms: Terms) -> int:
        if isinstance(cost, str):
            return terms.whole or CLOSED if cost == ALL else CLOSED
        return int(fraction(cost) * self.scale)

    def is_barred(self, bar: Bar, at: int, to: int, features: frozenset[str], road: bool) -> bool:
        """Return whether a bar closes a step to the units to which it applies."""
        if bar.except_by_road and road:
            return False
        into = bool(bar.into) and bool(self.hexes(bar.into) >> to & 1)
        return into or not features.isdisjoint(bar.across)

    def bars_for(self, true: frozenset[str], *activities: str) -> tuple[str, ...]:
        """Return the names of the bars on an activity that apply to a unit of which these words are true."""
        return tuple(
            name
            for name, bar in self.rules.bars.items()
            if not bar.stops
            and not bar.ends
            and bar.who.holds(true)
            and set(_kinds_of(self.rules, bar.to or ANY_MOVE)) & set(activities)
        )

    def halts_for(self, true: frozenset[str], movement: str) -> tuple[Bar, ...]:
        """Return the bars that end the movement of a unit of which these words are true."""
        return tuple(
            bar
            for bar in self.rules.bars.values()
            if bar.stops and bar.who.holds(true) and (not bar.to or {"move", movement} & set(bar.to))
        )

    def halting(self, bar: Bar) -> int:
        """Return the hexes in which a bar ends movement; without hexes on a road if it excepts roads."""
        if not bar.except_by_road:
            return self.hexes(bar.into)
        by_road = bits(at for at, kinds in enumerate(self.game.map.road_kinds) if any(kinds))
        return self.hexes(bar.into) & ~by_road

    def reach(self, closed: Closed = ()) -> tuple[int, ...]:
        """Return by hex the neighbours into which a zone of control extends."""
        zoc = self.rules.zoc
        if closed not in self.zones and zoc:
            shut = set(zoc.not_across)
            land = self.land & ~(self.hexes(zoc.not_into) if zoc.not_into else 0)
            plain = open_steps(self.game, land, lambda feature: False)
            self.zones[closed] = tuple(
                bits(
                    to
                    for direction, to in enumerate(around)
                    if to != NOWHERE and plain[at] >> to & 1 and self._is_open(at, direction, shut, closed)
                )
                for at, around in enumerate(self.game.map.grid.adjacent)
            )
        return self.zones[closed]

    def lines(self, closed: Closed = (), shut: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Return by hex the neighbours to which a line of supply runs, across open hexsides not ``shut``."""
        return self._lines(None, closed, shut)

    def roads(
        self, kinds: tuple[str, ...], closed: Closed = (), shut: tuple[str, ...] = ()
    ) -> tuple[int, ...]:
        """Return by hex the neighbours to which a line of supply runs by road, of these kinds or of any."""
        return self._lines(frozenset(kinds or self.game.road_kinds), closed, shut)

    def _lines(self, roads: frozenset[str] | None, closed: Closed, shut: tuple[str, ...]) -> tuple[int, ...]:
        if (roads, closed, shut) not in self.supply_lines:
            land = self.land
            self.supply_lines[roads, closed, shut] = tuple(
                bits(
                    to
                    for direction, to in enumerate(around)
                    if to != NOWHERE
                    and land >> to & 1
                    and self._is_open(at, direction, frozenset(shut), closed)
                    and (roads is None or not roads.isdisjoint(self.road_kinds(at, direction, closed)))
                )
                for at, around in enumerate(self.game.map.grid.adjacent)
            )
        return self.supply_lines[roads, closed, shut]

    def _is_open(self, at: int, direction: int, shut: Set[str], closed: Closed) -> bool:
        features = self.features(at, direction, closed)
        return shut.isdisjoint(features) and not any(self.game.features[name].closed for name in features)


the_setting = prepared_as(Setting)
"""The setting of a position's game."""


def _kinds_of(rules: Families, activities: Iterable[str]) -> Iterator[str]:
    """Activities by name; ``move`` is any kind of movement and ``attack`` any kind of combat."""
    for one in activities:
        yield one
        if one == "move":
            yield from rules.movement
        if one == "attack":
            yield from rules.combat


def _effect(row: ChartRow, terms: Terms, usual: float | str) -> float | str:
    """What a line of the terrain chart says, of the season's group first, by the first effect that it has."""
    groups = [row.effects.group(terms.season)] if terms.season and terms.season in row.effects else []
    for effect in terms.effects:
        for values in (*groups, row.effects):
            found = values.get(effect)
            if isinstance(found, str) or (isinstance(found, int | float) and not isinstance(found, bool)):
                return found
    return usual


def _words_at(game: Game, name: str) -> Iterator[str]:
    found = game.map.hexes[name]
    yield from (name, found.terrain, found.country, *game.map.zones_of(name))
    for place in game.map.places_of(name):
        yield from (place.name, place.kind)


def _scale(game: Game, rules: Families) -> int:
    """The least number of parts of a point in which every cost and allowance is whole."""
    rows: tuple[ChartRow, ...] = (
        *game.terrain.values(),
        *game.features.values(),
        *game.road_kinds.values(),
    )
    effects = {
        effect
        for movement in rules.movement.values()
        for effect in (movement.cost, *movement.cost_of.values())
    }
    if rules.supply:
        effects |= {rules.supply.cost, *(line.cost for line in rules.supply.lines.values())}
    found = [movement.multiply for movement in rules.movement.values() if movement.round == "exact"]
    found += [one.times for movement in rules.movement.values() for one in movement.allowances.values()]
    for row in rows:
        groups = [value for value in row.effects.entries.values() if isinstance(value, Mapping)]
        for values in (row.effects.entries, *groups):
            costs = [values.get(effect) for effect in effects]
            found += [fraction(cost) for cost in costs if isinstance(cost, int | float)]
    return lcm(*(amount.denominator for amount in found)) if found else 1


def effects_for(movement: Movement, true: frozenset[str]) -> tuple[str, ...]:
    """Return the effects that determine the costs of a unit of which these words are true, in order of
    priority.
    """
    own = [effect for who, effect in movement.cost_of.items() if who.holds(true)]
    return (*own[:1], movement.cost)
