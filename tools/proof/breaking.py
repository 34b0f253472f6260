"""Rules broken on purpose: mutators replace a step of a legal game with something illegal.

After the breach the rest of the legal game is played as far as it is still legal, until the turn track has
been advanced twice: players who break a rule without noticing play on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, update_wrapper
from itertools import chain, islice, takewhile
from random import Random
from types import ModuleType
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position, World
from referee.engine.rulings import Grade, Ruling
from tools.proof.playing import Step

MOST_LOOKED, MOST_PLACES = 40, 8
"""How many steps of a game each mutator examines, and at how many of them it tries to break a rule."""
ADVANCES = 2
"""How often the turn track is advanced after a breach."""


@frozen
class Moment:
    """A step of a legal game, with the whole game and the step's index in it."""

    game: Sequence[Step]
    place: int
    rng: Random

    @property
    def step(self) -> Step:
        """The step."""
        return self.game[self.place]

    @property
    def position(self) -> Position:
        """The position before the step."""
        return self.step.before

    @property
    def action(self) -> Action:
        """What was done in the legal game."""
        return self.step.action

    def earlier(self, *verbs: str) -> list[Step]:
        """The steps of the phase before this one; only those of some verbs if any are named."""
        clock, before = self.position.clock, reversed(self.game[: self.place])
        steps = list(takewhile(lambda step: step.before.clock == clock, before))[::-1]
        return [step for step in steps if step.action.verb in verbs] if verbs else steps

    def did(self, *verbs: str) -> list[Action]:
        """The actions of the phase before this step; only those of some verbs if any are named."""
        return [step.action for step in self.earlier(*verbs)]

    def later(self, *verbs: str) -> list[Step]:
        """The steps of the phase after this one; only those of some verbs if any are named."""
        after = self.game[self.place + 1 :]
        steps = list(takewhile(lambda step: step.action.verb != NEXT.name, after))
        return [step for step in steps if step.action.verb in verbs] if verbs else steps

    @property
    def begun(self) -> Position:
        """The position at the beginning of the phase, or the first one known."""
        return (*self.earlier(), self.step)[0].before


Broken: TypeAlias = "Iterable[tuple[Action, ...]]"
"""Actions in place of a step: the last one breaks the rule, those before it are legal and lead up to it."""
Mutate: TypeAlias = Callable[[Moment], Broken]
CalledFor: TypeAlias = Callable[[Position, Piece, Piece], bool]
"""Whether, read literally, the rules may require a change of a counter; the counter is given before and after
it.
"""
Excuse: TypeAlias = Callable[[Position, Action], bool]
"""A slow, literal interpretation by which an action in a position is legal after all."""


@frozen
class Mutator:
    """One way to break a clause at steps of some verbs.

    ``turns`` is the number of turns that the log must contain for the breach to show. ``shown`` is false if
    the log has another interpretation: a die rolled twice may have been rolled again. ``walked``: the breach
    is on the path, so players must drag it hex by hex; ``in_parts``: they must announce each hex. ``apart``:
    each side must have a player of its own, because a player of all sides does not say for which one he
    speaks. ``boxed``: the breach depends on what is in a box; a log that begins during a game shows that only
    with the module.
    """

    clause: str
    verbs: tuple[str, ...]
    mutate: Mutate
    turns: int = 1
    shown: bool = True
    walked: bool = False
    apart: bool = False
    boxed: bool = False
    in_parts: bool = False

    @property
    def name(self) -> str:
        """The mutator's name."""
        return self.mutate.__name__


@frozen
class Opening:
    """A position from which a short game starts, for clauses that are rare; ``make`` makes one at random."""

    name: str
    clauses: tuple[str, ...]
    make: Callable[[World, Random], Position]

    @classmethod
    def of_each(
        cls,
        sides: Mapping[str, str],
        name: str,
        clauses: tuple[str, ...],
        make: Callable[..., Position],
        **more: Any,
    ) -> tuple[Opening, ...]:
        """Return an opening for each of some sides, with the side's name in its own.

        ``make`` is called with the side first, and with the rest by name.
        """
        return tuple(cls(name.format(sides[side]), clauses, partial(make, side, **more)) for side in sides)


