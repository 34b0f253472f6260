"""What a move of one unit costs by the rules in the data, and which clauses forbid it."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Self

from attrs import define, evolve, field, frozen

from referee.engine import moves
from referee.engine.actions import Action
from referee.engine.movement import March, reach
from referee.engine.moves import NOTHING
from referee.engine.position import Piece, Position
from referee.engine.rulings import Fact, number
from referee.engine.zones import indices
from referee.standard.facts import (
    closed_by,
    enemies_at,
    fits,
    half,
    held,
    marked_hexes,
    others,
    points_of,
    rules_of,
)
from referee.standard.notes import ENTERED, HELD_UP, Trail, trail_of
from referee.standard.own_words import true_of
from referee.standard.setting import Setting, Terms, effects_for, the_setting
from referee.standard.stacking import full_hexes
from referee.standard.track import entry_of_turn
from referee.standard.transport import carriers_from, start_of
from referee.standard.zones import controlled, near_enemies
from vassalgen.game.families import NOBODY, Allowance, FactorAmount, Marker, Movement, StateId, ZocLimit


@define
class _Hindered:
    """What zones of control add to a march: sets of hexes as bits, costs by hex."""

    stops: int = 0
    shut: int = 0
    apart: int = 0
    apart_into: int = 0
    between: tuple[int, int] = (0, 0)
    between_into: int = 0
    entering: dict[int, int] = field(factory=dict)
    leaving: dict[int, int] = field(factory=dict)


@frozen(eq=False)
class CostedMove(moves.Move[Trail]):
    """A move of one unit by one kind of movement, without the words of its findings."""

    name: str

    @classmethod
    def begin(cls, position: Position, action: Action, path: tuple[int, ...]) -> Self:
        piece, trail = position.pieces[action.piece], trail_of(position, action.piece, action.verb)
        return cls(position, piece, path, action.dragged, trail, action.verb)

    @property
    def scale(self) -> int:
        return self.setting.scale

    @property
    def unit(self) -> str:
        return self.movement.unit

    @cached_property
    def movement(self) -> Movement:
        """The kind of movement."""
        return rules_of(self.position).movement[self.name]

    @cached_property
    def true(self) -> frozenset[str]:
        """The words that are true of the unit."""
        return true_of(self.position, self.piece)

    @property
    def setting(self) -> Setting:
        """The prepared game."""
        return the_setting(self.position)

    @cached_property
    def zoc_limits(self) -> tuple[tuple[str, ZocLimit], ...]:
        """The limits that zones of control set to this unit in this kind of movement, with their clauses."""
        zoc = rules_of(self.position).zoc
        if zoc is None or not zoc.on.holds(self.true) or self.movement.distance > 1:
            return ()  # zones are next to enemies, where such a unit does not come anyway
        found = [
            limit
            for limit in zoc.limits.values()
            if limit.who.holds(self.true) and (not limit.movements or self.name in limit.movements)
        ]
        stopping = {limit.against for limit in found if limit.is_stopping}
        return tuple(
            (limit.clause or zoc.clause, limit)
            for limit in found
            if not (self._came_here and limit.is_locking and limit.against in stopping)
        )

    @property
    def _came_here(self) -> bool:
        """Whether the unit has come to its hex in this phase."""
        return self.trail is not None and self.trail.start != self.piece.where

    @cached_property
    def marker_limits(self) -> tuple[Marker, ...]:
        """The markers in hexes that hinder this unit in this kind of movement."""
        return tuple(
            rule
            for rule in rules_of(self.position).markers.values()
            if (rule.does or rule.closes)
            and rule.who.holds(self.true)
            and (not rule.movements or self.name in rule.movements)
        )

    def limits(self) -> tuple[str, ...]:
        """Return the clauses that limit this unit now, the most specific first."""
        movement, rules = self.movement, rules_of(self.position)
        found: list[str] = [
            rules.bars[name].clause for name in self.setting.bars_for(self.true, "move", self.name)
        ]
        found += [bar.clause for bar in self.setting.halts_for(self.true, self.name)]
        found += [movement.distance_clause, movement.only_roads, self._not_through]
        found += [movement.season_clause if self._season else ""]
        found += [clause for clause, _ in self.zoc_limits]
        found += [rule.clause for rule in self.marker_limits]
        found += [self.held_up, movement.road_bonus_clause if self._bonus else ""]
        found += [self.enemies, self._stacking, self._pays if self.entry else "", movement.road_clause]
        found += [one.clause for one in self.allowances]
        found += self._slowing
        special = dict.fromkeys(clause for clause in found if clause and clause != movement.clause)
        return (*special, movement.clause)

    @property
    def enemies(self) -> str:
        """The clause by which no unit enters a hex with an enemy."""
        return self.movement.enemies or self.movement.clause

    @property
    def _stacking(self) -> str:
        found = rules_of(self.position).stacking
        return found.clause if found and found.when == "always" else ""

    @property
    def _not_through(self) -> str:
        """The clause by which no unit passes through some friends."""
        return self.movement.not_through_clause

    def in_the_way(self, at: int) -> frozenset[str]:
        """Return the friends in a hex that the unit may not pass through."""
        if not self._not_through:
            return frozenset()
        position, who = self.position, self.movement.not_through
        there = (one for one in position.at(position.game.map.grid.names[at]) if one.side == self.piece.side)
        return frozenset(one.id for one in there if fits(position, one, who)) - {self.piece.id}

    def _stands_in_the_way(self) -> frozenset[str]:
        """The friends in the unit's hex that it has come upon in this phase, and may not pass through."""
        return self.trail.upon & self.in_the_way(self.path[0]) if self.trail else frozenset()

    def find_faults(self) -> tuple[str, ...]:
        """Return the clauses that forbid an impossible move."""
        limits = self.limits()
        if self.cost(frozenset(limits)) is None:
            return (self.movement.clause,)
        affordable = self.cost(frozenset(limits) - {self.movement.clause}) is not None
        return self.fewest(limits, limits if affordable else (self.movement.clause,))

    def find_cost(self, waived: frozenset[str]) -> int | None:
        """Return the least cost of the move with some clauses waived; None if it is impossible."""
        if self.trail and self.trail.stopped and not waived & self._stopping():
            return None
        if self.held_up and self.held_up not in waived:
            return None
        if self._not_through not in waived and self._stands_in_the_way():
            return None
        march = self.march(waived)
        if self.is_one_step() and self.movement.minimum and self.movement.minimum_who.holds(self.true):
            return moves.cost_of_one_hex(march, self.path, self.dragged)
        cost = moves.cost_of_path(march, self.path, self.dragged)
        return self._by_road(waived) if cost is None and self._bonus else cost

    @property
    def held_up(self) -> str:
        """The clause by which the unit may not move on after its attack; empty if it may."""
        kind, target = self.position.note(HELD_UP, self.piece.id) or ("", "")
        combat = rules_of(self.position).combat.get(kind)
        if combat is None or (
            combat.goes_on == "cleared" and not enemies_at(self.position, target, self.piece.side)
        ):
            return ""
        return combat.goes_on_clause or combat.clause

    @property
    def _bonus(self) -> bool:
        """Whether the unit has more points if it keeps to roads, and has kept to them so far."""
        kept = self.trail is None or not self.trail.off_road
        movement = self.movement
        may = movement.roads.holds(self.true) and movement.road_bonus_who.holds(self.true)
        return bool(movement.road_bonus) and kept and may

    def _by_road(self, waived: frozenset[str] = NOTHING) -> int | None:
        """Return the cost of the move along roads alone, with the points for that."""
        return moves.cost_of_path(self._march_by_road(waived), self.path, self.dragged)

    def _march_by_road(self, waived: frozenset[str] = NOTHING) -> March:
        march = self.march(waived)
        more = self.movement.road_bonus * self.scale
        more = moves.UNLIMITED if self.movement.road_bonus_clause in waived else more
        ground = self.setting.ground(evolve(self.terms(waived), by_road=True))
        return evolve(march, ground=ground, budget=march.budget + more)

    def leaves_road(self) -> bool:
        """Return whether the unit does not keep to roads on this move."""
        return self._by_road(frozenset({self.movement.clause})) is None

    def paths(self) -> dict[str, tuple[str, ...]]:
        """Return the cheapest paths to all hexes within reach, those by road alone included."""
        found = super().paths()
        if not self._bonus:
            return found
        names, here = self.position.game.map.grid.names, self.path[0]
        by_road = reach(self._march_by_road())
        ends = {names[at]: by_road.path(at) for at in by_road.costs if at != here}
        return {**{end: tuple(names[at] for at in path) for end, path in ends.items()}, **found}

    def _stopping(self) -> frozenset[str]:
        """The clauses by which a unit must stop, or may enter only one hex."""
        found = {clause for clause, limit in self.zoc_limits if limit.does in ("stop", "forbid")}
        found |= {rule.clause for rule in self.marker_limits if rule.does == "stop"}
        found |= {bar.clause for bar in self.setting.halts_for(self.true, self.name)}
        return frozenset(found | {self.movement.clause})

    def march(self, waived: frozenset[str] = NOTHING) -> March:
        """Return the unit on the march, with some clauses ignored."""
        movement, position = self.movement, self.position
        hindered = self._hindered_by_zones(waived)
        stops, shut, entering = hindered.stops, hindered.shut, dict(hindered.entering)
        for rule in self.marker_limits:
            marked = marked_hexes(position, rule.marker, rule.hexes) if rule.clause not in waived else 0
            if rule.does == "stop":
                stops |= marked
            elif rule.does == "forbid":
                shut |= marked
            elif isinstance(rule.does, int) and rule.does:
                cost = rule.does * self.scale
                entering.update({at: entering.get(at, 0) + cost for at in indices(marked)})
        if self._stacking and self._stacking not in waived:
            stops |= full_hexes(position, self.piece)
        if self._not_through and self._not_through not in waived:
            stops |= held(position, (self.piece.side,), movement.not_through)
        for halt in self.setting.halts_for(self.true, self.name):
            stops |= 0 if halt.clause in waived else self.setting.halting(halt)
        by_road = bool(movement.road_clause) and movement.road_clause in waived
        slow = 0 if by_road or movement.road_in_zoc else controlled(position, self.piece.side, "move")
        return March(
            self.setting.ground(self.terms(waived)),
            self.path[0],
            moves.UNLIMITED if movement.clause in waived else self.budget_without(waived),
            self.spent - (self.entry if self._pays in waived else 0),
            movement.roads.holds(self.true) or by_road,
            slow,
            stops=stops,
            shut=shut | self._closed_by_enemies(waived),
            apart=hindered.apart,
            apart_into=hindered.apart_into,
            leaving=hindered.leaving,
            entering=entering,
            between=hindered.between,
            between_into=hindered.between_into,
        )

    def _closed_by_enemies(self, waived: frozenset[str]) -> int:
        """The hexes that enemies close to the unit, as bits: their own, and those too near to them."""
        position, movement, found = self.position, self.movement, 0
        if self.enemies not in waived:
            captured = rules_of(position).captured
            mine = captured and any(one.who.holds(self.true) for one in captured.all)
            found |= (held if mine else closed_by)(position, others(position, self.piece.side))
        if movement.distance and movement.distance_clause not in waived:
            found |= near_enemies(position, self.piece.side, movement.distance)
        return found

    def _hindered_by_zones(self, waived: frozenset[str]) -> _Hindered:
        """What zones of control do to the unit on the march."""
        found = _Hindered()
        stopping = {limit.against for _, limit in self.zoc_limits if limit.is_stopping}
        for clause, limit in self.zoc_limits:
            if clause in waived or (limit.unless_whole_move and self.is_one_step()):
                continue
            whole = zone = controlled(self.position, self.piece.side, "move", limit.against)
            if limit.unless_friend:
                zone &= ~held(self.position, (self.piece.side,), limit.unless_friend)
            forbidden = limit.does == "forbid"
            cost = limit.does * self.scale if isinstance(limit.does, int) else 0
            if limit.on == "through" and forbidden:
                found.apart, found.apart_into = found.apart | whole, found.apart_into | zone
            elif limit.on == "through":
                found.between, found.between_into = (whole, cost), zone
            elif limit.is_locking:
                found.stops |= 0 if limit.against in stopping else zone
                found.shut |= -1 if zone >> self.path[0] & 1 else 0
            elif limit.on == "leaving":
                found.leaving.update({at: found.leaving.get(at, 0) + cost for at in indices(zone)})
            elif limit.does == "stop":
                found.stops |= zone
            elif forbidden:
                found.shut |= zone
            else:
                found.entering.update({at: found.entering.get(at, 0) + cost for at in indices(zone)})
        return found

    @cached_property
    def _season(self) -> str:
        """The entry of the turn track that changes costs."""
        return entry_of_turn(self.position, self.movement.season) if self.movement.season else ""

    def terms(self, waived: frozenset[str] = NOTHING) -> Terms:
        """Return the terms on which the unit moves from hex to hex."""
        rules, movement = rules_of(self.position), self.movement
        bars = self.setting.bars_for(self.true, "move", self.name)
        return Terms(
            effects_for(movement, self.true),
            tuple(name for name in bars if rules.bars[name].clause not in waived),
            "" if movement.season_clause in waived else self._season,
            self.budget if self.is_one_step() and not self.spent else 0,
            bool(movement.only_roads) and movement.only_roads not in waived,
            tuple(
                (feature, marked_hexes(self.position, rule.marker))
                for rule in self.marker_limits
                for feature in rule.closes
                if rule.clause not in waived
            ),
        )

    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        """Return the points that the unit has."""
        movement, position = self.movement, self.position
        more = entry_of_turn(position, movement.add) if movement.add else ""
        added = int(more) if more.lstrip("+-").isdecimal() else 0
        mine = [one for one in self.allowances if one.clause not in waived]
        base = next((one.points for one in mine if one.points != ""), movement.points)
        printed = self._carriers_points(base)
        if printed is None:
            printed = points_of(position, self._without_states(waived), base)
        points = half((printed + added) * movement.multiply, movement.round)
        for one in mine:
            points = half(points * one.times, one.round) + one.add
        return max(points, Fraction(0))

    def _carriers_points(self, base: FactorAmount) -> int | None:
        """Return the points of the carrier, if the unit is carried and has no such factor itself."""
        movement, piece = self.movement, self.piece
        own = piece.counter.printed(base, piece.steps) if isinstance(base, str) else base
        if movement.carried_by == NOBODY or isinstance(own, int):
            return None
        carriers = carriers_from(self.position, piece.side, movement, start_of(self.position, piece))
        return max((points_of(self.position, one, base) for one in carriers), default=None)

    @cached_property
    def _slowing(self) -> dict[str, tuple[str, ...]]:
        """The states of the unit that change a factor of its movement, by clause."""
        movement, game, rules = self.movement, self.position.game, rules_of(self.position)
        factors = {movement.points, *(one.points for one in self.allowances)}
        found: dict[str, tuple[str, ...]] = {}
        for state in self.piece.states:
            rule = rules.states.get(StateId(state))
            counts = set(game.states[state].counts) if state in game.states else set()
            for clause in rule.clauses_for(factors & counts) if rule else ():
                found[clause] = (*found.get(clause, ()), state)
        return found

    def _without_states(self, waived: frozenset[str]) -> Piece:
        """Return the unit without the states whose clauses are ignored."""
        gone = {state for clause in waived for state in self._slowing.get(clause, ())}
        left = {state: mark for state, mark in self.piece.states.items() if state not in gone}
        return evolve(self.piece, states=left) if gone else self.piece

    @cached_property
    def allowances(self) -> tuple[Allowance, ...]:
        """The entries by which the unit has more or fewer points than others."""
        return tuple(one for one in self.movement.allowances.values() if one.who.holds(self.true))

    @cached_property
    def budget(self) -> int:
        """The points that the unit has, in parts of a point."""
        return int(self.allowance() * self.scale)

    def budget_without(self, waived: frozenset[str]) -> int:
        """Return the budget with some clauses ignored."""
        if waived & {*self._slowing, *(one.clause for one in self.allowances)}:
            return int(self.allowance(waived) * self.scale)
        return self.budget

    @cached_property
    def spent(self) -> int:
        """What the unit has paid before this move, its entry hex included, in parts of a point."""
        return self.trail.spent if self.trail else self.entry

    @cached_property
    def entry(self) -> int:
        """What the unit has paid for its entry hex, if it entered this turn and must pay; in parts of a
        point.
        """
        entry = self.position.note(ENTERED, self.piece.id)
        return entry_cost(self.position, self.piece, entry) if entry and self._pays else 0

    @property
    def _pays(self) -> str:
        """The clause by which units pay for their entry hex by this kind of movement; empty if none does."""
        coming = rules_of(self.position).reinforcements
        return coming.pays if coming and coming.movement == self.name else ""

    def stops_after(self) -> bool:
        """Return whether the unit must stop after this move."""
        position, end = self.position, self.path[-1]
        for _, limit in self.zoc_limits:
            zone = controlled(position, self.piece.side, "move", limit.against)
            if limit.unless_friend:
                zone &= ~held(position, (self.piece.side,), limit.unless_friend)
            if limit.does == "stop" and zone >> end & 1:
                return True
        if any(
            rule.does == "stop" and marked_hexes(position, rule.marker, rule.hexes) >> end & 1
            for rule in self.marker_limits
        ):
            return True
        if any(self.setting.halting(one) >> end & 1 for one in self.setting.halts_for(self.true, self.name)):
            return True
        return self.is_one_step() and moves.cost_of_path(self._not_whole(), self.path, self.dragged) is None

    def _not_whole(self) -> March:
        """The march without steps that are allowed only as a whole move of one hex."""
        moved = type(self)(
            self.position,
            self.piece,
            self.path,
            self.dragged,
            Trail(self.start, spent=self.spent, movement=self.name),
            self.name,
        )
        return moved.march()

    def is_unproven(self, clause: str) -> bool:
        """Return whether a breach of a clause is not proved: a friend may have made room later."""
        return clause == self._stacking

    def facts(self) -> dict[str, Fact]:
        """Return the facts of the move."""
        known = self.position.game.map.grid.names
        facts: dict[str, Fact] = {"unit": self.piece.id, "path": tuple(known[at] for at in self.path)}
        if (cost := self.cost(frozenset({self.movement.clause}))) is not None:
            facts["cost"] = number(Fraction(cost, self.scale))
        facts["allowance"] = number(self.allowance())
        return facts


def entry_cost(position: Position, piece: Piece, where: str) -> int:
    """Return the points that a unit pays to enter the map in a hex."""
    setting, coming = the_setting(position), rules_of(position).reinforcements
    movement = rules_of(position).movement[coming.movement] if coming else None
    if movement is None:
        return 0
    at = position.game.map.grid.index[where]
    terms = Terms(
        effects_for(movement, true_of(position, piece)), season=entry_of_turn(position, movement.season)
    )
    ground = setting.ground(terms)
    steps = [
        (ground.country[other][direction], ground.road[other][direction])
        for other, around in enumerate(ground.adjacent)
        for direction, to in enumerate(around)
        if to == at
    ]
    roads = any(where in road.exits for road in position.game.map.roads.values())
    costs = [cost for step in steps for cost in step[: 2 if roads else 1] if cost >= 0]
    return min(costs, default=0)
