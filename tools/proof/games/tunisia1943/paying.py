"""Movement points spent that units do not have: as by players who forget one clause about costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.notes import TRAIL
from tools.oracles.games.tunisia1943.board import WATER, ZONES, Board
from tools.oracles.games.tunisia1943.marching import March, may_exploit
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.facts import EM, UNIT, is_armour, is_fresh, units
from tools.proof.games.tunisia1943.moving import movers

breaker = Breaker()
COSTS = ("2.1b", "2.1d", "2.1c", "2.1a", "4.1c")
FEW, SOME = 6, 8
LAME = "C2.4"
"""The clause by which units have fewer points than are printed."""
LIMITED = ("9.2i", LAME)
"""Clauses that leave few of the printed MP: a player who forgets one may go as far as one who forgets
another.
"""
FAR = 100
"""More movement points than any unit has."""


class Spending(March):
    """A piece that has not moved in this step, without one clause, or with ``most`` MP."""

    def __init__(self, position: Position, piece: Piece, without: str = "", most: int = 0) -> None:
        super().__init__(position, piece.id, without)
        self.most = most

    @property
    def points(self) -> Fraction:
        """The MP of a step, or the given number of them [4.1a, 4.1d, 9.2i, C2.4]."""
        if self.most:
            return Fraction(self.most)
        if self.without in LIMITED:
            return Fraction(self.piece.counter.factor("movement", self.piece.steps))
        return super().points * (2 if self.without == "4.1d" else 1)

    def ends(self) -> dict[str, Fraction]:
        """The hexes to which it can move, except those of enemies."""
        enemy = self.board.enemy(self.piece.side)
        return {where: cost for where, cost in self.reach().items() if not self.board.at(where, enemy, EM)}


def _beyond(position: Position, piece: Piece, clause: str) -> list[str]:
    """The hexes that a piece reaches without one clause, and does not reach without any other."""
    found = set(Spending(position, piece, clause).ends())
    alike = (clause, LAME) if clause in LIMITED else (clause,)
    for other in ("", ZONES, LAME, *COSTS):
        if other not in alike and found:
            found -= Spending(position, piece, other).ends().keys()
    near = Board.of(position).around(piece.where)
    return sorted(where for where in found if where not in near)


def _drag(piece: Piece, there: str, verb: str = "move") -> tuple[Action, ...]:
    return (Action(verb, (piece.id,), (piece.where, there), dragged=True),)


def _marchers(moment: Moment) -> list[Piece]:
    """Some units that have not moved; no armour, which may break through without an announcement."""
    return [piece for piece in movers(moment) if not is_armour(piece)][:FEW]


def _overspending(moment: Moment, clause: str) -> Broken:
    for piece in _marchers(moment):
        ends = _beyond(moment.position, piece, clause)
        yield from (_drag(piece, there) for there in moment.rng.sample(ends, min(len(ends), SOME)))


@breaker.breaks("2.1b", "move", "next")
def over_wadis_as_if_they_were_dry(moment: Moment) -> Broken:
    return _overspending(moment, "2.1b") if Board(moment.position).is_flooded() else ()


breaker.alike(
    _overspending,
    ("move", "next"),
    over_crests_for_nothing=("2.1a", "2.1a"),
    over_water_without_a_road=("2.1d", "2.1d"),
    every_hex_for_a_point=("4.1c", "4.1c"),
)


@breaker.breaks("2.1c", "move", "next")
def by_a_road_that_leads_elsewhere(moment: Moment) -> Broken:
    """Hex by hex, for only so a log shows which hexsides were crossed; over no water, or 2.1d is broken."""
    position = moment.position
    for piece in _marchers(moment):
        right, wrong = Spending(position, piece), Board(position, "2.1c")
        reached, most, whole = right.ends(), right.points, Spending(position, piece, LAME).ends()
        for here in moment.rng.sample(sorted(reached), min(len(reached), 2 * SOME)):
            path = _way(right, reached, here)
            for there in right.board.around(here) if len(path) > 1 else ():
                dear = right.step(here, there)
                if dear is None or there in whole or reached[here] + dear <= most:
                    continue
                if right.board.at(there, right.board.enemy(piece.side), EM):
                    continue
                if right.board.lies(here, there) & {*WATER}:
                    continue
                if reached[here] + wrong.cost(here, there) <= most:
                    yield tuple(Action("move", (piece.id,), step) for step in pairwise((*path, there)))


def _way(march: Spending, reached: dict[str, Fraction], end: str) -> tuple[str, ...]:
    """The cheapest path to a hex, backwards from it; nothing if it is broken off by a zone of control."""
    path = [end]
    while path[0] != march.piece.where:
        before = [
            here
            for here in march.board.around(path[0])
            if here in reached
            and (here == march.piece.where or not march.board.is_controlled(march.piece.side, here))
            and (step := march.step(here, path[0])) is not None
            and reached[here] + step == reached[path[0]]
        ]
        if not before or march.board.is_controlled(march.piece.side, end):
            return ()
        path.insert(0, before[0])
    return tuple(path)


def _is_short_of_fuel(position: Position) -> bool:
    return position.scenario.id == "campaign2" and position.turn in (6, 7) and position.side == "axis"


@breaker.breaks("9.2i", "move", "next")
def an_em_without_supply_goes_as_if_it_had_some(moment: Moment) -> Broken:
    """But because there is no fuel, which leaves few MP as well [C2.4]."""
    position = moment.position
    if position.phase != "movement" or _is_short_of_fuel(position):
        return
    for em in units(position, position.side, EM):
        marked = "out-of-supply" in em.states and (TRAIL, em.id) not in position.notes
        for there in _beyond(position, em, "9.2i")[:SOME] if marked else ():
            yield _drag(em, there)


@breaker.breaks("C2.4", "move", "next")
def as_if_there_were_fuel(moment: Moment) -> Broken:
    position = moment.position
    for piece in _marchers(moment) if _is_short_of_fuel(position) else ():
        if not Board(position).is_out_of_supply(piece):
            yield from (_drag(piece, there) for there in _beyond(position, piece, "C2.4")[:SOME])


def _exploiters(moment: Moment) -> Iterator[Piece]:
    """Units that may exploit, and have moved neither in this step nor in this player turn."""
    position = moment.position
    if position.phase != "exploitation":
        return
    today = [step for step in moment.game[: moment.place] if step.before.date == position.date]
    moved = {name for step in today for name in step.action.pieces if step.action.path}
    board = Board(position)
    for piece in units(position, position.side, UNIT):
        still = not board.is_out_of_supply(piece) and is_fresh(position, piece) and piece.id not in moved
        if still and may_exploit(position, piece.id):
            yield piece


@breaker.breaks("4.1d", "exploit", "next")
def with_the_points_of_movement(moment: Moment) -> Broken:
    position = moment.position
    for piece in list(_exploiters(moment))[:FEW]:
        yield from (_drag(piece, there, "exploit") for there in _beyond(position, piece, "4.1d")[:SOME])


@breaker.breaks("10b", "exploit", "next")
def farther_than_any_unit_exploits(moment: Moment) -> Broken:
    position = moment.position
    for piece in list(_exploiters(moment))[:FEW]:
        near: set[str] = set()
        for clause in ("4.1d", ZONES, *COSTS):
            most = 2 * int(Spending(position, piece).points)
            near |= Spending(position, piece, clause, most).ends().keys()
        far = sorted(Spending(position, piece, most=FAR).ends().keys() - near)
        yield from (_drag(piece, there, "exploit") for there in moment.rng.sample(far, min(len(far), SOME)))
