"""One trip of a unit: whether it can be made, and if not, by which clauses.

Every clause that limits movement can be lifted, as if it were not written. A trip that cannot be made is laid
to those clauses of which the fewest, and of these the most special, must be lifted for it to be possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from attrs import field, frozen

from referee.engine.actions import Action
from referee.engine.faults import fewest
from referee.engine.movement import March, Reach, reach
from referee.engine.position import Piece, Position
from referee.engine.rulings import Breach, Fact, Grade, number
from referee.engine.supply import Supply
from referee.engine.zones import bits
from referee.games.postcard1943.facts import (
    halved,
    held,
    limit,
    other,
    supply,
    the_field,
    threatened,
    threats,
    units_at,
    unsupplied,
    weight,
)
from referee.games.postcard1943.field import fraction
from vassalgen.game.provenance import Provenance

NOTHING: frozenset[str] = frozenset()
UNLIMITED = 10**6

LIMITS = (
    *("move.15", "move.4", "move.5", "terrain.8", "move.10", "terrain.6", "stack.1", "reinf.4", "move.11"),
    *("move.8", "supply.6", "supply.5", "move.2", "move.1"),
)
"""The clauses that limit movement, the most special first."""


@frozen
class Trail:
    """What a unit has moved in this phase: from where, what it has paid (in parts of an MF), and how.

    ``supply`` is how it stood when it began. ``dragged``: some of its road is not known. ``stopped``: it has
    come next to the enemy.
    """

    start: str
    supply: Supply
    spent: int
    dragged: bool = False
    stopped: bool = False


@frozen(eq=False)
class Trip:
    """A move of one unit in a position. Costs are in parts of an MF."""

    position: Position
    unit: Piece
    path: tuple[int, ...]
    dragged: bool
    trail: Trail | None
    state: Supply
    memory: dict[frozenset[str], int | None] = field(factory=dict)
    found: dict[str, tuple[str, ...]] = field(factory=dict)

    @classmethod
    def of(cls, position: Position, action: Action) -> Trip:
        """Return the trip of an action, reckoned once for each position and action."""
        key = ("trip", action.piece, action.path, action.dragged)
        if key not in position.memory:
            unit, trail = position.pieces[action.piece], position.note("trail", action.piece, Trail)
            if trail and _is_relieved(position, unit):
                trail = None
            index = position.game.map.grid.index
            path = tuple(index[name] for name in action.path)
            begun = (
                trail.supply if trail else supply(position, unit.id) if unit.where in index else Supply.far
            )
            position.memory[key] = cls(position, unit, path, action.dragged, trail, begun)
        trip: Trip = position.memory[key]
        return trip

    def breach(self, clause: str) -> Breach | None:
        """Return the breach of a clause by this trip, if it breaks it."""
        if clause not in self.faults:
            return None
        return Breach(self._says(clause), self._facts(), self._grade(clause), clause, PROVENANCE.get(clause))

    @property
    def faults(self) -> tuple[str, ...]:
        """The clauses to which it is laid that the trip cannot be made; none if it can."""
        if "faults" not in self.found:
            self.found["faults"] = self._faults()
        return self.found["faults"]

    def is_taken_back(self) -> bool:
        """Tell whether the unit is dragged back to where it was: then it has not moved."""
        if not (self.dragged and self.trail and self.trail.dragged):
            return False
        return self.path[-1] == self.position.game.map.grid.index[self.trail.start]

    def _faults(self) -> tuple[str, ...]:
        if self.is_taken_back() or self.cost() is not None:
            return ()
        limits = self._limits()
        doubtful = tuple(clause for clause in limits if self._is_doubtful(clause))
        if self.cost(frozenset(doubtful)) is not None:  # one reading of some way there is legal
            return fewest(doubtful, doubtful, self._is_possible)
        # what cannot be afforded with all else lifted is a matter of the MFs, whatever else it is
        affordable = self.cost(frozenset(limits) - {"move.1"}) is not None
        if self.cost(frozenset(limits)) is None:
            return ("move.10",) if self._into_enemies() else ("move.1",)
        return fewest(limits, limits if affordable else ("move.1",), self._is_possible)

    def _is_possible(self, lifted: frozenset[str]) -> bool:
        return self.cost(lifted) is not None

    def _limits(self) -> tuple[str, ...]:
        """The clauses that limit this unit now."""
        field = the_field(self.position)
        out: set[str] = set()
        armour = field.kind(self.unit.id) == "armour"
        own = field.is_(self.unit.id, "infantry-in-defence")
        out |= {"move.8"} if armour else {"move.4", "move.5", "terrain.8"}
        out |= {"move.4", "move.5"} if own else {"terrain.8"}
        if self._entry_cost() == 0:
            out.add("reinf.4")
        if self.state is Supply.supplied:
            out |= {"supply.5"} if self._is_halved_on_leaving() else {"supply.5", "supply.6"}
        elif not (self.trail and supply(self.position, self.unit.id) is Supply.supplied):
            out.add("supply.6")
        if not self._has_roads(NOTHING):
            out.add("move.11")
        elif not self._needs_supply_all_along():
            out.add("move.2")
        return tuple(clause for clause in LIMITS if clause not in out)

    def cost(self, lifted: frozenset[str] = NOTHING) -> int | None:
        """Return what the trip costs at least, earlier ones of the phase included; None if it cannot be."""
        if lifted not in self.memory:
            self.memory[lifted] = self._cost(lifted)
        return self.memory[lifted]

    def _cost(self, lifted: frozenset[str]) -> int | None:
        march = self.march(lifted)
        if self.is_step_onto_friend():
            step = march.cost(self.path)
            return None if step < 0 else step
        if self.trail and self.trail.stopped and "move.10" not in lifted:
            return None
        if any(march.stops >> at & 1 for at in self.path[1:-1]):
            return None
        if not self.dragged:
            cost = march.cost(self.path)
            return cost if 0 <= cost <= march.budget else None
        return _dragged(march, self.path)

    def march(self, lifted: frozenset[str] = NOTHING) -> March:
        """Return the unit on the march, with some clauses taken as not written."""
        position, side = self.position, self.unit.side
        field = the_field(position)
        near = threatened(position, side)
        opened = lifted | {"move.4", "move.5"} if "terrain.8" in lifted else lifted
        stops = NOTHING_AT_ALL if "move.10" in lifted else near
        if "terrain.6" not in lifted:
            stops |= field.swamps
        if "stack.1" not in lifted and position.game.adopted("stacking-moment") == "always":
            stops |= _full(position, self.unit)
        budget = UNLIMITED if "move.1" in lifted else self._budget(lifted)
        slow = NOTHING_AT_ALL if "move.11" in lifted else near
        slow_from = slow if position.game.adopted("leaving-by-road") == "full" else NOTHING_AT_ALL
        if self._needs_supply_all_along() and "move.2" not in lifted:
            dry = unsupplied(position, self.unit.id)
            slow, slow_from = slow | dry, slow_from | dry
        ground = field.ground(field.kind(self.unit.id), opened)
        if self._is_halved_on_leaving() and "supply.6" not in lifted:
            # half of what is left is as much as twice the cost
            ground = ground.dearer(unsupplied(position, self.unit.id), 2)
        return March(
            ground,
            self.path[0],
            budget,
            self._spent(lifted),
            self._has_roads(lifted),
            slow,
            slow_from,
            stops,
            held(position, other(position, side)),
        )

    def _budget(self, lifted: frozenset[str]) -> int:
        """The allowance in parts of an MF, reckoned once for each counter and supply."""
        supplied = self.state is Supply.supplied or bool(lifted & {"supply.5", "supply.6"})
        field = the_field(self.position)
        key = self.unit.id, supplied
        if key not in field.budgets:
            field.budgets[key] = int(self.allowance(lifted) * field.scale)
        return field.budgets[key]

    def allowance(self, lifted: frozenset[str] = NOTHING) -> Fraction:
        """Return the MFs of the unit: as printed, or half of them without supply [move.1, supply.5]."""
        counter = self.unit.counter
        printed = fraction(counter.factor("mf"))
        if self.position.game.adopted("movement-factors") == "by-size":
            printed = Fraction(3 if counter.size in ("corps", "army") else 4)
        supplied = self.state is Supply.supplied or lifted & {"supply.5", "supply.6"}
        return printed if supplied else halved(self.position, printed)

    def _has_roads(self, lifted: frozenset[str]) -> bool:
        """Tell whether roads are fast. With supply.5 lifted a unit only too far from them is in supply."""
        mobile = self.unit.id in the_field(self.position).mobile
        near = self.state is Supply.supplied or (self.state is Supply.far and "supply.5" in lifted)
        return "move.2" in lifted or (mobile and near)

    def _needs_supply_all_along(self) -> bool:
        return self.position.game.adopted("road-supply") == "all-along"

    def _is_halved_on_leaving(self) -> bool:
        halving = self.position.game.adopted("leaving-supply") == "halved"
        return halving and self.state is Supply.supplied

    def _spent(self, lifted: frozenset[str]) -> int:
        spent = self.trail.spent if self.trail else self._entry_cost()
        return spent - self._entry_cost() if "reinf.4" in lifted else spent

    def _entry_cost(self) -> int:
        """What the entry hex costs a unit that came in this turn, in parts of an MF [reinf.4]."""
        position, field = self.position, the_field(self.position)
        entry = position.note("arrived", self.unit.id, str)
        if not entry:
            return 0
        if self.unit.id in field.alamein and position.game.adopted("alamein-entry-cost") == "free":
            return 0
        cost = fraction(position.game.values["reinforcements"].values.number("entry_move"))
        if position.game.adopted("entry-cost") == "road" and self._has_roads(NOTHING):
            kinds = {road.kind for road in position.game.map.roads.values() if entry in road.exits}
            rates = [position.game.road_kinds[kind].effects.number("move_mobile") for kind in kinds]
            cost = min([cost, *map(fraction, rates)])
        return int(cost * field.scale)

    def is_step_onto_friend(self) -> bool:
        """Tell whether this is a step of one hex onto a friend, and the whole of the move [move.13]."""
        if self.trail or len(self.path) != 2 or self.position.game.adopted("joining-a-friend") != "all":
            return False
        names = self.position.game.map.grid.names
        here, there = names[self.path[0]], names[self.path[1]]
        if not self.position.game.map.grid.are_neighbours(here, there):
            return False
        friends = units_at(self.position, there, self.unit.side)
        return (
            bool(friends)
            and self.march().step(
                self.path[0], self.position.game.map.grid.adjacent[self.path[0]].index(self.path[1])
            )
            >= 0
        )

    def reach(self) -> Reach:
        """Return all hexes that the unit can reach from the first of the path."""
        return reach(self.march())

    def stops_after(self) -> bool:
        """Tell whether the unit has come next to the enemy by this trip [move.10]."""
        return bool(threatened(self.position, self.unit.side) >> self.path[-1] & 1)

    def _into_enemies(self) -> bool:
        return bool(held(self.position, other(self.position, self.unit.side)) >> self.path[-1] & 1)

    def _grade(self, clause: str) -> Grade:
        doubtful = self._is_doubtful(clause) or self._may_be_taken_back()
        return Grade.unproven if doubtful else Grade.illegal

    def _is_doubtful(self, clause: str) -> bool:
        """Tell whether a trip against a clause is a breach under one reading only, or cannot be proved."""
        if clause == "stack.1":
            return True
        return self.dragged if clause == "terrain.6" else clause == "supply.5" and self.state is Supply.far

    def _may_be_taken_back(self) -> bool:
        """Tell whether the unit could have come here at once: an earlier drag may have been a trial."""
        if not (self.trail and self.trail.dragged and self.dragged):
            return False
        start = self.position.game.map.grid.index[self.trail.start]
        fresh = Trip(
            self.position.with_piece(self.unit.id, where=self.trail.start),
            self.unit,
            (start, self.path[-1]),
            True,
            None,
            self.trail.supply,
        )
        return fresh.cost() is not None

    def _facts(self) -> dict[str, Fact]:
        position, scale = self.position, the_field(self.position).scale
        known = position.game.map.grid.names
        facts: dict[str, Fact] = {"unit": self.unit.id, "way": tuple(known[at] for at in self.path)}
        cost = self.cost(frozenset({"move.1"}))
        if cost is not None:
            facts["cost"] = number(Fraction(cost, scale))
        facts["allowance"] = number(self.allowance())
        if self.state is not Supply.supplied:
            facts["supply"] = self.state.value
        return facts

    def _says(self, clause: str) -> str:
        position, unit = self.position, self.unit.id
        known = position.game.map.grid.names
        here, there = known[self.path[0]], known[self.path[-1]]
        allowed = number(self.allowance())
        cost = self.cost(frozenset({"move.1"}))
        paid = number(Fraction(cost, the_field(position).scale)) if cost is not None else "more"
        if clause == "move.10":
            if self._into_enemies():
                return f"the enemy stands in {there}; {unit} stops before him"
            at = next((known[at] for at in self._passed() if self._is_near(at)), "")
            if at:
                return (
                    f"{unit} had to stop in {at} next to {', '.join(threats(position, self.unit.side, at))}"
                )
            return f"no way leads {unit} from {here} to {there} but next to the enemy"
        says = {
            "move.15": f"{unit} cannot cross high mountains on the way from {here} to {there}",
            "move.4": f"{unit} is armour and cannot cross a hexside of hills off the road",
            "move.5": f"{unit} is armour and cannot cross the river off the road",
            "terrain.8": f"{unit} moves as armour and cannot cross such a hexside off the road",
            "terrain.6": f"{unit} passes a swamp without a throw",
            "stack.1": f"{unit} passes through a hex that is full, or ends in one",
            "reinf.4": f"the entry hex costs {unit} MFs in the turn of arrival; {paid} needed of {allowed}",
            "move.11": f"a step next to the enemy costs a full MF by road; {paid} needed of {allowed}",
            "move.8": f"{unit} pays 2 MFs to cross hills or river; {paid} needed of {allowed}",
            "supply.6": f"{unit} leaves supply on its way and has half of what is left of {allowed} MFs"
            if self._is_halved_on_leaving()
            else f"{unit} was {self.state.value} when it began to move; {allowed} MFs",
            "supply.5": f"{unit} is {self.state.value}: {allowed} MFs, {paid} needed",
            "move.2": self._says_roads(),
            "move.1": f"the way costs {paid} MFs, {unit} has {allowed}" if cost is not None
            else f"nothing on the ground gets from {here} to {there}",
        }  # fmt: skip
        return says[clause]

    def _says_roads(self) -> str:
        mobile = self.unit.id in the_field(self.position).mobile
        if not mobile:
            return f"only mobile units double on roads; {self.unit.id} is none"
        if self.state is Supply.supplied:
            return f"{self.unit.id} leaves supply on its way and does not double on roads there"
        return f"{self.unit.id} is {self.state.value} and does not double on roads"

    def _passed(self) -> Iterator[int]:
        if self.trail and self.trail.stopped:
            yield self.path[0]
        yield from self.path[1:-1]

    def _is_near(self, at: int) -> bool:
        return bool(threatened(self.position, self.unit.side) >> at & 1)


NOTHING_AT_ALL = 0
_RULEBOOK = Provenance("rulebook", "Stacking and Operational Movement")
PROVENANCE = {"move.10": _RULEBOOK, "stack.1": _RULEBOOK}
"""Movement leans on the map, a reconstruction, but for clauses that lean on the rulebook alone."""


def _dragged(march: March, path: tuple[int, ...]) -> int | None:
    """The least a drag through some points costs."""
    spent = march.spent
    for here, there in pairwise(path):
        found = reach(_from(march, here, spent), there).costs.get(there)
        if found is None:
            return None
        spent = found
    return spent


def _from(march: March, start: int, spent: int) -> March:
    if (start, spent) == (march.start, march.spent):
        return march
    return March(
        march.ground,
        start,
        march.budget,
        spent,
        march.roads,
        march.slow,
        march.slow_from,
        march.stops,
        march.shut,
    )


def _is_relieved(position: Position, unit: Piece) -> bool:
    """By a reading that is not adopted a unit moves anew when a friend has stepped onto it in relief."""
    if position.game.adopted("relieved-unit") != "fresh":
        return False
    relieved = position.note("relieved", unit.id, str) == unit.where
    return relieved and weight(position, unit.where, unit.side) > limit(position)


def _full(position: Position, unit: Piece) -> int:
    """Hexes in which there is no room for a unit even in passing [stack.1]; it makes room where it stood."""
    key = ("full", unit.id)
    if key not in position.memory:
        index, most = position.game.map.grid.index, limit(position)
        others = [where for where in position.by_place if where in index and where != unit.where]
        crowded = [
            where for where in others if weight(position, where, unit.side) + unit.counter.stack > most
        ]
        position.memory[key] = bits(index[where] for where in crowded)
    full: int = position.memory[key]
    return full
