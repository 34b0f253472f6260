"""Tests of cohesion, and attacks with their odds, as the clauses describe them.

Any one clause may be left out: then the odds are those of players who forget it.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from referee.engine.position import Piece
from tools.oracles.games.tunisia1943.board import TIGERS, Board

COLUMNS = ("1/2", "1/1", "3/2", "2/1", "3/1", "4/1")
LAST = len(COLUMNS) - 1
WORST_GROUND = -3


def passes(board: Board, piece: Piece, total: int, tigers: int, without: str = "") -> bool:
    """Return whether a unit passes its test against a number of Tigers [0.1f, 9.2d, 12d, 12e, 12f, C1.4]."""
    if piece.id in TIGERS:
        return without != "12f"
    value = piece.counter.factor("cohesion", piece.steps)
    value -= 2 * (tigers if without == "12e" else min(tigers, 1)) * (without != "12d")
    if piece.counter.kind == "unit":
        value -= board.is_out_of_supply(piece) and without != "9.2d"
    early = board.campaign == 1 and board.position.turn <= 4
    value -= 2 * (early and piece.counter.nation == "us" and without != "C1.4")
    return total < value if without == "0.1f" else total <= value


def stopping_hexes(board: Board, armour: Piece, total: int) -> list[str]:
    """The hexes whose units stop a breakthrough: one of them passes, or a Tiger is there [4.3f, 12g]."""
    found = set()
    for name in board.controllers(armour.side, armour.where):
        unit = board.position.pieces[name]
        shielded = any(friend.id in TIGERS for friend in board.at(unit.where, unit.side, "unit"))
        if shielded or passes(board, unit, total, int(armour.id in TIGERS)):
            found.add(unit.where)
    return sorted(found)


class Fight:
    """An attack on a hex by some units, before aviation, artillery and cohesion."""

    def __init__(self, board: Board, target: str, attackers: tuple[str, ...], without: str = "") -> None:
        self.board, self.target, self.without = board, target, without
        self.attackers = [board.position.pieces[name] for name in attackers]

    def defenders(self, *kinds: str) -> list[Piece]:
        """The attacked pieces of some kinds; without one of several units if one is forgotten [7.1g]."""
        found = self.board.at(self.target, self.board.enemy(self.attackers[0].side), *kinds)
        units = [piece for piece in found if piece.counter.kind == "unit"]
        if self.without == "7.1g" and len(units) > 1:
            found = [piece for piece in found if piece is not units[0]]
        return found

    @property
    def attack(self) -> Fraction:
        """The attack values of the visible faces, 1 for a unit out of supply [7.2b, 9.2b]."""
        return Fraction(sum(self._attack(piece) for piece in self.attackers if piece.counter.kind == "unit"))

    def _attack(self, piece: Piece) -> int:
        printed = piece.counter.factor("attack", self._steps(piece))
        return min(printed, 1) if self._is_cut(piece, "9.2b") else printed

    @property
    def defence(self) -> Fraction:
        """The value of each unit, halved out of supply, doubled in a city, and the garrison [7.2c, 9.2c,
        G.2].
        """
        value = sum(map(self._defence, self.defenders("unit"))) * (2 if self._is_city() else 1)
        return Fraction(value + 3 * bool(self.defenders("garrison") and self.without != "G.2"))

    def _defence(self, piece: Piece) -> int:
        printed = piece.counter.factor("defence", self._steps(piece))
        return ceil(Fraction(printed, 2)) if self._is_cut(piece, "9.2c") else printed

    def _steps(self, piece: Piece) -> int:
        return piece.counter.steps if self.without == "7.2b" else piece.steps

    def _is_cut(self, piece: Piece, clause: str) -> bool:
        return self.board.is_out_of_supply(piece) and self.without != clause

    def _is_city(self) -> bool:
        places = self.board.map.places.values()
        city = any(place.hex == self.target and place.kind in ("city", "port") for place in places)
        return city and self.without != "7.2c"

    @property
    def natural(self) -> int:
        """The index of the ratio among the columns, rounded down to the nearest; it may be beyond them."""
        if not self.defence:
            return len(COLUMNS)
        if self.attack >= 2 * self.defence:
            return int(self.attack // self.defence) + 1
        if 2 * self.attack >= 3 * self.defence:
            return 2
        return 1 if self.attack >= self.defence else 2 - ceil(self.defence / self.attack)

    @property
    def ratio(self) -> str:
        """The same as a ratio: 1/3, 1/2, 1/1, 3/2, 2/1, 3/1 ... [7.2b]."""
        place = self.natural
        return COLUMNS[place] if 0 <= place <= LAST else f"{place - 1}/1" if place > 0 else f"1/{2 - place}"

    def beyond(self, place: int) -> int:
        """The columns beyond the table, which modify the die [7.3f, 7.3h]."""
        return max(place - LAST, 0) * (self.without != "7.3f") + min(place, 0) * (self.without != "7.3h")

    @property
    def ground(self) -> int:
        """The modifier of the terrain [2.1a, 2.1b]."""
        if self.without == "2.1a":
            return 0
        game, board = self.board.position.game, self.board
        ground = int(game.terrain[board.map.hexes[self.target].terrain].effects.number("die", 0))
        sides = [board.lies(piece.where, self.target) for piece in self.attackers]
        flooded = board.is_flooded() != (self.without == "2.1b")
        for feature in frozenset.intersection(*sides):
            row = game.features[feature].effects
            ground += int((row.group("flooded") if feature == "wadi" and flooded else row).number("die", 0))
        return max(ground, WORST_GROUND)

    @property
    def die(self) -> int:
        """The modifiers of terrain and of columns beyond the table [7.2g]."""
        return self.ground + self.beyond(self.natural)
