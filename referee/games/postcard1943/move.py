"""One move of a unit: whether it is possible, and if not, which clauses forbid it.

Every clause that limits movement can be waived, as if it did not exist. An impossible move is attributed to
the smallest set of clauses, and among these to the most special ones, without which it would be possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar, Self

from attrs import frozen

from referee.engine import moves
from referee.engine.actions import Action
from referee.engine.movement import March
from referee.engine.moves import NOTHING, UNLIMITED
from referee.engine.position import Piece, Position
from referee.engine.rulings import Fact, number
from referee.engine.supply import Supply
from referee.engine.wording import counted, is_or_are, name_of, names_of
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
from referee.games.postcard1943.notes import ARRIVED, RELIEVED, TRAIL, Trail
from vassalgen.game.provenance import Provenance
from vassalgen.game.values import fraction

LIMITS = (
    *("move.15", "move.4", "move.5", "terrain.8", "move.10", "terrain.6", "stack.1", "reinf.4", "move.11"),
    *("move.8", "supply.6", "supply.5", "move.2", "move.1"),
)
"""The clauses that limit movement, the most special first."""

_RULEBOOK = Provenance("rulebook", "Stacking and Operational Movement")
PROVENANCE = {
    "move.10": _RULEBOOK,
    "stack.1": _RULEBOOK,
    "terrain.6": Provenance("reconstruction", "", "which hexes are swamp"),
}
"""Movement relies on the map, a reconstruction, except for clauses that need only the rulebook."""


@frozen(eq=False)
class Move(moves.Move[Trail]):
    """A move of one unit in a position; ``state`` is its supply when it began."""

    state: Supply

    provenance: ClassVar = PROVENANCE

    @classmethod
    def begin(cls, position: Position, action: Action, path: tuple[int, ...]) -> Self:
        unit, trail = position.pieces[action.piece], position.note(TRAIL, action.piece)
        if trail and _is_relieved(position, unit):
            trail = None
        on_map = unit.where in position.game.map.grid
        begun = trail.supply if trail else supply(position, unit.id) if on_map else Supply.far
        return cls(position, unit, path, action.dragged, trail, begun)

    @property
    def unit(self) -> str:
        return "MF"

    @property
    def scale(self) -> int:
        return the_field(self.position).scale

    def find_faults(self) -> tuple[str, ...]:
        """Return the clauses that forbid an impossible move."""
        limits = self._limits()
        unproven = tuple(clause for clause in limits if self.is_unproven(clause))
        if self.cost(frozenset(unproven)) is not None:  # some path there is legal in one interpretation
            return self.fewest(unproven, unproven)
        # if it is too costly with everything else waived, the MFs are the reason
        affordable = self.cost(frozenset(limits) - {"move.1"}) is not None
        if self.cost(frozenset(limits)) is None:
            return ("move.10",) if self._into_enemies() else ("move.1",)
        return self.fewest(limits, limits if affordable else ("move.1",))

    def _limits(self) -> tuple[str, ...]:
        """The clauses that limit this unit now."""
        field = the_field(self.position)
        out: set[str] = set()
        armour = field.kind(self.piece.id) == "armour"
        own = field.is_(self.piece.id, "infantry-in-defence")
        out |= {"move.8"} if armour else {"move.4", "move.5", "terrain.8"}
        out |= {"move.4", "move.5"} if own else {"terrain.8"}
        if self._entry_cost() == 0:
            out.add("reinf.4")
        if self.state is Supply.supplied:
            out |= {"supply.5"} if self._is_halved_on_leaving() else {"supply.5", "supply.6"}
        elif not (self.trail and supply(self.position, self.piece.id) is Supply.supplied):
            out.add("supply.6")
        if not self._has_roads(NOTHING):
            out.add("move.11")
        elif not self._needs_supply_all_along():
            out.add("move.2")
        return tuple(clause for clause in LIMITS if clause not in out)

    def find_cost(self, waived: frozenset[str]) -> int | None:
        """Return the least cost of the move with some clauses waived; None if it is impossible."""
        march = self.march(waived)
        if self.is_step_onto_friend():
            return moves.cost_of_one_hex(march, self.path, self.dragged)
        if self.trail and self.trail.stopped and "move.10" not in waived:
            return None
        return moves.cost_of_path(march, self.path, self.dragged)

    def march(self, waived: frozenset[str] = NOTHING) -> March:
        """Return the unit on the march, with some clauses ignored."""
        position, side = self.position, self.piece.side
        field = the_field(position)
        near = threatened(position, side)
        opened = waived | {"move.4", "move.5"} if "terrain.8" in waived else waived
        stops = NO_HEXES if "move.10" in waived else near
        if "terrain.6" not in waived:
            stops |= field.swamps
        if "stack.1" not in waived and position.game.adopted("stacking-moment") == "always":
            stops |= _full(position, self.piece)
        budget = UNLIMITED if "move.1" in waived else self._budget(waived)
        slow = NO_HEXES if "move.11" in waived else near
        slow_from = slow if position.game.adopted("leaving-by-road") == "full" else NO_HEXES
        if self._needs_supply_all_along() and "move.2" not in waived:
            out_of_supply = unsupplied(position, self.piece.id)
            slow, slow_from = slow | out_of_supply, slow_from | out_of_supply
        ground = field.ground(field.kind(self.piece.id), opened)
        if self._is_halved_on_leaving() and "supply.6" not in waived:
            # half of what is left is as much as twice the cost
            ground = ground.costlier(unsupplied(position, self.piece.id), 2)
        return March(
            ground,
            self.path[0],
            budget,
            self._spent(waived),
            self._has_roads(waived),
            slow,
            slow_from,
            stops,
            held(position, other(position, side)),
        )

    def _budget(self, waived: frozenset[str]) -> int:
        """The allowance in parts of an MF, calculated once for each counter and supply."""
        supplied = self.state is Supply.supplied or bool(waived & {"supply.5", "supply.6"})
        field = the_field(self.position)
        key = self.piece.id, supplied
        if key not in field.budgets:
            field.budgets[key] = int(self.allowance(waived) * field.scale)
        return field.budgets[key]

    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        """Return the MFs of the unit: as printed, or half of them without supply [move.1, supply.5]."""
        counter = self.piece.counter
        printed = fraction(counter.factor("mf"))
        if self.position.game.adopted("movement-factors") == "by-size":
            printed = Fraction(3 if counter.size in ("corps", "army") else 4)
        supplied = self.state is Supply.supplied or waived & {"supply.5", "supply.6"}
        return printed if supplied else halved(self.position, printed)

    def _has_roads(self, waived: frozenset[str]) -> bool:
        """Return whether the road rate applies. Without supply.5, a unit that is only too far from roads is
        in supply.
        """
        mobile = self.piece.id in the_field(self.position).mobile
        near = self.state is Supply.supplied or (self.state is Supply.far and "supply.5" in waived)
        return "move.2" in waived or (mobile and near)

    def _needs_supply_all_along(self) -> bool:
        return self.position.game.adopted("road-supply") == "all-along"

    def _is_halved_on_leaving(self) -> bool:
        halving = self.position.game.adopted("leaving-supply") == "halved"
        return halving and self.state is Supply.supplied

    def _spent(self, waived: frozenset[str]) -> int:
        spent = self.trail.spent if self.trail else self._entry_cost()
        return spent - self._entry_cost() if "reinf.4" in waived else spent

    def _entry_cost(self) -> int:
        """What the entry hex costs a unit that entered this turn, in parts of an MF [reinf.4]."""
        position, field = self.position, the_field(self.position)
        entry = position.note(ARRIVED, self.piece.id)
        if not entry:
            return 0
        if self.piece.id in field.alamein and position.game.adopted("alamein-entry-cost") == "free":
            return 0
        cost = fraction(position.game.values["reinforcements"].values.number("entry_move"))
        if position.game.adopted("entry-cost") == "road" and self._has_roads(NOTHING):
            kinds = {road.kind for road in position.game.map.roads.values() if entry in road.exits}
            rates = [position.game.road_kinds[kind].effects.number("move_mobile") for kind in kinds]
            cost = min([cost, *map(fraction, rates)])
        return int(cost * field.scale)

    def is_step_onto_friend(self) -> bool:
        """Return whether this is a step of one hex onto a friend, and the whole move [move.13]."""
        if self.position.game.adopted("joining-a-friend") != "all" or not self.is_one_step():
            return False
        grid, (here, there) = self.position.game.map.grid, self.path
        friends = units_at(self.position, grid.names[there], self.piece.side)
        return bool(friends) and self.march().step(here, grid.adjacent[here].index(there)) >= 0

    def stops_after(self) -> bool:
        """Return whether the unit has come next to the enemy by this move [move.10]."""
        return bool(threatened(self.position, self.piece.side) >> self.path[-1] & 1)

    def _into_enemies(self) -> bool:
        return bool(held(self.position, other(self.position, self.piece.side)) >> self.path[-1] & 1)

    def is_unproven(self, clause: str) -> bool:
        """Return whether a move against a clause is a breach in one interpretation only, or
        cannot be proved.
        """
        if clause == "stack.1":
            return True
        return self.dragged if clause == "terrain.6" else clause == "supply.5" and self.state is Supply.far

    def facts(self) -> dict[str, Fact]:
        """Return the facts of the move."""
        position, scale = self.position, the_field(self.position).scale
        known = position.game.map.grid.names
        facts: dict[str, Fact] = {"unit": self.piece.id, "path": tuple(known[at] for at in self.path)}
        cost = self.cost(frozenset({"move.1"}))
        if cost is not None:
            facts["cost"] = number(Fraction(cost, scale))
        facts["allowance"] = number(self.allowance())
        if self.state is not Supply.supplied:
            facts["supply"] = self.state.value
        return facts

    def says(self, clause: str) -> str:
        """Say what is wrong with the move according to a clause that it breaks."""
        position, unit = self.position, name_of(self.position, self.piece.id)
        known = position.game.map.grid.names
        here, there = known[self.path[0]], known[self.path[-1]]
        cost = self.cost(frozenset({"move.1"}))
        allowed = number(self.allowance())
        has = f"it has {allowed}"
        needs = f"needs {self._paid(cost)} to reach {there}" if cost is not None else f"cannot reach {there}"
        path = f"between {here} and {there}"
        if clause == "move.10":
            return self._says_stop(unit, here, there)
        says = {
            "move.15": f"{unit} crosses a high-mountain hexside {path}; no unit may.",
            "move.4": f"{unit} crosses an all-hill hexside {path} without a road; armour may not.",
            "move.5": f"{unit} crosses the river {path} without a road; armour may not.",
            "terrain.8": f"{unit} moves as armour and crosses a hexside {path} closed to armour.",
            "terrain.6": f"{unit} moves through a swamp on the way to {there} without the roll due on entry.",
            "stack.1": f"{unit} moves through a full hex on the way to {there}, or ends its move in one;"
            " no unit may.",
            "reinf.4": f"{unit} {needs}, its entry hex included; {has}.",
            "move.11": f"{unit} {needs}, a road hex next to the enemy at its full cost; {has}.",
            "move.8": f"{unit} {needs}, at 2 MF for each all-hill or river hexside; {has}.",
            "supply.6": f"{unit} leaves supply on its way, which halves the MF it has left;"
            f" it {needs} and starts with {allowed}."
            if self._is_halved_on_leaving()
            else f"{unit} was {self.state.value} when it began to move and {needs}; {has}.",
            "supply.5": f"{unit} is {self.state.value} and {needs}; {has}.",
            "move.2": f"{self._says_roads(unit)}; it {needs} and has {allowed}.",
            "move.1": f"{unit} {needs}; {has}." if cost is not None
            else f"{unit} cannot move from {here} to {there}: no path on land leads there.",
        }  # fmt: skip
        return says[clause]

    def _paid(self, cost: int) -> str:
        return counted(Fraction(cost, the_field(self.position).scale), "MF")

    def _says_stop(self, unit: str, here: str, there: str) -> str:
        """Name the unit at which this one should have stopped."""
        position, side = self.position, self.piece.side
        known = position.game.map.grid.names
        if self._into_enemies():
            enemies = units_at(position, there, other(position, side))
            names = names_of(position, (piece.id for piece in enemies))
            return f"{unit} may not enter {there}: {names} {is_or_are(enemies)} there."
        at = next((known[at] for at in self._passed() if self._is_near(at)), "")
        if at:
            return f"{unit} must stop in {at}, next to {names_of(position, threats(position, side, at))}."
        return f"{unit} cannot reach {there} from {here} without stopping next to the enemy."

    def _says_roads(self, unit: str) -> str:
        mobile = self.piece.id in the_field(self.position).mobile
        if not mobile:
            return f"{unit} is not mobile and does not double its movement on roads"
        if self.state is Supply.supplied:
            return f"{unit} leaves supply on the way and does not double its movement on roads from there"
        return f"{unit} is {self.state.value} and does not double its movement on roads"

    def _passed(self) -> Iterator[int]:
        if self.trail and self.trail.stopped:
            yield self.path[0]
        yield from self.path[1:-1]

    def _is_near(self, at: int) -> bool:
        return bool(threatened(self.position, self.piece.side) >> at & 1)


NO_HEXES = 0


def _is_relieved(position: Position, unit: Piece) -> bool:
    """In an interpretation that is not adopted, a unit moves again after a friend has moved onto it in
    relief.
    """
    if position.game.adopted("relieved-unit") != "fresh":
        return False
    relieved = position.note(RELIEVED, unit.id) == unit.where
    return relieved and weight(position, unit.where, unit.side) > limit(position)


def _full(position: Position, unit: Piece) -> int:
    """Hexes without room for a unit even in passing [stack.1]; its own starting hex always has room."""
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
