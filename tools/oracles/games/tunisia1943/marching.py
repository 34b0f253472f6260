"""Moves and exploitation as the clauses describe them.

A move is ``legal``, ``illegal``, or ``unproven`` if armour may have broken through without an announcement,
or if a unit that moves again may only have been put back.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.position import Position
from referee.games.tunisia1943.notes import STILL_SUSTAINED
from tools.oracles import moving
from tools.oracles.comparing import Scene
from tools.oracles.games.tunisia1943.board import TIGERS, Board

VERBS = {"movement": "move", "exploitation": "exploit"}
PANZER_DIVISIONS = ("de-10pz", "de-21pz", "de-15pz")


@frozen
class Before:
    """What a piece has done in this step: where it began, what it has paid, and whether it came into an EZOC.

    ``resumed``: another one has moved since, so that it may not move again, but may be put back [4.1b].
    """

    start: str
    spent: Fraction = Fraction(0)
    moved: bool = False
    stopped: bool = False
    resumed: bool = False


class March(moving.March):
    """One unit or EM that moves, ``without`` a clause; ``passing`` as if it could always break through."""

    board: Board

    def __init__(
        self,
        position: Position,
        name: str,
        without: str = "",
        *,
        before: Before | None = None,
        passing: bool = False,
    ) -> None:
        piece = position.pieces[name]
        self.before = before or Before(piece.where)
        board = Board(position, without) if without else Board.of(position)
        super().__init__(board, piece, self.before.spent)
        self.position, self.without, self.passing = position, without, passing
        self.exploits = position.phase == "exploitation"

    def _marches(self) -> dict[str, March]:
        """The ways in which it may move, each with the grade of such a move."""
        found = {} if self.before.stopped and not self.exploits else {"legal": self}
        if self.piece.counter.extra.flag("armour", False) and not self.exploits:
            found["unproven"] = March(
                self.position, self.piece.id, self.without, before=self.before, passing=True
            )
        return found

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""
        grades = (grade for grade, march in self._marches().items() if march.can_walk(path))
        return self._resumed(path[-1], next(grades, "illegal"))

    def _resumed(self, end: str, grade: str) -> str:
        """Rule on what would have a grade if no other piece had moved since [4.1b]."""
        if not self.before.resumed or grade == "illegal":
            return grade
        return "unproven" if end == self.before.start else "illegal"

    def drags(self) -> dict[str, str]:
        """Rule on a drag to every hex: legal if any path there is."""
        found, here = dict[str, str](), self.piece.where
        for grade, march in self._marches().items():
            beside = [there for there in self.board.around(here) if march.can_walk((here, there))]
            found = dict.fromkeys((*march.reach(), *beside), grade) | found
        found.pop(here, None)
        return {there: self._resumed(there, grade) for there, grade in found.items()}

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach without breaking through, and the cost of the cheapest path there."""
        return {} if self.before.stopped else self.reach()

    @property
    def points(self) -> Fraction:
        """The MP of a step [4.1a, 9.2e, 9.2i, 6.3h, C2.4, 10b]."""
        most = self.piece.counter.factor("movement", self.piece.steps)
        board, is_em = self.board, self.piece.counter.kind == "em"
        if board.is_out_of_supply(self.piece):
            most = min(most, 2 if is_em else 1)
        if board.campaign == 2 and self.position.turn in (6, 7) and self.piece.side == "axis":
            most = min(most, 3)
        return Fraction(most)

    def stops(self, here: str) -> bool:
        """A unit that enters an EZOC ends its movement there [3b]; in exploitation it enters none [10c]."""
        return not (self.passing or self.exploits) and self.board.is_controlled(self.piece.side, here)

    def can_walk(self, path: tuple[str, ...]) -> bool:
        """Return whether a path is open and not too costly; a single hex never is too costly, except in an
        overrun [4.1e].
        """
        cost = self.cost(path)
        if cost is None or cost <= self.points:
            return cost is not None
        overruns = self.board.has_lone_em(path[1], self.board.enemy(self.piece.side))
        return len(path) == 2 and not self.before.moved and not overruns

    def step(self, here: str, there: str) -> Fraction | None:
        """What one step costs, None if it cannot be made [3c, 4.1c, 4.1f, 4.1g, 4.2a, 10c]."""
        board, side = self.board, self.piece.side
        enemy = board.enemy(side)
        if board.is_impassable(there) or board.is_held(there, enemy):
            return None
        near = board.is_controlled(side, there)
        if near and (self.exploits or (not self.passing and board.is_controlled(side, here))):
            return None
        cost = board.cost(here, there)
        if board.has_lone_em(there, enemy):
            return None if self.piece.counter.kind == "em" else cost + 2
        return cost


def may_exploit(position: Position, name: str) -> bool:
    """Return whether a unit or EM is sustained, by choice or always [10b, 10d, 10e]."""
    piece = position.pieces[name]
    em = piece if piece.counter.kind == "em" else Board.of(position).em_of(piece)
    if piece.id in TIGERS or piece.counter.formation in PANZER_DIVISIONS:
        return True
    return em is not None and (em.is_("sustained") or (STILL_SUSTAINED, em.id) in position.notes)


def before(scene: Scene, name: str) -> Before:
    """Return what a piece has done in this step, from the moves themselves, each of them step by step."""
    found = Before(scene.position.pieces[name].where)
    for action, position in scene.actions("move", "exploit"):
        if position.clock != scene.position.clock:
            continue
        if name not in action.pieces:
            resumed = found.moved and action.verb == "move"
            found = evolve(found, resumed=found.resumed or resumed)
            continue
        board, side, spent = Board.of(position), position.pieces[name].side, found.spent
        start = found.start if found.moved else action.path[0]
        for here, there in pairwise(action.path):
            spent += board.cost(here, there) + 2 * board.has_lone_em(there, board.enemy(side))
        stopped = board.is_controlled(side, action.end)
        found = Before(start, spent, moved=True, stopped=stopped, resumed=found.resumed)
    return found
