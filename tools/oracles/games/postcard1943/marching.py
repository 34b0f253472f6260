"""Moves as the clauses describe them.

A move is ``legal``, ``illegal``, or ``unproven`` if it breaks a rule only in one interpretation: a hex too
full during movement [stack.1], a unit that only its distance from the road puts out of supply [supply.5], a
swamp on a drag, whose roll may not have been logged [terrain.6].
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.postcard1943.notes import ARRIVED
from tools.oracles import moving
from tools.oracles.comparing import Scene
from tools.oracles.games.postcard1943.board import LIMIT, Board, stack_weight

HALF = Fraction(1, 2)
ROADS_OFF_THE_MAP = ("B1", "C1")
NORTH = ("first-army", "panzer-army")


@frozen
class Before:
    """What a unit has done in this movement phase: what it has paid, and its supply at the start.

    ``stopped``: it came into a threatened hex. ``moved``: it has moved at all.
    """

    spent: Fraction
    supply: str
    stopped: bool = False
    moved: bool = False


class March(moving.March):
    """One unit that moves, ``without`` some clauses.

    ``doubts``: what is unproven is allowed, on a path that was ``dragged`` or not.
    """

    board: Board

    def __init__(
        self,
        position: Position,
        name: str,
        *without: str,
        before: Before | None = None,
        doubts: bool = False,
        dragged: bool = False,
    ) -> None:
        unit = position.pieces[name]
        entry = position.note(ARRIVED, name)
        self.before = before or begun(position, unit, entry or "")
        super().__init__(Board.of(position), unit, Fraction(0) if "reinf.4" in without else self.before.spent)
        self.without, self.doubts, self.dragged = frozenset(without), doubts, dragged
        self.supplied = self.before.supply == "in supply" or (doubts and self.before.supply == "too far")

    def _granting(self, *, doubts: bool, dragged: bool = False) -> March:
        position, name = self.board.position, self.piece.id
        return March(position, name, *self.without, before=self.before, doubts=doubts, dragged=dragged)

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""
        if not self.may_move():
            return "illegal"
        if self._is_onto_friend(path):
            return "legal"
        for doubts in (False, True):
            march = self._granting(doubts=doubts)
            cost = None if self.before.stopped else march.cost(path)
            if cost is not None and cost <= march.points and not march.is_filled(path[-1]):
                return "unproven" if doubts else "legal"
        return "illegal"

    def drags(self) -> dict[str, str]:
        """Rule on a drag to every hex: legal if any path there is."""
        if not self.may_move():
            return {}
        found, here = dict[str, str](), self.piece.where
        for doubts in (True, False):
            march = self._granting(doubts=doubts, dragged=True)
            ends = (end for end in march.reach() if not march.is_filled(end) and not self.before.stopped)
            found |= dict.fromkeys(ends, "unproven" if doubts else "legal")
        found |= {at: "legal" for at in self.board.around(here) if self._is_onto_friend((here, at))}
        return {end: grade for end, grade in found.items() if end != here}

    def may_move(self) -> bool:
        """Return whether the unit can move: it is its turn, it is not Disrupted, and not stuck [disrupt.1,
        terrain.7].
        """
        position = self.board.position
        right_time = position.phase == "movement" and position.side == self.piece.side
        return right_time and self.board.is_sound(self.piece) and not self.piece.is_("stuck")

    def costs(self) -> dict[str, Fraction]:
        """Every hex within reach without anything unproven, and the cost of the cheapest path there."""
        return {} if self.before.stopped or self.spent > self.points else self.reach()

    @property
    def points(self) -> Fraction:
        """The MFs of a unit, half of them out of supply [move.1, supply.5]."""
        printed = Fraction(self.piece.counter.factor("mf"))
        return printed if self.supplied or "supply.5" in self.without else printed / 2

    def step(self, here: str, there: str) -> Fraction | None:
        """What one step costs [move.1, move.2, move.4 to 8, move.11, move.15]; None if it cannot be made."""
        board, unit = self.board, self.piece
        if not board.is_land(there) or board.is_held_against(unit.side, there):
            return None
        if board.bars(unit, here, there) - self.without:
            return None
        if board.roads(here, there):
            mobile = self.supplied and unit.counter.extra.flag("mobile", False)
            near = "move.11" not in self.without and board.threats(unit.side, there)
            return HALF if (mobile or "move.2" in self.without) and not near else Fraction(1)
        hard = board.lies(here, there) & {"hill-all", "river"} and not board.is_armour(unit)
        return Fraction(2 if hard and "move.8" not in self.without else 1)

    def stops(self, here: str) -> bool:
        """Return whether a unit that enters a hex can go no farther [move.10, terrain.6, stack.1]."""
        if "move.10" not in self.without and self.board.threats(self.piece.side, here):
            return True
        rolls = self.board.is_swamp(here) and not (self.doubts and self.dragged)
        if rolls and "terrain.6" not in self.without:
            return True
        return "stack.1" not in self.without and not self.doubts and self.is_full(here)

    def is_full(self, here: str) -> bool:
        """Return whether there is no room for the unit in a hex."""
        friends = [piece for piece in self.board.at(here, self.piece.side) if piece.id != self.piece.id]
        return sum(map(stack_weight, friends)) + stack_weight(self.piece) > LIMIT

    def is_filled(self, end: str) -> bool:
        """Return whether there is no room to end in a hex; room may still be made in this phase."""
        if self.doubts or stack_weight(self.piece) == 0:
            return False
        return self.is_full(end) and end != self.piece.where

    def _is_onto_friend(self, path: tuple[str, ...]) -> bool:
        """The whole move is one hex onto a friend, into which the unit could go [move.13, stack.4]."""
        if len(path) != 2 or self.before.moved or not self.board.at(path[1], self.piece.side):
            return False
        enterable = self.board.crosses(self.piece, *path)
        return enterable and not self.board.is_held_against(self.piece.side, path[1])


def before(scene: Scene, unit: str) -> Before:
    """Return what a unit has done in this phase, by the actions themselves."""
    found: Before | None = None
    for action, position in scene.actions("move"):
        if unit in action.pieces and position.clock == scene.position.clock:
            found = _after(found or _begun(scene, position, unit), position, action, unit)
    return found or _begun(scene, scene.position, unit)


def _begun(scene: Scene, position: Position, unit: str) -> Before:
    """What a unit has done that has not moved: it may have entered on this turn."""
    came = (
        action.target
        for action, before in scene.actions("arrive")
        if unit in action.pieces and before.turn == scene.position.turn
    )
    return begun(position, position.pieces[unit], next(came, ""))


def begun(position: Position, unit: Piece, entry: str) -> Before:
    """The state of a unit that begins to move, and what its entry hex cost [reinf.4]."""
    supply = Board.of(position).supply(unit, unit.where)
    if not entry or unit.counter.formation not in NORTH:
        return Before(Fraction(0), supply)
    by_road = unit.counter.extra.flag("mobile", False) and supply == "in supply"
    return Before(HALF if by_road and entry in ROADS_OFF_THE_MAP else Fraction(1), supply)


def _after(found: Before, position: Position, action: Action, unit: str) -> Before:
    """What a legal move of known steps adds to what a unit has done."""
    march = March(position, unit, before=found)
    steps = (march.step(here, there) or Fraction(0) for here, there in pairwise(action.path))
    stopped = bool(march.board.threats(march.piece.side, action.end))
    return evolve(found, spent=found.spent + sum(steps), stopped=stopped, moved=True)
