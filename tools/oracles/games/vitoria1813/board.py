"""The board as the clauses describe it: zones, costs, sight, retreat paths, each read off step by step."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush

from referee.engine.position import Piece, Position
from referee.games.vitoria1813.notes import CROSSED, DESTROYED, DISPLACED, MATE, RAN, TRAIL

ARMS = ("infantry", "cavalry", "artillery", "engineer")
AS_ARM = {"general": "infantry", "engineer": "infantry", "convoy": "artillery", "park": "artillery"}
SHAKEN = ("disordered", "routed", "uncontrolled")
OPENED_BY = {"bridge": ("river", "stream"), "ford": ("river",)}
LEAVING = 2


class Board:
    """A position, asked hex by hex; what was asked once is remembered."""

    def __init__(self, position: Position) -> None:
        self.position, self.game, self.map = position, position.game, position.game.map
        self.grid = self.map.grid
        self.broken = {about for about, value in position.noted(DESTROYED).items() if value}
        self.between: dict[tuple[str, str], frozenset[str]] = {}
        self.zones: dict[tuple[str, str], list[Piece]] = {}

    @classmethod
    def of(cls, position: Position) -> Board:
        """The board of a position, the same whenever it is asked for."""
        if "board" not in position.memory:
            position.memory["board"] = cls(position)
        found: Board = position.memory["board"]
        return found

    def around(self, where: str) -> tuple[str, ...]:
        """The neighbours of a hex."""
        return self.grid.neighbours(where)

    def units(self, where: str, side: str = "") -> list[Piece]:
        """The combat units in a hex."""
        found = [piece for piece in self.position.at(where) if piece.counter.kind in ARMS]
        return [piece for piece in found if side in ("", piece.side)]

    def enemy(self, side: str) -> str:
        """The other side."""
        return "french" if side == "allied" else "allied"

    def features(self, here: str, there: str) -> frozenset[str]:
        """What is on a hexside; a destroyed bridge is none."""
        if (here, there) not in self.between:
            found = frozenset(self.map.hexside(here, there).features)
            gone = f"{here}/{there}" in self.broken or f"{there}/{here}" in self.broken
            self.between[here, there] = found - {"bridge"} if gone else found
        return self.between[here, there]

    def has_zone(self, piece: Piece) -> bool:
        """Combat units in order exert a zone of control, those just driven off none [3.1a to 3.1d]."""
        shaken = any(state in piece.states for state in SHAKEN)
        driven = any((why, piece.id) in self.position.notes for why in (DISPLACED, RAN, CROSSED, MATE))
        return piece.counter.kind in ARMS and not shaken and not driven

    def zone_holders(self, where: str, side: str) -> list[Piece]:
        """The enemies of a side whose zones cover a hex: not across water without a bridge [3.2h]."""
        if (where, side) not in self.zones:
            opponents = [
                piece
                for beside in self.around(where)
                for piece in self.units(beside, self.enemy(side))
                if self.has_zone(piece) and not self.is_across_water(beside, where)
            ]
            self.zones[where, side] = opponents
        return self.zones[where, side]

    def is_across_water(self, here: str, there: str) -> bool:
        """Whether water without a bridge is on a hexside."""
        features = self.features(here, there)
        return bool(features & {"river", "stream", "ford"}) and "bridge" not in features

    def is_held(self, where: str, side: str, *, by_trains: bool = True) -> bool:
        """Whether a side has anything but generals in a hex, or a unit that fights."""
        return any(
            piece.side == side
            and (piece.counter.kind in ARMS or (by_trains and piece.counter.kind != "general"))
            for piece in self.position.at(where)
        )

    def country(self, kind: str, here: str, there: str) -> Fraction | None:
        """What a step costs across country, None if it cannot be made [4.1b, 5.2a]."""
        arm, features = AS_ARM.get(kind, kind), self.features(here, there)
        opened = {name for each in features for name in OPENED_BY.get(each, ())}
        if "river" in features and "river" not in opened:
            return None
        if "ford" in features and arm == "artillery" and "bridge" not in features:
            return None
        cost = Fraction(str(self.game.terrain[self.map.hexes[there].terrain].effects.number(arm)))
        for name in features - opened:
            rises = self.map.hexes[there].level > self.map.hexes[here].level
            if name != "slope" or rises:
                cost += Fraction(str(self.game.features[name].effects.number(arm, 0)))
        return cost

    def step(
        self, piece: Piece, start: str, here: str, there: str, *, zones: bool = True, trains: bool = True
    ) -> Fraction | None:
        """What a step of a counter costs that began its move in a hex, None if it may not be made.

        Without ``zones`` or ``trains`` of the enemy as if they barred no step.
        """
        opponent, arm = self.enemy(piece.side), piece.counter.kind
        near, onward = self.zone_holders(here, piece.side), self.zone_holders(there, piece.side)
        if self.is_held(there, opponent, by_trains=trains):
            return None
        shaken = "disordered" in piece.states or "routed" in piece.states
        if onward and (shaken or arm == "engineer"):
            return None
        bars = zones and near and onward and arm in ARMS
        if bars and not self._slips(piece, start, here, near, onward):
            return None
        cost = self.country(arm, here, there)
        if cost is None:
            return None
        if self.has_road(piece, start, there):
            rates = [self.game.road_kinds[kind].effects.number("move") for kind in self.roads(here, there)]
            cost = min([cost, *(Fraction(str(rate)) for rate in rates)])
        leaves = here == start and near and (TRAIL, piece.id) not in self.position.notes
        return cost + (LEAVING if leaves else 0)

    def _slips(self, piece: Piece, start: str, here: str, near: list[Piece], onward: list[Piece]) -> bool:
        """Cavalry goes from zone to zone if neither is that of cavalry [3.2e]."""
        riders = [one for one in (*near, *onward) if one.counter.kind == "cavalry"]
        return piece.counter.kind == "cavalry" and not riders

    def roads(self, here: str, there: str) -> frozenset[str]:
        """The kinds of roads by which a step goes [5.2c]."""
        return frozenset(self.map.roads_across(here, there))

    def has_road(self, piece: Piece, start: str, there: str) -> bool:
        """The road is for one alone in the hexes that are entered [5.2d]; generals take no notice."""
        if piece.counter.kind == "general" or there == start:
            return True
        others = [one for one in self.position.at(there) if one.id != piece.id]
        units = [one for one in others if one.counter.kind in ARMS and one.side == piece.side]
        return not units and not any(one.counter.kind == "convoy" for one in others)

    def reach(
        self, piece: Piece, points: Fraction | None = None, *, zones: bool = True, trains: bool = True
    ) -> dict[str, Fraction]:
        """Every hex that some path leads to, and what the cheapest costs, stops in zones included [3.2a].

        Without ``zones`` or ``trains`` as if the enemy had none on the way.
        """
        start, best = piece.where, dict[str, Fraction]()
        waiting = [(Fraction(0), start)]
        while waiting:
            spent, here = heappop(waiting)
            if here in best:
                continue
            best[here] = spent
            if zones and here != start and self.zone_holders(here, piece.side):
                continue
            for there in self.around(here):
                cost = self.step(piece, start, here, there, zones=zones, trains=trains)
                if cost is not None and (points is None or spent + cost <= points):
                    heappush(waiting, (spent + cost, there))
        return best

    def costs(self, piece: Piece) -> dict[str, Fraction]:
        """What the cheapest path to every hex costs, points aside."""
        return self.reach(piece)

    def sight(self, here: str, there: str) -> str:
        """What bars the view at two hexes: nothing, a clause, or a clause that is doubtful [6.1b to 6.1d]."""
        between = [one for one in self.around(here) if there in self.around(one)]
        if len(between) != 1:
            return ""
        middle, found = between[0], []
        levels = [self.map.hexes[where].level for where in (here, middle, there)]
        terrain = self.map.hexes[middle].terrain
        if terrain == "wood":
            found.append("6.1b")
        elif terrain in ("village", "town") or levels[1] > max(levels[0], levels[2]):
            found.append("6.1d")
        elif levels[1] > min(levels[0], levels[2]):
            found.append("6.1d doubtful")
        if self.units(middle) and len(set(levels)) == 1:
            found.append("6.1c")
        return " ".join(found)

    def retreats(self, piece: Piece, length: int) -> set[str]:
        """Where a retreat of so many hexes may end, each step farther away, around the enemy [7.4b]."""
        found = {piece.where}
        for taken in range(1, length + 1):
            found = {
                there
                for here in found
                for there in self.around(here)
                if self.country(piece.counter.kind, here, there) is not None
                and not self.is_held(there, self.enemy(piece.side))
                and self.grid.distance(piece.where, there) == taken
            }
        return found
