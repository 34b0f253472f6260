"""Tests of cohesion, and attacks with their odds, as the clauses describe them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from referee.engine.position import Piece
from tools.oracles.games.tunisia1943.board import TIGERS, Board

WORST_GROUND = -3


def passes(board: Board, piece: Piece, total: int, *, against_tiger: bool) -> bool:
    """Return whether a unit passes its test [0.1f, 9.2d, 12d, 12f, C1.4]."""
    if piece.id in TIGERS:
        return True
    value = piece.counter.factor("cohesion", piece.steps)
    value -= board.is_out_of_supply(piece)
    value -= 2 * against_tiger
    early = board.campaign == 1 and board.position.turn <= 4
    value -= 2 * (early and piece.counter.nation == "us")
    return total <= value


def stopping_hexes(board: Board, armour: Piece, total: int) -> list[str]:
    """The hexes whose units stop a breakthrough: one of them passes, or a Tiger is there [4.3f, 12g]."""
    found = set()
    for name in board.controllers(armour.side, armour.where):
        unit = board.position.pieces[name]
        shielded = any(friend.id in TIGERS for friend in board.at(unit.where, unit.side, "unit"))
        if shielded or passes(board, unit, total, against_tiger=armour.id in TIGERS):
            found.add(unit.where)
    return sorted(found)


class Fight:
    """An attack on a hex by some units."""

    def __init__(self, board: Board, target: str, attackers: tuple[str, ...]) -> None:
        self.board, self.target = board, target
        self.attackers = [board.position.pieces[name] for name in attackers]

    @property
    def attack(self) -> Fraction:
        """The attack values of the faces that show, 1 for who is out of supply [7.2b, 9.2b]."""
        return Fraction(sum(map(self._attack, self.attackers)))

    def _attack(self, piece: Piece) -> int:
        printed = piece.counter.factor("attack", piece.steps)
        return min(printed, 1) if self.board.is_out_of_supply(piece) else printed

    @property
    def defence(self) -> Fraction:
        """Each unit's value, halved out of supply; doubled in a city; and the garrison [7.2c, 9.2c, G.2]."""
        enemy = self.board.enemy(self.attackers[0].side)
        units = self.board.at(self.target, enemy, "unit")
        value = sum(map(self._defence, units)) * (2 if self._is_city() else 1)
        return Fraction(value + 3 * bool(self.board.at(self.target, enemy, "garrison")))

    def _defence(self, piece: Piece) -> int:
        printed = piece.counter.factor("defence", piece.steps)
        return ceil(Fraction(printed, 2)) if self.board.is_out_of_supply(piece) else printed

    def _is_city(self) -> bool:
        places = self.board.map.places.values()
        return any(place.hex == self.target and place.kind in ("city", "port") for place in places)

    @property
    def ratio(self) -> str:
        """The ratio brought down to the nearest column: 1/3, 1/2, 1/1, 3/2, 2/1, 3/1 ... [7.2b]."""
        if self.attack >= 2 * self.defence:
            return f"{self.attack // self.defence}/1"
        if 2 * self.attack >= 3 * self.defence:
            return "3/2"
        if self.attack >= self.defence:
            return "1/1"
        return f"1/{ceil(self.defence / self.attack)}"

    @property
    def die(self) -> int:
        """What terrain and columns beyond the table add to the die [2.1a, 7.2g, 7.3f, 7.3h]."""
        game, board = self.board.position.game, self.board
        ground = int(game.terrain[board.map.hexes[self.target].terrain].effects.number("die", 0))
        sides = [board.lies(piece.where, self.target) for piece in self.attackers]
        for feature in frozenset.intersection(*sides):
            row = game.features[feature].effects
            flooded = feature == "wadi" and board.is_flooded()
            ground += int((row.group("flooded") if flooded else row).number("die", 0))
        above, below = map(int, self.ratio.split("/"))
        return max(ground, WORST_GROUND) + max(above - 4, 0) * (below == 1) - max(below - 2, 0) * (above == 1)
