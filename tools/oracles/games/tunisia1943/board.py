"""The board as its clauses describe it: hexes, roads, zones of control, lines of supply, stacks.

Everything is looked up again, by name, each time it is asked. Hexes are counted off by column and row. A
clause of what steps cost may be left out, as if it were not written, or all zones of control.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from attrs import define, field

from referee.engine.position import Piece, Position
from vassalgen.game.values import Values

WATER = ("river", "wadi")
WATERS_AND_CREST = (*WATER, "crest")
ZONES = "zones of control"
WEST = ("0316", "0105", "0109", "0115")
HARBOURS = ("1805", "1502")
WESTERN_ARMIES = ("first-army", "second-corps", "nineteenth-corps")
TIGERS = ("de-tiger-a", "de-tiger-b")


def _moves(effects: Values) -> Fraction:
    """What a line of the chart says of movement."""
    return Fraction(str(effects.number("move")))


@define(eq=False)
class Ground:
    """What a map has, by the two hexes of a side: features and kinds of road."""

    around: dict[str, list[str]] = field(factory=dict)
    features: dict[frozenset[str], frozenset[str]] = field(factory=dict)
    roads: dict[frozenset[str], list[str]] = field(factory=dict)


class Board:
    """A position, looked at literally."""

    def __init__(self, position: Position, without: str = "", ground: Ground | None = None) -> None:
        self.position, self.map, self.without = position, position.game.map, without
        if ground is not None:
            self.ground = ground
        self.chains: dict[str, set[str]] = {}
        self.campaign = 1 if position.scenario.id == "campaign1" else 2

    # ------------------------------------------------------------------ pieces

    @cached_property
    def pieces(self) -> list[Piece]:
        """All pieces on the map."""
        return [piece for piece in self.position.pieces.values() if piece.where in self.map.hexes]

    def combat_units(self, side: str) -> list[Piece]:
        """The combat units of a side: neither EMs nor garrisons [0.1c, G.4]."""
        return [piece for piece in self.pieces if piece.side == side and piece.counter.kind == "unit"]

    def at(self, where: str, side: str, *kinds: str) -> list[Piece]:
        """The pieces of a side in a hex, of some kinds."""
        return [p for p in self._by_hex.get(where, []) if p.side == side and p.counter.kind in kinds]

    @cached_property
    def _by_hex(self) -> dict[str, list[Piece]]:
        found: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            found.setdefault(piece.where, []).append(piece)
        return found

    def enemy(self, side: str) -> str:
        """The other side."""
        return "axis" if side == "allied" else "allied"

    def is_held(self, where: str, side: str) -> bool:
        """Combat units or a living garrison of a side are in a hex [4.1f]."""
        return bool(self.at(where, side, "unit", "garrison"))

    def has_lone_em(self, where: str, side: str) -> bool:
        """EMs of a side and nothing else of it are in a hex [4.2a]."""
        return bool(self.at(where, side, "em")) and not self.is_held(where, side)

    def has_friends(self, where: str, side: str, without: Iterable[str] = ()) -> bool:
        """Units, EMs or a garrison of a side are in a hex [9.1a-2, 7.5c]."""
        return any(p.id not in without for p in self.at(where, side, "unit", "em", "garrison"))

    def em_of(self, piece: Piece) -> Piece | None:
        """The EM of a unit's division, wherever it is [0.1b]."""
        for other in self.position.pieces.values():
            if other.counter.kind == "em" and other.counter.formation == piece.counter.formation:
                return other
        return None

    def is_out_of_supply(self, piece: Piece) -> bool:
        """Marked so, or its EM is destroyed [9.2g, 6.3h]."""
        em = self.em_of(piece) if piece.counter.kind == "unit" else None
        return piece.is_("out-of-supply") or (em is not None and em.where.endswith("-lost"))

    def room(self, where: str, *more: Piece) -> bool:
        """Return whether some units could be in a hex with those that are there [5.1a, 5.1e, 12b, C1.5]."""
        side = more[0].side
        there = [p for p in self.at(where, side, "unit") if p.id not in [piece.id for piece in more]]
        units = [*there, *(piece for piece in more if piece.counter.kind == "unit")]
        return not self._is_too_full(units, side)

    def _is_too_full(self, units: list[Piece], side: str) -> bool:
        one_only = self.campaign == 1 and side == "allied" and self.position.turn <= 2
        tigers = sum(unit.id in TIGERS for unit in units)
        return len(units) - min(tigers, 1) > (1 if one_only else 2)

    def is_too_full(self, where: str) -> bool:
        """Return whether a hex holds too many combat units."""
        return any(self._is_too_full(self.at(where, side, "unit"), side) for side in ("axis", "allied"))

    # ------------------------------------------------------------------ ground

    @cached_property
    def ground(self) -> Ground:
        """What the map has."""
        ground = Ground()
        for side in self.map.hexsides.values():
            ground.features[frozenset(side.hexes)] = side.features
        for road in self.map.roads.values():
            for step in pairwise(road.path):
                ground.roads.setdefault(frozenset(step), []).append(road.kind)
        return ground

    def around(self, where: str) -> list[str]:
        """The hexes next to a hex: columns stand upright, those of even number half a hex farther south."""
        if where not in self.ground.around:
            column, row = int(where[:2]), int(where[2:])
            beside = (0, 1) if column % 2 == 0 else (-1, 0)
            near = [(0, -1), (0, 1), *((right, down) for right in (-1, 1) for down in beside)]
            named = [f"{column + right:02}{row + down:02}" for right, down in near]
            self.ground.around[where] = [name for name in named if name in self.map.hexes]
        return self.ground.around[where]

    def distance(self, here: str, there: str, most: int = 6) -> int:
        """The number of hexes from one to another, counted ring by ring."""
        ring, reached, count = {here}, {here}, 0
        while there not in ring and count <= most:
            ring = {name for at in ring for name in self.around(at)} - reached
            reached |= ring
            count += 1
        return count

    def is_impassable(self, where: str) -> bool:
        """Sea and salt lakes [4.1g]."""
        return self.map.hexes[where].terrain in ("sea", "chott")

    def lies(self, here: str, there: str) -> frozenset[str]:
        """What is on the side between two hexes."""
        return self.ground.features.get(frozenset((here, there)), frozenset())

    def is_flooded(self) -> bool:
        """Wadis are in flood on the first three turns of the first campaign [2.1b]."""
        return self.campaign == 1 and self.position.turn <= 3

    def cost(self, here: str, there: str) -> Fraction:
        """What a step costs by the chart, across country or by a road over the side [2.1a to 2.1d, 4.1c]."""
        game, without = self.position.game, self.without
        cost = Fraction(1)
        if without != "4.1c":
            cost = _moves(game.terrain[self.map.hexes[there].terrain].effects)
        for feature in self.lies(here, there) & {*WATERS_AND_CREST}:
            if without == ("2.1d" if feature in WATER else "2.1a"):
                continue
            row = game.features[feature].effects
            flooded = feature == "wadi" and self.is_flooded() and without != "2.1b"
            cost += _moves(row.group("flooded") if flooded else row)
        kinds = set(self.ground.roads.get(frozenset((here, there)), []))
        if without == "2.1c":
            kinds |= self._kinds_in(here) & self._kinds_in(there)
        return min([cost, *(_moves(game.road_kinds[kind].effects) for kind in kinds)])

    def _kinds_in(self, where: str) -> set[str]:
        return {kind for step, kinds in self.ground.roads.items() if where in step for kind in kinds}

    # ------------------------------------------------------------------ zones of control

    def exerts(self, unit: Piece, where: str) -> bool:
        """Return whether a combat unit has a zone of control over a hex [3a, 2.1e, 7.4g]."""
        if self.position.phase == "exploitation" and unit.is_("zoc-lost"):
            return False
        if where not in self.around(unit.where) or self.is_impassable(where):
            return False
        return "crest" not in self.lies(unit.where, where)

    def controllers(self, side: str, where: str) -> list[str]:
        """The enemies of a side whose zones cover a hex."""
        enemy, near = self.enemy(side), self.around(where)
        there = [unit for at in near for unit in self.at(at, enemy, "unit")]
        return [unit.id for unit in there if self.exerts(unit, where)]

    def is_controlled(self, side: str, where: str) -> bool:
        """Return whether a hex is in an EZOC of a side."""
        return self.without != ZONES and bool(self.controllers(side, where))

    # ------------------------------------------------------------------ supply

    def is_supplied(self, piece: Piece) -> bool:
        """Return whether a unit or EM can trace its line now [9.1 to 9.1b-5]."""
        em = self.em_of(piece) if piece.counter.kind == "unit" else None
        if em is None:
            return any(source in self._reached(piece) for source in self.sources(piece))
        on_map = em.where in self.map.hexes
        return on_map and em.where in self._reached(piece) and self.is_supplied(em)

    def sources(self, piece: Piece) -> list[str]:
        """Where an EM or a unit without one draws supply [9.1b-1 to 9.1b-3]."""
        if piece.side == "axis":
            return list(HARBOURS)
        army = self.position.game.formations[piece.counter.formation]
        if (army.part_of or piece.counter.formation) in WESTERN_ARMIES:
            return list(WEST)
        south = max(int(name[2:]) for name in self.map.hexes)
        return [n for n in self.map.hexes if int(n[2:]) == south and not self.is_impassable(n)]

    def _reached(self, piece: Piece) -> set[str]:
        """All hexes that a chain from a piece reaches [9.1a-1, 9.1a-2]."""
        if piece.where in self.chains:
            return self.chains[piece.where]
        reached, waiting = {piece.where}, [piece.where]
        while waiting:
            for there in self.around(waiting.pop()):
                if there not in reached and self._is_open(piece.side, there):
                    reached.add(there)
                    waiting.append(there)
        self.chains[piece.where] = reached
        return reached

    def _is_open(self, side: str, where: str) -> bool:
        if self.is_impassable(where):
            return False
        if self.at(where, self.enemy(side), "unit", "em", "garrison"):
            return False
        return self.has_friends(where, side) or not self.is_controlled(side, where)
