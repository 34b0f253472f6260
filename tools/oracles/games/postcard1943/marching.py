"""Moves as the clauses describe them: step by step, every path tried.

A move is ``legal``, ``illegal``, or ``unproven`` if it is against one reading only: a hex too full in the
midst of movement [stack.1], a unit that only distance from the road puts out of supply [supply.5], a swamp
on a drag, where the roll may not have been logged [terrain.6].
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from tools.oracles.comparing import Scene
from tools.oracles.games.postcard1943.board import LIMIT, Board, stack_weight

HALF = Fraction(1, 2)
ROADS_OFF_THE_MAP = ("B1", "C1")
NORTH = ("first-army", "panzer-army")


@frozen
class Before:
    """What a unit has done in this movement phase: what it has paid, and how it stood with supply at first.

    ``stopped``: it came into a threatened hex. ``moved``: it has moved at all.
    """

    spent: Fraction
    supply: str
    stopped: bool = False
    moved: bool = False


@frozen
class Terms:
    """On what terms a way is tried: as the clauses have it, or with what is doubtful granted."""

    doubts: bool
    dragged: bool


STRICT = Terms(doubts=False, dragged=False)


class March:
    """One unit of a scene on the march."""

    def __init__(self, scene: Scene, unit: str) -> None:
        self.scene, self.board = scene, Board(scene.position)
        self.unit = scene.position.pieces[unit]
        self.before = before(scene, unit)
        self.supplied = self.before.supply == "in supply"

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""
        if not self.may_move():
            return "illegal"
        if self._is_onto_friend(path):
            return "legal"
        for doubts in (False, True):
            cost = self._walk(path, Terms(doubts, dragged=False))
            if cost is not None and not self._is_filled(path[-1], doubts):
                return "unproven" if doubts else "legal"
        return "illegal"

    def drags(self) -> dict[str, str]:
        """Rule on a drag to every hex: legal if any path there is."""
        if not self.may_move():
            return {}
        found = {}
        for doubts in (True, False):
            for end in self.reach(Terms(doubts, dragged=True)):
                if not self._is_filled(end, doubts):
                    found[end] = "unproven" if doubts else "legal"
        for there in self.board.around(self.unit.where):
            if self._is_onto_friend((self.unit.where, there)):
                found[there] = "legal"
        found.pop(self.unit.where, None)
        return found

    def may_move(self) -> bool:
        """Return whether the unit can move: it is its turn, sound, and not stuck [disrupt.1, terrain.7]."""
        position = self.scene.position
        right_time = position.phase == "movement" and position.side == self.unit.side
        return right_time and self.board.is_sound(self.unit) and not self.unit.is_("stuck")

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach without any doubt, and what the cheapest path there costs."""
        return {} if self.before.stopped else self.reach(STRICT)

    def reach(self, terms: Terms) -> dict[str, Fraction]:
        """Every hex that some path leads to, and what the cheapest costs; every path is tried."""
        best: dict[str, Fraction] = {}

        def walk(here: str, spent: Fraction) -> None:
            if here in best and best[here] <= spent:
                return
            best[here] = spent
            if here != self.unit.where and self._ends(here, terms):
                return
            for there in self.board.around(here):
                cost = self._step(here, there, terms)
                if cost is not None and spent + cost <= self._allowance(terms):
                    walk(there, spent + cost)

        if self.before.spent <= self._allowance(terms):
            walk(self.unit.where, self.before.spent)
        if self.before.stopped:
            return {here: cost for here, cost in best.items() if here == self.unit.where}
        return best

    def _walk(self, path: tuple[str, ...], terms: Terms) -> Fraction | None:
        """What a path costs, None if it is not open."""
        if self.before.stopped:
            return None
        spent = self.before.spent
        for here, there in pairwise(path):
            if here != path[0] and self._ends(here, terms):
                return None
            cost = self._step(here, there, terms)
            if cost is None:
                return None
            spent += cost
        return spent if spent <= self._allowance(terms) else None

    def _step(self, here: str, there: str, terms: Terms) -> Fraction | None:
        """What one step costs [move.1, move.2, move.4 to 8, move.11, move.15]; None if it cannot be made."""
        board, unit = self.board, self.unit
        if not board.crosses(unit, here, there) or board.is_held_against(unit.side, there):
            return None
        if board.road(here, there):
            fast = self._is_mobile(terms) and not board.threats(unit.side, there)
            return HALF if fast else Fraction(1)
        hard = board.lies("hill-all", here, there) or board.lies("river", here, there)
        return Fraction(2 if hard else 1)

    def _is_mobile(self, terms: Terms) -> bool:
        return self.unit.counter.extra.flag("mobile", False) and self._counts_as_supplied(terms)

    def _counts_as_supplied(self, terms: Terms) -> bool:
        return self.supplied or (terms.doubts and self.before.supply == "too far")

    def _allowance(self, terms: Terms) -> Fraction:
        printed = Fraction(self.unit.counter.factor("mf"))
        return printed if self._counts_as_supplied(terms) else printed / 2

    def _ends(self, here: str, terms: Terms) -> bool:
        """Return whether a unit that enters a hex can go no farther [move.10, terrain.6, stack.1]."""
        board, unit = self.board, self.unit
        if board.threats(unit.side, here):
            return True
        if board.is_swamp(here) and not (terms.doubts and terms.dragged):
            return True
        return self._is_full(here) and not terms.doubts

    def _is_full(self, here: str) -> bool:
        friends = [piece for piece in self.board.at(here, self.unit.side) if piece.id != self.unit.id]
        return sum(map(stack_weight, friends)) + stack_weight(self.unit) > LIMIT

    def _is_filled(self, end: str, doubts: bool) -> bool:
        """Return whether there is no room to end in a hex; it may yet be made in this phase."""
        if doubts or stack_weight(self.unit) == 0:
            return False
        return self._is_full(end) and end != self.unit.where

    def _is_onto_friend(self, path: tuple[str, ...]) -> bool:
        """The whole move is one hex onto a friend, into which the unit could go [move.13, stack.4]."""
        if len(path) != 2 or self.before.moved or not self.board.at(path[1], self.unit.side):
            return False
        enterable = self.board.crosses(self.unit, path[0], path[1])
        return enterable and not self.board.is_held_against(self.unit.side, path[1])


