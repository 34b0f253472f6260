"""The figures of one game: its audit, and the audits of games in which its rules were broken.

Everything is returned as plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from random import Random
from time import process_time
from typing import Any

from referee.audit import Finding
from referee.engine.actions import Action
from referee.engine.idiom import Idiom
from referee.engine.position import Position, World
from referee.engine.rulings import Grade
from referee.games import find_idiom, find_rules
from referee.record import Vocabulary, say_verdict, write
from tools.proof.breakers import find_breaker
from tools.proof.breaking import Breaker, BrokenGame, Moment, broken_games, could_be_broken
from tools.proof.changing import ChangedGame, audit_changed, changed_games
from tools.proof.comparing import differences, steps_read
from tools.proof.judging import EXACT, audit_broken, audit_game
from tools.proof.logs.loggable import UnloggableError, play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Played, Step
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game

Found = dict[str, Any]
GONE = "not found"
WANTED = 50
"""How often each clause is broken."""
PATIENCE, IMPATIENCE, SELDOM = 300, 40, 20
"""With how many seeds a clause is tried at most; after the first few, it must occur once in so
many of them.
"""
AT_ONCE, TIMES = 5, 2
"""How often a clause is broken in the games of one seed, and in one game by the same mutator."""
IN_A_ROW = 4
"""How many consecutive games have the same scenario: as many as there are ways to log a game."""
WHOLE, RARELY = -1, 3
"""WHOLE stands for a whole game instead of an opening; with RARELY, only every third seed uses one if there
are openings for a clause.
"""
SHORT_GAMES, WHOLE_GAMES = 500, 12
"""How many short games are remembered, and how many whole ones are broken at most."""
SHORT = 1
"""How many turns are played from a special opening."""
ASKED_IN, MOST_ASKED = 8, 10
"""In how many whole games it is counted where a clause could be broken, and at how many steps of each."""


@cache
def world_of(name: str, scenario: str) -> World:
    """The world of a scenario."""
    game = open_game(name)
    return find_rules(game).world(game, scenario)


def scenario_of(name: str, scenario: str, seed: int) -> str:
    """The scenario played with a seed: all in turn, four games each, unless one is named."""
    known = list(world_of(name, "").game.scenarios)
    return scenario or known[(seed - 1) // IN_A_ROW % len(known)]


def prove_game(name: str, scenario: str, seed: int) -> Found:
    """Play a game, write it as a log, audit it, and compare what was read with what was played."""
    scenario = scenario_of(name, scenario, seed)
    world = world_of(name, scenario)
    begun = process_time()
    played = play_for_log(world, seed)
    found: Found = {"actions": len(played.steps), "stuck": played.stuck}
    found |= {"rulings": played.rulings, "seconds": process_time() - begun}
    words = Vocabulary(world)
    wrong = []
    for one in played.accusations:
        verdict = ", ".join(say_verdict(one.ruling.verdict))
        wrong.append(f"seed {seed}: legal, but `{words.say(one.said)}` is found {verdict}")
    found |= {"steps": 0, "wrong": wrong, "doubtful": [], "differs": [], "untold": ""}
    if played.stuck:
        return {**found, "record": write(played.record)}
    try:
        report, logger = audit_game(opening_of(name, scenario), played.steps, seed)
    except UnloggableError as error:
        return {**found, "untold": str(error)}
    read = list(steps_read(report.readings))
    found["steps"] = logger.writer.number
    idiom = find_idiom(world.game)
    for finding in report.findings:
        kind = "wrong" if is_accusation(finding, idiom) else "doubtful"
        found[kind].append(_say(words, seed, finding))
    found["differs"] = [f"seed {seed}, {line}" for line in differences(played.steps, read, idiom)]
    return found


def is_accusation(finding: Finding, idiom: Idiom) -> bool:
    """Return whether a finding in a legal game is a false accusation.

    It is if it is illegal, or if it calls correctly announced odds, modifiers or results wrong.
    """
    checked = (checked.verbs for checked in idiom.checked.values())
    announced = {idiom.odds, idiom.modifier, idiom.result}.union(*checked) - {""}
    content = finding.reading.statement.content
    return finding.grade is Grade.illegal or (isinstance(content, Action) and content.verb in announced)


def judged(game: Game) -> list[str]:
    """Return the clauses that the referee judges, in the order of the rulebook."""
    return [one.id for one in game.clauses.values() if one.judged in ("enforced", "scored")]


def to_break(game: Game, breaker: Breaker) -> list[str]:
    """Return the judged clauses that have a mutator, and whose breaches a log can show."""
    known = {mutator.clause for mutator in breaker.mutators if mutator.shown}
    return [clause for clause in judged(game) if clause in known and clause not in breaker.unbroken]


def break_clause(name: str, scenario: str, clause: str, seed: int, wanted: int = WANTED) -> Found:
    """Break a clause in random games, and in short ones from special openings, until that was done often
    enough.

    Games are those of the seeds from ``seed`` on. ``seeds`` counts the seeds that were tried, ``wanted`` says
    how often the clause should be broken, ``legal`` at how many steps of legal games it could have been, and
    ``asked`` for how many steps that was checked.
    """
    breaker = find_breaker(name)
    found: Found = {"broken": {}, "missed": [], "wrong": [], "untold": {}, "seeds": 0, "wanted": wanted}
    found |= count_legal(name, scenario, clause, seed)
    count = 0
    for one in range(seed, seed + PATIENCE):
        past = one - seed
        if count >= wanted or (past >= IMPATIENCE and count * SELDOM < past):
            break
        found["seeds"] += 1
        played = scenario_of(name, scenario, one)
        games = _games(breaker, clause, one, past)
        if not games:
            break
        for broken in islice(
            _broken(name, played, breaker, clause, one, games), min(AT_ONCE, wanted - count)
        ):
            count += _count(found, name, played, one, broken)
    return found


def count_legal(name: str, scenario: str, clause: str, seed: int) -> Found:
    """Count the steps of legal games at which a clause could have been broken, until there are enough."""
    breaker = find_breaker(name)
    verbs = {verb for one in breaker.mutators if one.clause == clause and one.shown for verb in one.verbs}
    legal = asked = 0
    for one in range(seed, seed + ASKED_IN):
        rng = Random(f"asked {clause} {one}")  # noqa: S311 - a game, not a secret
        game = _whole_game(name, scenario_of(name, scenario, one), one)
        places = [place for place, step in enumerate(game) if step.action.verb in verbs]
        for place in rng.sample(places, min(MOST_ASKED, len(places))):
            if legal >= WANTED:
                return {"legal": legal, "asked": asked}
            asked += 1
            legal += could_be_broken(Moment(game, place, rng), breaker, clause)
    return {"legal": legal, "asked": asked}


def change_game(name: str, scenario: str, seed: int) -> Found:
    """Change counters of a random game without a cause, and count what an audit finds."""
    scenario = scenario_of(name, scenario, seed)
    rng = Random(f"changed {seed}")  # noqa: S311 - a game, not a secret
    found: Found = {"changes": {}, "gone": [], "untold": 0, "wrong": []}
    for changed in changed_games(_whole_game(name, scenario, seed), find_breaker(name), rng):
        try:
            seen = audit_changed(opening_of(name, scenario), changed, seed)
        except UnloggableError:
            found["untold"] += 1
            continue
        grade = GONE if seen.grade is None else seen.grade.name
        counts = found["changes"].setdefault(changed.change.kind, {}).setdefault(changed.phase, {})
        counts[grade] = counts.get(grade, 0) + 1
        if seen.grade is None:
            found["gone"].append([changed.change.kind, f"seed {seed}, {_say_change(changed)}"])
    return found


def _say_change(changed: ChangedGame) -> str:
    before, after = changed.position.pieces[changed.change.piece.id], changed.change.piece
    whose = f"{changed.position.side} " if changed.position.side else ""
    line = f"turn {changed.position.turn}, {whose}{changed.phase}: {after.id} in {before.where}"
    return f"{line}: {changed.change.kind}" + (f" ({after.where})" if after.where != before.where else "")


def _games(breaker: Breaker, clause: str, seed: int, past: int) -> list[int]:
    """The games of a seed in which a clause is broken: the indexes of openings, and WHOLE."""
    openings = [place for place, opening in enumerate(breaker.openings) if clause in opening.clauses]
    if past < (WHOLE_GAMES * RARELY if openings else WHOLE_GAMES) and (seed % RARELY == 0 or not openings):
        return [WHOLE, *openings]
    return openings


def _broken(
    name: str, scenario: str, breaker: Breaker, clause: str, seed: int, games: Sequence[int]
) -> Iterator[BrokenGame]:
    """Games with the clause broken by each mutator."""
    rng = Random(f"{clause} {seed}")  # noqa: S311 - a game, not a secret
    for place in rng.sample(games, len(games)):
        game = _steps(name, scenario, place, seed)
        found = broken_games(game, breaker, rng, [clause], times=TIMES)
        yield from (one for one in found if one.mutator.shown)


def _steps(name: str, scenario: str, place: int, seed: int) -> tuple[Step, ...]:
    if place == WHOLE:
        return _whole_game(name, scenario, seed)
    return _short_game(name, scenario, place, seed)


@lru_cache(maxsize=SHORT_GAMES)
def _short_game(name: str, scenario: str, place: int, seed: int) -> tuple[Step, ...]:
    """A game of few turns from an opening; without steps if the opening is None."""
    world, opening = world_of(name, scenario), find_breaker(name).openings[place]
    rng = Random(f"{opening.name} {seed}")  # noqa: S311 - a game, not a secret
    position = opening.make(world, rng)
    return () if position.status() else _forgotten(play_from(position, seed).steps)


@lru_cache(maxsize=WHOLE_GAMES)
def _whole_game(name: str, scenario: str, seed: int) -> tuple[Step, ...]:
    return _forgotten(play_for_log(world_of(name, scenario), seed).steps)


def _forgotten(game: tuple[Step, ...]) -> tuple[Step, ...]:
    """A game whose positions have dropped their cached results, to save memory."""
    for step in game:
        step.before.memory.clear()
        step.after.memory.clear()
    return game


def play_from(position: Position, seed: int) -> Played:
    """Play a turn from a position."""
    return play_for_log(position.world, seed, SHORT, position)


def _count(found: Found, name: str, scenario: str, seed: int, broken: BrokenGame) -> int:
    """Log a broken game, audit it, and count what was found; 0 if it cannot be logged, otherwise 1."""
    words, how = Vocabulary(broken.steps[0].before.world), broken.mutator.name
    try:
        verdict = audit_broken(opening_of(name, scenario), broken, seed)
    except UnloggableError:
        found["untold"][how] = found["untold"].get(how, 0) + 1
        return 0
    counts = found["broken"].setdefault(how, {})
    counts[verdict.outcome] = counts.get(verdict.outcome, 0) + 1
    found["wrong"] += [f"broken ({how}): {_say(words, seed, one)}" for one in verdict.wrong]
    if verdict.outcome != EXACT:
        said = "; ".join(words.say(action) for action in broken.actions)
        others = ", ".join(f"{one.grade.name} {one.clause}" for one in verdict.findings) or "nothing"
        found["missed"].append(f"{broken.clause} ({how}), seed {seed}: `{said}`: found {others}")
    return 1


def _say(words: Vocabulary, seed: int, one: Finding) -> str:
    content = one.reading.statement.content
    said = words.say(content) if content is not None else ""
    return f"seed {seed}, step {one.steps[-1]}: {one.grade.name} {one.clause}: `{said}`: {one.says}"
