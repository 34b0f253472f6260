"""What is counted of one game: its audit, and the audits of the games that come of breaking its rules.

Everything is returned as plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from referee.audit import Finding
from referee.engine.position import Position, World
from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.record import Vocabulary, say_verdict, write
from referee.scribe.idiom import find_idiom
from tools.proof.breaking import Breaker, BrokenGame, broken_games, consulted, find_breaker
from tools.proof.comparing import differences, steps_read
from tools.proof.judging import EXACT, audit_broken, audit_game
from tools.proof.logs.opening import opening_of
from tools.proof.logs.telling import UntellableError, play_for_log
from tools.proof.playing import Played
from vassalgen.game.finding import open_game

Found = dict[str, Any]
MOST = 6
"""How many rules are broken in a game, and as many in a short one."""
SHORT = 1
"""How many turns are played from a special opening."""


@cache
def world_of(name: str, scenario: str) -> World:
    """The world of a scenario."""
    game = open_game(name)
    return find_rules(game.id).world(game, scenario)


def prove_game(name: str, scenario: str, seed: int) -> Found:
    """Play a game, tell it as a log, audit it, and compare what was read with what was played."""
    world = world_of(name, scenario)
    played = play_for_log(world, seed)
    found: Found = {"actions": len(played.steps), "stuck": played.stuck}
    words = Vocabulary(world)
    wrong = []
    for one in played.accusations:
        verdict = ", ".join(say_verdict(one.ruling.verdict))
        wrong.append(f"seed {seed}: legal, but `{words.say(one.said)}` is found {verdict}")
    found |= {"steps": 0, "legal": {}, "wrong": wrong, "doubtful": [], "differs": [], "untold": ""}
    if played.stuck:
        return {**found, "record": write(played.record)}
    try:
        report, teller = audit_game(opening_of(name, scenario), played.steps, seed)
    except UntellableError as error:
        return {**found, "untold": str(error)}
    read = list(steps_read(report.readings))
    found["steps"] = teller.writer.number
    found["legal"] = consulted(read)
    for finding in report.findings:
        kind = "wrong" if finding.grade is Grade.illegal else "doubtful"
        found[kind].append(_say(words, seed, finding))
    idiom = find_idiom(world.game.id)
    found["differs"] = [f"seed {seed}, {line}" for line in differences(played.steps, read, idiom)]
    return found


def break_game(name: str, scenario: str, seed: int) -> Found:
    """Break the rules of a random game, and of one from a special opening, one after the other."""
    world, breaker = world_of(name, scenario), find_breaker(name)
    found: Found = {"broken": {}, "missed": [], "wrong": [], "untold": {}}
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    for broken in _all(world, breaker, seed, rng):
        if broken.shown:
            _count(found, name, scenario, seed, broken)
    return found


def _all(world: World, breaker: Breaker, seed: int, rng: Random) -> Iterator[BrokenGame]:
    judged = {one.id for one in world.game.clauses.values() if one.judged in ("enforced", "scored")}
    played = play_for_log(world, seed)
    if played.steps:
        yield from broken_games(played.steps, breaker, rng, judged, MOST)
    if breaker.openings:
        opening = breaker.openings[seed % len(breaker.openings)]
        position = opening.make(world, rng)
        if not position.status():
            short = play_from(position, seed)
            if short.steps:
                yield from broken_games(short.steps, breaker, rng, set(opening.clauses) & judged, MOST)


def play_from(position: Position, seed: int) -> Played:
    """Play a turn from a position."""
    return play_for_log(position.world, seed, SHORT, position)


def _count(found: Found, name: str, scenario: str, seed: int, broken: BrokenGame) -> None:
    words = Vocabulary(broken.steps[0].before.world)
    try:
        verdict = audit_broken(opening_of(name, scenario), broken, seed)
    except UntellableError:
        found["untold"][broken.clause] = found["untold"].get(broken.clause, 0) + 1
        return
    counts = found["broken"].setdefault(broken.clause, {})
    counts[verdict.outcome] = counts.get(verdict.outcome, 0) + 1
    found["wrong"] += [f"broken ({broken.how}): {_say(words, seed, one)}" for one in verdict.before]
    if verdict.outcome != EXACT:
        said = "; ".join(words.say(action) for action in broken.actions)
        others = ", ".join(f"{one.grade.name} {one.clause}" for one in verdict.findings) or "nothing"
        found["missed"].append(f"{broken.clause} ({broken.how}), seed {seed}: `{said}`: found {others}")


def _say(words: Vocabulary, seed: int, one: Finding) -> str:
    deed = one.reading.statement.deed
    said = words.say(deed) if deed is not None else ""
    return f"seed {seed}, step {one.steps[-1]}: {one.grade.name} {one.clause}: `{said}`: {one.says}"
