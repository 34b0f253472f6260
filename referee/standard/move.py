"""How findings say that a move of one unit breaks a clause."""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from referee.engine import moves
from referee.engine.movement import March
from referee.engine.rulings import number
from referee.engine.wording import counted, counter_name, is_or_are, name_of, names_of
from referee.standard.costed_move import CostedMove
from referee.standard.facts import enemies_at, rules_of
from referee.standard.notes import HELD_UP
from referee.standard.setting import Terms, effects_for
from referee.standard.zones import controlled, controllers
from vassalgen.game.families import Bar, Marker, ZocLimit


@frozen(eq=False)
class Move(CostedMove):
    """A move of one unit by one kind of movement."""

    def says(self, clause: str) -> str:
        """Say how the move breaks a clause, as a sentence of a finding."""
        position, movement = self.position, self.movement
        unit, known = name_of(position, self.piece.id), position.game.map.grid.names
        here, there = known[self.path[0]], known[self.path[-1]]
        enemies = enemies_at(position, there, self.piece.side)
        if enemies and clause == self.enemies:
            names = names_of(position, (piece.id for piece in enemies))
            return f"{unit} may not enter {there}: {names} {is_or_are(enemies)} there."
        if halts := [one for one in self.setting.halts_for(self.true, self.name) if one.clause == clause]:
            return self._says_halt(halts, unit, here, there)
        cost = self.cost(frozenset({clause})) if clause == movement.clause else None
        dear = cost is not None and cost > self.budget
        for name, bar in rules_of(position).bars.items() if not dear else ():
            if bar.clause == clause and name in self.setting.bars_for(self.true, "move", self.name):
                return self._says_bar(name, unit, here, there)
        if clause != movement.clause and (by := [one for one in self.marker_limits if one.clause == clause]):
            return self._says_marked(by[0], unit, here, there)
        limits = [limit for mine, limit in self.zoc_limits if mine == clause]
        if limits and (clause != movement.clause or (not dear and self._meets_a_zone())):
            return self._says_zoc(limits, unit, here, there)
        if clause == movement.distance_clause:
            return (
                f"{unit} may not come within {counted(movement.distance - 1, 'hex')} of an enemy on its"
                f" path from {here} to {there}."
            )
        if clause == self.held_up:
            _, target = position.note(HELD_UP, self.piece.id) or ("", "")
            return f"{unit} has attacked {target} and may not go on to {there}."
        if clause == movement.only_roads and (clause != movement.clause or self._leaves_road_at_once()):
            return f"{unit} must follow a road all the way from {here} to {there}."
        if clause == self._not_through:
            if met := self._stands_in_the_way():
                friends = names_of(position, sorted(met))
                return f"{unit} has come upon {friends} in {here} and goes on to {there}."
            return f"{unit} may not pass through the friendly units between {here} and {there}."
        if clause == self._stacking:
            return f"{unit} moves through a full hex on the way from {here} to {there}."
        cost = self.cost(frozenset({movement.clause}))
        if cost is None:
            return self._says_closed(unit, here, there)
        needs = counted(Fraction(cost, self.scale), movement.unit)
        if clause == movement.season_clause and self._season:
            has = number(self.allowance())
            return f"{unit} needs {needs} to reach {there} ({self._season}); it has {has}."
        if clause == self._pays and self.entry:
            has = number(self.allowance())
            return f"{unit} needs {needs} to reach {there}, its entry hex included; it has {has}."
        if clause == movement.road_bonus_clause:
            has = f"{number(self.allowance())}, and {movement.road_bonus} more by road alone"
            return f"{unit} needs {needs} to reach {there}; it has {has}."
        if clause == movement.road_clause:
            return (
                f"{unit} may not use the road; it needs {needs} to reach {there} and has"
                f" {number(self.allowance())}."
            )
        if cost <= self.budget:
            return f"{unit} has ended its move in {here} and goes on to {there}."
        return f"{unit} needs {needs} to reach {there}; it has {number(self.allowance())}."

    def _meets_a_zone(self) -> bool:
        """Whether an enemy zone of control is on the way, as far as it is known."""
        zone = controlled(self.position, self.piece.side, "move")
        return any(zone >> at & 1 for at in self.path)

    def _leaves_road_at_once(self) -> bool:
        """Whether no road leads to the end of the move, whatever else forbids it."""
        ground = self.setting.ground(Terms(effects_for(self.movement, self.true), by_road=True))
        march = March(ground, self.path[0], moves.UNLIMITED, roads=True)
        return moves.cost_of_path(march, self.path, self.dragged) is None

    def _says_closed(self, unit: str, here: str, there: str) -> str:
        """Name the first step that is closed to the unit, if the path is known."""
        ground = self.setting.ground(self.terms(frozenset({self.movement.clause})))
        names, roads = self.position.game.map.grid.names, self.movement.roads.holds(self.true)
        for at, to in zip(self.path, self.path[1:], strict=False) if not self.dragged else ():
            direction = ground.adjacent[at].index(to)
            if ground.country[at][direction] < 0 and not (roads and ground.road[at][direction] >= 0):
                step = f"from {names[at]} to {names[to]}"
                return f"{unit} may not go {step}: the hex or the hexside is closed to it."
        return f"{unit} cannot move from {here} to {there}: no open path leads there."

    def _says_halt(self, halts: list[Bar], unit: str, here: str, there: str) -> str:
        names, passed = self.position.game.map.grid.names, [*self.path[1:-1]]
        passed += [self.path[0]] if self.trail and self.trail.stopped else []
        for at in passed:
            if any(self.setting.halting(one) >> at & 1 for one in halts):
                return f"{unit} must stop in {names[at]} and goes on to {there}."
        return f"{unit} cannot reach {there} from {here} without entering a hex where it must stop."

    def _says_marked(self, rule: Marker, unit: str, here: str, there: str) -> str:
        marker = counter_name(self.position.game, rule.marker)
        if rule.closes:
            features = " or ".join(self.position.game.features[one].title.lower() for one in rule.closes)
            return f"{unit} moves from {here} to {there} as if there were a {features}; {marker} closes it."
        cost = self.cost(frozenset({self.movement.clause}))
        if isinstance(rule.does, int) and cost is not None:
            needs = counted(Fraction(cost, self.scale), self.movement.unit)
            has = number(self.allowance())
            return f"{unit} needs {needs} to reach {there}, {marker} included; it has {has}."
        does = "must stop where there is" if rule.does == "stop" else "may not enter a hex with"
        return f"{unit} moves from {here} to {there}; it {does} {marker}."

    def _says_bar(self, name: str, unit: str, here: str, there: str) -> str:
        bar, game = rules_of(self.position).bars[name], self.position.game
        road = " without a road" if bar.except_by_road else ""
        if bar.across:
            titles = " or ".join(game.features[one].title.lower() for one in bar.across)
            at, to = self._crossed(bar) or (here, there)
            return f"{unit} may not cross the hexside between {at} and {to} ({titles}){road}."
        at = next(
            (game.map.grid.names[at] for at in self.path[1:] if self.setting.hexes(bar.into) >> at & 1), ""
        )
        place = f"enter {at}" if at else f"reach {there} from {here} through hexes closed to it"
        return f"{unit} may not {place}{road}."

    def _crossed(self, bar: Bar) -> tuple[str, str] | None:
        """Return the first step over a hexside that a bar closes, if the path is known."""
        grid = self.position.game.map.grid
        for at, to in zip(self.path, self.path[1:], strict=False) if not self.dragged else ():
            if set(self.setting.features(at, grid.adjacent[at].index(to))) & set(bar.across):
                return grid.names[at], grid.names[to]
        return None

    def _says_zoc(self, limits: list[ZocLimit], unit: str, here: str, there: str) -> str:
        position, names = self.position, self.position.game.map.grid.names
        passed = [*self.path[1:-1], *([self.path[0]] if self.trail and self.trail.stopped else [])]
        zone = controlled(position, self.piece.side, "move")
        kinds = {(limit.on, str(limit.does)) for limit in limits}
        if ("entering", "stop") in kinds:
            for at in passed:
                if zone >> at & 1:
                    who = names_of(position, controllers(position, names[at], self.piece.side))
                    return f"{unit} must stop in {names[at]}, in the zone of control of {who}."
        if ("through", "forbid") in kinds:
            for at, to in zip(self.path, self.path[1:], strict=False):
                if zone >> at & 1 and zone >> to & 1:
                    return (
                        f"{unit} moves from {names[at]} directly to {names[to]}; both are in enemy zones of"
                        " control."
                    )
        if ("leaving", "forbid") in kinds and zone >> self.path[0] & 1:
            who = names_of(position, controllers(position, here, self.piece.side))
            return f"{unit} may not leave {here}, which is in the zone of control of {who}."
        if ("entering", "forbid") in kinds and zone >> self.path[-1] & 1:
            who = names_of(position, controllers(position, there, self.piece.side))
            return f"{unit} may not enter {there}, which is in the zone of control of {who}."
        cost = self.cost(frozenset({self.movement.clause}))
        if cost is not None and cost > self.budget:
            needs = counted(Fraction(cost, self.scale), self.movement.unit)
            has = number(self.allowance())
            return f"{unit} needs {needs} to reach {there}, enemy zones of control included; it has {has}."
        return f"{unit} cannot reach {there} from {here} through enemy zones of control."
