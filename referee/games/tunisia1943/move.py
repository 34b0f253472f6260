"""One move of a unit or EM: whether it is possible, and if not, which clauses forbid it.

Every clause that limits movement can be waived, as if it did not exist. An impossible move is attributed to
the smallest set of clauses, and among these to the most special ones, without which it would be possible.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

from attrs import evolve, frozen

from referee.engine import moves
from referee.engine.actions import Action
from referee.engine.movement import March
from referee.engine.moves import NOTHING, UNLIMITED, cost_of_one_hex, cost_of_path
from referee.engine.position import Position
from referee.engine.rulings import Fact
from referee.engine.zones import bits, indices
from referee.games.tunisia1943.cohesion_tests import breakthrough
from referee.games.tunisia1943.facts import (
    allowance,
    caps,
    controlled,
    ems_at,
    held,
    held_by_ems,
    held_by_units,
    is_armour,
    is_em,
    is_flooded,
    other,
    points,
    the_field,
    with_friends,
)
from referee.games.tunisia1943.field import IMPASSABLE
from referee.games.tunisia1943.move_findings import PROVENANCE, facts_of, says
from referee.games.tunisia1943.notes import ENTRY, SPENT, TRAIL, VACATED, Breakthrough, Trail

MOVE, EXPLOIT = "move", "exploit"
BUDGET = {MOVE: "4.1a", EXPLOIT: "10b"}
STILL = frozenset(("3b", "3c"))

NOBODY_ENTERS = (IMPASSABLE, "4.1f")
LIMITS = (
    *(*NOBODY_ENTERS, "4.3d", "4.3h", "3c", "3b", "10c"),
    *("C2.4", "4.2a", "6.3h", "9.2e", "9.2i", "4.3g", "4.1d"),
    *("2.1b", "2.1d", "2.1c", "2.1a", "4.1c", "4.1a", "10b"),
)
"""The clauses that limit movement, the most special first."""
CAPS = ("C2.4", "6.3h", "9.2e", "9.2i")
COSTS = ("4.3g", "4.1d", "2.1b", "2.1d", "2.1c", "2.1a", "4.1c", "4.1a", "10b")
"""The clauses among them that leave fewer points than are printed, and those that cost points."""


def start_of(position: Position, unit: str) -> str:
    """Return where a unit began the step."""
    trail = position.note(TRAIL, unit)
    return trail.start if trail else position.pieces[unit].where


def came_along(position: Position, name: str, unit: str) -> bool:
    """Whether a piece took the same path as a unit: the units of a dragged stack are read one after the
    other.
    """
    same = position.pieces[name].where == position.pieces[unit].where
    return same and start_of(position, name) == start_of(position, unit)


@frozen(eq=False)
class Move(moves.Move[Trail]):
    """A move of one piece in a position.

    ``attempt`` is the breakthrough in which the piece takes part, as long as it is where that was declared.
    """

    verb: str
    attempt: Breakthrough | None

    provenance: ClassVar = PROVENANCE

    @classmethod
    def begin(cls, position: Position, action: Action, path: tuple[int, ...]) -> Self:
        unit, attempt = position.pieces[action.piece], breakthrough(position)
        if attempt is None or unit.id not in attempt.pieces or attempt.at != action.path[0]:
            attempt = None
        trail = position.note(TRAIL, unit.id)
        return cls(position, unit, path, action.dragged, trail, action.verb, attempt)

    @property
    def scale(self) -> int:
        return the_field(self.position).scale

    @property
    def budget_clause(self) -> str:
        """The clause of the allowance: of movement or of exploitation."""
        return BUDGET[self.verb]

    def is_one_hex(self) -> bool:
        """Return whether this is a move of one hex in all, which is possible at any cost [4.1e].

        That does not open the hex of an enemy EM [4.2a].
        """
        return self.is_one_step() and self.path[1] not in self._overruns()

    def find_faults(self) -> tuple[str, ...]:
        """Return the clauses that forbid an impossible move.

        A piece that has just broken through into an EZOC would need another breakthrough [4.3h].
        """
        found = self._forbidding()
        again = found and set(found) <= STILL and self._has_broken_through()
        return ("4.3h",) if again else found

    def _forbidding(self) -> tuple[str, ...]:
        if self.attempt is not None and self.attempt.is_stopped:  # a breach of its own [4.3i]
            return ()
        limits = self._limits()
        unproven = tuple(clause for clause in limits if self.is_unproven(clause))
        if unproven and self.is_possible(frozenset(unproven)):  # it may have been some path that is legal
            return self.fewest(unproven, unproven)
        whole = self.budget_clause
        affordable = self.is_possible(frozenset(limits) - {whole})
        if not self.is_possible(frozenset(limits)):
            return (IMPASSABLE,)
        caused = tuple(clause for clause in limits if clause in CAPS or clause not in COSTS)
        if any(clause in CAPS for clause in limits) and self.is_possible(frozenset(caused)):
            limits = caused  # its counter has the points, but lack of supply or fuel reduces them
        return self.fewest(limits, limits if affordable else (whole,))

    def _has_broken_through(self) -> bool:
        """Whether the piece came by a declared breakthrough to the beginning of a known path."""
        attempt, here = breakthrough(self.position), self.position.game.map.grid.names[self.path[0]]
        came = attempt is not None and self.piece.id in attempt.pieces and attempt.goal == here
        return came and not self.is_partly_unknown

    def _limits(self) -> tuple[str, ...]:
        """The clauses that limit this piece now."""
        out = {"4.1a", "3b", "3c"} if self.verb == EXPLOIT else {"10b", "10c", "4.1d"}
        if self.attempt is None:
            out |= {"4.3d", "4.3g", "4.3h"}
        if not self.position.noted(SPENT):  # no movement step was seen in which points were left over
            out.add("4.1d")
        out |= set() if is_flooded(self.position) else {"2.1b"}
        out |= {"2.1c"} if self.dragged else set()
        out |= {"C2.4", "6.3h", "9.2e", "9.2i"} - set(caps(self.position, self.piece))
        limits = (clause for clause in LIMITS if clause not in out)
        return tuple(sorted(limits, key=self._is_roundabout))

    def _is_roundabout(self, clause: str) -> bool:
        """Whether a clause would be broken only on some path of a drag, and not at its end."""
        if not self.dragged or clause not in NOBODY_ENTERS:
            return False
        closed = ~the_field(self.position).land if clause == IMPASSABLE else self._held()
        return not closed >> self.path[-1] & 1

    def find_cost(self, waived: frozenset[str]) -> int | None:
        """Return the least cost of the move with some clauses waived; None if it is impossible."""
        march, path = self.march(waived), self.path
        stopped = self.verb == MOVE and self.has_stopped()
        if self.attempt:
            return self._cost_through(march, self.attempt.goal, waived)
        if stopped and "3b" not in waived:
            return None
        price = cost_of_one_hex if self.is_one_hex() else cost_of_path
        found = price(march, path, self.dragged)
        return self._cost_with_last_step(march) if found is None else found

    def _cost_with_last_step(self, march: March) -> int | None:
        """The cost in an interpretation by which the last step of a move is possible at any cost [4.1e].

        A piece that has paid more than its allowance has made that step already.
        """
        *before, end = self.path
        if self.position.game.adopted("one-hex-always") == "from-start" or end in self._overruns():
            return None
        nearby = self.position.game.map.grid.adjacent[end]
        last = [at for at in nearby if at >= 0] if self.dragged else before[-1:]
        found = []
        for at in last:
            path = (*before, at) if at != before[-1] else tuple(before)
            stopped = at != self.path[0] and march.stops >> at & 1
            spent = cost_of_path(march, path, self.dragged) if len(path) > 1 else march.spent
            if spent is None or stopped or spent > march.budget:
                continue
            step = evolve(march, start=at, spent=spent).cost((at, end))
            found += [step] if step >= 0 else []
        return min(found, default=None)

    def _cost_through(self, march: March, named: str, waived: frozenset[str]) -> int | None:
        """The cost if the first step breaks through into the named hex [4.3d, 4.3g, 4.3h]."""
        goal, (here, there) = self.position.game.map.grid.index[named], self.path[:2]
        if "4.3d" in waived and self.position.game.map.grid.gap(here, there) == 1:
            goal = there
        if there != goal and not self.dragged:
            return None
        spent = evolve(march, apart=0).cost((here, goal))
        if spent < 0 or (spent > march.budget and "4.3g" not in waived):
            return None
        rest = (goal, *self.path[1:]) if there != goal else self.path[1:]
        if len(rest) == 1:
            return spent
        if controlled(self.position, self.piece.side) >> goal & 1 and "4.3h" not in waived:
            return None
        onward = evolve(march, start=goal, spent=spent, apart=0 if "4.3h" in waived else march.apart)
        return cost_of_path(onward, rest, self.dragged)

    def march(self, waived: frozenset[str] = NOTHING) -> March:
        """Return the piece on the march, with some clauses ignored.

        It is the same whatever hex the piece moves to.
        """
        memory = self.position.memory
        key = ("march", self.verb, self.piece.id, self.path[0], self.trail, bool(self.attempt), waived)
        if key not in memory:
            memory[key] = self._march(waived)
        found: March = memory[key]
        return found

    def _march(self, waived: frozenset[str]) -> March:
        position, side = self.position, self.piece.side
        prepared, near, enemy = the_field(position), self._near(), other(side)
        shut = 0 if "4.1f" in waived else self._held()
        stops = apart = slow = 0
        more: dict[int, int] = {}
        if "4.2a" not in waived:
            if is_em(self.piece):
                shut |= held_by_ems(position, enemy)
            else:
                price = position.game.values["em"].values.integer("overrun") * prepared.scale
                more = {at: price * ems for at, ems in self._overruns().items()}
                stops |= bits(more) if position.game.adopted("going-on-after-overrun") == "no" else 0
        if self.verb == EXPLOIT:
            shut |= 0 if "10c" in waived else self._barred(near)
        else:
            stops |= 0 if "3b" in waived else near
            apart = 0 if "3c" in waived else near
            if self._has_been_near() and "3b" not in waived:
                shut |= near
        if position.game.adopted("roads-near-enemies") == "not-in-zoc" and "2.1c" not in waived:
            slow = near
        return March(
            prepared.ground(is_flooded(position), waived),
            self.path[0],
            UNLIMITED if self.budget_clause in waived else self._budget(waived),
            self._spent(),
            roads=self._has_roads(waived),
            slow=slow,
            stops=stops,
            shut=shut,
            apart=apart,
            entering=more,
        )

    def _near(self) -> int:
        """The EZOC for this piece: in another interpretation EMs are not units and need not stop [0.1c]."""
        if is_em(self.piece) and self.position.game.adopted("units-include-ems") == "no":
            return 0
        return controlled(self.position, self.piece.side)

    def _held(self) -> int:
        """The hexes with combat units, and with garrisons unless they do not bar entry [4.1f, G.1]."""
        enemy, game = other(self.piece.side), self.position.game
        if game.adopted("garrison-bars-entry") == "no" or game.adopted("garrison-presence") == "none":
            return held_by_units(self.position, enemy)
        return held(self.position, enemy)

    def _has_been_near(self) -> bool:
        """Whether the piece left an EZOC and in another interpretation may not enter one again [3d]."""
        position = self.position
        if position.game.adopted("entering-again") == "yes" or self.attempt:
            return False
        return bool(self._near() >> position.game.map.grid.index.get(self.start, 0) & 1)

    def has_stopped(self) -> bool:
        """Return whether the piece has entered an EZOC in this step, by a move or from off the map [3b]."""
        if self.trail is not None:
            return self.trail.stopped
        arrived = (ENTRY, self.piece.id) in self.position.notes
        return arrived and bool(self._near() >> self.path[0] & 1)

    def _has_roads(self, waived: frozenset[str]) -> bool:
        """In another interpretation, one MP without supply buys one hex, by road or not [9.2e]."""
        if self.position.game.adopted("one-mp-on-roads") == "yes" or is_em(self.piece):
            return True
        capped = {"9.2e", "6.3h"} & set(caps(self.position, self.piece))
        return not capped or bool(capped & waived)

    def _spent(self) -> int:
        """What was paid before: in earlier parts of the move, or for the entry hex [S.2]."""
        if self.trail:
            return self.trail.spent
        return self.position.note(ENTRY, self.piece.id) or 0

    def _barred(self, near: int) -> int:
        """The hexes that may not be entered in exploitation, among those in EZOC [10c, 4.2d]."""
        position, side = self.position, self.piece.side
        if position.game.adopted("friends-in-exploitation") == "yes":
            near &= ~with_friends(position, side)
        if position.game.adopted("overrun-in-exploitation") == "yes":
            near &= ~bits(self._overruns())
        return near

    def _overruns(self) -> dict[int, int]:
        """The hexes out of which lone EMs must be driven, or just were, and how often that is paid [4.2a]."""
        position, enemy = self.position, other(self.piece.side)
        grid = position.game.map.grid
        found = dict.fromkeys(indices(held_by_ems(position, enemy) & ~held(position, enemy)), 1)
        for where, entered in position.noted(VACATED).items():
            if not entered:
                found[grid.index[where]] = 1
        if position.game.adopted("overrun-cost") == "each-em":
            found = {at: max(len(ems_at(position, grid.names[at], enemy)), 1) for at in found}
        return found

    def _budget(self, waived: frozenset[str]) -> int:
        most = points(self.position, self.piece, waived) * the_field(self.position).scale
        if "4.1d" in waived:
            most += max(most - (self.position.note(SPENT, self.piece.id) or 0), 0)
        return most

    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        """Return the MP of the piece in this step."""
        return allowance(self.position, self.piece, waived)

    def stops_after(self) -> bool:
        """Return whether the piece has entered an EZOC by this move [3b]."""
        return bool(self._near() >> self.path[-1] & 1)

    def is_unproven(self, clause: str) -> bool:
        """Return whether armour may have broken through without an announcement, or a unit has just arrived.

        The rules do not say expressly that units which arrive in an EZOC have entered it [3b, S.2].
        """
        if clause == "3b" and self.trail is None and self.has_stopped():
            return True
        return clause in STILL and self.attempt is None and is_armour(self.position, self.piece)

    def at_once(self, start: str) -> Self:
        """Return the drag from a hex to the end of this move, as if the piece had not moved before."""
        return evolve(super().at_once(start), attempt=None)

    def says(self, clause: str) -> str:
        """Say what is wrong with the move according to a clause that it breaks."""
        return says(self, clause)

    def facts(self) -> dict[str, Fact]:
        """Return the facts of the move."""
        return facts_of(self)
