"""One move of a piece: whether it is possible, and if not, which clause forbids it.

Every clause that limits movement can be waived, as if it did not exist. An impossible move is attributed to
the first clause, the most special ones first, without which it would be possible.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Self

from attrs import frozen

from referee.engine import moves
from referee.engine.actions import Action
from referee.engine.movement import March, reach
from referee.engine.moves import NOTHING, UNLIMITED
from referee.engine.position import Position
from referee.engine.rulings import Fact, number
from referee.engine.wording import counted, name_of, names_of
from referee.games.patton1943.facts import controlled, is_asset, other, standing, the_field, threats
from referee.games.patton1943.notes import BROKE_THROUGH, MOVED, Trail
from vassalgen.game.provenance import Provenance

MOVE, BREAK_THROUGH = "move", "break through"
IMPASSABLE, OFF_THE_HEXES, ENEMIES, STOP, STILL, NO_ENTRY, RIDERS, LENT, SECOND, WHOLE = (
    *("8n", "8l", "8m", "9c", "9e", "8j", "7.1d", "8q", "15c", "8c"),
)
LIMITS = (IMPASSABLE, OFF_THE_HEXES, ENEMIES, STOP, WHOLE)
COSTS = Provenance("reconstruction", remark="terrain chart; open ground, rivers and roads: rulebook 8")
FROM_MAP = Provenance("reconstruction", remark="the map")
TRAILS = {MOVE: MOVED, BREAK_THROUGH: BROKE_THROUGH}
"""The note about moves, by verb."""
PAYING = (WHOLE, NO_ENTRY, RIDERS, LENT, SECOND)
PROVENANCE = dict.fromkeys(PAYING, COSTS) | dict.fromkeys((IMPASSABLE, OFF_THE_HEXES), FROM_MAP)


@frozen(eq=False)
class Move(moves.Move[Trail]):
    """A move of one piece in a position."""

    verb: str

    provenance: ClassVar = PROVENANCE

    @classmethod
    def begin(cls, position: Position, action: Action, path: tuple[int, ...]) -> Self:
        piece, verb = position.pieces[action.piece], action.verb
        return cls(position, piece, path, action.dragged, position.note(TRAILS[verb], piece.id), verb)

    @property
    def scale(self) -> int:
        return the_field(self.position).scale

    def is_one_hex(self) -> bool:
        """Return whether this is a move of one hex in all, which is possible at any cost [8k]."""
        only_first = self.position.game.adopted("one-hex") == "phase-one"
        return self.is_one_step() and not (self.verb == BREAK_THROUGH and only_first)

    def march(self, waived: frozenset[str] = NOTHING) -> March:
        """Return the piece on the march, with some clauses ignored."""
        position, side, prepared = self.position, self.piece.side, the_field(self.position)
        stops = controlled(position, side) if self.verb == MOVE or self._breakthroughs_stop() else 0
        ground = prepared.ground(position.game.adopted("road-over-river") == "half", waived)
        return March(
            ground,
            self.path[0],
            UNLIMITED if WHOLE in waived else int(self.allowance() * prepared.scale),
            self.trail.spent if self.trail else 0,
            roads=True,
            stops=0 if STOP in waived else stops,
            shut=0 if ENEMIES in waived else standing(position, other(side)),
        )

    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        """Return the movement points of the piece [2a, 2c]."""
        return Fraction(self.piece.factor("mf"))

    def stops_after(self) -> bool:
        """Return whether the piece enters an EZOC by this move [9c]."""
        return self._is_in_zone(self.path[-1])

    def stops_again(self) -> bool:
        """Return whether the piece enters an EZOC by this move directly from another [9e]."""
        if not self.stops_after():
            return False
        path = self._whole_path(self.march())
        return len(path) > 1 and self._is_in_zone(path[-2])

    def _is_in_zone(self, at: int) -> bool:
        return bool(controlled(self.position, self.piece.side) >> at & 1)

    def _breakthroughs_stop(self) -> bool:
        return self.position.game.adopted("breakthrough-stop") == "stop"

    def find_cost(self, waived: frozenset[str]) -> int | None:
        """Return the least cost of the move with some clauses waived; None if it is impossible."""
        march = self.march(waived)
        if self.trail and self.trail.stopped and march.stops and STOP not in waived:
            return None
        cost_of_path = moves.cost_of_one_hex if self.is_one_hex() else moves.cost_of_path
        return cost_of_path(march, self.path, self.dragged)

    def find_faults(self) -> tuple[str, ...]:
        """Return the clauses to which an impossible move is attributed."""
        if not self.is_possible(frozenset(LIMITS)):
            return (OFF_THE_HEXES,)
        return tuple(map(self._special, self.fewest(LIMITS, LIMITS)))

    def _special(self, clause: str) -> str:
        """The more special clause to which a breach is attributed [7.1d, 8j, 8q, 9e, 15c]."""
        if clause == STOP:
            return STILL if self._went_from_zone_to_zone() else STOP
        if clause != WHOLE:
            return clause
        mates = self._mates()
        if is_asset(self.piece) and any(
            mate.allowance > self.allowance() and mate.end == self.path[-1] for mate in mates
        ):
            return RIDERS
        if any(mate.unspent >= self._excess() for mate in mates if mate.end == self.path[-1]):
            return LENT
        if self.verb == BREAK_THROUGH:
            return SECOND
        return NO_ENTRY if self._is_one_step_too_costly() else WHOLE

    def _went_from_zone_to_zone(self) -> bool:
        """Return whether the piece came directly from an EZOC into the one in which it had to stop [9e]."""
        if self.trail and self.trail.stopped:
            return self.trail.again
        path = self._whole_path(self.march(frozenset({STOP})))
        entered = next((pair for pair in pairwise(path[:-1]) if self._is_in_zone(pair[1])), None)
        return entered is not None and self._is_in_zone(entered[0])

    def _is_one_step_too_costly(self) -> bool:
        """Return whether a single step costs more than all of the piece's points."""
        march = self.march(frozenset({WHOLE}))
        path = self._whole_path(march)
        budget = int(self.allowance() * the_field(self.position).scale)
        return any(march.cost(step) - march.spent > budget for step in pairwise(path))

    def _whole_path(self, march: March) -> tuple[int, ...]:
        if self.dragged and len(self.path) == 2:
            found = reach(march, self.path[1])
            if self.path[1] in found.costs:
                return found.path(self.path[1])
        return self.path

    def _excess(self) -> Fraction:
        """How much the move costs beyond the piece's points."""
        cost = self.cost(frozenset({WHOLE}))
        return Fraction(cost or 0, the_field(self.position).scale) - self.allowance()

    def _mates(self) -> tuple[StackMate, ...]:
        """The pieces that began in the same hex and have moved in this phase."""
        found = []
        scale = the_field(self.position).scale
        for name, trail in self.position.noted(TRAILS[self.verb]).items():
            mate = self.position.pieces[name]
            if name != self.piece.id and trail.start == self.start:
                points, at = (
                    Fraction(mate.factor("mf")),
                    self.position.game.map.grid.index.get(mate.where, -1),
                )
                found.append(StackMate(points, points - Fraction(trail.spent, scale), at))
        return tuple(found)

    def facts(self) -> dict[str, Fact]:
        """Return the facts of the move."""
        names, found = self.position.game.map.grid.names, super().facts()
        free = self.march(frozenset(LIMITS) - {IMPASSABLE, OFF_THE_HEXES})
        path = self._whole_path(free)
        cost = free.cost(path)
        if cost >= 0:
            found["cost"] = Fraction(cost, self.scale)
            found["path"] = tuple(names[at] for at in path)
        return found

    def says(self, clause: str) -> str:
        """Say what is wrong with the move according to a clause that it breaks."""
        names = self.position.game.map.grid.names
        name, end = name_of(self.position, self.piece.id), names[self.path[-1]]
        cost = self.facts().get("cost")
        own = number(self.allowance())
        needs = f"{name} needs {_said(cost)} to reach {end}; it has {own}."
        if clause in (STOP, STILL):
            where = next(iter(self._stopped_in()), "")
            if not where:
                return f"{name} cannot reach {end} without stopping in an EZOC on its way."
            by = names_of(self.position, threats(self.position, where, self.piece.side))
            entered = "moves from an EZOC into another" if clause == STILL else "enters an EZOC"
            return f"{name} {entered} in {where} ({by}) and must stop there; it moves on to {end}."
        return {
            IMPASSABLE: f"{name} crosses an impassable hexside to reach {end}; no piece may.",
            OFF_THE_HEXES: f"{name} enters a hex that is not land to reach {end}; no piece may.",
            ENEMIES: f"{name} enters a hex with enemy pieces to reach {end}; no piece may.",
            RIDERS: f"{name} moves with a unit and needs {_said(cost)} to reach {end}; its own MF is {own}.",
            LENT: f"{name} needs {_said(cost)} to reach {end}; its MF is {own}, and MP cannot be lent.",
            SECOND: f"In its breakthrough {needs}",
        }.get(clause, needs)

    def _stopped_in(self) -> tuple[str, ...]:
        names = self.position.game.map.grid.names
        mask = controlled(self.position, self.piece.side)
        if self.trail and self.trail.stopped:
            return (names[self.path[0]],)
        path = self._whole_path(self.march(frozenset({STOP})))
        return tuple(names[at] for at in path[1:-1] if mask >> at & 1)


@frozen
class StackMate:
    """A piece that began in the same hex: its points, the points left, the index of its hex."""

    allowance: Fraction
    unspent: Fraction
    end: int


def _said(cost: Fact | None) -> str:
    return counted(cost, "MP") if isinstance(cost, (int, Fraction)) else "more MP"
