"""One move of one piece: what it costs, and which clauses forbid it.

Every clause that limits movement can be waived, as if it were not written. A move that cannot be made is
attributed to clauses without which it could be made, in the order of the game's own rulebook.
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
"""The budget of a piece for which no allowance counts."""


@frozen
class Trail:
    """What a piece has moved so far: from where, what it has paid (in the parts of a point of its game), how.

    ``dragged``: some of its road is not known. ``stopped``: it has come where a piece must stop. A game adds
    what else its rules ask for.
    """

    start: str
    spent: int = 0
    dragged: bool = False
    stopped: bool = False


SomeTrail = TypeVar("SomeTrail", bound=Trail)


@frozen(eq=False)
class Move(ABC, Generic[SomeTrail]):
    """A move of one piece in a position, by the indices of hexes. Costs are in parts of a point.

    ``provenance`` says of clauses on which data a breach of them leans.
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
        """Return the move of an action, made once for each position and action."""
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
        """How many parts a point has."""

    @property
    def unit(self) -> str:
        """What points are called."""
        return "MP"

    @abstractmethod
    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        """Return the points that the piece has, with some clauses taken as not written."""

    @abstractmethod
    def march(self, waived: frozenset[str] = NOTHING) -> March:
        """Return the piece on the march, with some clauses taken as not written."""

    @abstractmethod
    def says(self, clause: str) -> str:
        """Say what is wrong with the move by a clause that it breaks."""

    def facts(self) -> dict[str, Fact]:
        """Return the facts of the move: who, from where, where to, with what allowance; games add theirs."""
        names = self.position.game.map.grid.names
        return {
            "unit": self.piece.id,
            "from": names[self.path[0]],
            "to": names[self.path[-1]],
            "allowance": self.allowance(),
        }

    @abstractmethod
    def find_faults(self) -> tuple[str, ...]:
        """Return the clauses that forbid a move that cannot be made."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The clauses that forbid the move; none if it can be made."""
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
        """Return the fewest clauses that must be waived for the move; remember whether they are."""
        found = fewest(limits, alone, self.is_possible)
        self.memory["fewest"] = found.fewest
        return found.clauses

    @property
    def are_fewest(self) -> bool:
        """Whether the faults are the fewest for certain; else the search for them was broken off."""
        return bool(self.memory.get("fewest", True))

    def grade(self, clause: str) -> Grade:
        """Return how sure the breach of a clause is."""
        doubtful = self.is_doubtful(clause) or self.may_be_taken_back()
        return Grade.unproven if doubtful else Grade.illegal

    def is_doubtful(self, clause: str) -> bool:
        """Return whether a move against a clause is a breach in one interpretation only or is not proved."""
        return False

    def cost(self, waived: frozenset[str] = NOTHING) -> int | None:
        """Return what the move costs at least, what was paid before included; None if it cannot be made."""
        if waived not in self.memory:
            self.memory[waived] = self.find_cost(waived)
        found: int | None = self.memory[waived]
        return found

    def find_cost(self, waived: frozenset[str]) -> int | None:
        """Return what the move costs at least with some clauses waived; None if it cannot be made."""
        return cost_of_path(self.march(waived), self.path, self.dragged)

    def price(self) -> Fraction | None:
        """Return what the move costs in points, earlier ones of the phase included; None if it is closed."""
        cost = self.cost()
        return None if cost is None else Fraction(cost, self.scale)

    def says_price(self) -> str:
        """Say what the move costs of the points of the piece; nothing if it cannot be made."""
        price = self.price()
        return "" if price is None else f"{number(price)} of {number(self.allowance())} {self.unit}"

    def paid(self) -> int:
        """Return what is paid for the move: all points if it cannot be made, for what was done is adopted."""
        cost = self.cost()
        return int(self.allowance() * self.scale) if cost is None else cost

    @property
    def is_partly_unknown(self) -> bool:
        """Whether the piece was dragged now or before, so that some of its path is not known."""
        return self.dragged or (self.trail is not None and self.trail.dragged)

    def is_possible(self, waived: frozenset[str] = NOTHING) -> bool:
        """Return whether the move can be made with some clauses waived."""
        return self.cost(waived) is not None

    def reach(self) -> Reach:
        """Return all hexes that the piece can reach from the first of the path, by the points that it has."""
        return reach(self.march())

    def paths(self) -> dict[str, tuple[str, ...]]:
        """Return the cheapest paths to all hexes within reach but the first, by the names of their ends."""
        names, found, start = self.position.game.map.grid.names, self.reach(), self.path[0]
        paths: dict[str, tuple[str, ...]] = {names[start]: (names[start],)}
        for end in found.costs:  # each after the hex before it
            if end in found.before:
                there = names[end]
                paths[there] = (*paths[names[found.before[end]]], there)
        del paths[names[start]]
        return paths

    def options(self, reached: bool = True) -> dict[str, tuple[str, ...]]:
        """Return a path to each hex that it may be worth a try to go to: those within reach, the neighbours.

        Without those that are ``reached`` only the neighbours, for a piece that must stop where it is.
        """
        grid = self.position.game.map.grid
        paths: dict[str, tuple[str, ...]] = self.paths() if reached else {}
        here = grid.names[self.path[0]]
        for neighbour in grid.neighbours(here):
            paths.setdefault(neighbour, (here, neighbour))
        return dict(sorted(paths.items()))

    @property
    def start(self) -> str:
        """Where the piece was when it began to move."""
        return self.trail.start if self.trail else self.position.game.map.grid.names[self.path[0]]

    def is_one_step(self) -> bool:
        """Return whether this is a whole move of one hex."""
        return self.trail is None and len(self.path) == 2 and self.position.game.map.grid.gap(*self.path) == 1

    def is_taken_back(self) -> bool:
        """Return whether the piece is dragged back to where it was: then it has not moved."""
        if not (self.dragged and self.trail and self.trail.dragged):
            return False
        return self.path[-1] == self.position.game.map.grid.index[self.trail.start]

    def may_be_taken_back(self) -> bool:
        """Return whether the piece could have come here at once: an earlier drag may have been a trial."""
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
    """Register that moves of some verbs keep to clauses that limit them.

    ``move`` returns the move that an action is, None for one that these clauses do not limit.
    """
    limits = clauses.split()

    @rules.on(*verbs, clause=clauses)
    def movement_keeps_to_its_limits(position: Position, action: Action) -> Iterator[Breach]:
        made = move(position, action)
        if made is not None and made.faults:
            yield from (breach for clause in limits if (breach := made.breach(clause)) is not None)


def cost_of_path(march: March, path: tuple[int, ...], dragged: bool) -> int | None:
    """Return what a path costs a piece, None if it is not open to it.

    Of a path that was ``dragged`` only some hexes are known: the cheapest paths between them count.
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
        if found is None or step > march.around(here, there):  # only a path that costs less is looked for
            most = march.budget if found is None else min(march.budget, found - 1)
            around = cheapest(march, here, there, spent, most)
            found = found if around is None else around
        if found is None or found > march.budget:
            return None
        spent = found
    return spent


def cost_of_one_hex(march: March, path: tuple[int, ...], dragged: bool) -> int | None:
    """Return what a move of one hex costs that is possible at any cost; None if the step is not open.

    A piece that was ``dragged`` to the next hex may have gone around, by a road.
    """
    costs = (march.cost(path), cost_of_path(march, path, dragged))
    return min((cost for cost in costs if cost is not None and cost >= 0), default=None)
