"""The board as its clauses describe it: units, what forbids a step, threats and supply."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from referee.engine.position import Piece, Position
from tools.oracles import board

LIMIT = 3
BARRED = {"hill-all": "move.4", "river": "move.5"}
"""The clauses by which a feature of a hexside bars armour."""
ALLIED_SOURCES, AXIS_SOURCES, EIGHTH_ARMY_SOURCE = ("B1", "C1"), ("B5", "A4"), "H6"


def stack_weight(piece: Piece) -> int:
    """What a unit counts in stacking: Tigers and Churchills nothing, corps and armies two [stack.2, 3]."""
    if piece.id in ("tiger", "nih"):
        return 0
    return 2 if piece.counter.size in ("corps", "army") else 1


class Board(board.Board):
    """A position, read literally. Hexes have a letter for their row and a number for their column."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._supply: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
        self._threats: dict[tuple[str, str], list[str]] = {}

    def _place(self, where: str) -> tuple[int, int]:
        return int(where[1:]), ord(where[0])

    def _name(self, column: int, row: int) -> str:
        return f"{chr(row)}{column}"

    @cached_property
    def standing(self) -> list[Piece]:
        """The ground units on the map."""
        return [piece for piece in self.pieces if piece.counter.kind == "unit"]

    def mine(self, side: str) -> list[Piece]:
        """The ground units of a side."""
        return [piece for piece in self.standing if piece.side == side]

    def against(self, side: str) -> list[Piece]:
        """The ground units of its enemy."""
        return [piece for piece in self.standing if piece.side != side]

    def weight(self, where: str, side: str) -> int:
        """The stacking points in a hex [stack.1]."""
        return sum(stack_weight(piece) for piece in self.at(where, side))

    # ------------------------------------------------------------------ ground

    def is_land(self, where: str) -> bool:
        """Return whether a hex is land."""
        return self.map.hexes[where].terrain != "sea"

    def is_swamp(self, where: str) -> bool:
        """Return whether a hex is a swamp."""
        return self.map.hexes[where].terrain == "swamp"

    # ------------------------------------------------------------------ units

    def is_armour(self, unit: Piece) -> bool:
        """A tank symbol; the New Zealanders move and attack as armour [terrain.8]."""
        return unit.counter.symbol == "armour" or unit.id == "nz"

    def bars(self, unit: Piece, here: str, there: str) -> set[str]:
        """The clauses that close a hexside to a unit; New Zealanders are armour by one of their own."""
        lies = self.lies(here, there)
        found = {"move.15"} if "high-mountain" in lies else set()
        if self.is_armour(unit) and not self.roads(here, there):
            closed = {clause for feature, clause in BARRED.items() if feature in lies}
            found |= {"terrain.8"} if closed and unit.id == "nz" else closed
        return found

    def crosses(self, unit: Piece, here: str, there: str) -> bool:
        """Return whether a unit could move or attack into the next hex [move.4 to 6, move.8, move.15]."""
        return there in self.around(here) and self.is_land(there) and not self.bars(unit, here, there)

    def is_sound(self, unit: Piece) -> bool:
        """Not Disrupted; von Broich never is [disrupt.4]."""
        return not unit.is_("disrupted")

    def could_act(self, unit: Piece, there: str) -> bool:
        """Return whether a unit could itself move or attack into a hex: a stuck one cannot [move.12]."""
        return not unit.is_("stuck") and self.crosses(unit, unit.where, there)

    def threatens(self, unit: Piece, where: str) -> bool:
        """Return whether a unit threatens a hex [move.12]."""
        return self.is_sound(unit) and self.could_act(unit, where)

    def threats(self, side: str, where: str) -> list[str]:
        """The enemies of a side that threaten a hex [move.12]."""
        if (side, where) not in self._threats:
            enemies = (unit for at in self.around(where) for unit in self.at(at, self.enemy(side)))
            self._threats[side, where] = [unit.id for unit in enemies if self.threatens(unit, where)]
        return self._threats[side, where]

    def is_held_against(self, side: str, where: str) -> bool:
        """Return whether an enemy ground unit is in a hex."""
        return bool(self.at(where, self.enemy(side)))

    # ------------------------------------------------------------------ supply

    def supply(self, unit: Piece, where: str) -> str:
        """The state of supply of a unit in a hex: in supply, cut off, too far [supply.1 to supply.4]."""
        key = unit.side, unit.counter.formation
        if key not in self._supply:
            enemies = [piece.where for piece in self.against(unit.side)]
            self._supply[key] = self._supplied(unit, enemies), self._supplied(unit, [])
        reached, near = self._supply[key]
        return "in supply" if where in reached else "cut off" if where in near else "too far"

    def is_supplied(self, unit: Piece) -> bool:
        """Return whether a unit is in supply where it is."""
        return self.supply(unit, unit.where) == "in supply"

    def _supplied(self, unit: Piece, enemies: Iterable[str]) -> set[str]:
        blocked = set(enemies)
        sources = list(ALLIED_SOURCES if unit.side == "allied" else AXIS_SOURCES)
        if unit.counter.formation == "eighth-army":
            sources.append(EIGHTH_ARMY_SOURCE)
        reached = self.connected(
            (source for source in sources if source not in blocked),
            lambda here, there: there not in blocked and bool(self.roads(here, there)),  # of any length
        )
        for _ in range(2):  # and two hexes beside them
            for here in sorted(reached):
                for there in self.around(here):
                    open_ = self.is_land(there) and "high-mountain" not in self.lies(here, there)
                    reached = reached | {there} if open_ and there not in blocked else reached
        return reached
