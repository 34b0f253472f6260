"""Careless habits: how legal games played with each of them are judged, and games with one rule broken.

A game is played once, and logged once for each habit and once with several at random. Of a breach is counted
whether it is found, unproven or gone: in an orderly log, in a log with the habit, and in the same log
audited by a referee who excuses no careless habit. Everything is returned as plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from referee.audit import Finding, Report, audit
from referee.engine.actions import NEXT
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.record import Vocabulary
from referee.table import Log
from tools.proof.breakers import find_breaker
from tools.proof.breaking import BrokenGame, broken_games
from tools.proof.habits import CHATTED, HABITS, ONE_ORDERLY, ROLLED_AHEAD, UNDECLARED
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.habits.parts import in_parts
from tools.proof.judging import NATURAL, SIMPLE, Manner, audit_logged, found_at, manner_of, seats_of, steps_of
from tools.proof.logs.game_logger import GameLogger
from tools.proof.logs.loggable import UnloggableError, play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step
from tools.proof.proving import scenario_of, to_break, world_of

Found = dict[str, Any]
MIXED = "several at random"
SHORT_TURNS, WHOLE = (2, 3, 4), 0
"""How many turns short games have; those of 0 are played to their end."""
FOUND, DOUBTED, GONE, NOT_SHOWN = "found", "unproven", "gone", "not shown"


def habits_of(seed: int, game: str, only: Sequence[str] = ()) -> Mapping[str, frozenset[str]]:
    """Return the habits with which a game is logged: each alone, and several at random; or ``only`` some."""
    if only:
        return {habit: frozenset({habit}) for habit in only}
    rng = Random(f"habits {game} {seed}")  # noqa: S311 - a game, not a secret
    some = rng.sample(list(HABITS), rng.randint(2, len(HABITS)))
    return {**{habit: frozenset({habit}) for habit in HABITS}, MIXED: frozenset(some)}


def turns_of(seed: int) -> int:
    """Return how many turns of the short game of a seed are played."""
    return SHORT_TURNS[seed % len(SHORT_TURNS)]


def false_accusations(name: str, seed: int, turns: int, habits: frozenset[str]) -> list[Finding] | None:
    """Return what is found illegal in a legal game logged with habits, None if it cannot be logged so."""
    found = _audited_game(name, _played(name, seed, turns), seed, habits)
    return None if found is None else [one for one in found.findings if one.grade is Grade.illegal]


def accused_in_parts(name: str, seed: int, turns: int, habits: frozenset[str], how: str) -> list[Finding]:
    """Return what is found illegal in a legal game that is logged with habits and sent in parts."""
    game = _played(name, seed, turns)
    position, logs = game[0].before, parted(name, game, seed, habits, how)
    report = audit(logs, position.game, opening_of(name, position.scenario.id).module, position.scenario.id)
    return [one for one in report.findings if one.grade is Grade.illegal]


def parted(name: str, game: Sequence[Step], seed: int, habits: frozenset[str], how: str) -> list[Log]:
    """Return the logs in which a game is sent, none if it cannot be logged so."""
    logger = _logged(name, game, seed, habits, SIMPLE, keeping=True)
    opening = opening_of(name, game[0].before.scenario.id)
    return in_parts(opening, logger.writer, how, seed) if logger is not None else []


def try_habits(name: str, seed: int, turns: int, only: Sequence[str] = ()) -> Found:
    """Play a game once and log it once for each habit: count what is found in it, by habit."""
    game = _played(name, seed, turns)
    words = Vocabulary(game[0].before.world)
    found: Found = {"wrong": [], "told": {}}
    for habit, habits in habits_of(seed, name, only).items():
        report = _audited_game(name, game, seed, habits)
        if report is None:
            continue
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
    """Break a rule of a short game once a habit, and count what becomes of the breach."""
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
        cautious, strict = (_outcome(name, broken, seed, habits, cautious=one) for one in (True, False))
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
    """A broken game whose breach is found if it is logged in an orderly way, and how."""
    breaker = find_breaker(name)
    for clause in rng.sample(clauses, len(clauses)):
        for broken in broken_games(game, breaker, rng, [clause], most=1):
            if not broken.mutator.shown:
                continue
            outcome = _outcome(name, broken, seed, frozenset(), cautious=True)
            if outcome in (FOUND, DOUBTED):
                return broken, outcome
    return None, ""


def _outcome(name: str, broken: BrokenGame, seed: int, habits: frozenset[str], *, cautious: bool) -> str:
    """What becomes of a breach that is logged with some habits.

    It is found if anything is found in its steps that is no doubt, or its clause is later; it is unproven if
    its clause is. What the habit leaves out of the log is not shown, as odds that nothing announces.
    """
    manner = manner_of(broken, 2)
    logger = _logged(name, broken.steps, seed, habits, manner)
    if logger is None:
        return NOT_SHOWN
    report = _audited(name, broken.steps, seed, logger, manner, cautious=cautious)
    after = 0 if habits & {CHATTED, UNDECLARED} else broken.finishing
    lines = [line for line in logger.lines[broken.first : broken.last + after + 1] if line]
    breach = broken.steps[broken.last].action
    if not lines and breach.verb != NEXT.name:
        return NOT_SHOWN
    steps = steps_of(broken, logger)
    here = found_at(broken, report, steps)
    later = [one for one in report.findings if one.clause == broken.clause and one.steps[-1] >= steps[0]]
    if any(one.grade is not Grade.unproven for one in (*here, *later)):
        return FOUND
    if any(one.clause == broken.clause for one in (*here, *later)):
        return DOUBTED
    return GONE if _shows(name, broken, seed, habits, logger, manner) else NOT_SHOWN


def _shows(
    name: str, broken: BrokenGame, seed: int, habits: frozenset[str], logger: GameLogger, manner: Manner
) -> bool:
    """Whether a log with habits holds a breach that an orderly log holds, and not only what led up to it.

    What is not done has a step in neither. Odds and results are announced with the die of a declared battle.
    """
    idiom, breach = find_idiom(broken.steps[0].before.game), broken.steps[broken.last].action
    silent = habits & {CHATTED, UNDECLARED}
    if breach.verb in (idiom.odds, idiom.modifier, idiom.result):
        return not (silent or ROLLED_AHEAD in habits) or ONE_ORDERLY in habits
    orderly = _logged(name, broken.steps, seed, frozenset(), manner) if silent else None
    return orderly is None or bool(logger.lines[broken.last]) or not orderly.lines[broken.last]


@lru_cache(maxsize=2)
def _played(name: str, seed: int, turns: int) -> tuple[Step, ...]:
    """The steps of a game, played once for all habits."""
    return play_for_log(world_of(name, scenario_of(name, "", seed)), seed, turns).steps


def _audited_game(name: str, game: Sequence[Step], seed: int, habits: frozenset[str]) -> Report | None:
    """The audit of a game logged with some habits, None if it cannot be logged so.

    Several at random come with those of orderly players.
    """
    manner = NATURAL if len(habits) > 1 else SIMPLE
    logger = _logged(name, game, seed, habits, manner)
    return None if logger is None else _audited(name, game, seed, logger, manner)


def _logged(
    name: str,
    game: Sequence[Step],
    seed: int,
    habits: frozenset[str],
    manner: Manner,
    *,
    keeping: bool = False,
) -> GameLogger | None:
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
    name: str, game: Sequence[Step], seed: int, logger: GameLogger, manner: Manner, *, cautious: bool = True
) -> Report:
    position = game[0].before
    opening = opening_of(name, position.scenario.id)
    return audit_logged(opening, logger, position, seed, manner, cautious=cautious)
