"""Random positions for the tests, and slow literal readings of the rules to hold the fast ones against."""

from __future__ import annotations

import random
from fractions import Fraction

from attrs import evolve

from referee.engine.clock import Date
from referee.engine.position import Mark, Position, World
from referee.games import find_rules
from vassalgen.game.finding import open_game


def the_world() -> World:
    game = open_game("postcard1943")
    return find_rules(game.id).world(game)


def random_position(world: World, seed: int) -> Position:
    """Units scattered over the land, some Disrupted, some stuck; no hex held by both sides."""
    rng = random.Random(seed)
    map_ = world.game.map
    land = [name for name in map_.grid.names if map_.hexes[name].terrain != "sea"]
    position = world.rulebook.empty(world)
    pieces, owner = dict(position.pieces), dict[str, str]()
    share = rng.choice([0.2, 0.5, 0.9])
    for name, piece in pieces.items():
        where = rng.choice(land)
        if piece.counter.kind != "unit" or rng.random() > share:
            continue
        if owner.setdefault(where, piece.side) != piece.side:
            continue
        states = {}
        if rng.random() < 0.3:
            states["disrupted"] = Mark(since=Date(4, "axis"))
        if map_.hexes[where].terrain == "swamp" and rng.random() < 0.5:
            states["stuck"] = Mark(since=Date(5, "allied"))
        pieces[name] = evolve(piece, where=where, states=states)
    side = rng.choice(["allied", "axis"])
    return evolve(position, pieces=pieces, clock=world.calendar.find(5, "movement", side))


class Literal:
    """The rules of movement and supply as the rulebook has them, step by step and by name."""

    def __init__(self, position: Position) -> None:
        self.position, self.map = position, position.game.map

    def units(self, side: str = "") -> list[str]:
        return [
            piece.id
            for piece in self.position.pieces.values()
            if piece.counter.kind == "unit" and piece.where in self.map.grid and side in ("", piece.side)
        ]

    def step(self, unit: str, here: str, there: str) -> tuple[int | None, bool]:
        """MFs of a step across country, None if the hexside or hex is closed; whether a road leads there."""
        if self.map.hexes[there].terrain == "sea":
            return None, False
        features = self.map.hexside(here, there).features
        road = bool(self.map.roads_across(here, there))
        if "high-mountain" in features:
            return None, False
        hard = bool(features & {"river", "hill-all"}) and not road
        if self.position.pieces[unit].counter.extra.flag("armour", False):
            return (None if hard else 1), road
        return (2 if hard else 1), road

    def threatens(self, unit: str, where: str) -> bool:
        piece = self.position.pieces[unit]
        if (
            piece.is_("disrupted")
            or piece.is_("stuck")
            or not self.map.grid.are_neighbours(piece.where, where)
        ):
            return False
        return self.step(unit, piece.where, where)[0] is not None

    def threatened(self, side: str, where: str) -> bool:
        enemies = [name for name in self.units() if self.position.pieces[name].side != side]
        return any(self.threatens(name, where) for name in enemies)

    def held_by_enemy(self, side: str, where: str) -> bool:
        enemies = [name for name in self.units() if self.position.pieces[name].side != side]
        return any(self.position.pieces[name].where == where for name in enemies)

    def in_supply(self, unit: str) -> bool:
        """A road of any length from a source, then up to two hexes beside it; no enemy on the line."""
        piece = self.position.pieces[unit]
        side, free = piece.side, [n for n in self.map.grid.names if not self.held_by_enemy(piece.side, n)]
        sources = {"allied": {"B1", "C1"}, "axis": {"B5", "A4"}}[side]
        if piece.counter.formation == "eighth-army":
            sources = sources | {"H6"}
        reached = {name for name in sources if name in free}
        grown = True
        while grown:
            grown = False
            for here in sorted(reached):
                for there in self.map.grid.neighbours(here):
                    if there in free and there not in reached and self.map.roads_across(here, there):
                        reached.add(there)
                        grown = True
        for _ in range(2):
            beside = set()
            for here in reached:
                for there in self.map.grid.neighbours(here):
                    closed = "high-mountain" in self.map.hexside(here, there).features
                    if there in free and not closed and self.map.hexes[there].terrain != "sea":
                        beside.add(there)
            reached |= beside
        return piece.where in reached

    def reach(self, unit: str) -> dict[str, Fraction]:
        """Every hex that some way leads to, with what the cheapest costs, tried way by way."""
        piece = self.position.pieces[unit]
        supplied = self.in_supply(unit)
        allowance = Fraction(piece.counter.factor("mf")) / (1 if supplied else 2)
        fast = supplied and piece.counter.extra.flag("mobile", False)
        best: dict[str, Fraction] = {}

        def walk(here: str, spent: Fraction) -> None:
            if here in best and best[here] <= spent:
                return
            best[here] = spent
            if here != piece.where and self.stops(unit, here):
                return
            for there in self.map.grid.neighbours(here):
                cost, road = self.step(unit, here, there)
                if cost is None or self.held_by_enemy(piece.side, there):
                    continue
                rate = fast and road and not self.threatened(piece.side, there)
                total = spent + (Fraction(1, 2) if rate else cost)
                if total <= allowance:
                    walk(there, total)

        walk(piece.where, Fraction(0))
        return best

    def stops(self, unit: str, where: str) -> bool:
        piece = self.position.pieces[unit]
        friends = [
            self.position.pieces[name]
            for name in self.units(piece.side)
            if self.position.pieces[name].where == where
        ]
        weight = sum(friend.counter.stack for friend in friends) + piece.counter.stack
        full = len(friends) > 1 and weight > 3
        return full or self.map.hexes[where].terrain == "swamp" or self.threatened(piece.side, where)
