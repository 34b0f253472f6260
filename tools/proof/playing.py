"""Random play by the rules: a game's own list of proposed actions, filtered by its rulebook, phase after
phase.

Nothing here depends on a particular game. If no action is legal in a phase and the phase cannot be ended,
players go back to a step after which it could be ended, and end it there; if that is near its beginning, they
begin the phase again and do less. Only a phase that cannot be ended in any way is a dead end.
"""

from __future__ import annotations

import random
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from math import sqrt

from attrs import define, evolve, field, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position, World
from referee.engine.rulings import Grade, Ruling
from referee.record import Record, SetUp, Statement
from vassalgen.game.hexes import NOWHERE, Grid

TRIES = 16
"""How often a phase is begun before it counts as a dead end. The last time it is ended at once if possible,
and otherwise only what is required is done.
"""
EAGER = 0.6
"""How likely players continue with the same thing."""
BLIND = 0.25
"""How likely they do not consider what an action leads to."""
MOST_WEIGHED, MOST_TRIED = 60, 8
"""From how many actions some are chosen by what they lead to, and how many of them are tried."""
MOST_PROPOSALS = 3000
MOST_ACTIONS, OFTEN = 150, 10
"""After how many actions of a phase players try to end it, and which verbs they then no longer use."""


@frozen
class Step:
    """An action of a game with the positions before and after it, and the ruling on it."""

    action: Action
    before: Position
    after: Position
    ruling: Ruling


@frozen
class Accusation:
    """A legal action that was written with less detail, as in logs, and was then not found legal."""

    before: Position
    legal: Action
    said: Action
    ruling: Ruling


@frozen
class Played:
    """A game that was played. ``stuck`` says why it could not continue, empty if it was finished.

    ``restarts`` counts by phase how often players went back, ``rulings`` the rulings that were made.
    """

    world: World
    seed: int
    steps: tuple[Step, ...]
    accusations: tuple[Accusation, ...] = ()
    restarts: dict[str, int] = field(factory=dict)
    stuck: str = ""
    rulings: int = 0

    @property
    def record(self) -> Record:
        """The game as a record."""
        return record_of(self.world, tuple(step.action for step in self.steps), self.stuck)


def record_of(world: World, actions: tuple[Action, ...], comment: str = "") -> Record:
    """Return a record of the set-up and the actions."""
    said = (Statement(SetUp()), *(Statement(action) for action in actions))
    said += (Statement(comment=" ".join(comment.split())),) if comment else ()
    return Record(world.game.id, world.scenario.id, said, (), world)


class StuckError(Exception):
    """Play cannot continue: the reason, and the steps of the phase so far."""

    def __init__(self, why: str, steps: tuple[Step, ...]) -> None:
        super().__init__(why)
        self.why, self.steps = why, steps


def play(
    world: World, seed: int, turns: int = 0, unannounced: Iterable[str] = (), start: Position | None = None
) -> Played:
    """Play a game, to the end or for a number of turns. The same seed gives the same game.

    ``unannounced`` are verbs that are not used; ``start`` is the position to begin with if it is not the
    set-up.
    """
    rng = random.Random(f"{world.game.id} {world.scenario.id} {seed}")  # noqa: S311 - a game, not a secret
    player = Player(world, rng, frozenset(unannounced))
    stuck = ""
    try:
        player.play(turns, start)
    except StuckError as error:
        player.steps += error.steps
        stuck = error.why
    return Played(
        world,
        seed,
        tuple(player.steps),
        tuple(player.accusations),
        dict(player.restarts),
        stuck,
        player.rulings,
    )


