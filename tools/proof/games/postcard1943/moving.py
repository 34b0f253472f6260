"""Movement broken: ways that keep every rule but one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from tests.games.postcard1943.positions import Literal
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.plain import enemy, stack, units

breaker = Breaker()
LONGEST = 9
WALKS = 24
ON_ROADS = 0.6


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
        """Tell whether there is no room for the unit."""
        there = stack(self.position, where, self.unit.side)
        return sum(piece.counter.stack for piece in there) + self.unit.counter.stack > 3

    def costs_too_much(self, lifted: str = "") -> bool:
        """Tell whether the way costs more MFs than the unit has, if a clause were not written."""
        supplied = lifted == "supply.5" or self.supplied
        fast = lifted == "move.2" or (self.supplied and self.unit.counter.extra.flag("mobile", False))
        allowance = Fraction(self.unit.counter.factor("mf")) / (1 if supplied else 2)
        spent = Fraction(0) if lifted == "reinf.4" else self.entry()
        for here, there in pairwise(self.path):
            cost, road = self.slow.step(self.unit.id, here, there)
            if cost is None or lifted == "move.8":
                cost = 1
            near = lifted != "move.11" and self.slow.threatened(self.unit.side, there)
            spent += Fraction(1, 2) if fast and road and not near else cost
        return spent > allowance

    def entry(self) -> Fraction:
        """What its entry hex cost a unit that came in this turn: in the west it comes by road."""
        entry = self.position.note("arrived", self.unit.id, str)
        if entry is None or self.unit.counter.formation in ("eighth-army", "alamein-army"):
            return Fraction(0)
        fast = self.supplied and self.unit.counter.extra.flag("mobile", False)
        return Fraction(1, 2) if fast and entry in ("B1", "C1") else Fraction(1)


BUDGET = ("reinf.4", "move.11", "move.8", "supply.5", "move.2")
"""The clauses for which a way may cost too much, the most special first; move.1 is what is left."""


def is_armour(piece: Piece) -> bool:
    """Tell armour from infantry."""
    return piece.counter.extra.flag("armour", False)


def walks(moment: Moment, clause: str) -> Iterator[Walk]:
    """Return random ways of random units that have not moved and can, and for which a clause matters."""
    position, rng = moment.position, moment.rng
    if position.phase != "movement":
        return
    slow, grid = Literal(position), position.game.map.grid
    fresh = [
        piece
        for piece in units(position, position.side)
        if not piece.states
        and ("trail", piece.id) not in position.notes
        and position.note("swamp", piece.id, str) is None
        and _matters(slow, piece, clause)
    ]
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
    """Tell whether a clause can bar a unit."""
    if clause in ("move.4", "move.5"):
        return is_armour(piece) and piece.id != "nz"
    if clause == "terrain.8":
        return piece.id == "nz"
    if clause == "move.8":
        return not is_armour(piece)
    if clause == "reinf.4":
        return slow.position.note("arrived", piece.id, str) is not None
    mobile, supplied = piece.counter.extra.flag("mobile", False), slow.in_supply(piece.id)
    if clause == "move.2":
        return supplied and not mobile
    if clause == "move.11":
        return supplied and bool(mobile)
    return clause not in ("supply.5", "supply.6") or not supplied


def _that_break(moment: Moment, clause: str, beside: str = "") -> Broken:
    """Ways that break a clause which bars steps, and nothing else, or nothing but another beside it."""
    for walk in walks(moment, clause):
        hindrances = walk.hindrances()
        if clause in hindrances and hindrances <= {clause, beside} and not walk.costs_too_much():
            yield (Action("move", (walk.unit.id,), walk.path),)


def _too_dear(moment: Moment, clause: str) -> Broken:
    """Ways that cost too much by a clause, and would not without it; by move.1 if they would by any."""
    for walk in walks(moment, clause):
        if walk.hindrances() or not walk.costs_too_much():
            continue
        reason = next((other for other in BUDGET if not walk.costs_too_much(other)), "move.1")
        if reason == clause:
            yield (Action("move", (walk.unit.id,), walk.path),)


@breaker.breaks("move.1", "move", "next")
def farther_than_its_mfs(moment: Moment) -> Broken:
    return _too_dear(moment, "move.1")


@breaker.breaks("move.2", "move", "next")
def fast_on_roads_that_is_not_mobile(moment: Moment) -> Broken:
    return _too_dear(moment, "move.2")


@breaker.breaks("move.8", "move", "next")
def crosses_for_nothing(moment: Moment) -> Broken:
    return _too_dear(moment, "move.8")


@breaker.breaks("move.11", "move", "next")
def fast_next_to_the_enemy(moment: Moment) -> Broken:
    return _too_dear(moment, "move.11")


@breaker.breaks("supply.5", "move", "next")
def full_mfs_without_supply(moment: Moment) -> Broken:
    return _too_dear(moment, "supply.5")


@breaker.breaks("reinf.4", "move", "next")
def entry_hex_not_paid(moment: Moment) -> Broken:
    return _too_dear(moment, "reinf.4")


@breaker.breaks("move.4", "move", "next")
def armour_over_hills(moment: Moment) -> Broken:
    return _that_break(moment, "move.4")


@breaker.breaks("move.5", "move", "next")
def armour_over_the_river(moment: Moment) -> Broken:
    """Where no road crosses it there are hills all along as well."""
    return _that_break(moment, "move.5", "move.4")


@breaker.breaks("terrain.8", "move", "next")
def new_zealanders_over_hills(moment: Moment) -> Broken:
    return _that_break(moment, "terrain.8")


@breaker.breaks("move.15", "move", "next")
def over_high_mountains(moment: Moment) -> Broken:
    return _that_break(moment, "move.15")


@breaker.breaks("move.10", "move", "next")
def stops_a_hex_too_late(moment: Moment) -> Broken:
    return _that_break(moment, "move.10")


@breaker.breaks("move.10", "move")
def goes_on_next_to_the_enemy(moment: Moment) -> Broken:
    """After a move that ended next to the enemy."""
    action, after = moment.action, moment.step.after
    if action.dragged or len(action.pieces) > 1 or action.end in ("", action.path[0]):
        return
    slow, unit = Literal(after), after.pieces[action.piece]
    if after.game.map.hexes[action.end].terrain == "swamp" or not slow.threatened(unit.side, action.end):
        return
    for there in after.game.map.grid.neighbours(action.end):
        if slow.step(unit.id, action.end, there)[0] and not slow.held_by_enemy(unit.side, there):
            yield action, Action("move", (unit.id,), (action.end, there))


@breaker.breaks("terrain.6", "move", "next")
def through_a_swamp(moment: Moment) -> Broken:
    return _that_break(moment, "terrain.6")


@breaker.breaks("terrain.6", "roll swamp", shown=False)
def throws_twice_for_a_swamp(moment: Moment) -> Broken:
    yield moment.action, moment.action


@breaker.breaks("supply.6", "move", "next")
def into_supply_and_on(moment: Moment) -> Broken:
    """Half its MFs spent to get into supply, and then more than that half."""
    for walk in walks(moment, "supply.6"):
        unit, way = walk.unit, walk.path
        if walk.supplied or len(way) < 3 or walk.hindrances():
            continue
        first = Walk(walk.slow, unit, way[:-1], False)
        there = Literal(walk.position.with_piece(unit.id, where=way[-2])).in_supply(unit.id)
        if (
            there
            and not first.costs_too_much()
            and walk.costs_too_much()
            and not walk.costs_too_much("supply.5")
            and walk.costs_too_much("move.8")
        ):
            yield Action("move", (unit.id,), way[:-1]), Action("move", (unit.id,), way[-2:])


def _steps_of(position: Position, piece: Piece) -> Iterator[Action]:
    slow = Literal(position)
    for there in position.game.map.grid.neighbours(piece.where):
        if slow.step(piece.id, piece.where, there)[0] and not slow.held_by_enemy(piece.side, there):
            yield Action("move", (piece.id,), (piece.where, there))


@breaker.breaks("disrupt.1", "move", "next")
def a_disrupted_unit_moves(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "movement":
        for piece in units(position, position.side):
            if piece.is_("disrupted"):
                yield from ((step,) for step in _steps_of(position, piece))


@breaker.breaks("terrain.7", "move", "next")
def a_stuck_unit_moves(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "movement":
        for piece in units(position, position.side):
            if piece.is_("stuck"):
                yield from ((step,) for step in _steps_of(position, piece))


@breaker.breaks("seq.2", "move", "next")
def the_other_side_moves(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "movement":
        for piece in units(position, enemy(position.side)):
            if not piece.states:
                yield from ((step,) for step in _steps_of(position, piece))


@breaker.breaks("seq.3", "attack", "next")
def moves_after_an_attack(moment: Moment) -> Broken:
    """Of one who did not fight, and elsewhere, or the move may be an advance that goes wrong."""
    position = moment.position
    thrown = any(
        step.before.clock == position.clock and step.action.verb == "roll combat"
        for step in moment.game[: moment.place]
    )
    fighting = {name for battle in position.battles for name in battle.attackers}
    fought_over = {battle.target for battle in position.battles}
    if position.phase == "combat" and thrown:
        for piece in units(position, position.side):
            if not piece.states and piece.id not in fighting:
                yield from ((step,) for step in _steps_of(position, piece) if step.end not in fought_over)


def _overfull(moment: Moment, too_many: bool) -> Broken:
    position = moment.position
    if position.phase != "movement":
        return
    for piece in units(position, position.side):
        if piece.states or ("trail", piece.id) in position.notes or not piece.counter.stack:
            continue
        for step in _steps_of(position, piece):
            there = [friend for friend in stack(position, step.end) if friend.counter.stack]
            weight = sum(friend.counter.stack for friend in there) + piece.counter.stack
            if weight > 3 and there and (len(there) + 1 > 3) == too_many:
                yield step, Action("next")


@breaker.breaks("stack.1", "move", "next")
def four_units_in_a_hex(moment: Moment) -> Broken:
    return _overfull(moment, True)


@breaker.breaks("stack.2", "move", "next")
def a_corps_too_many(moment: Moment) -> Broken:
    return _overfull(moment, False)
