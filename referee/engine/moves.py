"""One move of one piece: its cost, and the clauses that forbid it.

Every clause that limits movement can be waived, as if it did not exist. An impossible move is attributed to
clauses without which it would be possible, in the order of the game's own rulebook.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, Generic, Self, TypeVar

from attrs import evolve, field, frozen

from referee.engine.actions import Action
from referee.engine.faults import fewest
from referee.engine.movement import CLOSED, March, Reach, cheapest, reach
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Fact, Grade, number
from vassalgen.game.provenance import Provenance

NOTHING: frozenset[str] = frozenset()
UNLIMITED = 10**6
"""The budget of a piece without an allowance."""


@frozen
class Trail:
    """A piece's movement so far: from where, what it has paid (in fractions of a point), how.

    ``dragged``: part of its path is unknown. ``stopped``: it has reached a hex where a piece must stop. A
    game adds whatever else its rules need.
    """

    start: str
    spent: int = 0
    dragged: bool = False
    stopped: bool = False


SomeTrail = TypeVar("SomeTrail", bound=Trail)


@frozen(eq=False)
class Move(ABC, Generic[SomeTrail]):
    """A move of one piece in a position, by the indices of hexes.

    Costs are in fractions of a point. ``provenance`` returns the provenance of the data on which a breach of
    clauses relies.
    """

    position: Position
    piece: Piece
    path: tuple[int, ...]
    dragged: bool
    trail: SomeTrail | None
    memory: dict[Any, Any] = field(factory=dict, kw_only=True)

    provenance: ClassVar[Mapping[str, Provenance]] = {}

    @classmethod
    def of(cls, position: Position, action: Action) -> Self:
        """Return the move of an action, created once for each position and action."""
        key = ("move", action.verb, action.piece, action.path, action.dragged, action.company)
        if key not in position.memory:
            index = position.game.map.grid.index
            position.memory[key] = cls.begin(position, action, tuple(index[name] for name in action.path))
        move: Self = position.memory[key]
        return move

    @classmethod
    def everywhere(cls, position: Position, piece: Piece, verb: str = "move") -> Self:
        """Return a move that goes nowhere yet, to ask where a piece could go."""
        return cls.of(position, Action(verb, (piece.id,), (piece.where, piece.where), dragged=True))

    @classmethod
    @abstractmethod
    def begin(cls, position: Position, action: Action, path: tuple[int, ...]) -> Self:
        """Return the move of an action, its path given by the indices of hexes."""

    @property
    @abstractmethod
    def scale(self) -> int:
        """How many fractions a point has."""

    @property
    def unit(self) -> str:
        """The name of points."""
        return "MP"

    @abstractmethod
    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        """Return the points of the piece, with some clauses waived."""

    @abstractmethod
    def march(self, waived: frozenset[str] = NOTHING) -> March:
        """Return the piece on the march, with some clauses waived."""

    @abstractmethod
    def says(self, clause: str) -> str:
        """Return the sentence for a breach of a clause by the move."""

    def facts(self) -> dict[str, Fact]:
        """Return the facts of the move: piece, start, end, allowance; games add their own."""
        names = self.position.game.map.grid.names
        return {
            "unit": self.piece.id,
            "from": names[self.path[0]],
            "to": names[self.path[-1]],
            "allowance": self.allowance(),
        }

    @abstractmethod
    def find_faults(self) -> tuple[str, ...]:
        """Return the clauses that forbid an impossible move."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The clauses that forbid the move; none if it is possible."""
        if "faults" not in self.memory:
            possible = self.is_taken_back() or self.cost() is not None
            self.memory["faults"] = () if possible else self.find_faults()
        found: tuple[str, ...] = self.memory["faults"]
        return found

    def breach(self, clause: str) -> Breach | None:
        """Return the breach of a clause by this move, if it breaks it."""
        if clause not in self.faults:
            return None
        facts = self.facts() if self.are_fewest else {**self.facts(), "clauses": "perhaps not all needed"}
        return Breach(self.says(clause), facts, self.grade(clause), clause, self.provenance.get(clause))

    def fewest(self, limits: Sequence[str], alone: Sequence[str]) -> tuple[str, ...]:
        """Return the fewest clauses that must be waived for the move; remember whether the search was
        complete.
        """
        found = fewest(limits, alone, self.is_possible)
        self.memory["fewest"] = found.fewest
        return found.clauses

    @property
    def are_fewest(self) -> bool:
        """Whether the faults are certainly the fewest; otherwise the search for them was stopped."""
        return bool(self.memory.get("fewest", True))

    def grade(self, clause: str) -> Grade:
        """Return how certain the breach of a clause is."""
        doubtful = self.is_unproven(clause) or self.may_be_taken_back()
        return Grade.unproven if doubtful else Grade.illegal

    def is_unproven(self, clause: str) -> bool:
        """Return whether a breach of a clause depends on an interpretation or is not proved."""
        return False

    def cost(self, waived: frozenset[str] = NOTHING) -> int | None:
        """Return the minimum cost of the move, including earlier payments; None if it is impossible."""
        if waived not in self.memory:
            self.memory[waived] = self.find_cost(waived)
        found: int | None = self.memory[waived]
        return found

    def find_cost(self, waived: frozenset[str]) -> int | None:
        """Return the minimum cost of the move with some clauses waived; None if it is impossible."""
        return cost_of_path(self.march(waived), self.path, self.dragged)

    def price(self) -> Fraction | None:
        """Return the cost of the move in points, including earlier moves of the phase; None if
        it is closed.
        """
        cost = self.cost()
        return None if cost is None else Fraction(cost, self.scale)

    def says_price(self) -> str:
        """Return the sentence about the cost of the move and the allowance; empty if it is impossible."""
        price = self.price()
        return "" if price is None else f"{number(price)} of {number(self.allowance())} {self.unit}"

    def paid(self) -> int:
        """Return what is paid for the move: all points if it is impossible, because the result is adopted."""
        cost = self.cost()
        return int(self.allowance() * self.scale) if cost is None else cost

    @property
    def is_partly_unknown(self) -> bool:
        """Whether the piece was dragged now or before, so that part of its path is unknown."""
        return self.dragged or (self.trail is not None and self.trail.dragged)

    def is_possible(self, waived: frozenset[str] = NOTHING) -> bool:
        """Return whether the move is possible with some clauses waived."""
        return self.cost(waived) is not None

    def reach(self) -> Reach:
        """Return all hexes that the piece can reach from the start of the path with its allowance."""
        return reach(self.march())

    def paths(self) -> dict[str, tuple[str, ...]]:
        """Return the cheapest paths to all hexes within reach except the start, by the names of
        their ends.
        """
        names, found, start = self.position.game.map.grid.names, self.reach(), self.path[0]
        paths: dict[str, tuple[str, ...]] = {names[start]: (names[start],)}
        for end in found.costs:  # each after the hex before it
            if end in found.before:
                there = names[end]
                paths[there] = (*paths[names[found.before[end]]], there)
        del paths[names[start]]
        return paths

    def options(self, reached: bool = True) -> dict[str, tuple[str, ...]]:
        """Return paths to the hexes worth trying: those within reach, and the neighbours.

        Without ``reached`` only the neighbours, for a piece that must stop where it is.
        """
        grid = self.position.game.map.grid
        paths: dict[str, tuple[str, ...]] = self.paths() if reached else {}
        here = grid.names[self.path[0]]
        for neighbour in grid.neighbours(here):
            paths.setdefault(neighbour, (here, neighbour))
        return dict(sorted(paths.items()))

    @property
    def start(self) -> str:
        """The hex in which the piece began its movement."""
        return self.trail.start if self.trail else self.position.game.map.grid.names[self.path[0]]

    def is_one_step(self) -> bool:
        """Return whether this is a whole move of one hex."""
        return self.trail is None and len(self.path) == 2 and self.position.game.map.grid.gap(*self.path) == 1

    def is_taken_back(self) -> bool:
        """Return whether the piece is dragged back to its starting hex, so that it has not moved."""
        if not (self.dragged and self.trail and self.trail.dragged):
            return False
        return self.path[-1] == self.position.game.map.grid.index[self.trail.start]

    def may_be_taken_back(self) -> bool:
        """Return whether the piece could have come here in one move: an earlier drag may have been a try."""
        if not (self.dragged and self.trail and self.trail.dragged):
            return False
        return self.at_once(self.trail.start).is_possible()

    def at_once(self, start: str) -> Self:
        """Return the drag from a hex to the end of this move, as if the piece had not moved before."""
        position = self.position.with_piece(self.piece.id, where=start)
        path = (position.game.map.grid.index[start], self.path[-1])
        return evolve(self, position=position, path=path, trail=None, memory={})


