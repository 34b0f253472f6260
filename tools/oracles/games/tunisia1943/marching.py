"""Moves and exploitation as the clauses describe them: step by step, every path tried.

A move is ``legal``, ``illegal``, or ``unproven`` where armour may have broken through without a word of it,
or where a unit that is taken up again may only have been put back.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise

from attrs import evolve, frozen

from referee.games.tunisia1943.notes import STILL_SUSTAINED
from tools.oracles.comparing import Scene
from tools.oracles.games.tunisia1943.board import TIGERS, Board

VERBS = {"movement": "move", "exploitation": "exploit"}
PANZER_DIVISIONS = ("de-10pz", "de-21pz", "de-15pz")


@frozen
class Before:
    """What a piece has done in this step: where it began, what it has paid, and whether it came into an EZOC.

    ``resumed``: another has moved since, so that it may not move any more, but may be put back [4.1b].
    """

    start: str
    spent: Fraction = Fraction(0)
    moved: bool = False
    stopped: bool = False
    resumed: bool = False


class March:
    """One unit or EM of a scene on the march."""

    def __init__(self, scene: Scene, name: str) -> None:
        self.position, self.board = scene.position, Board(scene.position)
        self.piece = scene.position.pieces[name]
        self.exploits = scene.position.phase == "exploitation"
        self.before = before(scene, name)

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""
        if self._walk(path, passing=False) is not None:
            return self._resumed(path[-1], "legal")
        if self._may_break_through() and self._walk(path, passing=True) is not None:
            return self._resumed(path[-1], "unproven")
        return "illegal"

    def _resumed(self, end: str, grade: str) -> str:
        """Rule on what would be of a grade if no other piece had moved since [4.1b]."""
        if not self.before.resumed:
            return grade
        return "unproven" if end == self.before.start else "illegal"

    def drags(self) -> dict[str, str]:
        """Rule on a drag to every hex: legal if any path there is."""
        found = {}
        if self._may_break_through():
            found = dict.fromkeys(self.reach(passing=True), "unproven")
        if not self.before.stopped or self.exploits:
            found |= dict.fromkeys(self.reach(passing=False), "legal")
        for there in self.board.around(self.piece.where):
            if self._walk((self.piece.where, there), passing=False) is not None:
                found[there] = "legal"
            elif (
                self._may_break_through() and self._walk((self.piece.where, there), passing=True) is not None
            ):
                found.setdefault(there, "unproven")
        found.pop(self.piece.where, None)
        return {there: self._resumed(there, grade) for there, grade in found.items()}

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach without breaking through, and what the cheapest path there costs."""
        return {} if self.before.stopped else self.reach(passing=False)

    def reach(self, *, passing: bool) -> dict[str, Fraction]:
        """Every hex that some path leads to, and what the cheapest costs; ``passing``: through EZOC."""
        best: dict[str, Fraction] = {}
        waiting = [(self.before.spent, self.piece.where)]
        while waiting:
            spent, here = heappop(waiting)
            if here in best:
                continue
            best[here] = spent
            if here != self.piece.where and not passing and self._stops(here):
                continue
            for there in self.board.around(here):
                cost = self._step(here, there, passing)
                if cost is not None and spent + cost <= self.allowance():
                    heappush(waiting, (spent + cost, there))
        return best

    def allowance(self) -> Fraction:
        """The MP of a step [4.1a, 9.2e, 9.2i, 6.3h, C2.4, 10b]."""
        most = self.piece.counter.factor("movement", self.piece.steps)
        board, is_em = self.board, self.piece.counter.kind == "em"
        if board.is_out_of_supply(self.piece):
            most = min(most, 2 if is_em else 1)
        if board.campaign == 2 and self.position.turn in (6, 7) and self.piece.side == "axis":
            most = min(most, 3)
        return Fraction(most)

    def _may_break_through(self) -> bool:
        return self.piece.counter.extra.flag("armour", False) and not self.exploits

    def _stops(self, here: str) -> bool:
        """A unit that enters an EZOC ends its movement there [3b]; in exploitation it enters none [10c]."""
        return not self.exploits and self.board.is_controlled(self.piece.side, here)

    def _walk(self, path: tuple[str, ...], *, passing: bool) -> Fraction | None:
        """What a path costs, None if it is not open."""
        if self.before.stopped and not passing and not self.exploits:
            return None
        spent = self.before.spent
        for here, there in pairwise(path):
            if here != path[0] and not passing and self._stops(here):
                return None
            cost = self._step(here, there, passing)
            if cost is None:
                return None
            spent += cost
        if spent <= self.allowance():
            return spent
        overruns = self.board.has_lone_em(path[1], self.board.enemy(self.piece.side))
        one_hex = len(path) == 2 and not self.before.moved and not overruns
        return spent if one_hex else None  # [4.1e]

    def _step(self, here: str, there: str, passing: bool) -> Fraction | None:
        """What one step costs, None if it cannot be made [3c, 4.1c, 4.1f, 4.1g, 4.2a, 10c]."""
        board, side = self.board, self.piece.side
        enemy = board.enemy(side)
        if board.is_impassable(there) or board.is_held(there, enemy):
            return None
        near = board.is_controlled(side, there)
        if self.exploits and near:
            return None
        if near and not passing and board.is_controlled(side, here):
            return None
        cost = board.cost(here, there)
        if board.has_lone_em(there, enemy):
            return None if self.piece.counter.kind == "em" else cost + 2
        return cost


def may_exploit(scene: Scene, name: str) -> bool:
    """Return whether a unit or EM is sustained, by choice or always [10b, 10d, 10e]."""
    piece = scene.position.pieces[name]
    em = piece if piece.counter.kind == "em" else Board(scene.position).em_of(piece)
    if piece.id in TIGERS or piece.counter.formation in PANZER_DIVISIONS:
        return True
    if em is None:
        return False
    return em.is_("sustained") or (STILL_SUSTAINED, em.id) in scene.position.notes


def before(scene: Scene, name: str) -> Before:
    """Return what a piece has done in this step, by the moves themselves, each of them step by step."""
    found = Before(scene.position.pieces[name].where)
    for action, position in scene.actions("move", "exploit"):
        if position.clock != scene.position.clock:
            continue
        if name not in action.pieces:
            resumed = found.moved and action.verb == "move"
            found = evolve(found, resumed=found.resumed or resumed)
            continue
        board, side, spent = Board(position), position.pieces[name].side, found.spent
        start = found.start if found.moved else action.path[0]
        for here, there in pairwise(action.path):
            spent += board.cost(here, there) + 2 * board.has_lone_em(there, board.enemy(side))
        stopped = board.is_controlled(side, action.end)
        found = Before(start, spent, moved=True, stopped=stopped, resumed=found.resumed)
    return found
