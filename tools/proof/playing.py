"""Random play by the rules: a game's own listing of actions, sifted by its rulebook, phase after phase.

Nothing here knows a game. A phase that ends where nothing more is legal and the phase cannot be left is begun
anew with less appetite; only if it can be left in no way at all is that a dead end.
"""

from __future__ import annotations

import random
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from itertools import islice
from math import sqrt

from attrs import define, evolve, field, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position, World
from referee.engine.rulings import Grade, Ruling
from referee.record import Record, SetUp, Statement

TRIES = 16
"""How often a phase is begun before it counts as a dead end; the last time it is left at once."""
EAGER = 0.6
"""How likely players go on with what they are about."""
MOST_WEIGHED = 60
"""Of how many actions one is chosen by what it leads to."""
MOST_PROPOSALS = 3000
MOST_ACTIONS = 150


@frozen
class Step:
    """An action of a game with the positions before and after it, and the ruling on it."""

    action: Action
    before: Position
    after: Position
    ruling: Ruling


@frozen
class Accusation:
    """A legal action that was said with less detail, as logs do, and was then not found legal.

    ``place`` is the number of steps before it.
    """

    place: int
    legal: Action
    said: Action
    ruling: Ruling


@frozen
class Played:
    """A game that was played. ``stuck`` says why it could not go on, empty if it came to its end.

    ``restarts`` counts by phase how often it was begun anew.
    """

    world: World
    seed: int
    steps: tuple[Step, ...]
    accusations: tuple[Accusation, ...] = ()
    restarts: dict[str, int] = field(factory=dict)
    stuck: str = ""

    @property
    def record(self) -> Record:
        """The game as a record."""
        return record_of(self.world, tuple(step.action for step in self.steps), self.stuck)


def record_of(world: World, actions: tuple[Action, ...], comment: str = "") -> Record:
    """Return a record of the set-up and actions."""
    said = (Statement(SetUp()), *(Statement(action) for action in actions))
    said += (Statement(comment=" ".join(comment.split())),) if comment else ()
    return Record(world.game.id, world.scenario.id, said, (), world)


class StuckError(Exception):
    """Play cannot go on: why, and the steps of the phase until then."""

    def __init__(self, why: str, steps: tuple[Step, ...]) -> None:
        super().__init__(why)
        self.why, self.steps = why, steps


def play(
    world: World, seed: int, turns: int = 0, unsaid: Iterable[str] = (), start: Position | None = None
) -> Played:
    """Play a game, to the end or for a number of turns. The same seed gives the same game.

    ``unsaid`` are verbs that nobody uses; ``start`` is where to begin if not with the set-up.
    """
    rng = random.Random(f"{world.game.id} {world.scenario.id} {seed}")  # noqa: S311 - a game, not a secret
    player = Player(world, rng, frozenset(unsaid))
    stuck = ""
    try:
        player.play(turns, start)
    except StuckError as error:
        player.steps += error.steps
        stuck = error.why
    return Played(world, seed, tuple(player.steps), tuple(player.accusations), dict(player.restarts), stuck)


