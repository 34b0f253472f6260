"""Rules broken on purpose: mutators that put something illegal in the place of a step of a legal game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from random import Random
from typing import TypeAlias

from attrs import define, field, frozen

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Grade, Ruling
from referee.games import find_rules
from tools.proof.playing import Step

MOST_PLACES = 8
"""How many steps of a game each mutator looks at."""


@frozen
class Moment:
    """A step of a legal game, with the whole game and its place there."""

    game: Sequence[Step]
    place: int
    rng: Random

    @property
    def step(self) -> Step:
        """The step."""
        return self.game[self.place]

    @property
    def position(self) -> Position:
        """The position before it."""
        return self.step.before

    @property
    def action(self) -> Action:
        """What was done in the legal game."""
        return self.step.action


Broken: TypeAlias = "Iterable[tuple[Action, ...]]"
"""Actions in the place of a step: the last breaks the rule, those before it are legal and lead up to it."""
Mutator: TypeAlias = Callable[[Moment], Broken]


@define
class Breaker:
    """The mutators of a game: by clause, with the verbs of the steps that they look at."""

    mutators: list[tuple[str, tuple[str, ...], Mutator]] = field(factory=list)

    def breaks(self, clause: str, *verbs: str) -> Callable[[Mutator], Mutator]:
        """Register a mutator that breaks a clause at steps of these verbs."""

        def register(mutate: Mutator) -> Mutator:
            self.mutators.append((clause, verbs, mutate))
            return mutate

        return register


@frozen
class Mutation:
    """A rule broken: which clause, how (the mutator's name), where, and by what; and what was said of it."""

    clause: str
    how: str
    place: int
    actions: tuple[Action, ...]
    ruling: Ruling

    @property
    def is_found(self) -> bool:
        """Tell whether anything was found wrong with it."""
        return self.ruling.grade > Grade.legal

    @property
    def is_exact(self) -> bool:
        """Tell whether the very clause was found."""
        return any(breach.clause == self.clause for breach in self.ruling.breaches)

    @property
    def is_proved(self) -> bool:
        """Tell whether a breach of the clause is more than doubtful or a slip."""
        return any(
            breach.clause == self.clause and breach.grade == Grade.illegal for breach in self.ruling.breaches
        )


def find_breaker(game: str) -> Breaker:
    """Return the mutators of a game; LookupError if nobody has written any."""
    try:
        module = import_module(f"tools.proof.games.{game}")
    except ModuleNotFoundError as error:
        raise LookupError(f"there are no mutators for {game}") from error
    breaker = module.BREAKER
    assert isinstance(breaker, Breaker)
    return breaker


def mutations(game: Sequence[Step], breaker: Breaker, rng: Random, most: int = 3) -> list[Mutation]:
    """Break each rule at up to ``most`` steps of a legal game by each mutator, at random steps."""
    found: list[Mutation] = []
    for clause, verbs, mutate in breaker.mutators:
        places = [place for place, step in enumerate(game) if step.action.verb in verbs]
        rng.shuffle(places)
        places = places[:MOST_PLACES]
        count = 0
        for place in places:
            broken = list(mutate(Moment(game, place, rng)))
            if broken:
                mutation = _judged(game[place].before, clause, mutate.__name__, place, rng.choice(broken))
                if mutation is not None:
                    found.append(mutation)
                    count += 1
            if count == most:
                break
    return found


def _judged(
    position: Position, clause: str, how: str, place: int, actions: tuple[Action, ...]
) -> Mutation | None:
    """Carry out a mutation; None if what leads up to it is not legal, as then it is another one."""
    for action in actions[:-1]:
        played = position.play(action)
        if played.ruling.grade > Grade.legal:
            return None
        position = played.position
    return Mutation(clause, how, place, actions, position.play(actions[-1]).ruling)


def consulted(game: Sequence[Step]) -> dict[str, int]:
    """Count by clause the actions of a game that its rules looked at."""
    counts: dict[str, int] = {}
    for step in game:
        for clause in step.ruling.consulted:
            counts[clause] = counts.get(clause, 0) + 1
    return counts


def judged_clauses(game: str) -> tuple[str, ...]:
    """Return the clauses that the rules of a game look at."""
    return tuple(find_rules(game).clauses)
