"""Moves as the clauses describe them, by counters that have not moved yet."""

from __future__ import annotations

from fractions import Fraction

from referee.engine.position import Piece
from referee.games.vitoria1813.notes import TRAIL
from tools.oracles import moving
from tools.oracles.games.vitoria1813.board import ARMS, Board
from tools.oracles.moving import ILLEGAL, LEGAL

LEAVING = 2


class March(moving.March):
    """One counter that moves, with some points or the printed ones.

    Without ``zones``, enemy zones bar no step. Without ``trains``, questions that no clause answers are
    decided for the moving side: enemy trains bar no step, and friendly ones pay nothing to leave a zone.
    """

    board: Board

    def __init__(
        self, board: Board, piece: Piece, most: int | None = None, *, zones: bool = True, trains: bool = True
    ) -> None:
        super().__init__(board, piece)
        self.most, self.zones, self.trains = most, zones, trains

    @property
    def points(self) -> Fraction:
        """The points that are printed on the counter."""
        return Fraction(self.piece.factor("mp") if self.most is None else self.most)

    def stops(self, here: str) -> bool:
        """Return whether it has entered an EZOC [3.2a]."""
        return self.zones and bool(self.board.zone_holders(here, self.piece.side))

    def step(self, here: str, there: str) -> Fraction | None:
        """What a step costs, None if it may not be made."""
        board, piece = self.board, self.piece
        arm, start = piece.counter.kind, piece.where
        near, onward = board.zone_holders(here, piece.side), board.zone_holders(there, piece.side)
        if board.is_held(there, board.enemy(piece.side), by_trains=self.trains):
            return None
        shaken = "disordered" in piece.states or "routed" in piece.states
        if onward and (shaken or arm == "engineer"):
            return None
        bars = self.zones and near and onward and arm in ARMS
        if bars and not self._slips(near, onward):
            return None
        cost = board.country(arm, here, there)
        if cost is None:
            return None
        if board.has_road(piece, start, there):
            rates = [board.game.road_kinds[kind].effects.number("move") for kind in board.roads(here, there)]
            wading = board.wading(arm, here, there)
            cost = min([cost, *(Fraction(str(rate)) + wading for rate in rates)])
        leaves = here == start and near and (TRAIL, piece.id) not in board.position.notes
        return cost + (LEAVING if leaves and (self.trains or arm != "convoy") else 0)

    def _slips(self, near: list[Piece], onward: list[Piece]) -> bool:
        """Cavalry may move from zone to zone if both are those of other arms [3.2e]."""
        riders = [one for one in (*near, *onward) if one.counter.kind == "cavalry"]
        return self.piece.counter.kind == "cavalry" and not riders

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known; what trains may do on it the clauses do not say."""
        for grade, march in ((LEGAL, self), ("unproven", self._for_trains())):
            cost = march.cost(path)
            if cost is not None and cost <= march.points:
                return grade
        return ILLEGAL

    def drags(self) -> dict[str, str]:
        """The hexes to which a drag is legal: some path leads there; or one that is unproven for trains."""
        found = dict.fromkeys(self._for_trains().reach(), "unproven") | dict.fromkeys(self.costs(), LEGAL)
        return {where: grade for where, grade in found.items() if where != self.piece.where}

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach, and what the cheapest path there costs."""
        return self.reach()

    def _for_trains(self) -> March:
        return March(self.board, self.piece, trains=False)
