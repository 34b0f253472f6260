"""The board as the clauses describe it: zones, costs, sight, retreat paths, each followed step by step."""

from __future__ import annotations

from fractions import Fraction

from referee.engine.position import Piece, Position
from referee.games.vitoria1813.notes import CROSSED, DESTROYED, DISPLACED, MATE, RAN
from tools.oracles import board

ARMS = ("infantry", "cavalry", "artillery", "engineer")
AS_ARM = {"general": "infantry", "engineer": "infantry", "convoy": "artillery", "park": "artillery"}
SHAKEN = ("disordered", "routed", "uncontrolled")
OPENED_BY = {"bridge": ("river", "stream"), "ford": ("river",)}


class Board(board.Board):
    """A position, asked hex by hex; answers are remembered."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.grid = self.map.grid
        self.broken = {about for about, value in position.noted(DESTROYED).items() if value}
        self.between: dict[tuple[str, str], frozenset[str]] = {}
        self.zones: dict[tuple[str, str], list[Piece]] = {}

    def around(self, where: str) -> list[str]:
        """The neighbours of a hex."""
        return [*self.grid.neighbours(where)]

    def units(self, where: str, side: str = "") -> list[Piece]:
        """The combat units in a hex."""
        found = [piece for piece in self.position.at(where) if piece.counter.kind in ARMS]
        return [piece for piece in found if side in ("", piece.side)]

    def features(self, here: str, there: str) -> frozenset[str]:
        """What is on a hexside; a destroyed bridge does not count."""
        if (here, there) not in self.between:
            found = frozenset(self.map.hexside(here, there).features)
            gone = f"{here}/{there}" in self.broken or f"{there}/{here}" in self.broken
            self.between[here, there] = found - {"bridge"} if gone else found
        return self.between[here, there]

    def has_zone(self, piece: Piece) -> bool:
        """Combat units in order exert a zone of control, those just driven off do not [3.1a to 3.1d]."""
        shaken = any(state in piece.states for state in SHAKEN)
        driven = any((why, piece.id) in self.position.notes for why in (DISPLACED, RAN, CROSSED, MATE))
        return piece.counter.kind in ARMS and not shaken and not driven

    def zone_holders(self, where: str, side: str) -> list[Piece]:
        """The enemies of a side whose zones are in a hex: not across water without a bridge [3.2h]."""
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
        """Whether a side has anything except generals in a hex; or only whether it has a combat unit."""
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

    def wading(self, kind: str, here: str, there: str) -> Fraction:
        """What the water under a destroyed bridge costs, also by road [5.2b]."""
        features = self.features(here, there)
        if features == frozenset(self.map.hexside(here, there).features) or "stream" not in features:
            return Fraction(0)
        return Fraction(str(self.game.features["stream"].effects.number(AS_ARM.get(kind, kind), 0)))

    def has_road(self, piece: Piece, start: str, there: str) -> bool:
        """A road serves a single unit in the hexes that it enters [5.2d]; generals do not count."""
        if piece.counter.kind == "general" or there == start:
            return True
        others = [one for one in self.position.at(there) if one.id != piece.id]
        units = [one for one in others if one.counter.kind in ARMS and one.side == piece.side]
        return not units and not any(one.counter.kind == "convoy" for one in others)

    def sight(self, here: str, there: str) -> str:
        """What blocks the line of sight over two hexes: nothing, a clause, or a clause that is unproven [6.1b
        to 6.1d].
        """
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
        elif levels[1] == max(levels[0], levels[2]) > min(levels[0], levels[2]):
            found.append("6.1d unproven")
        there_are = self.position.at(middle) if len(set(levels)) == 1 else ()
        if any(one.counter.kind in ARMS for one in there_are):
            found.append("6.1c")
        elif there_are:  # the rules do not say whether generals and the convoy are units here
            found.append("6.1c unproven")
        return " ".join(found)

    def retreats(self, piece: Piece, length: int) -> set[str]:
        """Where a retreat of a certain length may end, each step farther away, around the enemy [7.4b]."""
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