def limit(
    rules: Section, move: Callable[[Position, Action], Move[Any] | None], *verbs: str, clauses: str
) -> None:
    """Register that moves of some verbs obey clauses that limit them.

    ``move`` returns the move of an action, None for an action that these clauses do not limit.
    """
    limits = clauses.split()

    @rules.on(*verbs, clause=clauses)
    def movement_keeps_to_its_limits(position: Position, action: Action) -> Iterator[Breach]:
        made = move(position, action)
        if made is not None and made.faults:
            yield from (breach for clause in limits if (breach := made.breach(clause)) is not None)


def cost_of_path(march: March, path: tuple[int, ...], dragged: bool) -> int | None:
    """Return the cost of a path for a piece, None if it is closed to it.

    Only some hexes of a ``dragged`` path are known: the cheapest paths between them are assumed.
    """
    if any(march.stops >> at & 1 for at in path[1:-1]):
        return None
    if not dragged:
        cost = march.cost(path)
        return cost if 0 <= cost <= march.budget else None
    spent = march.spent
    for here, there in pairwise(path):
        step = march.beside(here, there)
        found: int | None = None if step == CLOSED else spent + step
        if found is None or step > march.around(here, there):  # only a cheaper path is looked for
            most = march.budget if found is None else min(march.budget, found - 1)
            around = cheapest(march, here, there, spent, most)
            found = found if around is None else around
        if found is None or found > march.budget:
            return None
        spent = found
    return spent


def cost_of_one_hex(march: March, path: tuple[int, ...], dragged: bool) -> int | None:
    """Return the cost of a move of one hex that is allowed at any cost; None if the step is closed.

    A piece that was ``dragged`` to an adjacent hex may have made a detour by road.
    """
    costs = (march.cost(path), cost_of_path(march, path, dragged))
    return min((cost for cost in costs if cost is not None and cost >= 0), default=None)
