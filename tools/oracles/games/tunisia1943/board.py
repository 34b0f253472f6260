"""The board as its clauses describe it: terrain, zones of control, lines of supply, stacks.

A clause on costs may be left out, or all zones of control.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from referee.engine.position import Piece, Position
from tools.oracles import board
from vassalgen.game.values import Values

WATER = ("river", "wadi")
WATERS_AND_CREST = (*WATER, "crest")
ZONES = "zones of control"
WEST = ("0316", "0105", "0109", "0115")
HARBOURS = ("1805", "1502")
WESTERN_ARMIES = ("first-army", "second-corps", "nineteenth-corps")
TIGERS = ("de-tiger-a", "de-tiger-b")


def _moves(effects: Values) -> Fraction:
    """What a line of the chart says about movement."""
    return Fraction(str(effects.number("move")))


class Board(board.Board):
    """A position, read literally."""

    def __init__(self, position: Position, without: str = "") -> None:
        super().__init__(position, without)
        self.chains: dict[str, set[str]] = {}
        self.campaign = 1 if position.scenario.id == "campaign1" else 2

    # ------------------------------------------------------------------ pieces

    def combat_units(self, side: str) -> list[Piece]:
        """The combat units of a side: neither EMs nor garrisons [0.1c, G.4]."""
        return [piece for piece in self.pieces if piece.side == side and piece.counter.kind == "unit"]

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

    def is_impassable(self, where: str) -> bool:
        """Sea and salt lakes [4.1g]."""
        return self.map.hexes[where].terrain in ("sea", "chott")

    def is_flooded(self) -> bool:
        """Wadis are in flood on the first three turns of the first campaign [2.1b]."""
        return self.campaign == 1 and self.position.turn <= 3

    def cost(self, here: str, there: str) -> Fraction:
        """What a step costs by the chart, across country or by a road over the hexside [2.1a to
        2.1d, 4.1c].
        """
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
        kinds = set(self.roads(here, there))
        if without == "2.1c":
            kinds |= self._kinds_in(here) & self._kinds_in(there)
        return min([cost, *(_moves(game.road_kinds[kind].effects) for kind in kinds)])

    def _kinds_in(self, where: str) -> set[str]:
        return {kind for step, kinds in self.ground.roads.items() if where in step for kind in kinds}

    # ------------------------------------------------------------------ zones of control

    def exerts(self, unit: Piece, where: str) -> bool:
        """Return whether a combat unit has a zone of control in a hex [3a, 2.1e, 7.4g]."""
        if self.position.phase == "exploitation" and unit.is_("zoc-lost"):
            return False
        if where not in self.around(unit.where) or self.is_impassable(where):
            return False
        return "crest" not in self.lies(unit.where, where)

    def controllers(self, side: str, where: str) -> list[str]:
        """The enemies of a side whose zones are in a hex."""
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
        """Where an EM, or a unit without one, draws supply [9.1b-1 to 9.1b-3]."""
        if piece.side == "axis":
            return list(HARBOURS)
        army = self.position.game.formations[piece.counter.formation]
        if (army.part_of or piece.counter.formation) in WESTERN_ARMIES:
            return list(WEST)
        south = max(int(name[2:]) for name in self.map.hexes)
        return [n for n in self.map.hexes if int(n[2:]) == south and not self.is_impassable(n)]

    def _reached(self, piece: Piece) -> set[str]:
        """All hexes that a chain from a piece reaches [9.1a-1, 9.1a-2]."""
        if piece.where not in self.chains:
            self.chains[piece.where] = self.connected(
                [piece.where], lambda _, there: not self.is_shut(there, piece.side)
            )
        return self.chains[piece.where]

    def is_shut(self, where: str, side: str) -> bool:
        """Return whether no line of a side leads through a hex."""
        if self.is_impassable(where) or self.at(where, self.enemy(side), "unit", "em", "garrison"):
            return True
        return self.is_controlled(side, where) and not self.has_friends(where, side)
