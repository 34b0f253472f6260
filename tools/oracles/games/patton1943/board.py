"""The board as its clauses describe it: hexes, roads, zones of control, supply, stacks, airfields and towns.

Everything is looked up again, by name, each time it is asked. Hexes are counted off by column and row.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from referee.engine.position import Piece, Position

UNITS, ASSET, AIR = ("unit", "battlegroup"), "support", "air"
SIDES = ("axis", "allied")


class Board:
    """A position, looked at literally."""

    def __init__(self, position: Position) -> None:
        self.position, self.map = position, position.game.map

    # ------------------------------------------------------------------ pieces

    @cached_property
    def pieces(self) -> list[Piece]:
        """All pieces on the map."""
        return [piece for piece in self.position.pieces.values() if piece.where in self.map.hexes]

    def enemy(self, side: str) -> str:
        """The other side."""
        return "axis" if side == "allied" else "allied"

    def at(self, where: str, side: str, *kinds: str) -> list[Piece]:
        """The pieces of a side in a hex that are not in the air, of some kinds if any are named."""
        return [
            piece
            for piece in self.pieces
            if (piece.where, piece.side) == (where, side)
            and not piece.is_("flying")
            and (not kinds or piece.counter.kind in kinds)
        ]

    def is_enemy_there(self, where: str, side: str) -> bool:
        """Return whether any enemy piece of a side is in a hex, be it a lone asset [8m]."""
        return where in self._holds[self.enemy(side)]

    @cached_property
    def _holds(self) -> dict[str, set[str]]:
        return {
            side: {piece.where for piece in self.pieces if piece.side == side and not piece.is_("flying")}
            for side in SIDES
        }

    def is_too_full(self, units: int, assets: int, air: int) -> bool:
        """Return whether so many pieces of a side are too many for a hex [6a, 6b, 6c]."""
        return units > 1 or (assets + air > 3 if air else assets > 2)

    def room(self, where: str, piece: Piece) -> bool:
        """Return whether a piece could be in a hex with its like there: units, or assets of both kinds."""
        there = [*(one for one in self.at(where, piece.side) if one.id != piece.id), piece]
        kinds = [one.counter.kind for one in there]
        if piece.counter.kind in UNITS:
            return not self.is_too_full(sum(kind in UNITS for kind in kinds), 0, 0)
        return not self.is_too_full(0, kinds.count(ASSET), kinds.count(AIR))

    # ------------------------------------------------------------------ ground

    @cached_property
    def features(self) -> dict[frozenset[str], frozenset[str]]:
        """What is on the side between two hexes."""
        return {frozenset(side.hexes): side.features for side in self.map.hexsides.values()}

    @cached_property
    def roads(self) -> set[frozenset[str]]:
        """The sides that roads cross."""
        return {frozenset(step) for road in self.map.roads.values() for step in pairwise(road.path)}

    def around(self, where: str) -> list[str]:
        """The hexes next to a hex: columns stand upright, those of odd number half a hex farther south."""
        column, row = int(where[:2]), int(where[2:])
        beside = (0, 1) if column % 2 else (-1, 0)
        near = [(0, -1), (0, 1), *((right, down) for right in (-1, 1) for down in beside)]
        named = [f"{column + right:02}{row + down:02}" for right, down in near]
        return [name for name in named if name in self.map.hexes]

    def distance(self, here: str, there: str) -> int:
        """The number of hexes from one to another, counted ring by ring [8d]."""
        ring, reached, count = {here}, {here}, 0
        while there not in ring:
            ring = {name for at in ring for name in self.around(at)} - reached
            reached |= ring
            count += 1
        return count

    def is_ground(self, where: str) -> bool:
        """Neither sea nor salt lake [8l]."""
        return self.map.hexes[where].terrain not in ("sea", "salt-lake")

    def lies(self, here: str, there: str) -> frozenset[str]:
        """What is on the side between two hexes."""
        return self.features.get(frozenset((here, there)), frozenset())

    def is_passable(self, here: str, there: str) -> bool:
        """Return whether ground is beyond a side that is no scarp [8l, 8n]."""
        return self.is_ground(there) and "impassable" not in self.lies(here, there)

    def cost(self, here: str, there: str) -> Fraction:
        """What a step costs: terrain, or half a point along a road; a river without a bridge [8e to 8i]."""
        row = self.position.game.terrain[self.map.hexes[there].terrain]
        on_road = frozenset((here, there)) in self.roads
        cost = Fraction(1, 2) if on_road else Fraction(str(row.effects.number("move", 1)))
        lies = self.lies(here, there)
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
        """Return whether a chain leads from a piece to an own airfield, hex by hex [7.8b, 7.8c, 7.8d]."""
        fields = self.airfields(piece.side)
        reached, waiting = {piece.where}, [piece.where]
        while waiting:
            here = waiting.pop()
            if here in fields:
                return True
            for there in self.around(here):
                if there not in reached and self._is_open(piece.side, here, there):
                    reached.add(there)
                    waiting.append(there)
        return False

    def _is_open(self, side: str, here: str, there: str) -> bool:
        if not self.is_passable(here, there) or self.is_enemy_there(there, side):
            return False
        return there in self._holds[side] or not self.is_controlled(side, there)

    def towns(self, *kinds: str) -> list[str]:
        """The hexes of places of some kinds."""
        return sorted({place.hex for place in self.map.places.values() if place.kind in kinds})