@define
class Player:
    """Plays all sides at random. ``used`` counts verbs: rarely used ones are preferred.

    ``idle`` are the pieces that had nothing to do when they were last considered.
    """

    world: World
    rng: random.Random
    unannounced: frozenset[str] = frozenset()
    steps: list[Step] = field(factory=list)
    accusations: list[Accusation] = field(factory=list)
    used: Tally[str] = field(factory=Tally)
    idle: set[str] = field(factory=set)
    restarts: Tally[str] = field(factory=Tally)
    rulings: int = 0

    def play(self, turns: int = 0, start: Position | None = None) -> None:
        """Play until the last turn is over, or for a number of turns; StuckError at a dead end."""
        position = start or self.world.rulebook.start(self.world)
        last = min(self.world.calendar.last_turn, position.turn + turns - 1 if turns else 10**6)
        while position.turn <= last:
            found = self._phase(position)
            self.steps += found
            if not found or found[-1].action.verb != NEXT.name:
                return
            position = found[-1].after

    def _phase(self, start: Position) -> list[Step]:
        """The steps of a phase, including the one that ends it unless the game is over."""
        failed: StuckError | None = None
        best: list[Step] = []
        for attempt in range(TRIES):
            try:
                return self._try(start, 1 - attempt / (TRIES - 1))
            except StuckError as error:
                failed = error
                if not error.why.startswith("dead end"):
                    raise
                self.restarts[start.phase] += 1
                kept = self._as_far_as_it_can_be_left(error.steps)
                best = max(kept, best, key=len)
                if len(best) > len(error.steps) / 2 or (best and attempt):
                    return [*best, self._carry_out(best[-1].after, Action(NEXT.name), best)]
        assert failed is not None
        raise failed

    def _as_far_as_it_can_be_left(self, steps: Sequence[Step]) -> list[Step]:
        """The steps of a phase up to one after which it could be ended, but not after the next; None if there
        is none.

        A phase that cannot be ended can rarely be ended later, so the steps are halved again and again.
        """
        left, stays = 0, len(steps)
        while stays - left > 1:
            middle = (left + stays) // 2
            if self.world.rulebook.allows(steps[middle - 1].after, Action(NEXT.name)):
                left = middle
            else:
                stays = middle
        return list(steps[:left])

    def _try(self, start: Position, appetite: float) -> list[Step]:
        steps: list[Step] = []
        position, done = start, set[Action]()
        names = start.pieces
        self.idle = {name for name in names if not any(True for _ in proposals(start, names[name]))}
        stopping = 1 / (1 + 2 * (len(names) - len(self.idle)) * appetite)
        while True:
            if self.rng.random() < stopping or len(steps) >= MOST_ACTIONS or not appetite:
                on = self._carry_out(position, Action(NEXT.name), steps)
                if on.ruling.grade == Grade.legal:
                    return [*steps, on]
                if is_over(position, on.ruling):
                    return steps
            if len(steps) >= MOST_ACTIONS and not appetite:
                step = self._one_less_due(position, on.ruling, steps)
            else:
                step = self._any(position, done, steps)
            if step is None or len(steps) >= 2 * MOST_ACTIONS:
                on = self._carry_out(position, Action(NEXT.name), steps)
                if on.ruling.grade == Grade.legal:
                    return [*steps, on]
                if is_over(position, on.ruling):
                    return steps
                step = self._any(position, done, steps, thorough=True)
            if step is None or len(steps) >= 2 * MOST_ACTIONS:
                why = ", ".join(f"{each.clause} {each.says}" for each in on.ruling.breaches)
                raise StuckError(f"dead end: nothing more can be done, and {why}", tuple(steps))
            done.add(step.action)
            steps.append(step)
            position = step.after

    def _any(
        self, position: Position, done: set[Action], steps: list[Step], *, thorough: bool = False
    ) -> Step | None:
        """A legal action that was not done before, in some way of writing it; None if none was found.

        Players who are not ``thorough`` try only a few actions of a verb with each piece.
        """
        tired = _tired(steps) | self.unannounced
        for piece in self._in_turn(position, steps):
            by_verb: dict[str, list[Action]] = {}
            for action in proposals(position, piece):
                if action.verb not in tired and action not in done:
                    by_verb.setdefault(action.verb, []).append(action)
            tried = {verb: self._some(position, found, thorough) for verb, found in by_verb.items()}
            while tried:
                verb = self._verb(tried)
                action = tried[verb].pop()
                if not tried[verb]:
                    del tried[verb]
                if self._is_legal(position, action, steps):
                    done.add(action)
                    self.used[verb] += 1
                    self.idle.discard(piece.id)
                    step = self._carry_out(position, action, steps)
                    return self._said(self._with_others(step, steps), steps)
            self.idle.add(piece.id)
        return None

    def _one_less_due(self, position: Position, due: Ruling, steps: list[Step]) -> Step | None:
        """An action after which less is due before the phase can be ended, or at least not more; None if
        there is none.
        """
        others = []
        for piece in position.pieces.values():
            for action in proposals(position, piece):
                if self._is_legal(position, action, steps):
                    step = self._carry_out(position, action, steps)
                    left = self._carry_out(step.after, Action(NEXT.name), steps).ruling.breaches
                    if len(left) < len(due.breaches):
                        return step
                    others += [step] if len(left) == len(due.breaches) else []
        return self.rng.choice(others) if others else None

    def _in_turn(self, position: Position, steps: list[Step]) -> list[Piece]:
        """All pieces at random; mostly those first that are in a battle or have just done something.

        Pieces that had nothing to do last time mostly come last, as long as only moves were made since.
        """
        if steps and not steps[-1].action.path:
            self.idle.clear()
        pieces = list(position.pieces.values())
        self.rng.shuffle(pieces)
        busy = set(steps[-1].action.pieces) if steps else set()
        for battle in position.battles:
            if not battle.settled:
                busy.update((*battle.attackers, *(piece.id for piece in position.at(battle.target))))
        if self.rng.random() < EAGER:
            pieces.sort(key=lambda piece: piece.id not in busy)
        if self.rng.random() < EAGER:
            pieces.sort(key=lambda piece: piece.id in self.idle and piece.id not in busy)
        return pieces

    def _verb(self, by_verb: dict[str, list[Action]]) -> str:
        weights = [min(len(found), 6) / sqrt(1 + self.used[verb]) for verb, found in by_verb.items()]
        return self.rng.choices(list(by_verb), weights)[0]

    def _some(self, position: Position, actions: list[Action], thorough: bool) -> list[Action]:
        """Some actions in the order in which they are tried, the last first.

        Actions that lead to the enemy and those of many pieces are mostly tried sooner.
        """
        if thorough or self.rng.random() < BLIND:
            return self.rng.sample(actions, len(actions) if thorough else min(len(actions), MOST_TRIED))
        actions = self.rng.sample(actions, min(len(actions), MOST_WEIGHED))
        side = position.pieces[actions[0].piece].side if actions[0].pieces else ""
        weights = [len(action.pieces) ** 2 + nearness(position, action, side) for action in actions]
        keys = [self.rng.random() ** (1 / weight) if weight else 0.0 for weight in weights]
        order = sorted(range(len(actions)), key=keys.__getitem__)
        return [actions[place] for place in order[-MOST_TRIED:]]

    def _with_others(self, step: Step, steps: list[Step]) -> Step:
        """The same action by several pieces of one place at once, where that is legal: a stack."""
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
        """The same action as a log would contain it, at times with less detail; it must be as legal."""
        for said in relaxed(step.before, step.action):
            if self.rng.random() < 0.5:
                continue
            less = self._carry_out(step.before, said, steps)
            if less.ruling.grade == Grade.legal and stand(less.after) == stand(step.after):
                return less
            self.accusations.append(Accusation(step.before, step.action, said, less.ruling))
        return step

    def _is_legal(self, position: Position, action: Action, steps: list[Step]) -> bool:
        self.rulings += 1
        try:
            return self.world.rulebook.allows(position, action)
        except Exception as error:
            raise _broken_down(position, action, steps, error) from error

    def _carry_out(self, position: Position, action: Action, steps: list[Step]) -> Step:
        self.rulings += 1
        try:
            played = position.play(action)
        except Exception as error:
            raise _broken_down(position, action, steps, error) from error
        return Step(action, position, played.position, played.ruling)


