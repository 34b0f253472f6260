"""Careless logs of legal games, for tests: the illegal findings in them."""

from __future__ import annotations

from referee.audit import audit
from referee.engine.actions import Action
from referee.engine.rulings import Grade
from referee.judge import judge_record
from referee.record import parse
from tools.proof.habits.careless_log import log_carelessly
from tools.proof.logs.game_logger import NONE
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step
from tools.proof.proving import scenario_of, world_of


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
