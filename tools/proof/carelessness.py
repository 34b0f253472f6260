"""Careless habits: how the referee judges legal games played with each of them, and games with one rule
broken.

A game is played once, and logged once for each habit and once with several at random. For a breach it is
counted whether it is found, unproven, hidden by the habit or gone: in an orderly log, in a log with the
habit, and in the same log audited by a referee that excuses no careless habit. Everything is returned as
plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from attrs import evolve

from referee.audit import Finding, Report, audit
from referee.engine.actions import NEXT
from referee.engine.rulings import Grade
from referee.record import Vocabulary
from referee.table import Log
from tools.proof.breakers import find_breaker
from tools.proof.breaking import ADVANCES, BrokenGame, broken_games
from tools.proof.habits import HABITS
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.habits.parts import in_parts
from tools.proof.habits.tinkering import CarelessLogger
from tools.proof.judging import NATURAL, SIMPLE, Manner, audit_logged, found_at, manner_of, seats_of, steps_of
from tools.proof.logs.loggable import UnloggableError, play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step
from tools.proof.proving import scenario_of, to_break, world_of
from tools.proof.twins import has_twin, seen

Found = dict[str, Any]
MIXED = "several at random"
SHORT_TURNS, WHOLE = (2, 3, 4), 0
"""The numbers of turns of short games; 0 stands for games played to the end."""
FOUND, DOUBTED, OTHERWISE, HIDDEN, GONE = "found", "unproven", "otherwise", "hidden", "gone"
OUTCOMES = (FOUND, DOUBTED, OTHERWISE, HIDDEN, GONE)


def habits_of(seed: int, game: str, only: Sequence[str] = ()) -> Mapping[str, frozenset[str]]:
    """Return the habits with which a game is logged: each alone, and several at random; or ``only`` some."""
    if only:
        return {habit: frozenset({habit}) for habit in only}
    rng = Random(f"habits {game} {seed}")  # noqa: S311 - a game, not a secret
    some = rng.sample(list(HABITS), rng.randint(2, len(HABITS)))
    return {**{habit: frozenset({habit}) for habit in HABITS}, MIXED: frozenset(some)}


def turns_of(seed: int) -> int:
    """Return the number of turns of the short game of a seed."""
    return SHORT_TURNS[seed % len(SHORT_TURNS)]


def false_accusations(name: str, seed: int, turns: int, habits: frozenset[str]) -> list[Finding] | None:
    """Return the illegal findings in a legal game logged with habits; None if it cannot be logged so."""
    found = _audited_game(name, _played(name, seed, turns), seed, habits)
    return None if found is None else [one for one in found.findings if one.grade is Grade.illegal]


def accused_in_parts(name: str, seed: int, turns: int, habits: frozenset[str], how: str) -> list[Finding]:
    """Return the illegal findings in a legal game that is logged with habits and sent in parts."""
    game = _played(name, seed, turns)
    position, logs = game[0].before, parted(name, game, seed, habits, how)
    report = audit(logs, position.game, opening_of(name, position.scenario.id).module, position.scenario.id)
    return [one for one in report.findings if one.grade is Grade.illegal]


def parted(name: str, game: Sequence[Step], seed: int, habits: frozenset[str], how: str) -> list[Log]:
    """Return the logs in which a game is sent; none if it cannot be logged so."""
    logger = _logged(name, game, seed, habits, SIMPLE, keeping=True)
    opening = opening_of(name, game[0].before.scenario.id)
    return in_parts(opening, logger.writer, how, seed) if logger is not None else []


def try_habits(name: str, seed: int, turns: int, only: Sequence[str] = ()) -> Found:
    """Play a game once, log it once for each habit, and count the findings by habit.

    ``idle`` are the habits for which the game had no occasion: their logs are orderly.
    """
    game = _played(name, seed, turns)
    words = Vocabulary(game[0].before.world)
    found: Found = {"wrong": [], "told": {}, "idle": []}
    orderly = _logged(name, game, seed, frozenset(), SIMPLE)
    for habit, habits in habits_of(seed, name, only).items():
        manner = _manner(habits)
        logger = _logged(name, game, seed, habits, manner)
        if logger is None:
            continue
        if orderly is not None and seen(logger) == seen(orderly):
            found["idle"].append(habit)
            continue
        report = _audited(name, game, seed, logger, manner)
        illegal = [one for one in report.findings if one.grade is Grade.illegal]
        doubtful = sum(one.grade is Grade.unproven for one in report.findings)
        found["told"][habit] = [len(illegal), doubtful]
        for one in illegal[:1]:
            content = one.reading.statement.content
            said = words.say(content) if content is not None else ""
            how = f"{turns or 'all'} turns, {' + '.join(sorted(habits))}"
            found["wrong"].append(
                f"seed {seed}, {how}: step {one.steps[-1]}: {one.clause}: `{said}`: {one.says}"
            )
    return found


def break_habits(name: str, seed: int, only: Sequence[str] = ()) -> Found:
    """Break a rule of a short game once for each habit, and count what becomes of the breach."""
    world = world_of(name, scenario_of(name, "", seed))
    breaker = find_breaker(name)
    game, clauses = _played(name, seed, turns_of(seed)), to_break(world.game, breaker)
    words = Vocabulary(world)
    rng = Random(f"careless breach {seed}")  # noqa: S311 - a game, not a secret
    found: Found = {"breaches": [], "gone": []}
    for habit, habits in habits_of(seed, name, only).items():
        broken, orderly = _found_when_orderly(name, game, seed, rng, clauses)
        if broken is None:
            continue
        outcomes = [_outcome(name, game, broken, seed, habits, cautious=one) for one in (True, False)]
        if not all(outcomes):
            continue
        if {OTHERWISE, GONE} & {*outcomes} and _is_hidden(name, broken, seed, habits):
            outcomes = [HIDDEN if one in (OTHERWISE, GONE) else one for one in outcomes]
        cautious, strict = outcomes
        found["breaches"].append([habit, broken.clause, orderly, cautious, strict])
        if cautious == GONE:
            said = "; ".join(words.say(action) for action in broken.actions)
            how = " + ".join(sorted(habits))
            found["gone"].append(
                [habit, f"seed {seed}, {broken.clause} ({broken.mutator.name}), {how}: `{said}`"]
            )
    return found


def _found_when_orderly(
    name: str, game: Sequence[Step], seed: int, rng: Random, clauses: Sequence[str]
) -> tuple[BrokenGame | None, str]:
    """A broken game whose breach is found in an orderly log, and how it is found."""
    breaker = find_breaker(name)
    for clause in rng.sample(clauses, len(clauses)):
        for broken in broken_games(game, breaker, rng, [clause], most=1):
            if not broken.mutator.shown:
                continue
            outcome = _outcome(name, game, broken, seed, frozenset(), cautious=True)
            if outcome in (FOUND, DOUBTED):
                return broken, outcome
    return None, ""


def _outcome(
    name: str, game: Sequence[Step], broken: BrokenGame, seed: int, habits: frozenset[str], *, cautious: bool
) -> str:
    """What becomes of a breach that is logged with some habits; empty if it cannot be logged so.

    It is found if anything is found in its steps that is no doubt, or its clause is later; it is unproven if
    a clause that it breaks is. It is doubted otherwise if something else in its steps is unproven, or
    something in its phase that is not when the game is logged without it.
    """
    manner = manner_of(broken, 2)
    logger = _logged(name, broken.steps, seed, habits, manner)
    if logger is None:
        return ""
    report = _audited(name, broken.steps, seed, logger, manner, cautious=cautious)
    steps, breach = steps_of(broken, logger), broken.steps[broken.last]
    here = found_at(broken, report, steps)
    broken_too = {broken.clause, *(one.clause for one in breach.ruling.breaches)}
    since = [one for one in report.findings if one.steps[-1] >= steps[0]]
    if any(one.grade is not Grade.unproven for one in (*here, *_of(since, {broken.clause}))):
        return FOUND
    if _of([*here, *since], broken_too):
        return DOUBTED
    if here:
        return OTHERWISE
    phase = [place for place, step in enumerate(broken.steps) if step.before.clock == breach.before.clock]
    lines = logger.lines[phase[0]].start, logger.lines[phase[-1]].stop
    doubts = [one for one in report.findings if one.steps[-1] >= lines[0] and one.steps[0] < lines[1]]
    unbroken = _unbroken(game, broken)
    without = _logged(name, unbroken, seed, habits, manner) if doubts else None
    if without is not None:
        found = _audited(name, unbroken, seed, without, manner, cautious=cautious).findings
        known = {(one.clause, one.says) for one in found}
        doubts = [one for one in doubts if (one.clause, one.says) not in known]
    return OTHERWISE if doubts else GONE


def _of(findings: Sequence[Finding], clauses: set[str]) -> list[Finding]:
    return [one for one in findings if one.clause in clauses]


def _unbroken(game: Sequence[Step], broken: BrokenGame) -> Sequence[Step]:
    """The same part of the game without the breach."""
    first = next(place for place, step in enumerate(game) if step.before is broken.steps[0].before)
    turned = [
        place
        for place, step in enumerate(game)
        if place >= first + broken.first and step.action.verb == NEXT.name
    ]
    return game[first : turned[:ADVANCES][-1] + 1 if turned else len(game)]


def _is_hidden(name: str, broken: BrokenGame, seed: int, habits: frozenset[str]) -> bool:
    """Return whether a game without the breach looks the same with these habits."""
    manner = manner_of(broken, 2)

    def write(game: Sequence[Step], walked: range) -> CarelessLogger | None:
        return _logged(name, game, seed, habits, evolve(manner, walked=walked))

    return has_twin(broken, write, manner.walked)


@lru_cache(maxsize=2)
def _played(name: str, seed: int, turns: int) -> tuple[Step, ...]:
    """The steps of a game, played once for all habits."""
    return play_for_log(world_of(name, scenario_of(name, "", seed)), seed, turns).steps


def _audited_game(name: str, game: Sequence[Step], seed: int, habits: frozenset[str]) -> Report | None:
    """The audit of a game logged with some habits; None if it cannot be logged so."""
    manner = _manner(habits)
    logger = _logged(name, game, seed, habits, manner)
    return None if logger is None else _audited(name, game, seed, logger, manner)


def _manner(habits: frozenset[str]) -> Manner:
    """Several habits at random come with those of orderly players."""
    return NATURAL if len(habits) > 1 else SIMPLE


def _logged(
    name: str,
    game: Sequence[Step],
    seed: int,
    habits: frozenset[str],
    manner: Manner,
    *,
    keeping: bool = False,
) -> CarelessLogger | None:
    position = game[0].before
    seats = seats_of(position.game, seed, apart=manner.apart)
    opening = opening_of(name, position.scenario.id)
    try:
        return log_carelessly(
            opening, game, seed, habits, manner.habits, seats, manner.walked, keeping=keeping
        )
    except UnloggableError:
        return None


def _audited(
    name: str,
    game: Sequence[Step],
    seed: int,
    logger: CarelessLogger,
    manner: Manner,
    *,
    cautious: bool = True,
) -> Report:
    position = game[0].before
    opening = opening_of(name, position.scenario.id)
    return audit_logged(opening, logger, position, seed, manner, cautious=cautious)
