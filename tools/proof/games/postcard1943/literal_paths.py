"""Ways of units, read literally: what bars them, what they cost, and what clause is to blame."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.position import Piece, Position
from referee.games.postcard1943.notes import ARRIVED, SWAMP_ROLL_DUE, TRAIL
from tests.games.postcard1943.positions import Literal
from tools.proof.breaking import Moment
from tools.proof.games.postcard1943.facts import phase_so_far, stack, units

LONGEST = 9
WALKS, WALKERS = 24, 6
ON_ROADS = 0.6


class Remembered(Literal):
    """The literal reading of one position, with each answer found once."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.step = cache(super().step)  # type: ignore[method-assign]
        self.threatened = cache(super().threatened)  # type: ignore[method-assign]
        self.held_by_enemy = cache(super().held_by_enemy)  # type: ignore[method-assign]
        self.stops = cache(super().stops)  # type: ignore[method-assign]
        self.in_supply = cache(super().in_supply)  # type: ignore[method-assign]
        self.reach = cache(self.reach)  # type: ignore[method-assign]


def reading(position: Position) -> Literal:
    """The literal reading of a position, made once."""
    key = "literal reading"
    if key not in position.memory:
        position.memory[key] = Remembered(position)
    found: Literal = position.memory[key]
    return found


@frozen
class Walk:
    """A way of a unit that begins to move, read literally."""

    slow: Literal
    unit: Piece
    path: tuple[str, ...]
    supplied: bool

    @property
    def position(self) -> Position:
        return self.slow.position

    def hindrances(self) -> set[str]:
        """The clauses that bar a step or a hex on the way, whatever it costs."""
        found, map_, armour = set[str](), self.position.game.map, is_armour(self.unit)
        for here, there in pairwise(self.path):
            features = map_.hexside(here, there).features
            if self.slow.held_by_enemy(self.unit.side, there) or map_.hexes[there].terrain == "sea":
                found.add("never")
            if "high-mountain" in features:
                found.add("move.15")
            if armour and not map_.roads_across(here, there):
                barred = {"hill-all": "move.4", "river": "move.5"}
                clauses = {clause for feature, clause in barred.items() if feature in features}
                found |= {"terrain.8"} if clauses and self.unit.id == "nz" else clauses
        for there in self.path[1:-1]:
            if self.slow.threatened(self.unit.side, there):
                found.add("move.10")
            if map_.hexes[there].terrain == "swamp":
                found.add("terrain.6")
            if self.is_full(there):
                found.add("never")
        return found | ({"never"} if self.is_full(self.path[-1]) else set())

    def is_full(self, where: str) -> bool:
        """Return whether there is no room for the unit."""
        there = stack(self.position, where, self.unit.side)
        return sum(piece.counter.stack for piece in there) + self.unit.counter.stack > 3

    def costs_too_much(self, waived: str = "") -> bool:
        """Return whether the way costs more MFs than the unit has, if a clause were not written."""
        spent = Fraction(0) if waived == "reinf.4" else self.entry()
        steps = (self.price(here, there, waived) for here, there in pairwise(self.path))
        return spent + sum(steps, Fraction(0)) > self.allowance(waived)

    def allowance(self, waived: str) -> Fraction:
        """The MFs of the unit."""
        supplied = waived == "supply.5" or self.supplied
        return Fraction(self.unit.counter.factor("mf")) / (1 if supplied else 2)

    def price(self, here: str, there: str, waived: str) -> Fraction:
        """What a step costs; one that is barred costs 1 MF."""
        fast = waived == "move.2" or (self.supplied and self.unit.counter.extra.flag("mobile", False))
        cost, road = self.slow.step(self.unit.id, here, there)
        near = waived != "move.11" and self.slow.threatened(self.unit.side, there)
        if fast and road and not near:
            return Fraction(1, 2)
        return Fraction(1 if cost is None or waived == "move.8" else cost)

    def gets_there(self, waived: str) -> bool:
        """Whether some path leads to its end if a clause were not written, none of the BARS, or of STEPS.

        Full hexes are not minded.
        """
        return self.path[-1] in self.paths(waived)

    def paths(self, waived: str = "") -> dict[str, tuple[str, ...]]:
        """Every hex that ways from its beginning lead to if a clause were not written, with a cheap one."""
        map_, slow, best = self.position.game.map, self.slow, dict[str, Fraction]()
        found, start = dict[str, tuple[str, ...]](), self.path[0]
        entry = Fraction(0) if waived == "reinf.4" else self.entry()
        waiting: list[tuple[tuple[str, ...], Fraction]] = [((start,), entry)]
        while waiting:
            path, spent = waiting.pop()
            here = path[-1]
            if spent > self.allowance(waived) or best.get(here, spent + 1) <= spent:
                continue
            best[here], found[here] = spent, path
            if here != start and self._stops(here, waived):
                continue
            for there in map_.grid.neighbours(here):
                shut = map_.hexes[there].terrain == "sea" or slow.held_by_enemy(self.unit.side, there)
                barred = waived not in (BARS, STEPS) and slow.step(self.unit.id, here, there)[0] is None
                if not shut and not barred:
                    waiting.append(((*path, there), spent + self.price(here, there, waived)))
        return found

    def _stops(self, here: str, waived: str) -> bool:
        """Return whether the unit must stop in a hex that it enters."""
        if waived == "terrain.6":
            return self.slow.threatened(self.unit.side, here)
        if waived == "move.10":
            return self.position.game.map.hexes[here].terrain == "swamp"
        return waived != BARS and self.slow.stops(self.unit.id, here)

    def entry(self) -> Fraction:
        """What its entry hex cost a unit that came in this turn: in the west it comes by road."""
        entry = self.position.note(ARRIVED, self.unit.id)
        if entry is None or self.unit.counter.formation in ("eighth-army", "alamein-army"):
            return Fraction(0)
        fast = self.supplied and self.unit.counter.extra.flag("mobile", False)
        return Fraction(1, 2) if fast and entry in ("B1", "C1") else Fraction(1)


