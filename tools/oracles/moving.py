"""What every game is asked of its moves: how far pieces reach, and which ways, drags and lists are legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Protocol

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import UNSEEN, Piece, Position
from referee.engine.rulings import number
from referee.engine.trips import Trip
from tools.oracles.comparing import Answers, Comparison, Scene

LEGAL, ILLEGAL = "legal", "illegal"


class Marching(Protocol):
    """One piece on the march as the clauses describe it, every path tried."""

    def costs(self) -> Mapping[str, Fraction]:
        """Every hex within reach, and what the cheapest path there costs."""

    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""

    def drags(self) -> Mapping[str, str]:
        """Rule on a drag to every hex; those that are not named are illegal."""


@frozen
class Moves:
    """The moves of a game: the verbs for them by phase, who moves, where and by which ways it is asked.

    ``trip`` is the rules' own calculation of a move, in as many parts of a point as ``scale`` says; ``march``
    the literal one, of a piece by its id.
    """

    verbs: Mapping[str, str]
    movers: Callable[[Scene], Iterable[Piece]]
    goals: Callable[[Scene, Piece], Iterable[str]]
    walks: Callable[[Scene, Piece], Iterable[tuple[str, ...]]]
    trip: Callable[[Position, Action], Trip[Any]]
    scale: Callable[[Position], int]
    march: Callable[[Scene, str], Marching]

    def comparisons(self, reach: str, paths: str, listed: str = "") -> tuple[Comparison, ...]:
        """Return what is compared, with the clauses it is about; listed moves only if clauses are named."""
        found = (
            Comparison("reach", reach, self._asked_reach, self._read_reach),
            Comparison("ways", paths, self._asked_paths, self._read_paths),
            Comparison("drags", paths, self._asked_drags, self._read_drags),
            Comparison("what drags cost", reach, self._asked_costs, self._read_costs),
        )
        moves = Comparison("listed moves", listed, self._asked_listed, self._read_listed)
        return (*found, moves) if listed else found

    def _asked_reach(self, scene: Scene) -> Answers:
        found, position = {}, scene.position
        names = position.game.map.grid.names
        for piece in self.movers(scene):
            trip = self.trip(position, self._drag(position, piece, piece.where))
            if trip.trail is None or not trip.trail.stopped:
                for end, cost in trip.reach().costs.items():
                    text = number(Fraction(cost, self.scale(position)))
                    found[f"{piece.id} {piece.where}..{names[end]}"] = text
        return found

    def _read_reach(self, scene: Scene) -> Answers:
        return {
            f"{piece.id} {piece.where}..{end}": number(cost)
            for piece, march in self._marches(scene)
            for end, cost in march.costs().items()
        }

    def _asked_paths(self, scene: Scene) -> Answers:
        position = scene.position
        return {
            f"{piece.id} {'-'.join(path)}": ruled(
                position, Action(self.verbs[position.phase], (piece.id,), path)
            )
            for piece in self.movers(scene)
            for path in self.walks(scene, piece)
        }

    def _read_paths(self, scene: Scene) -> Answers:
        return {
            f"{piece.id} {'-'.join(path)}": march.grade(path)
            for piece, march in self._marches(scene)
            for path in self.walks(scene, piece)
        }

    def _asked_drags(self, scene: Scene) -> Answers:
        position = scene.position
        return {
            f"{piece.id} {piece.where}..{end}": ruled(position, self._drag(position, piece, end))
            for piece in self.movers(scene)
            for end in self.goals(scene, piece)
        }

    def _read_drags(self, scene: Scene) -> Answers:
        found = {}
        for piece, march in self._marches(scene):
            grades = march.drags()
            for end in self.goals(scene, piece):
                found[f"{piece.id} {piece.where}..{end}"] = grades.get(end, ILLEGAL)
        return found

    def _asked_costs(self, scene: Scene) -> Answers:
        found, position = {}, scene.position
        for piece, march in self._marches(scene):
            for end in march.costs().keys() - {piece.where}:
                cost = self.trip(position, self._drag(position, piece, end)).cost()
                text = "none" if cost is None else number(Fraction(cost, self.scale(position)))
                found[f"{piece.id} {piece.where}..{end}"] = text
        return found

    def _read_costs(self, scene: Scene) -> Answers:
        reached = ((piece, march.costs().items()) for piece, march in self._marches(scene))
        return {
            f"{piece.id} {piece.where}..{end}": number(cost)
            for piece, costs in reached
            for end, cost in costs
            if end != piece.where
        }

    def _asked_listed(self, scene: Scene) -> Answers:
        found = {}
        for piece in self.movers(scene):
            for played in scene.position.options(piece.id):
                action = played.ruling.action
                if action.verb in self.verbs.values():
                    found[f"{piece.id} {piece.where}..{action.end}"] = LEGAL
        return found

    def _read_listed(self, scene: Scene) -> Answers:
        return {
            f"{piece.id} {piece.where}..{end}": grade
            for piece, march in self._marches(scene)
            for end, grade in march.drags().items()
            if grade == LEGAL
        }

    def _marches(self, scene: Scene) -> Iterator[tuple[Piece, Marching]]:
        return ((piece, self.march(scene, piece.id)) for piece in self.movers(scene))

    def _drag(self, position: Position, piece: Piece, end: str) -> Action:
        return Action(self.verbs[position.phase], (piece.id,), (piece.where, end), dragged=True)


def ruled(position: Position, action: Action) -> str:
    """The grade of the ruling on an action, as if everybody had seen the game from its beginning."""
    if "seen" not in position.memory:
        position.memory["seen"] = position.without_note(UNSEEN)
    seen: Position = position.memory["seen"]
    return seen.judge(action).grade.name
