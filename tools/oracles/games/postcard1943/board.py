"""The board as its clauses describe it: hexes, hexsides, who stands where, threats and supply.

Everything is looked up again, by name, each time it is asked. Hexes are counted off by letter and number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from referee.engine.position import Piece, Position

LIMIT = 3
ALLIED_SOURCES, AXIS_SOURCES, EIGHTH_ARMY_SOURCE = ("B1", "C1"), ("B5", "A4"), "H6"


def stack_weight(piece: Piece) -> int:
    """What a unit counts in stacking: Tigers and Churchills nothing, corps and armies two [stack.2, 3]."""
    if piece.id in ("tiger", "nih"):
        return 0
    return 2 if piece.counter.size in ("corps", "army") else 1


class Board:
    """A position, looked at literally."""

    def __init__(self, position: Position) -> None:
        self.position, self.map = position, position.game.map
        self._supply: dict[tuple[str, str], tuple[set[str], set[str]]] = {}

    @cached_property
    def units(self) -> list[Piece]:
        """The ground units on the map."""
        pieces = self.position.pieces.values()
        return [piece for piece in pieces if piece.counter.kind == "unit" and piece.where in self.map.hexes]

    def of(self, side: str) -> list[Piece]:
        """The ground units of a side."""
        return [piece for piece in self.units if piece.side == side]

    def against(self, side: str) -> list[Piece]:
        """The ground units of its enemy."""
        return [piece for piece in self.units if piece.side != side]

    def at(self, where: str, side: str) -> list[Piece]:
        """The ground units of a side in a hex."""
        return [piece for piece in self.of(side) if piece.where == where]

    def weight(self, where: str, side: str) -> int:
        """What stands in a hex counts so much [stack.1]."""
        return sum(stack_weight(piece) for piece in self.at(where, side))

    # ------------------------------------------------------------------ ground

    def around(self, where: str) -> list[str]:
        """The hexes next to a hex: columns stand upright, those of even number half a hex farther south."""
        row, column = ord(where[0]), int(where[1:])
        beside = (0, 1) if column % 2 == 0 else (-1, 0)
        near = [(-1, 0), (1, 0), *((down, right) for right in (-1, 1) for down in beside)]
        named = [f"{chr(row + down)}{column + right}" for down, right in near]
        return [name for name in named if name in self.map.hexes]

    def is_land(self, where: str) -> bool:
        """Return whether a hex is land."""
        return self.map.hexes[where].terrain != "sea"

    def is_swamp(self, where: str) -> bool:
        """Return whether a hex is a swamp."""
        return self.map.hexes[where].terrain == "swamp"

    def lies(self, feature: str, here: str, there: str) -> bool:
        """Return whether something is on the side between two hexes."""
        return feature in self._sides.get(frozenset((here, there)), ())

    def road(self, here: str, there: str) -> bool:
        """Return whether a road crosses the side between two hexes."""
        return frozenset((here, there)) in self._roads

    @cached_property
    def _sides(self) -> dict[frozenset[str], frozenset[str]]:
        return {frozenset(side.hexes): side.features for side in self.map.hexsides.values()}

    @cached_property
    def _roads(self) -> set[frozenset[str]]:
        return {frozenset(step) for road in self.map.roads.values() for step in pairwise(road.path)}

    # ------------------------------------------------------------------ units

    def is_armour(self, unit: Piece) -> bool:
        """A tank symbol; the New Zealanders move and attack as armour [terrain.8]."""
        return unit.counter.symbol == "armour" or unit.id == "nz"

    def crosses(self, unit: Piece, here: str, there: str) -> bool:
        """Return whether a unit could move or attack into the next hex [move.4 to 6, move.8, move.15]."""
        if there not in self.around(here) or not self.is_land(there):
            return False
        if self.lies("high-mountain", here, there):
            return False
        if self.is_armour(unit) and not self.road(here, there):
            return not (self.lies("hill-all", here, there) or self.lies("river", here, there))
        return True

    def is_sound(self, unit: Piece) -> bool:
        """Not Disrupted; von Broich never is [disrupt.4]."""
        return not unit.is_("disrupted")

    def could_act(self, unit: Piece, there: str) -> bool:
        """Return whether a unit could itself move or attack into a hex: a stuck one cannot [move.12]."""
        return not unit.is_("stuck") and self.crosses(unit, unit.where, there)

    def threats(self, side: str, where: str) -> list[str]:
        """The enemies of a side that threaten a hex [move.12]."""
        enemies = self.against(side)
        return [unit.id for unit in enemies if self.is_sound(unit) and self.could_act(unit, where)]

    def is_held_against(self, side: str, where: str) -> bool:
        """Return whether an enemy ground unit stands in a hex."""
        return any(unit.where == where for unit in self.against(side))

    # ------------------------------------------------------------------ supply

    def supply(self, unit: Piece, where: str) -> str:
        """How a unit would stand with supply in a hex: in supply, cut off, too far [supply.1 to supply.4]."""
        key = unit.side, unit.counter.formation
        if key not in self._supply:
            enemies = [piece.where for piece in self.against(unit.side)]
            self._supply[key] = self._supplied(unit, enemies), self._supplied(unit, [])
        reached, near = self._supply[key]
        return "in supply" if where in reached else "cut off" if where in near else "too far"

    def is_supplied(self, unit: Piece) -> bool:
        """Return whether a unit is in supply where it stands."""
        return self.supply(unit, unit.where) == "in supply"

    def _supplied(self, unit: Piece, enemies: Iterable[str]) -> set[str]:
        blocked = set(enemies)
        sources = list(ALLIED_SOURCES if unit.side == "allied" else AXIS_SOURCES)
        if unit.counter.formation == "eighth-army":
            sources.append(EIGHTH_ARMY_SOURCE)
        reached = {source for source in sources if source not in blocked}
        waiting = list(reached)
        while waiting:  # along the roads, of any length
            here = waiting.pop()
            for there in self.around(here):
                if self.road(here, there) and there not in blocked and there not in reached:
                    reached.add(there)
                    waiting.append(there)
        for _ in range(2):  # and two hexes beside them
            for here in sorted(reached):
                for there in self.around(here):
                    if there in blocked or not self.is_land(there) or self.lies("high-mountain", here, there):
                        continue
                    reached = reached | {there}
        return reached