@define
class Breaker:
    """The mutators of a game, and openings that suit them.

    ``excuse`` says what is legal after all; ``finish`` says what must follow an action for a log to show it,
    such as a die roll after an attack. ``unbroken`` gives, by clause, the reason why no log can show a
    breach; ``explained`` gives, by mutator, the reason why an audit does not find all of its breaches;
    ``doubts`` gives, by clause, the reason for unproven findings in legal games. ``called_for`` says whether
    the rules may require a change on the table, so that it is not unexplained.
    """

    mutators: list[Mutator] = field(factory=list)
    excuse: Excuse = lambda position, action: False
    finish: Callable[[Position, Action, Random], tuple[Action, ...]] = lambda position, action, rng: ()
    openings: tuple[Opening, ...] = ()
    unbroken: Mapping[str, str] = field(factory=dict)
    explained: Mapping[str, str] = field(factory=dict)
    doubts: Mapping[str, str] = field(factory=dict)
    called_for: CalledFor = lambda position, before, after: False

    @classmethod
    def of(cls, rooms: Iterable[ModuleType], **more: Any) -> Breaker:
        """Return the mutators of several Python modules, each of which has its own breaker."""
        return cls([mutator for room in rooms for mutator in room.breaker.mutators], **more)

    def breaks(
        self,
        clause: str,
        *verbs: str,
        turns: int = 1,
        shown: bool = True,
        walked: bool = False,
        apart: bool = False,
        boxed: bool = False,
        in_parts: bool = False,
    ) -> Callable[[Mutate], Mutate]:
        """Register a mutator that breaks a clause at steps of these verbs."""

        def register(mutate: Mutate) -> Mutate:
            how = (turns, shown, walked, apart, boxed, in_parts)
            self.mutators.append(Mutator(clause, verbs, mutate, *how))
            return mutate

        return register

    def alike(
        self,
        mutate: Callable[..., Broken],
        verbs: tuple[str, ...],
        *,
        shown: bool = True,
        walked: bool = False,
        in_parts: bool = False,
        **ways: tuple[Any, ...],
    ) -> None:
        """Register mutators that share a function, by name: each with its clause and its arguments.

        If the last argument is a mapping, it holds keyword arguments.
        """
        for name, (clause, *given) in ways.items():
            named = given.pop() if given and isinstance(given[-1], dict) else {}
            one = update_wrapper(partial(_given, mutate, tuple(given), named), mutate)
            one.__name__ = name
            self.breaks(clause, *verbs, shown=shown, walked=walked, in_parts=in_parts)(one)


def _given(
    mutate: Callable[..., Broken], given: tuple[Any, ...], named: Mapping[str, Any], moment: Moment
) -> Broken:
    return mutate(moment, *given, **named)


