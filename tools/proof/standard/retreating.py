"""Retreats that are too long, lead where they may not, or leave out what comes of them."""

from __future__ import annotations

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.attacks import ON, Attacks
from tools.proof.standard.reading import Reading
from vassalgen.game.families import Retreat


@frozen
class Retreating(Attacks):
    """A kind of combat after which units retreat as they may not."""

    def _too_long(self, code: str, side: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code, side):
                length = self.length(code, side)
                names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
                for name in names:
                    paths = self.open_beside(fought.position, fought.position.pieces[name], length + 1)
                    for path in moment.rng.sample(paths, min(len(paths), 1)):
                        yield *fought.actions, Action("retreat", (name,), path, battle=fought.fight.number)

        return mutate

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