def before(scene: Scene, unit: str) -> Before:
    """Return what a unit has done in this phase, by the actions themselves."""
    found: Before | None = None
    for action, position in _moves(scene):
        if unit in action.pieces:
            found = _after(found or _begun(scene, position, unit), position, action, unit)
    return found or _begun(scene, scene.position, unit)


def _moves(scene: Scene) -> list[tuple[Action, Position]]:
    """The moves of this phase, those of several units one by one."""
    return [
        (evolve(action, pieces=(piece,)), position)
        for action, position in scene.actions("move")
        if position.clock == scene.position.clock
        for piece in action.pieces
    ]


def _begun(scene: Scene, position: Position, unit: str) -> Before:
    piece = position.pieces[unit]
    supply = Board(position).supply(piece, piece.where)
    return Before(_entry(scene, piece, supply), supply)


def _entry(scene: Scene, unit: Piece, supply: str) -> Fraction:
    """What the entry hex costs a unit that came in on this turn [reinf.4]."""
    entries = [
        action.target
        for action, position in scene.actions("arrive")
        if unit.id in action.pieces and position.turn == scene.position.turn
    ]
    if not entries or unit.counter.formation not in NORTH:
        return Fraction(0)
    by_road = unit.counter.extra.flag("mobile", False) and supply == "in supply"
    return HALF if by_road and entries[-1] in ROADS_OFF_THE_MAP else Fraction(1)


def _after(found: Before, position: Position, action: Action, unit: str) -> Before:
    """What a legal move of known steps adds to what a unit has done."""
    piece, board, spent = position.pieces[unit], Board(position), found.spent
    fast = piece.counter.extra.flag("mobile", False) and found.supply == "in supply"
    for here, there in pairwise(action.path):
        hard = board.lies("hill-all", here, there) or board.lies("river", here, there)
        if board.road(here, there):
            spent += HALF if fast and not board.threats(piece.side, there) else 1
        else:
            spent += 2 if hard else 1
    stopped = bool(board.threats(piece.side, action.end))
    return Before(spent, found.supply, stopped, moved=True)
