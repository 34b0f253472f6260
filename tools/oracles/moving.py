"""Moves read literally, and the questions about them for every game: how far pieces reach, which paths are
legal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.moves import Move
from referee.engine.position import UNSEEN, Piece, Position
from referee.engine.rulings import number
from tools.oracles.asking import near, walks
from tools.oracles.board import Board, remembered
from tools.oracles.comparing import Answers, Comparison, Scene, each

LEGAL, ILLEGAL = "legal", "illegal"


class March(ABC):
    """One piece that moves as the clauses of its game describe it: step by step, every path tried.

    ``spent`` is what it has already paid in this phase.
    """

    def __init__(self, board: Board, piece: Piece, spent: Fraction = Fraction(0)) -> None:
        self.board, self.piece, self.spent = board, piece, spent

    @property
    @abstractmethod
    def points(self) -> Fraction:
        """What it may spend in total."""

    @abstractmethod
    def step(self, here: str, there: str) -> Fraction | None:
        """What one step costs, None if it cannot be made."""

    @abstractmethod
    def stops(self, here: str) -> bool:
        """Return whether it can go no farther after entering a hex."""

    def reach(self) -> dict[str, Fraction]:
        """Every hex to which some path leads, and the cost of the cheapest."""
        return {where: cost for where, (cost, _) in self._found().items()}

    def paths(self) -> dict[str, tuple[str, ...]]:
        """Every hex to which some path leads, with one of the cheapest paths."""
        found: dict[str, tuple[str, ...]] = {}
        for where, (_, here) in self._found().items():
            found[where] = (*found.get(here, ()), where)
        return found

    def _found(self) -> dict[str, tuple[Fraction, str]]:
        """The hexes, nearest first, with the cost to come there and the hex before."""
        best: dict[str, tuple[Fraction, str]] = {}
        waiting = [(self.spent, self.piece.where, "")]
        while waiting:
            spent, here, before = heappop(waiting)
            if here in best:
                continue
            best[here] = spent, before
            if here != self.piece.where and self.stops(here):
                continue
            for there in self.board.around(here):
                cost = None if there in best else self.step(here, there)
                if cost is not None and spent + cost <= self.points:
                    heappush(waiting, (spent + cost, there, here))
        return best

    def cost(self, path: Sequence[str]) -> Fraction | None:
        """The points spent at the end of a path, whatever points it has; None if the path is not open."""
        spent = self.spent
        for here, there in pairwise(path):
            step = None if here != path[0] and self.stops(here) else self.step(here, there)
            if step is None:
                return None
            spent += step
        return spent

    @abstractmethod
    def costs(self) -> Mapping[str, Fraction]:
        """Every hex within reach in this phase, and the cost of the cheapest path there."""

    @abstractmethod
    def grade(self, path: tuple[str, ...]) -> str:
        """Rule on a path of which every step is known."""

    @abstractmethod
    def drags(self) -> Mapping[str, str]:
        """Rule on a drag to every hex; hexes that are missing are illegal."""


@frozen
class Moves:
    """The moves of a game: their verbs by phase, and the pieces that move.

    ``move`` is the rules' own calculation of a move, in units of a point divided by ``scale``; ``march`` the
    literal one, of a piece by its id. The questions are about drags within ``far`` hexes and paths of some
    lengths.
    """

    board: type[Board]
    verbs: Mapping[str, str]
    movers: Callable[[Scene], Iterable[Piece]]
    move: Callable[[Position, Action], Move[Any]]
    scale: Callable[[Position], int]
    march: Callable[[Scene, str], March]
    far: int = 6
    lengths: tuple[int, ...] = (3, 3, 4, 5, 6)

    def comparisons(self, reach: str, paths: str, listed: str = "") -> tuple[Comparison, ...]:
        """Return what is compared, with the clauses it is about; listed moves only if clauses are named."""
        found = (
            Comparison("reach", reach, self._asked_reach, self._read_reach),
            each("paths", paths, self._paths, self._asked_path, self._read_path),
            Comparison("drags", paths, self._asked_drags, self._read_drags),
            Comparison("what drags cost", reach, self._asked_costs, self._read_costs),
        )
        moves = Comparison("listed moves", listed, self._asked_listed, self._read_listed)
        return (*found, moves) if listed else found

    def _asked_reach(self, scene: Scene) -> Answers:
        found, position = {}, scene.position
        names = position.game.map.grid.names
        for piece in self.movers(scene):
            move = self.move(position, self._drag(position, piece, piece.where))
            if move.trail is None or not move.trail.stopped:
                for end, cost in move.reach().costs.items():
                    text = number(Fraction(cost, self.scale(position)))
                    found[f"{piece.id} {piece.where}..{names[end]}"] = text
        return found

    def _read_reach(self, scene: Scene) -> Answers:
        return {
            f"{piece.id} {piece.where}..{end}": number(cost)
            for piece, march in self._marches(scene)
            for end, cost in march.costs().items()
        }

    def _paths(self, scene: Scene) -> Iterator[tuple[str, tuple[Piece, tuple[str, ...]]]]:
        for piece in self.movers(scene):
            for path in walks(self.board.of(scene.position), piece, self.lengths):
                yield f"{piece.id} {'-'.join(path)}", (piece, path)

    def _asked_path(self, scene: Scene, subject: tuple[Piece, tuple[str, ...]]) -> str:
        piece, path = subject
        return ruled(scene.position, Action(self.verbs[scene.position.phase], (piece.id,), path))

    def _read_path(self, scene: Scene, subject: tuple[Piece, tuple[str, ...]]) -> str:
        return self._march(scene, subject[0]).grade(subject[1])

    def _asked_drags(self, scene: Scene) -> Answers:
        position = scene.position
        return {
            f"{piece.id} {piece.where}..{end}": ruled(position, self._drag(position, piece, end))
            for piece in self.movers(scene)
            for end in near(self.board.of(position), piece.where, self.far)
        }

    def _read_drags(self, scene: Scene) -> Answers:
        found = {}
        for piece, march in self._marches(scene):
            grades = march.drags()
            for end in near(self.board.of(scene.position), piece.where, self.far):
                found[f"{piece.id} {piece.where}..{end}"] = grades.get(end, ILLEGAL)
        return found

    def _asked_costs(self, scene: Scene) -> Answers:
        found, position = {}, scene.position
        for piece, march in self._marches(scene):
            for end in march.costs().keys() - {piece.where}:
                cost = self.move(position, self._drag(position, piece, end)).cost()
                text = "none" if cost is None else number(Fraction(cost, self.scale(position)))
                found[f"{piece.id} {piece.where}..{end}"] = text
        return found

    def _read_costs(self, scene: Scene) -> Answers:
        own = {f"{piece.id} {piece.where}..{piece.where}" for piece in self.movers(scene)}
        return {words: cost for words, cost in self._read_reach(scene).items() if words not in own}

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

    def _marches(self, scene: Scene) -> Iterator[tuple[Piece, March]]:
        return ((piece, self._march(scene, piece)) for piece in self.movers(scene))

    def _march(self, scene: Scene, piece: Piece) -> March:
        return remembered(scene.position, ("march", piece.id), lambda: self.march(scene, piece.id))

    def _drag(self, position: Position, piece: Piece, end: str) -> Action:
        return Action(self.verbs[position.phase], (piece.id,), (piece.where, end), dragged=True)


def ruled(position: Position, action: Action) -> str:
    """The grade of the ruling on an action, as if the whole game had been seen."""
    if "seen" not in position.memory:
        position.memory["seen"] = position.without_note(UNSEEN)
    seen: Position = position.memory["seen"]
    return seen.judge(action).grade.name
