"""Retreats that are too long, lead where they may not, or leave out what comes of them."""

from __future__ import annotations

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.attacks import ON, Attacks
from tools.proof.standard.reading import Reading
from vassalgen.game.families import Advance, Retreat


@frozen
class Retreating(Attacks):
    """A kind of combat after which units retreat as they may not."""

    def _too_long(self, code: str, side: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code, side) if not self.is_amid_moves(moment) else ():
                length = self.length(code, side)
                names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
                for name in names:
                    paths = self.open_beside(fought.position, fought.position.pieces[name], length + 1)
                    for path in moment.rng.sample(paths, min(len(paths), 1)):
                        yield *fought.actions, Action("retreat", (name,), path, battle=fought.fight.number)

        return mutate

    def _too_short(self, code: str, side: str) -> Mutate:
        """All retreat a hex less than they must, and nobody loses a step in its place."""

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

    def _off_the_path(self, code: str, along: Advance) -> Mutate:
        """A unit advances beyond the hex that was attacked, and not along the path of the retreat."""

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
        """A single unit retreats as it must, and does not get the state that comes of it."""

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
        """A unit retreats through friends, which do not get the state that comes of it."""

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
        """A path of so many hexes that goes over a neighbour, straight on and farther away each hex."""
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
            if self.length(code, side) != 1:
                return
            movement = next(iter(self.rules.movement.values()))
            for fought in self.fought(moment, code, side):
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