@define
class Player:
    """Plays all sides at random. ``used`` counts verbs: those seldom used are liked more."""

    world: World
    rng: random.Random
    unsaid: frozenset[str] = frozenset()
    steps: list[Step] = field(factory=list)
    accusations: list[Accusation] = field(factory=list)
    used: Tally[str] = field(factory=Tally)
    restarts: Tally[str] = field(factory=Tally)

    def play(self, turns: int = 0, start: Position | None = None) -> None:
        """Play until the last turn is over, or so many turns; raises StuckError at a dead end."""
        position = start or self.world.rulebook.start(self.world)
        last = min(self.world.calendar.last_turn, position.turn + turns - 1 if turns else 10**6)
        while position.turn <= last:
            found = self._phase(position)
            self.steps += found
            if not found or found[-1].action.verb != NEXT.name:
                return
            position = found[-1].after

    def _phase(self, start: Position) -> list[Step]:
        """The steps of a phase up to going on; without that last one if the game is over."""
        failed: StuckError | None = None
        for attempt in range(TRIES):
            kept = len(self.accusations)
            try:
                return self._try(start, 1 - attempt / (TRIES - 1))
            except StuckError as error:
                failed = error
                if not error.why.startswith("dead end"):
                    raise
                del self.accusations[kept:]
                self.restarts[start.phase] += 1
        assert failed is not None
        raise failed

    def _try(self, start: Position, appetite: float) -> list[Step]:
        steps: list[Step] = []
        position, done = start, set[Action]()
        able = sum(1 for piece in start.pieces.values() if any(True for _ in proposals(start, piece)))
        stopping = 1 / (1 + 2 * able * appetite)
        while True:
            if self.rng.random() < stopping or len(steps) >= MOST_ACTIONS or not appetite:
                on = self._carry_out(position, Action(NEXT.name), steps)
                if on.ruling.grade == Grade.legal:
                    return [*steps, on]
                if is_over(position, on.ruling):
                    return steps
            step = self._any(position, done, steps)
            if step is None or len(steps) >= 2 * MOST_ACTIONS:
                on = self._carry_out(position, Action(NEXT.name), steps)
                if on.ruling.grade == Grade.legal:
                    return [*steps, on]
                if is_over(position, on.ruling):
                    return steps
                why = ", ".join(f"{each.clause} {each.says}" for each in on.ruling.breaches)
                raise StuckError(f"dead end: nothing more can be done, and {why}", tuple(steps))
            done.add(step.action)
            steps.append(step)
            position = step.after

    def _any(self, position: Position, done: set[Action], steps: list[Step]) -> Step | None:
        """Some legal action that was not done before, in some way of saying it; None if there is none."""
        for piece in self._in_turn(position, steps):
            by_verb: dict[str, list[Action]] = {}
            for action in proposals(position, piece):
                if action not in done and action.verb not in self.unsaid:
                    by_verb.setdefault(action.verb, []).append(action)
            while by_verb:
                verb = self._verb(by_verb)
                action = self._one(position, by_verb[verb])
                by_verb[verb].remove(action)
                if not by_verb[verb]:
                    del by_verb[verb]
                step = self._carry_out(position, action, steps)
                if step.ruling.grade == Grade.legal:
                    done.add(action)
                    self.used[verb] += 1
                    return self._said(self._with_others(step, steps), steps)
        return None

    def _in_turn(self, position: Position, steps: list[Step]) -> list[Piece]:
        """All pieces at random; mostly those first who are in a battle, or have just done something."""
        pieces = list(position.pieces.values())
        self.rng.shuffle(pieces)
        if self.rng.random() < EAGER:
            busy = set(steps[-1].action.pieces) if steps else set()
            busy.update(
                name for battle in position.battles if not battle.settled for name in battle.attackers
            )
            pieces.sort(key=lambda piece: piece.id not in busy)
        return pieces

    def _verb(self, by_verb: dict[str, list[Action]]) -> str:
        weights = [min(len(found), 6) / sqrt(1 + self.used[verb]) for verb, found in by_verb.items()]
        return self.rng.choices(list(by_verb), weights)[0]

    def _one(self, position: Position, actions: list[Action]) -> Action:
        """One of some actions: those that lead to the enemy and those of many pieces are likelier."""
        if self.rng.random() < 0.25:
            return self.rng.choice(actions)
        actions = self.rng.sample(actions, min(len(actions), MOST_WEIGHED))
        side = position.pieces[actions[0].piece].side if actions[0].pieces else ""
        weights = [len(action.pieces) ** 2 + nearness(position, action, side) for action in actions]
        return self.rng.choices(actions, weights)[0] if any(weights) else self.rng.choice(actions)

    def _with_others(self, step: Step, steps: list[Step]) -> Step:
        """The same done by several pieces of one place at once, where that is legal: a stack."""
        action, position = step.action, step.before
        if not action.path or not self.world.rulebook.verbs[action.verb].each or self.rng.random() < 0.5:
            return step
        here, side = position.pieces[action.piece].where, position.pieces[action.piece].side
        kinds = self.world.rulebook.verbs[action.verb].kinds
        for other in position.at(here):
            able = not kinds or other.counter.kind in kinds
            if able and other.id not in action.pieces and other.side == side:
                wider = self._carry_out(
                    position, evolve(step.action, pieces=(*step.action.pieces, other.id)), steps
                )
                if wider.ruling.grade == Grade.legal:
                    step = wider
        return step

    def _said(self, step: Step, steps: list[Step]) -> Step:
        """The same action as a log would tell it, at times with less detail; it must be as legal."""
        for said in relaxed(step.before, step.action):
            if self.rng.random() < 0.5:
                continue
            less = self._carry_out(step.before, said, steps)
            if less.ruling.grade == Grade.legal and stand(less.after) == stand(step.after):
                return less
            place = len(self.steps) + len(steps)
            self.accusations.append(Accusation(place, step.action, said, less.ruling))
        return step

    def _carry_out(self, position: Position, action: Action, steps: list[Step]) -> Step:
        try:
            played = position.play(action)
        except Exception as error:
            at = Step(action, position, position, Ruling(action))
            raise StuckError(f"{type(error).__name__}: {error}", (*steps, at)) from error
        return Step(action, position, played.position, played.ruling)


def proposals(position: Position, piece: Piece) -> Iterator[Action]:
    """What the game's listing says that a piece might do, not sifted yet."""
    for section in position.world.rulebook.sections:
        for proposal in section.proposals:
            yield from islice(proposal(position, piece), MOST_PROPOSALS)


def relaxed(position: Position, action: Action) -> Iterator[Action]:
    """Ways to say the same action with less detail: dragged, without the number of the battle at hand."""
    at_hand = position.battle()
    is_at_hand = at_hand is not None and at_hand.number == action.battle
    if is_at_hand and (not action.pieces or len(position.battles) == 1):
        yield evolve(action, battle=0)
    if len(action.path) > 1 and not action.dragged:
        yield evolve(action, path=(action.path[0], action.path[-1]), dragged=True)


def stand(position: Position) -> dict[str, tuple[object, ...]]:
    """Where all pieces are, and how they stand."""
    return {piece.id: (piece.where, piece.steps, dict(piece.states)) for piece in position.pieces.values()}


def nearness(position: Position, action: Action, side: str) -> float:
    """How near to the enemy an action leads, from 0 to 4."""
    grid = position.game.map.grid
    if not action.path or action.end not in grid:
        return 0.0
    key = ("nearness", action.end, side)
    if key not in position.memory:
        gaps = [
            grid.distance(action.end, where)
            for where, pieces in position.by_place.items()
            if where in grid and any(piece.side not in (side, "") for piece in pieces)
        ]
        position.memory[key] = 4 / (1 + min(gaps)) ** 2 if gaps else 0.0
    near: float = position.memory[key]
    return near


def is_over(position: Position, ruling: Ruling) -> bool:
    """Tell whether the game is over: at the end of a turn the only thing wrong is to go on."""
    at_end = position.clock.stop == len(position.world.calendar.stops) - 1
    return at_end and ruling.grade == Grade.slip
