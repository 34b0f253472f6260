"""The board of any game, read literally: hexes, hexsides and roads, where pieces are, what is connected.

Everything is looked up by name, and hexes are counted by column and row: nothing is taken from the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from itertools import pairwise
from typing import Self, TypeVar

from attrs import define, field

from referee.engine.position import Piece, Position
from vassalgen.game.maps import Map

T = TypeVar("T")


def remembered(position: Position, key: object, make: Callable[[], T]) -> T:
    """Return what is calculated once for a position, by any key."""
    if key not in position.memory:
        position.memory[key] = make()
    found: T = position.memory[key]
    return found


@define(eq=False)
class Ground:
    """What a map has, by the two hexes of a hexside: features and kinds of road; neighbours are added when
    asked for.
    """

    features: dict[frozenset[str], frozenset[str]]
    roads: dict[frozenset[str], list[str]]
    around: dict[str, list[str]] = field(factory=dict)

    @classmethod
    def of(cls, map_: Map) -> Ground:
        """Read a map."""
        roads: dict[frozenset[str], list[str]] = {}
        for road in map_.roads.values():
            for step in pairwise(road.path):
                roads.setdefault(frozenset(step), []).append(road.kind)
        return cls({frozenset(side.hexes): side.features for side in map_.hexsides.values()}, roads)


class Board:
    """A position, read literally, perhaps ``without`` a clause.

    Columns of hexes are vertical; ``lower`` are those half a hex farther south: 0 the even ones, 1 the odd
    ones.
    """

    lower = 0

    def __init__(self, position: Position, without: str = "") -> None:
        self.position, self.game, self.map = position, position.game, position.game.map
        self.without = without
        self.ground = remembered(position, Ground, lambda: Ground.of(self.map))

    @classmethod
    def of(cls, position: Position) -> Self:
        """The board of a position, always the same one."""
        return remembered(position, cls, lambda: cls(position))

    # ------------------------------------------------------------------ pieces

    @cached_property
    def pieces(self) -> list[Piece]:
        """All pieces on the map."""
        return [piece for piece in self.position.pieces.values() if piece.where in self.map.hexes]

    @cached_property
    def standing(self) -> list[Piece]:
        """Those of them that are in their hex, and not above it."""
        return self.pieces

    @cached_property
    def _by_hex(self) -> dict[str, list[Piece]]:
        found: dict[str, list[Piece]] = {}
        for piece in self.standing:
            found.setdefault(piece.where, []).append(piece)
        return found

    def at(self, where: str, side: str, *kinds: str) -> list[Piece]:
        """The pieces of a side in a hex, of some kinds if any are named."""
        found = [piece for piece in self._by_hex.get(where, ()) if piece.side == side]
        return [piece for piece in found if piece.counter.kind in kinds] if kinds else found

    def enemy(self, side: str) -> str:
        """The other side."""
        return next(other for other in self.game.sides if other != side)

    # ------------------------------------------------------------------ ground

    def around(self, where: str) -> list[str]:
        """The hexes next to a hex."""
        if where not in self.ground.around:
            column, row = self._place(where)
            beside = (0, 1) if column % 2 == self.lower else (-1, 0)
            near = [(0, -1), (0, 1), *((right, down) for right in (-1, 1) for down in beside)]
            named = [self._name(column + right, row + down) for right, down in near]
            self.ground.around[where] = [name for name in named if name in self.map.hexes]
        return self.ground.around[where]

    def _place(self, where: str) -> tuple[int, int]:
        """The column and the row of a hex."""
        return int(where[:2]), int(where[2:])

    def _name(self, column: int, row: int) -> str:
        return f"{column:02}{row:02}"

    def distance(self, here: str, there: str) -> int:
        """The number of hexes from one to another, counted ring by ring."""
        ring, reached, count = {here}, {here}, 0
        while ring and there not in ring:
            ring = {name for at in ring for name in self.around(at)} - reached
            reached |= ring
            count += 1
        return count

    def lies(self, here: str, there: str) -> frozenset[str]:
        """What is on the hexside between two hexes."""
        return self.ground.features.get(frozenset((here, there)), frozenset())

    def roads(self, here: str, there: str) -> Collection[str]:
        """The kinds of the roads that cross the hexside between two hexes."""
        return self.ground.roads.get(frozenset((here, there)), ())

    def connected(self, starts: Iterable[str], is_open: Callable[[str, str], bool]) -> set[str]:
        """Some hexes, and all that can be reached from them by open steps."""
        reached = set(starts)
        waiting = list(reached)
        while waiting:
            here = waiting.pop()
            for there in self.around(here):
                if there not in reached and is_open(here, there):
                    reached.add(there)
                    waiting.append(there)
        return reached
