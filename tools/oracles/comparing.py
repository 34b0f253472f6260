"""Comparisons of the rules with slow literal readings of them, on random positions.

A random position is a record: counters placed at random, and some actions. So a difference can be kept, read
by a person, and compared again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import TypeAlias, TypeVar

from attrs import define, field, frozen

from referee.carrying_out import carry_out
from referee.engine.actions import Action
from referee.engine.position import Piece, Position, World
from referee.judge import Judged, judge_case
from referee.record import Case, Content, Record, Statement
from tools.oracles.board import Board

Answers: TypeAlias = "Mapping[str, str]"
"""Answers by question, both in words that a person understands."""
Subject = TypeVar("Subject")


@frozen
class Scene:
    """The statements from an empty table to the position that is compared."""

    history: tuple[Judged, ...]

    @classmethod
    def of(cls, record: Record, case: Case) -> Scene:
        """Return the scene at the end of a case."""
        return cls(tuple(judge_case(record, case)))

    @property
    def position(self) -> Position:
        """The position at the end."""
        return self.history[-1].after

    def actions(self, *verbs: str) -> list[tuple[Action, Position]]:
        """Return the actions of some verbs, each with the position before it."""
        return [
            (each.statement.content, each.before)
            for each in self.history
            if isinstance(each.statement.content, Action) and each.statement.content.verb in verbs
        ]


Answering: TypeAlias = Callable[[Scene], Answers]


@frozen
class Comparison:
    """A comparison: the clauses that it is about, the answers of the rules, and those of the clauses."""

    name: str
    clauses: str
    fast: Answering
    slow: Answering


def each(
    name: str,
    clauses: str,
    asked: Callable[[Scene], Iterable[tuple[str, Subject]]],
    fast: Callable[[Scene, Subject], str],
    slow: Callable[[Scene, Subject], str],
) -> Comparison:
    """Return a comparison of the answers about some subjects, with the words of the question."""

    def answering(answer: Callable[[Scene, Subject], str]) -> Answering:
        return lambda scene: {words: answer(scene, subject) for words, subject in asked(scene)}

    return Comparison(name, clauses, answering(fast), answering(slow))


@frozen
class Oracle:
    """The literal reading of a game: how to make a random position, and what to compare in it."""

    scatter: Callable[[World, Random], tuple[Statement, ...]]
    comparisons: tuple[Comparison, ...]


@frozen
class Difference:
    """A question to which the rules and the literal reading give different answers; an answer is empty if the
    question was not asked.
    """

    comparison: Comparison
    question: str
    fast: str
    slow: str

    def __str__(self) -> str:
        said = f"the rules say {self.fast or 'nothing'}, the clauses {self.slow or 'nothing'}"
        return f"{self.comparison.name} [{self.comparison.clauses}]: {self.question}: {said}"


@frozen
class Compared:
    """The outcome of comparing one position: the number of answers by comparison, and the differences."""

    counts: Mapping[str, int]
    differences: tuple[Difference, ...]


def find_oracle(game: str) -> Oracle:
    """Return the literal reading of a game; LookupError if there is none."""
    try:
        module = import_module(f"tools.oracles.games.{game}")
    except ModuleNotFoundError as error:
        if error.name != f"tools.oracles.games.{game}":
            raise
        raise LookupError(f"there is no literal reading of the rules of {game}") from error
    oracle = module.ORACLE
    assert isinstance(oracle, Oracle)
    return oracle


def scattered(world: World, oracle: Oracle, seed: int) -> Record:
    """Return a random position of a game as a record. The same seed gives the same one."""
    rng = Random(f"{world.game.id} {world.scenario.id} {seed}")  # noqa: S311 - no secret
    return Record(world.game.id, world.scenario.id, oracle.scatter(world, rng), (), world)


def compare(oracle: Oracle, scene: Scene) -> Compared:
    """Make all comparisons for one position."""
    counts: dict[str, int] = {}
    found: list[Difference] = []
    for comparison in oracle.comparisons:
        fast, slow = comparison.fast(scene), comparison.slow(scene)
        counts[comparison.name] = len(slow)
        for question in dict.fromkeys((*fast, *slow)):
            answers = fast.get(question, ""), slow.get(question, "")
            if answers[0] != answers[1]:
                found.append(Difference(comparison, question, *answers))
    return Compared(counts, tuple(found))


def compare_record(oracle: Oracle, record: Record) -> Iterator[Compared]:
    """Compare the position at the end of each case of a record, and of the game itself."""
    for case in (Case(statements=record.main), *record.cases):
        if any(statement.content for statement in case.statements):
            yield compare(oracle, Scene.of(record, case))


@define
class Scattering:
    """A random position being made: the statements so far."""

    world: World
    rng: Random
    history: list[Judged] = field(factory=list)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.history[-1].after if self.history else self.world.rulebook.empty(self.world)

    @property
    def said(self) -> tuple[Statement, ...]:
        """The statements."""
        return tuple(each.statement for each in self.history)

    def front(self, board: Board, is_land: Callable[[str], bool], begins: Sequence[str] = ()) -> list[str]:
        """A part of the map, perhaps around one of some hexes, and some hexes far from it, at random."""
        rng = self.rng
        land = [name for name in board.map.grid.names if is_land(name)]
        front = [rng.choice([*land, *begins])]
        for _ in range(rng.choice([4, 10, 25, 60])):
            near = [name for here in front for name in board.around(here) if is_land(name)]
            front += [rng.choice(near)] if near else []
        return list(dict.fromkeys([*front, *rng.sample(land, rng.choice([0, 3, 10]))]))

    def steps(self, piece: Piece) -> int | None:
        """A number of steps that a piece may have left."""
        return self.rng.randint(1, piece.counter.steps) if piece.counter.steps > 1 else None

    def listed(self, piece: str, verb: str) -> list[Action]:
        """The actions that the rules list for a piece."""
        found = (each.ruling.action for each in self.position.options(piece))
        return [action for action in found if action.verb == verb]

    def do_some(self, piece: str, verb: str, fits: Callable[[Action], bool] = lambda action: True) -> bool:
        """Carry out one of them that fits, if there is any."""
        actions = [action for action in self.listed(piece, verb) if fits(action)]
        if actions:
            self.do(self.rng.choice(actions))
        return bool(actions)

    def do(self, content: Content) -> None:
        """Add a statement, and carry it out."""
        statement, before = Statement(content), self.position
        ruling, after = carry_out(before, statement)
        self.history.append(Judged(statement, before, after, ruling))
