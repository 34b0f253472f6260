"""One move of a counter: whether it is possible, and if not, which clause forbids it.

Every clause that limits movement can be waived, as if it did not exist. An impossible move is attributed to
the first clause, the most special ones first, without which it would be possible.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Self

from attrs import evolve, field, frozen

from referee.engine import moves
from referee.engine.actions import Action
from referee.engine.movement import March
from referee.engine.moves import NOTHING, UNLIMITED
from referee.engine.position import Piece, Position
from referee.engine.rulings import Fact, number
from referee.engine.wording import name_of, names_of
from referee.games.vitoria1813.facts import (
    DISORDERED,
    ROUTED,
    combat_at,
    controlled,
    destroyed,
    held,
    is_cavalry,
    is_combat,
    is_general,
    is_train,
    occupied,
    other,
    the_field,
    threats,
    trains_at,
    with_trains,
)
from referee.games.vitoria1813.notes import RUN, TRAIL, Trail
from vassalgen.game.provenance import Provenance

BACK = "4.3a"
STOP, APART, SLIP, ENGINEERS, SHAKEN, ALONE, JOINED, LEAVING, RIDER, WHOLE = (
    *("3.2a", "3.2d", "3.2e", "10a", "7.7a", "5.2d", "5.2c", "4.3b", "4.2a", "4.1a"),
)
LIMITS = (ENGINEERS, SHAKEN, STOP, SLIP, APART, JOINED, ALONE, LEAVING, WHOLE)
COSTS = Provenance("reconstruction", remark="terrain chart and map")
PROVENANCE = dict.fromkeys((JOINED, ALONE, LEAVING, RIDER, WHOLE), COSTS)


@frozen(eq=False)
class Move(moves.Move[Trail]):
    """A move of one counter in a position.

    ``stacked``: it moves hex by hex as part of a stack. ``beside`` are units that do not deprive it of the
    road rate, because it may have passed their hexes before they came. ``flees``: it is the rout move of a
    routed unit, which may end in a zone of control [7.6, 7.8e]. ``over_trains``: enemy trains do not bar it.
    """

    stacked: bool = field(default=False, kw_only=True)
    beside: tuple[Piece, ...] = field(default=(), kw_only=True)
    flees: bool = field(default=False, kw_only=True)
    over_trains: bool = field(default=False, kw_only=True)

    provenance: ClassVar = PROVENANCE

    @classmethod
    def begin(cls, position: Position, action: Action, path: tuple[int, ...]) -> Self:
        piece, dragged = position.pieces[action.piece], action.dragged
        stacked = not dragged and any(is_combat(position.pieces[name]) for name in action.company)
        trail, flees = position.note(TRAIL, piece.id), is_flight(position, action)
        return cls(position, piece, path, dragged, trail, stacked=stacked, flees=flees)

    @property
    def scale(self) -> int:
        return the_field(self.position).scale

    @property
    def arrived(self) -> Trail | None:
        """How it entered the map in this phase, None if it was there before."""
        return self.trail if self.trail is None or self.trail.entered else self.trail.arrived

    def leaves_zone(self) -> bool:
        """Return whether the move begins in an EZOC, so that leaving it has a cost [4.3]."""
        index = self.position.game.map.grid.index
        return bool(controlled(self.position, self.piece.side) >> index[self.start] & 1)

    def may_be_taken_back(self) -> bool:
        """Return whether it could have come here at once, or from another hex in which it was due."""
        return super().may_be_taken_back() or any(map(self._is_open_from, self._other_entries()))

    def _other_entries(self) -> tuple[str, ...]:
        """The hexes in which it could have entered the map, if it has just entered and not moved on."""
        if self.trail is None or not self.trail.entered or not self.dragged:
            return ()
        return next(
            (one.entry for one in self.position.scenario.arrivals if self.piece.id in one.counters), ()
        )

    def _is_open_from(self, entry: str) -> bool:
        """Return whether the move could have begun in another entry hex."""
        prepared, index = the_field(self.position), self.position.game.map.grid.index
        trail = Trail(entry, prepared.entry(self.piece.counter.kind, entry), entered=True)
        position = self.position.with_piece(self.piece.id, where=entry)
        path = (index[entry], self.path[-1])
        return Move(position, self.piece, path, True, trail).cost() is not None

    def allowance(self, waived: frozenset[str] = NOTHING) -> Fraction:
        """Return the movement points of the counter."""
        return Fraction(self.piece.factor("mp"))

    def march(self, waived: frozenset[str] = NOTHING) -> March:
        """Return the counter on the march, with some clauses ignored.

        It is the same whatever hex the counter moves to.
        """
        memory, piece, beside = self.position.memory, self.piece, tuple(mate.id for mate in self.beside)
        how = self.stacked, self.flees, self.over_trains
        key = ("march", piece.id, piece.where, self.path[0], self.trail, beside, how, waived)
        if key not in memory:
            memory[key] = self._march(waived)
        found: March = memory[key]
        return found

    def _march(self, waived: frozenset[str]) -> March:
        position, piece, prepared = self.position, self.piece, the_field(self.position)
        side, index = piece.side, position.game.map.grid.index
        near = controlled(position, side)
        shut = (held if self.over_trains else occupied)(position, other(side))
        if piece.counter.kind == "engineer" and ENGINEERS not in waived:
            shut |= near
        if self._is_shaken() and not self.flees and SHAKEN not in waived:
            shut |= near
        stops = 0 if STOP in waived else near
        start = self.path[0]
        if self._only_steps_back():
            stops = 0 if STOP in waived else -1
        apart = self._apart(near, start, waived) if is_combat(piece) else 0
        leaving = {}
        free = is_train(piece) and position.game.adopted("leaving-trains") == "free"
        if near >> start & 1 and LEAVING not in waived and not self.trail and not free:
            leaving[start] = position.game.values["zones"].values.integer("points") * prepared.scale
        itself = piece.id if is_train(piece) else ""
        shared = held(position, side)
        shared |= with_trains(position, side, itself) | with_trains(position, other(side), itself)
        mine = combat_at(position, piece.where, side)
        if len(mine) <= 1 and is_combat(piece):
            shared &= ~(1 << index[piece.where]) if piece.where in index else shared
        if self.stacked:
            shared = (1 << len(position.game.map.grid.adjacent)) - 1
        for mate in self.beside:
            shared &= ~(1 << index[mate.where])
        begun = position.game.adopted("road-alone") == "start-too"
        return March(
            prepared.ground(piece.counter.kind, destroyed(position), JOINED in waived),
            start,
            UNLIMITED if WHOLE in waived else piece.factor("mp") * prepared.scale,
            self.trail.spent if self.trail else 0,
            roads=True,
            slow=0 if ALONE in waived or is_general(piece) else shared & ~(1 << start),
            slow_from=shared & (1 << start) if begun and ALONE not in waived else 0,
            stops=stops,
            shut=shut,
            apart=apart,
            leaving=leaving,
        )

    def _is_shaken(self) -> bool:
        return self.piece.is_(DISORDERED) or self.piece.is_(ROUTED)

    def _companions(self) -> tuple[Piece, ...]:
        """The units that moved from the same hex in this phase, or moved along from one on its path.

        No other unit is with them. A unit that is back at its start has not moved.
        """
        position, side = self.position, self.piece.side
        path = {position.game.map.grid.names[at] for at in self.path}
        trails = position.noted(TRAIL).items()
        mates = {name for name, one in trails if self._went_along(name, one, path)}
        others = [position.pieces[name] for name in mates - {self.piece.id}]
        places = {mate.where for mate in others if mate.where in position.game.map.grid}
        together = {at for at in places if mates.issuperset(one.id for one in combat_at(position, at, side))}
        return tuple(mate for mate in others if mate.where in together)

    def _went_along(self, name: str, trail: Trail, path: set[str]) -> bool:
        """Return whether a unit that has moved may have moved with this one, from its start or from its
        ``path``.

        It may have reached the start of this one before, and been left behind on the path, which is not known
        for a drag.
        """
        where = self.position.pieces[name].where
        if where == trail.start:
            return False
        if self.dragged or trail.dragged or self.start == trail.start:
            return True
        run = (trail.start, *(self.position.note(RUN, name) or ()))
        return self.start in run or (where in path and not path.isdisjoint(run))

    def _only_steps_back(self) -> bool:
        """Return whether the hex by which it leaves a zone is the whole move, in one
        interpretation [4.3a].
        """
        if self.trail or self.position.game.adopted("stepping-back") == "move":
            return False
        return bool(controlled(self.position, self.piece.side) >> self.path[0] & 1)

    def _apart(self, near: int, start: int, waived: frozenset[str]) -> int:
        """The hexes between which no step is allowed: those in zones; for cavalry those in zones of cavalry
        [3.2d, 3.2e].
        """
        if not is_cavalry(self.piece):
            return 0 if APART in waived else near
        if SLIP in waived:
            return 0
        riders = controlled(self.position, self.piece.side, "cavalry")
        first_too = self.position.game.adopted("slipping") == "both"
        if not near >> start & 1:
            return 0
        if riders >> start & 1 and first_too:
            return near
        return riders | 1 << start

    def stops_after(self) -> bool:
        """Return whether the counter has entered an EZOC by this move."""
        return bool(controlled(self.position, self.piece.side) >> self.path[-1] & 1)

    def find_cost(self, waived: frozenset[str]) -> int | None:
        """Return the least cost of the move with some clauses waived; None if it is impossible."""
        if self.trail and self.trail.stopped and STOP not in waived:
            return None
        if self._is_shaken() and not self.stops_after():  # what it only passes it does not end in
            waived |= {SHAKEN}
        found = moves.cost_of_path(self.march(waived), self.path, self.dragged)
        if found is None and ALONE not in waived and not self.beside and self._may_have_come_first():
            return self._passing(self._stack()).find_cost(waived)
        return found

    def _passing(self, mates: tuple[Piece, ...]) -> Move:
        """The same move, as if some units were not on the road yet."""
        return evolve(self, beside=mates, memory={})

    def _stack(self) -> tuple[Piece, ...]:
        """The units in its final hex that left the same hex for it in this phase."""
        position, end = self.position, self.position.game.map.grid.names[self.path[-1]]
        trails = {
            mate.id: position.note(TRAIL, mate.id) for mate in combat_at(position, end, self.piece.side)
        }
        return tuple(
            position.pieces[name]
            for name, trail in trails.items()
            if name != self.piece.id and trail is not None and end != trail.start == self.start
        )

    def _may_have_come_first(self) -> bool:
        """Return whether a unit with the same start and end could have moved after this one.

        The units of a stack are read one by one: their order on the road does not matter, as long as the last
        one pays in full for the hex that contains the other [5.2d].
        """
        position, grid = self.position, self.position.game.map.grid
        for mate in () if self.stacked else self._stack():
            before = position.with_piece(self.piece.id, where=mate.where).with_piece(
                mate.id, where=self.start
            )
            before = before.without_note(TRAIL, mate.id)
            path = (grid.index[self.start], self.path[-1])
            if Move(before, before.pieces[mate.id], path, True, None).is_possible():
                return True
        return False

    def is_unproven(self, clause: str) -> bool:
        """Return whether a move against a clause is a breach in one interpretation only, or cannot be proved.

        By road with others on it: for dragged units it is not known which one passed the other. Nor do the
        rules say that no unit enters a hex with only enemy trains or the park.
        """
        if clause in (RIDER, WHOLE) and self._enters_a_train():
            return True
        if clause == LEAVING and is_train(self.piece):
            return self.position.game.adopted("leaving-trains") == "unproven"
        stack = self._stack()
        others = tuple(mate for mate in self._companions() if mate not in stack)
        if clause != ALONE or not others:
            return False
        trails = [self.position.note(TRAIL, mate.id) for mate in others]
        dragged = self.dragged or any(trail and trail.dragged for trail in trails)
        return dragged and self._passing(others).is_possible()

    def _enters_a_train(self) -> bool:
        """Return whether the move would be possible if enemy trains and the park did not bar it."""
        enemy = other(self.piece.side)
        if self.over_trains or held(self.position, enemy) == occupied(self.position, enemy):
            return False
        return evolve(self, over_trains=True, memory={}).is_possible()

    def least_cost(self) -> int | None:
        """Return the certain cost of the move; None if it is impossible.

        A unit dragged to an adjacent hex may have made a detour by road; in a stack that moves on another
        unit may have come last. Neither is cheaper than the path of a unit alone on the map.
        """
        cost = self.cost()
        if cost is not None and cost == self._cost_alone(cost):
            return cost
        mates = self._companions() if self.dragged or self._meets_units() else ()
        paths = [self, self._passing(mates)] if mates else [self]
        if not self.dragged and cost is not None:
            paths.append(evolve(self, dragged=True, memory={}))
        return min((cost for cost in (path.cost() for path in paths) if cost is not None), default=None)

    def _cost_alone(self, most: int) -> int | None:
        """Return the cost if no other counter were on the map; None if that is beyond ``most``."""
        march = self.march()
        found = march.spent + march.leaving.get(self.path[0], 0)
        for here, there in pairwise(self.path):
            leg = march.ground.path(here, there, march.roads, most)
            if leg is None:
                return None
            found += leg[0]
        return found

    def _meets_units(self) -> bool:
        """Return whether units of its side are in the hexes of the path: only there do they
        occupy the road.
        """
        position, names = self.position, self.position.game.map.grid.names
        units = (unit for at in self.path for unit in combat_at(position, names[at], self.piece.side))
        return any(unit.id != self.piece.id for unit in units)

    def find_faults(self) -> tuple[str, ...]:
        """Return the clauses to which an impossible move is attributed."""
        if self.piece.counter.kind == "park":
            return ()
        if not self.is_possible(frozenset(LIMITS)):
            return (self._special(WHOLE),)
        found = tuple(map(self._special, self.fewest(LIMITS, LIMITS)))
        if not (self.dragged and self.is_one_step()):
            return found
        direct = evolve(self, dragged=False, memory={}).find_faults()
        return direct if len(direct) <= len(found) else found

    def _special(self, clause: str) -> str:
        if clause == WHOLE and is_general(self.piece):
            return RIDER
        if clause == STOP and self._only_steps_back():
            return BACK
        return clause

    def facts(self) -> dict[str, Fact]:
        """Return the facts of the move."""
        found = super().facts()
        cost = self.cost(frozenset(LIMITS) - {LEAVING, ALONE, JOINED})
        if cost is not None:
            found["cost"] = Fraction(cost, self.scale)
        return found

    def says(self, clause: str) -> str:
        """Say what is wrong with the move according to a clause that it breaks."""
        names = self.position.game.map.grid.names
        name, end = name_of(self.position, self.piece.id), names[self.path[-1]]
        points = number(self.allowance())
        by = names_of(self.position, threats(self.position, end, self.piece.side)) or "the enemy"
        cost = self.facts().get("cost")
        cost = number(cost) if isinstance(cost, (int, Fraction)) else ""
        short = f"{name} needs {cost} MP to reach {end}; it has {points}."
        if clause in (RIDER, WHOLE) and self._enters_a_train():
            return (
                f"{name} goes to {end} through a hex that only the enemy's convoy holds;"
                " the rules do not say whether it may."
            )
        if not cost:
            short = (
                f"{name} cannot reach {end}; every path there is blocked by enemies or impassable terrain."
            )
        by_road = f"{name} needs {cost} MP to reach {end}, as" if cost else f"{name} cannot reach {end}, as"
        return {
            BACK: f"{name} moves on to {end}; a step back out of an enemy zone of control ends its move.",
            STOP: f"{name} moves on to {end} after entering an enemy zone of control, where it must stop.",
            APART: f"{name} moves directly from one enemy zone of control into that of {by}, in {end};"
            " only cavalry may, where no enemy cavalry exerts them.",
            SLIP: f"{name} moves directly between two enemy zones of control to {end};"
            " cavalry may do so only where enemy cavalry exerts neither.",
            ENGINEERS: f"{name} enter the zone of control of {by} in {end}; engineers may not.",
            SHAKEN: f"{name} is disordered and may not stop in the zone of control of {by}, in {end}.",
            ALONE: f"{by_road} it does not have the road to itself; it has {points}.",
            JOINED: f"{by_road} no road joins the hexes of its path; it has {points}.",
            LEAVING: f"{name} needs {cost or '2 more'} MP to reach {end}, 2 of them to leave the enemy zone;"
            f" it has {points}.",
        }.get(clause, short)


def is_flight(position: Position, action: Action) -> bool:
    """Return whether a move is the rout move of a routed unit, announced or not [7.8c, 7.8d]."""
    return action.verb == "flee" or position.pieces[action.piece].is_(ROUTED)


def passes_train(position: Position, piece: Piece, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the hexes of a path, without its ends, that hold a friendly train [4.5b]."""
    if not is_combat(piece):
        return ()
    return tuple(
        name for name in path[1:-1] if any(train.side == piece.side for train in trains_at(position, name))
    )