BUDGET = ("reinf.4", "move.11", "move.8", "supply.5", "move.2")
BARS, STEPS = "bars", "steps"
"""The clauses for which a way may cost too much, the most special first; move.1 is what is left."""


def is_armour(piece: Piece) -> bool:
    """Return whether a unit is armour."""
    return piece.counter.extra.flag("armour", False)


def walks(moment: Moment, clause: str) -> Iterator[Walk]:
    """Return ways of random units that have not moved and can, and for which a clause matters.

    They are random, or for a clause of the BUDGET all that lead farther without it.
    """
    position, rng = moment.position, moment.rng
    if position.phase != "movement" or not any(phase_so_far(moment)):
        return  # the first to move may be one who retreats from a battle that nobody declared
    slow, grid = reading(position), position.game.map.grid
    fresh = [
        piece
        for piece in units(position, position.side)
        if not piece.states
        and (TRAIL, piece.id) not in position.notes
        and position.note(SWAMP_ROLL_DUE, piece.id) is None
        and _matters(slow, piece, clause)
    ]
    if clause in BUDGET:
        for unit in rng.sample(fresh, min(len(fresh), WALKERS)):
            first = Walk(slow, unit, (unit.where,), slow.in_supply(unit.id))
            legal = first.paths()
            for end, way in first.paths(clause).items():
                if end not in legal:
                    yield evolve(first, path=way)
        return
    for _ in range(WALKS if fresh else 0):
        unit = rng.choice(fresh)
        path, supplied = [unit.where], slow.in_supply(unit.id)
        for _ in range(LONGEST):
            onward = [there for there in grid.neighbours(path[-1]) if there not in path]
            by_road = [there for there in onward if position.game.map.roads_across(path[-1], there)]
            if not onward:
                break
            path.append(rng.choice(by_road if by_road and rng.random() < ON_ROADS else onward))
            if len(path) == 2 and stack(position, path[1], unit.side):
                continue  # a step onto a friend is always possible
            walk = Walk(slow, unit, tuple(path), supplied)
            yield walk
            if clause != "move.10" and slow.threatened(unit.side, path[-1]):
                break


def _matters(slow: Literal, piece: Piece, clause: str) -> bool:
    """Return whether a clause can bar a unit."""
    if clause in ("move.4", "move.5"):
        return is_armour(piece) and piece.id != "nz"
    if clause == "terrain.8":
        return piece.id == "nz"
    if clause == "move.8":
        return not is_armour(piece)
    if clause == "reinf.4":
        return slow.position.note(ARRIVED, piece.id) is not None
    mobile, supplied = piece.counter.extra.flag("mobile", False), slow.in_supply(piece.id)
    if clause == "move.2":
        return supplied and not mobile
    if clause == "move.11":
        return supplied and bool(mobile)
    return clause not in ("supply.5", "supply.6") or not supplied
