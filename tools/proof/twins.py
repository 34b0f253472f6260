"""Honest twins of broken games: games without the breach that, logged with the same habits, are the same log.

A breach with a twin leaves no trace: nobody who reads the log can tell it from the game without it. The
rulebook of the game and the loggers of the habits are asked, never the audit, and a twin counts only if its
log is that of the broken game, command by command, from the first to the last. Only what players write to
one another may differ: it is talk, and declares nothing.

The search keeps to what is seen. What players do in silence with a habit (battles that are not declared) may
be left out, or replaced by anything that is proposed to random players; a bare die may have been rolled for
nothing; what is seen may have been done in another way that looks the same. The search tries a number of
actions only, so that a twin may be missed, but none is invented.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

from attrs import define, evolve, field

from referee.engine.actions import NEXT, Action
from referee.engine.idiom import Idiom
from referee.engine.position import Position
from referee.engine.rulings import Ruling
from referee.games import find_idiom
from tools.proof.breaking import BrokenGame
from tools.proof.habits import UNDECLARED
from tools.proof.habits.tinkering import CarelessLogger
from tools.proof.logs.game_logger import NONE
from tools.proof.playing import Step, is_over, proposals
from vassalgen.vassal.commands import ChangeProperty, Chat, Command

MOST_SILENT, MOST_PROPOSED = 3, 60
"""How many actions in silence a twin may have of its own, and of how many proposals each is chosen."""
MOST_PLAYED = 800
"""How many actions are tried for twins with as many actions of their own."""

Write: TypeAlias = "Callable[[Sequence[Step], range], CarelessLogger | None]"
"""Writes a game as a log, with the paths of some steps dragged hex by hex; None if that cannot be done."""


def has_twin(broken: BrokenGame, write: Write, walked: range = NONE) -> bool:
    """Return whether an honest game logged in the same way is the same log as a broken one.

    ``walked`` are the steps of the broken game that are dragged hex by hex.
    """
    logged = write(broken.steps, walked)
    if logged is None:
        return False
    search = _Search(broken, logged)
    for twin in search.twins():
        places = [number for number, (place, _) in enumerate(twin) if place in walked]
        again = range(places[0], places[-1] + 1) if places else NONE
        logger = write([step for _, step in twin], again)
        if logger is not None and seen(logger) == seen(logged):
            return True
    return False


Twin: TypeAlias = "list[tuple[int, Step]]"
"""The steps of a twin, each with the step of the broken game in whose place it stands."""


@define
class _Search:
    """The search for twins of a broken game that was logged as a log."""

    broken: BrokenGame
    logged: CarelessLogger
    left: int = 0
    """How many actions may still be tried."""
    idiom: Idiom = field(init=False)
    phase: range = field(init=False)
    """The steps of the phase of the breach."""
    busy: frozenset[str] = field(init=False)
    """The counters and hexes of which something is seen in this phase."""

    def __attrs_post_init__(self) -> None:
        steps, breach = self.broken.steps, self.broken.last
        self.idiom = find_idiom(steps[0].before.game)
        places = [
            place for place, step in enumerate(steps) if step.before.clock == steps[breach].before.clock
        ]
        self.phase = range(places[0], places[-1] + 1)
        shown = [steps[place].action for place in self.phase if self.logged.lines[place]]
        self.busy = frozenset(
            one for action in shown for one in (*action.pieces, *action.path, action.target)
        )

    def twins(self) -> Iterator[Twin]:
        """Games without the breach that look the same: first those with few actions of their own.

        They part from the broken game as late as they can: at the breach, a die or a step that is not seen.
        """
        steps, last = self.broken.steps, self.broken.last
        parting = [place for place in self.phase if steps[place].action.dice or not self.logged.lines[place]]
        for own in range(MOST_SILENT + 1):
            self.left = MOST_PLAYED
            for first in (last, *reversed([place for place in parting if place < last])):
                known = [(place, steps[place]) for place in range(first)]
                for rest in self._on(first, steps[first].before, own):
                    yield [*known, *rest]

    def _on(self, place: int, position: Position, own: int) -> Iterator[Twin]:
        """How the game may go on from a step, with as many actions in silence of its own."""
        if place == len(self.broken.steps):
            if not own:
                yield []
            return
        step, is_seen = self.broken.steps[place], bool(self.logged.lines[place])
        for action in self._ways(place, position, is_seen):
            done = self._carried_out(place, position, action)
            if done is not None and (not is_seen or _table(done.after) == _table(step.after)):
                for rest in self._on(place + 1, done.after, own):
                    yield [(place, done), *rest]
        if place not in self.phase or step.action.verb == NEXT.name:
            return
        if not is_seen:
            yield from self._on(place + 1, position, own)
        elif self._is_bare_die(place):
            idle = Step(step.action, position, position, Ruling(step.action))
            for rest in self._on(place + 1, position, own):
                yield [(place, idle), *rest]
        if own and is_seen and (step.action.dice or place >= self.broken.first):
            for action in self._in_silence(position):
                done = self._carried_out(place, position, action)
                if done is not None:
                    for rest in self._on(place, done.after, own - 1):
                        yield [(place, done), *rest]

    def _ways(self, place: int, position: Position, is_seen: bool) -> Iterator[Action]:
        """What may have been done at a step: what was, for another battle, or what looks the same."""
        action = self.broken.steps[place].action
        found = [action]
        if place in self.phase and action.verb != NEXT.name:
            if "NUMBER" in position.world.rulebook.verbs[action.verb].slots:
                numbers = (0, *(battle.number for battle in position.battles))
                found += [evolve(action, battle=number) for number in numbers]
            if is_seen and (action.dice or action.path or (action.pieces and action.target)):
                found += self._alike(position, action)
        return iter(dict.fromkeys(found))

    def _alike(self, position: Position, action: Action) -> Iterator[Action]:
        """Actions with the same dice, of the same counters elsewhere, or that lead them to the same place."""
        if action.dice:
            for one in self._proposed(position, lambda each: each.dice == action.dice):
                yield one
            return
        for one in proposals(position, position.pieces[action.piece]):
            if one.pieces == action.pieces and one.verb == action.verb and not action.path:
                yield one
            elif one.path and action.path and one.end == action.end and one.verb != action.verb:
                yield evolve(one, pieces=action.pieces, path=action.path, dragged=action.dragged)

    def _in_silence(self, position: Position) -> list[Action]:
        """What may be done without a trace before what is seen next; what has to do with it comes first."""
        if UNDECLARED not in self.logged.careless:
            return []
        of_battle = self.logged.is_of_battle
        found = self._proposed(
            position, lambda one: not one.dice and of_battle(Step(one, position, position, Ruling(one)))
        )
        rng = Random(f"{len(found)} {self.broken.last}")  # noqa: S311 - a search, not a secret
        rng.shuffle(found)
        found.sort(key=lambda one: -sum(each in self.busy for each in (*one.pieces, one.target)))
        return found[:MOST_PROPOSED]

    def _proposed(self, position: Position, wanted: Callable[[Action], bool]) -> list[Action]:
        found = (
            one for piece in position.pieces.values() for one in proposals(position, piece) if wanted(one)
        )
        return list(dict.fromkeys(found))

    def _is_bare_die(self, place: int) -> bool:
        """Whether a step shows nothing but dice that are rolled for nothing that is said."""
        commands = [each for line in self.logged.lines[place] for each in self.logged.writer.steps[line - 1]]
        return all(
            isinstance(one, ChangeProperty)
            or _is_talk(one)
            or (isinstance(one, Chat) and one.text.startswith("*** "))
            for one in commands
        )

    def _carried_out(self, place: int, position: Position, action: Action) -> Step | None:
        """A step in the place of another; None if it breaks a rule that nothing else broke there.

        None too if too much has been tried.
        """
        if self.left <= 0:
            return None
        self.left -= 1
        played, instead = position.play(action), self.broken.steps[place]
        is_other = not self.broken.first <= place <= self.broken.last
        known = {breach.clause for breach in instead.ruling.breaches} if is_other else set()
        over = action.verb == NEXT.name and is_over(position, played.ruling)
        if not over and not {breach.clause for breach in played.ruling.breaches} <= known:
            return None
        return Step(action, position, played.position, played.ruling)


def seen(logged: CarelessLogger) -> list[list[Command]]:
    """Return what a log shows, without talk."""
    steps = [[one for one in step if not _is_talk(one)] for step in logged.writer.steps]
    return [step for step in steps if step]


def _is_talk(command: Command) -> bool:
    return isinstance(command, Chat) and not command.text.startswith("*")


def _table(position: Position) -> dict[str, tuple[Any, ...]]:
    """Where counters are and with how many steps: what nobody can overlook."""
    return {piece.id: (piece.where, piece.steps) for piece in position.pieces.values()}
