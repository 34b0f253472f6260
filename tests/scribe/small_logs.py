"""Logs as small as can be, of any game: one fact a step, without VASSAL and without a module."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from attrs import evolve

from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.scribe import facts
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Condition, Fact, Standing
from referee.scribe.scribe import Scribe
from tools.proof.proving import world_of


def dragged(counter: str, *places: str) -> list[Fact]:
    return [facts.Shifted(step=0, counter=counter, origin=old, target=new) for old, new in pairwise(places)]


def rolled(dice: str, face: int) -> Fact:
    return facts.Rolled(step=0, dice=dice, faces=(face,))


def turned(turn: int, stop: int) -> Fact:
    return facts.Turned(step=0, clock=Clock(turn, stop))


def a_log(
    *happened: Fact, opening: Mapping[str, Standing] | None = None, clock: Clock | None = None
) -> LoggedFacts:
    """A log with one fact a step, from 1 on."""
    standing, steps = dict(opening or {}), list[StepFacts]()
    for number, fact in enumerate(happened, 1):
        name = getattr(fact, "counter", "")
        seen = standing.get(name, Standing())
        match fact:
            case facts.Shifted():
                seen = evolve(seen, place=fact.target)
            case facts.Stepped():
                seen = evolve(seen, steps=fact.new)
            case facts.Changed():
                others = {state: one for state, one in seen.states.items() if state != fact.state}
                now = {fact.state: Condition(fact.new)} if fact.new else {}
                seen = evolve(seen, states={**others, **now})
        standing[name] = seen
        steps.append(
            StepFacts(number, facts=(evolve(fact, step=number),), after={name: seen} if name else {})
        )
    return LoggedFacts("small.vlog", opening or {}, clock, tuple(steps), len(steps))


def read(game: str, opening: Mapping[str, Standing], clock: Clock, *happened: Fact) -> Draft:
    """What the scribe makes of such a log."""
    world = world_of(game, "")
    scribe = Scribe(world, find_idiom(world.game))
    scribe.read(a_log(*happened, opening=opening, clock=clock))
    assert not scribe.draft.unjudged
    return scribe.draft


def found(draft: Draft) -> list[tuple[int, Grade, str]]:
    """The findings: step, grade, clause."""
    return [
        (reading.steps[-1], one.grade, one.clause)
        for reading in draft.readings
        if reading.ruling is not None
        for one in reading.ruling.breaches
    ]