def _broken_down(position: Position, action: Action, steps: Sequence[Step], error: Exception) -> StuckError:
    at = Step(action, position, position, Ruling(action))
    return StuckError(f"{type(error).__name__}: {error}", (*steps, at))


def _tired(steps: Sequence[Step]) -> set[str]:
    """The verbs that are avoided: in a very long phase, those used often in it."""
    if len(steps) < MOST_ACTIONS:
        return set()
    return {verb for verb, count in Tally(step.action.verb for step in steps).items() if count > OFTEN}


def proposals(position: Position, piece: Piece) -> Iterator[Action]:
    """The actions that the game's list proposes for a piece, not filtered yet."""
    for section in position.world.rulebook.sections:
        for proposal in section.proposals:
            yield from islice(proposal(position, piece), MOST_PROPOSALS)


def relaxed(position: Position, action: Action) -> Iterator[Action]:
    """Ways to write the same action with less detail: dragged, without the number of the current battle.

    On the table a drag to an adjacent hex is the path itself, whatever path was meant.
    """
    current = position.battle()
    is_current = current is not None and current.number == action.battle
    if is_current and (not action.pieces or len(position.battles) == 1):
        yield evolve(action, battle=0)
    grid, ends = position.game.map.grid, (action.path[:1] + action.path[-1:])
    is_step = all(end in grid for end in ends) and len(ends) == 2 and grid.are_neighbours(*ends)
    if len(action.path) > 1 and not action.dragged and not is_step:
        yield evolve(action, path=(action.path[0], action.path[-1]), dragged=True)


def stand(position: Position) -> dict[str, tuple[object, ...]]:
    """The places and states of all pieces."""
    return {piece.id: (piece.where, piece.steps, dict(piece.states)) for piece in position.pieces.values()}


def nearness(position: Position, action: Action, side: str) -> float:
    """How near to the enemy an action leads, from 0 to 4."""
    grid = position.game.map.grid
    if not action.path or action.end not in grid:
        return 0.0
    key = ("gaps", side)
    if key not in position.memory:
        index = grid.index
        position.memory[key] = gaps(
            grid,
            frozenset(
                index[where]
                for where, pieces in position.by_place.items()
                if where in index and any(piece.side not in (side, "") for piece in pieces)
            ),
        )
    found: Sequence[int] = position.memory[key]
    return 4 / (1 + found[grid.index[action.end]]) ** 2 if found else 0.0


@lru_cache(maxsize=64)
def gaps(grid: Grid, places: frozenset[int]) -> tuple[int, ...]:
    """Return, by index, the distance of each hex from the nearest of some others; empty if there are none."""
    if not places:
        return ()
    found = [NOWHERE] * len(grid.names)
    ring, distance = set(places), 0
    while ring:
        for at in ring:
            found[at] = distance
        around = {other for at in ring for other in grid.adjacent[at] if other != NOWHERE}
        ring, distance = {at for at in around if found[at] == NOWHERE}, distance + 1
    return tuple(found)


def is_over(position: Position, ruling: Ruling) -> bool:
    """Return whether the game is over: at the end of a turn nothing is wrong except to continue."""
    at_end = position.clock.stop == len(position.world.calendar.stops) - 1
    return at_end and ruling.grade == Grade.slip
