"""The board as its clauses describe it: ground, zones of control, supply, stacks, airfields and towns."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from referee.engine.position import Piece
from tools.oracles import board

UNITS, ASSET, AIR = ("unit", "battlegroup"), "support", "air"
SIDES = ("axis", "allied")


class Board(board.Board):
    """A position, read literally."""

    lower = 1

    # ------------------------------------------------------------------ pieces

    @cached_property
    def standing(self) -> list[Piece]:
        """The pieces that are not flying."""
        return [piece for piece in self.pieces if not piece.is_("flying")]

    def is_enemy_there(self, where: str, side: str) -> bool:
        """Return whether a hex contains an enemy piece of a side, even a lone asset [8m]."""
        return bool(self.at(where, self.enemy(side)))

    def is_too_full(self, units: int, assets: int, air: int) -> bool:
        """Return whether so many pieces of a side are too many for a hex [6a, 6b, 6c]."""
        return units > 1 or (assets + air > 3 if air else assets > 2)

    def room(self, where: str, piece: Piece) -> bool:
        """Return whether a piece could be in a hex with those of its sort there: units, or assets of both
        kinds.
        """
        there = [*(one for one in self.at(where, piece.side) if one.id != piece.id), piece]
        kinds = [one.counter.kind for one in there]
        if piece.counter.kind in UNITS:
            return not self.is_too_full(sum(kind in UNITS for kind in kinds), 0, 0)
        return not self.is_too_full(0, kinds.count(ASSET), kinds.count(AIR))

    # ------------------------------------------------------------------ ground

    def is_ground(self, where: str) -> bool:
        """Neither sea nor salt lake [8l]."""
        return self.map.hexes[where].terrain not in ("sea", "salt-lake")

    def is_passable(self, here: str, there: str) -> bool:
        """Return whether the next hex is land, beyond a hexside that is no scarp [8l, 8n]."""
        return self.is_ground(there) and "impassable" not in self.lies(here, there)

    def cost(self, here: str, there: str) -> Fraction:
        """What a step costs: terrain, or half a point along a road; a river without a bridge [8e to 8i]."""
        row, lies = self.game.terrain[self.map.hexes[there].terrain], self.lies(here, there)
        by_road = self.roads(here, there)
        cost = Fraction(1, 2) if by_road else Fraction(str(row.effects.number("move", 1)))
        return cost + (3 if "river" in lies and "bridge" not in lies else 0)

    # ------------------------------------------------------------------ zones of control

    def threats(self, side: str, where: str) -> list[str]:
        """The enemy units of a side in the hexes around one: their zones reach across everything [9a, 9b]."""
        return [unit.id for at in self.around(where) for unit in self.at(at, self.enemy(side), *UNITS)]

    @cached_property
    def _zones(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {side: set() for side in SIDES}
        for piece in self.pieces:
            if piece.counter.kind in UNITS:
                found[self.enemy(piece.side)].update(self.around(piece.where))
        return found

    def is_controlled(self, side: str, where: str) -> bool:
        """Return whether a hex is in an EZOC of a side."""
        return where in self._zones[side]

    # ------------------------------------------------------------------ airfields, towns, supply

    def airfields(self, side: str) -> list[str]:
        """The airfields of a side: its silhouettes without enemy pieces [7.6a]."""
        hexes = self.map.zones[f"{side}-airfields"].hexes
        return [where for where in sorted(hexes) if not self.is_enemy_there(where, side)]

    def is_supplied(self, piece: Piece) -> bool:
        """Return whether a chain of hexes leads from a piece to a friendly airfield [7.8b, 7.8c, 7.8d]."""
        side = piece.side

        def is_open(here: str, there: str) -> bool:
            if not self.is_passable(here, there) or self.is_enemy_there(there, side):
                return False
            return bool(self.at(there, side)) or not self.is_controlled(side, there)

        return not self.connected([piece.where], is_open).isdisjoint(self.airfields(side))

    def towns(self, *kinds: str) -> list[str]:
        """The hexes of places of some kinds."""
        return sorted({place.hex for place in self.map.places.values() if place.kind in kinds})

    def owner(self, where: str) -> str:
        """The owner of a town that no unit has entered: Allied in Algeria and on the crests [7.7i]."""
        zones = (self.map.zones[zone] for zone in ("algeria", "second-corps", "eighth-army"))
        return "allied" if any(where in zone.hexes for zone in zones) else "axis"
