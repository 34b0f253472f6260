"""Retreats that are too long, lead to the wrong hexes, or have no consequences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.attacks import ON, Attacks, Fought, Registered
from tools.proof.standard.moving import is_over
from tools.proof.standard.reading import NEVER, Reading
from vassalgen.game.families import Advance, Retreat

IN_A_CIRCLE = "retreat_in_a_circle"
"""The name of mutators of retreats in a circle. A log shows them as retreats that are too short, unless each
hex must be farther away than the last.
"""


@frozen
class Retreating(Attacks):
    """A kind of combat with wrong retreats after it."""

    def _too_long(self, code: str, side: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code, side) if not self.is_amid_moves(moment) else ():
                length = self.steps_back(fought, code, side)
                names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
                for name in names:
                    paths = self.open_beside(fought.position, fought.position.pieces[name], length + 1)
                    for path in moment.rng.sample(paths, min(len(paths), 1)):
                        yield *fought.actions, Action("retreat", (name,), path, battle=fought.fight.number)

        return mutate

    def _too_short(self, code: str, side: str) -> Mutate:
        """All units retreat one hex less than they must, and no step is lost instead."""

        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code, side) if not self.is_amid_moves(moment) else ():
                length, pieces = self.steps_back(fought, code, side), self.of_side(fought, side)
                if length < 2 or not all(self.open_beside(fought.position, one, length) for one in pieces):
                    continue
                went = []
                for piece in pieces:
                    path = moment.rng.choice(self.open_beside(fought.position, piece, length - 1))
                    went.append(Action("retreat", (piece.id,), path, battle=fought.fight.number))
                yield *fought.actions, *went, ON

        return mutate

    def _wrong_ways(self, code: str, side: str, retreat: Retreat) -> Iterator[Registered]:
        """Retreats of the right length that lead where they may not."""
        title = f"{{}}_by_{code}_of_the_{side}"
        if retreat.toward:
            yield retreat.toward, title.format("retreat_from_home"), self._from_home(code, side, retreat)
        for clause in dict.fromkeys(one for one in (retreat.away, retreat.each_step) if one):
            yield clause, title.format(f"{IN_A_CIRCLE}_{clause}"), self._in_a_circle(code, side)
        if retreat.stacking and not retreat.further:
            yield retreat.stacking, title.format("retreat_into_a_full_hex"), self._into_a_full_hex(code, side)
        if retreat.blocked:
            yield retreat.blocked, title.format("retreat_with_no_way_out"), self._no_way_out(code, side)

    def _retreating(self, moment: Moment, code: str, side: str) -> Iterator[tuple[Fought, Piece, int]]:
        """Battles after which a unit must retreat a certain number of hexes."""
        length = self.length(code, side)
        for fought in self.fought(moment, code, side) if not self.is_amid_moves(moment) else ():
            for piece in self.of_side(fought, side):
                yield fought, piece, length

    def _next_to(self, fought: Fought, piece: Piece, path: tuple[str, ...]) -> list[str]:
        """The hexes that a path may enter next, friends or not."""
        reading, movement = Reading(fought.position, self.rules), next(iter(self.rules.movement.values()))
        return [
            to
            for to in self.game.map.grid.neighbours(path[-1])
            if reading.cost(piece, movement, path[-1], to) < NEVER
            and not reading.enemies(piece.side, to)
            and not reading.zones(piece.side, to, purpose="retreat")
        ]

    def _from_home(self, code: str, side: str, retreat: Retreat) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought, piece, length in self._retreating(moment, code, side):
                reading = Reading(fought.position, self.rules)
                home = retreat.home.get(piece.side)  # type: ignore[call-overload]
                for path in self.open_beside(fought.position, piece, length) if home else ():
                    gaps = [reading.gap_to(home, where) for where in path]
                    if any(after > before for before, after in pairwise(gaps)):
                        yield self._went(fought, piece, path)
                        break

        return mutate

    def _in_a_circle(self, code: str, side: str) -> Mutate:
        """A retreat of two hexes that ends next to where it began."""

        def mutate(moment: Moment) -> Broken:
            grid = self.game.map.grid
            for fought, piece, length in self._retreating(moment, code, side):
                for path in self.open_beside(fought.position, piece, 1) if length == 2 else ():
                    for to in self._next_to(fought, piece, path):
                        if not fought.position.at(to) and grid.are_neighbours(piece.where, to):
                            yield self._went(fought, piece, (*path, to))
                            break

        return mutate

    def _into_a_full_hex(self, code: str, side: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            grid = self.game.map.grid
            for fought, piece, length in self._retreating(moment, code, side):
                reading = Reading(fought.position, self.rules)
                for path in self.open_beside(fought.position, piece, length - 1) if length else ():
                    for to in self._next_to(fought, piece, path):
                        far = grid.distance(piece.where, to) == length
                        if far and any(is_over(reading, limit, piece, to) for limit in self.game.stacking):
                            yield self._went(fought, piece, (*path, to))

        return mutate

    def _no_way_out(self, code: str, side: str) -> Mutate:
        """A unit that is surrounded by enemies, their zones and hexes closed to it stays where it is."""

        def mutate(moment: Moment) -> Broken:
            for fought, piece, _ in self._retreating(moment, code, side):
                if not self._next_to(fought, piece, (piece.where,)):
                    yield *fought.actions, ON

        return mutate

    @staticmethod
    def _went(fought: Fought, piece: Piece, path: tuple[str, ...]) -> tuple[Action, ...]:
        return *fought.actions, Action("retreat", (piece.id,), path, battle=fought.fight.number)

    def _off_the_path(self, code: str, along: Advance) -> Mutate:
        """A unit advances beyond the attacked hex, off the path of the retreat."""

        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code, "defender") if not self.is_amid_moves(moment) else ():
                position, fight, grid = fought.position, fought.fight, self.game.map.grid
                length, pieces = self.steps_back(fought, code, "defender"), self.of_side(fought, "defender")
                paths = self.open_beside(position, pieces[0], length) if len(pieces) == 1 else []
                if length < 2 or self.steps_back(fought, code, "attacker"):
                    continue
                for path in moment.rng.sample(paths, min(len(paths), 1)):
                    went = Action("retreat", (pieces[0].id,), path, battle=fight.number)
                    for unit in self.of_side(fought, "attacker"):
                        near = grid.are_neighbours(unit.where, fight.target)
                        if not near or not Reading(position, self.rules).fits(along.who, unit):
                            continue
                        beyond = self._open_beyond(position, unit, fight.target, path)
                        for to in moment.rng.sample(beyond, min(len(beyond), 1)):
                            way = (unit.where, fight.target, to)
                            yield (
                                *fought.actions,
                                went,
                                Action("advance", (unit.id,), way, battle=fight.number),
                            )

        return mutate

    def _open_beyond(self, position: Position, unit: Piece, target: str, path: tuple[str, ...]) -> list[str]:
        """Neighbours of an attacked hex that are empty, passable, and on no path of a retreat."""
        reading, movement = Reading(position, self.rules), next(iter(self.rules.movement.values()))
        return [
            to
            for to in self.game.map.grid.neighbours(target)
            if to not in (*path, unit.where)
            and not position.at(to)
            and reading.cost(unit, movement, target, to) < 100
        ]

    def _unmarked(self, code: str, side: str, retreat: Retreat) -> Mutate:
        """A single unit retreats as it must, and does not get the state that the retreat causes."""

        def mutate(moment: Moment) -> Broken:
            length = self.length(code, side)
            for fought in self.fought(moment, code, side) if length >= retreat.state_from else ():
                for piece in self.of_side(fought, side):
                    kinds = self.game.states[retreat.state].kinds
                    if piece.counter.kind in kinds and retreat.state not in piece.states:
                        paths = self.open_beside(fought.position, piece, length)
                        for path in moment.rng.sample(paths, min(len(paths), 1)):
                            went = Action("retreat", (piece.id,), path, battle=fought.fight.number)
                            yield *fought.actions, went, ON

        return mutate

    def _through_friends(self, code: str, side: str, retreat: Retreat) -> Mutate:
        """A unit retreats through friends, which do not get the state that this causes."""

        def mutate(moment: Moment) -> Broken:
            length, grid = self.length(code, side), self.game.map.grid
            for fought in self.fought(moment, code, side) if length else ():
                reading = Reading(fought.position, self.rules)
                for piece in self.of_side(fought, side):
                    for friend in reading.units(piece.side):
                        able = friend.counter.kind in self.game.states[retreat.disorders].kinds
                        near = grid.distance(piece.where, friend.where) == 1
                        if able and near and not friend.states and not self._is_exempt(reading, friend):
                            path = self._over(fought.position, piece, friend.where, length)
                            went = Action("retreat", (piece.id,), path, battle=fought.fight.number)
                            if path and fought.position.world.rulebook.allows(fought.position, went):
                                yield *fought.actions, went, ON

        return mutate

    def _is_exempt(self, reading: Reading, piece: Piece) -> bool:
        retreat = self.rules.retreat
        return retreat is not None and reading.fits(retreat.disorders_not, piece)

    def _over(self, position: Position, piece: Piece, where: str, length: int) -> tuple[str, ...]:
        """A path of a length over a neighbour, straight on and farther away with each hex."""
        grid, path = position.game.map.grid, [piece.where, where]
        while len(path) <= length:
            far = [to for to in grid.neighbours(path[-1]) if grid.distance(path[0], to) == len(path)]
            free = [to for to in far if not position.at(to)]
            if not free:
                return ()
            path.append(free[0])
        return tuple(path)

    def _into_a_zone(self, code: str, side: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            movement = next(iter(self.rules.movement.values()))
            for fought in self.fought(moment, code, side):
                if self.steps_back(fought, code, side) != 1:
                    continue
                position = fought.position
                reading, grid = Reading(position, self.rules), position.game.map.grid
                names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
                for name in names:
                    piece = position.pieces[name]
                    for to in grid.neighbours(piece.where):
                        open_ = reading.cost(piece, movement, piece.where, to) < 100 and not position.at(to)
                        if open_ and reading.zones(piece.side, to, purpose="retreat"):
                            path = (piece.where, to)
                            yield (
                                *fought.actions,
                                Action("retreat", (name,), path, battle=fought.fight.number),
                            )
                            break

        return mutate