@frozen
class BrokenGame:
    """A part of a game in which a mutator has broken a rule at one of its steps.

    ``steps[first:last]`` lead up to the breach, ``steps[last]`` is the breach; ``finishing`` more
    steps are needed to show it, such as the die roll of an attack.
    """

    mutator: Mutator
    steps: tuple[Step, ...]
    first: int
    last: int
    finishing: int = 0

    @property
    def clause(self) -> str:
        """The broken clause."""
        return self.mutator.clause

    @property
    def is_found(self) -> bool:
        """Return whether the rules find any breach."""
        return self.steps[self.last].ruling.grade > Grade.legal

    @property
    def is_exact(self) -> bool:
        """Return whether the rules find the broken clause itself."""
        return any(breach.clause == self.clause for breach in self.steps[self.last].ruling.breaches)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that lead up to the breach, and the breach."""
        return tuple(step.action for step in self.steps[self.first : self.last + 1])


def broken_games(
    game: Sequence[Step],
    breaker: Breaker,
    rng: Random,
    clauses: Iterable[str] = (),
    most: int = 10**6,
    times: int = 1,
) -> Iterator[BrokenGame]:
    """Yield broken versions of a legal game: by each mutator in turn, at random steps, ``times`` for each;
    ``most`` in all.

    ``clauses`` names the clauses to break; all if none is named.
    """
    wanted = set(clauses)
    mutators = [one for one in breaker.mutators if not wanted or one.clause in wanted]
    all_ = (islice(_break(game, breaker, one, rng), times) for one in rng.sample(mutators, len(mutators)))
    yield from islice(chain.from_iterable(all_), most)


def _break(game: Sequence[Step], breaker: Breaker, mutator: Mutator, rng: Random) -> Iterator[BrokenGame]:
    """Yield games broken by one mutator, each at another step."""
    places = [place for place, step in enumerate(game) if step.action.verb in mutator.verbs]
    rng.shuffle(places)
    tried = 0
    for place in places[:MOST_LOOKED]:
        found = list(mutator.mutate(Moment(game, place, rng)))
        rng.shuffle(found)
        tried += bool(found)
        if tried > MOST_PLACES:
            return
        for actions in found[:MOST_PLACES]:
            broken = _broken(game, breaker, mutator, place, actions, rng)
            if broken is not None:
                yield broken
                break


def _broken(
    game: Sequence[Step],
    breaker: Breaker,
    mutator: Mutator,
    place: int,
    actions: tuple[Action, ...],
    rng: Random,
) -> BrokenGame | None:
    """The game with these actions at an index; None if they are legal after all, or what leads up to them is
    not.
    """
    led = _led_up(game[place].before, breaker, actions)
    if led is None:
        return None
    done = [*led, _carried_out(led[-1].after if led else game[place].before, actions[-1])]
    breach = len(done)
    finishing = breaker.finish(done[-1].after, actions[-1], rng)
    for action in finishing:
        done.append(_carried_out(done[-1].after, action))
    turn = game[place].before.turn - mutator.turns + 1
    start = next(number for number, step in enumerate(game) if step.before.turn >= turn)
    before = game[start:place]
    onward = place + 1 if game[place].action in actions else place
    after = tuple(going_on(done[-1].after, game[onward:], actions[-1]))
    if actions[-1].verb != NEXT.name and _still_due(game[place].before) & _failings(after):
        return None
    first = len(before)
    whole = (*before, *done, *after)
    return BrokenGame(mutator, whole, first, first + breach - 1, len(finishing))


def _led_up(position: Position, breaker: Breaker, actions: tuple[Action, ...]) -> list[Step] | None:
    """The steps that lead up to the last of some actions; None if one of them is illegal, or the last is
    legal after all.
    """
    done: list[Step] = []
    for action in actions[:-1]:
        done.append(_carried_out(position, action))
        if done[-1].ruling.grade > Grade.legal:
            return None
        position = done[-1].after
    return None if breaker.excuse(position, actions[-1]) else done


def could_be_broken(moment: Moment, breaker: Breaker, clause: str) -> bool:
    """Return whether a clause could be broken at a step of a legal game, that is, whether its condition holds
    there.

    The mutators of the clause decide: they are literal readings of the condition.
    """
    return any(
        _led_up(moment.position, breaker, actions) is not None
        for mutator in breaker.mutators
        if mutator.clause == clause and mutator.shown and moment.action.verb in mutator.verbs
        for actions in islice(mutator.mutate(moment), MOST_PLACES)
    )


def _still_due(position: Position) -> set[tuple[str, str]]:
    """What must still be done before the phase ends, such as carrying out a result: by clause."""
    return _breaches(position.play(Action(NEXT.name)).ruling)


def _failings(game: Iterable[Step]) -> set[tuple[str, str]]:
    """What was missing when the turn track was advanced for the first time."""
    turned = (step for step in game if step.action.verb == NEXT.name)
    return {breach for step in islice(turned, 1) for breach in _breaches(step.ruling)}


def _breaches(ruling: Ruling) -> set[tuple[str, str]]:
    return {(breach.clause, breach.says) for breach in ruling.breaches}


def going_on(position: Position, game: Sequence[Step], breach: Action) -> Iterator[Step]:
    """Yield the steps of the legal game that are still legal, until the turn track has been advanced often
    enough.

    In the same phase the side that broke the rule does nothing more, and nothing is done about a battle that
    was left as it was, because that might put it right. Battles have the numbers of the legal game, whatever
    their numbers are now.
    """
    advances = 0
    left = _battle(position, breach) if not breach.pieces and breach.verb != NEXT.name else 0
    numbers = {battle.number: battle.number for battle in game[0].before.battles} if game else {}
    for step in game:
        action = step.action
        if advances == ADVANCES:
            return
        if position.clock > step.before.clock or (
            position.clock < step.before.clock and action.verb != NEXT.name
        ):
            continue
        about = numbers.get(_battle(step.before, action), 0)
        if not advances and ((about and about == left) or set(action.pieces) & set(breach.pieces)):
            continue
        if _is_about_a_battle(step):
            if not about:
                continue
            if action.battle or not action.pieces:  # what happens to a counter belongs to its own battle
                action = evolve(action, battle=about)
        done = _carried_out(position, action)
        if action.verb == NEXT.name:
            advances += 1
        elif done.ruling.grade > Grade.legal:
            continue
        for battle in step.after.battles:
            if battle.number not in numbers and done.after.battles:
                numbers[battle.number] = done.after.battles[-1].number
        numbers = {number: now for number, now in numbers.items() if step.after.battle(number)}
        yield done
        position = done.after


def _is_about_a_battle(step: Step) -> bool:
    """Return whether an action belongs to a battle that was declared earlier."""
    form, action = step.before.world.rulebook.verbs[step.action.verb].form, step.action
    declares = bool(action.target) and not any(one.number == action.battle for one in step.before.battles)
    return "battle NUMBER" in form and not declares and bool(step.before.battles)


def _battle(position: Position, action: Action) -> int:
    """The number of an action's battle, 0 if it has none."""
    return action.battle or (position.battles[-1].number if position.battles else 0)


def _carried_out(position: Position, action: Action) -> Step:
    played = position.play(action)
    return Step(action, position, played.position, played.ruling)
