"""Careless logs of legal games, for tests: the illegal findings in them."""

from __future__ import annotations

from functools import cache

from referee.audit import audit
from referee.engine.actions import Action
from referee.engine.rulings import Grade
from referee.judge import judge_record
from referee.record import parse
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.judging import seats_of
from tools.proof.logs.game_logger import NONE
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step
from tools.proof.proving import scenario_of, world_of
from tools.proof.twins import seen
from vassalgen.vassal.commands import Command


def found_in(name: str, record: str, seed: int, habits: frozenset[str], walked: range = NONE) -> list[str]:
    """The clauses of the illegal findings in a record that is logged with some habits."""
    steps = steps_of(name, record, seed)
    opening = opening_of(name, steps[0].before.scenario.id)
    logger = log_carelessly(opening, steps, seed, habits, walked=walked)
    report = audit([logger.writer.log("careless.vlog")], steps[0].before.game)
    return [one.clause for one in report.findings if one.grade is Grade.illegal]


def steps_of(name: str, record: str, seed: int = 0) -> tuple[Step, ...]:
    """The actions of a record, judged."""
    scenario = scenario_of(name, "", seed)
    ((_, judged),) = judge_record(parse(f"game {name} scenario {scenario}\ncase one\n{record}"))
    return tuple(
        Step(one.statement.content, one.before, one.after, one.ruling)
        for one in judged
        if one.ruling is not None and isinstance(one.statement.content, Action)
    )


def accused_plainly(name: str, seed: int, turns: int, habits: frozenset[str]) -> list[str]:
    """The clauses of the illegal findings in a legal game logged with some habits and no others."""
    return found_plainly(name, seed, turns, habits, Grade.illegal)


def found_plainly(
    name: str, seed: int, turns: int, habits: frozenset[str], least: Grade = Grade.unproven
) -> list[str]:
    """The clauses of the findings, of some grade or worse, in such a game."""
    world, opening = world_of(name, ""), opening_of(name, "")
    logger = log_carelessly(opening, play_for_log(world, seed, turns).steps, seed, habits)
    report = audit([logger.writer.log("careless.vlog")], world.game, opening.module)
    return [one.clause for one in report.findings if one.grade >= least]


def is_played(habit: str, name: str, seed: int, turns: int) -> bool:
    """Whether the log of a game is another one with a habit."""
    steps, orderly = _orderly(name, seed, turns)
    return _logged(name, seed, steps, frozenset({habit})) != orderly


@cache
def _orderly(name: str, seed: int, turns: int) -> tuple[tuple[Step, ...], list[list[Command]]]:
    steps = play_for_log(world_of(name, scenario_of(name, "", seed)), seed, turns).steps
    return steps, _logged(name, seed, steps, frozenset())


def _logged(name: str, seed: int, steps: tuple[Step, ...], habits: frozenset[str]) -> list[list[Command]]:
    position = steps[0].before
    opening, seats = opening_of(name, position.scenario.id), seats_of(position.game, seed)
    return seen(log_carelessly(opening, steps, seed, habits, seats=seats))
