"""Count false accusations in legal games that are told as careless people play.

    python3 tools/habits.py GAME [--games N] [--turns N] [--seed N] [--habit NAME]...

Random legal games are told once for each habit of `tools/proof/habits.py` and audited. What is found illegal
in them is false. Exit code 0: nothing was; 1: something was; 2: no such game or habit.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.audit import audit
from referee.engine.rulings import Grade
from referee.table import EMPTY_MODULE
from tools.proof.habits import HABITS, tell_carelessly
from tools.proof.logs.opening import opening_of
from tools.proof.logs.talk import UntellableError, play_for_log
from tools.proof.proving import scenario_of, world_of
from vassalgen.problems import BadInput


def false_accusations(game: str, seed: int, turns: int, habit: str) -> list[str] | None:
    """Return the clauses of what is found illegal in a legal game told with a habit, None if it cannot be.

    The module is at hand in every second game.
    """
    scenario = scenario_of(game, "", seed)
    world, opening = world_of(game, scenario), opening_of(game, scenario)
    played = play_for_log(world, seed, turns)
    try:
        teller = tell_carelessly(opening, played.steps, seed, frozenset({habit}))
    except UntellableError:
        return None
    module = opening.module if seed % 2 else EMPTY_MODULE
    report = audit([teller.writer.log(f"{habit}-{seed}.vlog")], world.game, module, scenario)
    return [one.clause for one in report.findings if one.grade is Grade.illegal]


@click.command()
@click.argument("game")
@click.option("--games", default=10, show_default=True, help="How many games.")
@click.option("--turns", default=3, show_default=True, help="How many turns of each are played; 0 for all.")
@click.option("--seed", default=1, show_default=True, help="The seed of the first game.")
@click.option("--habit", "habits", multiple=True, type=click.Choice(tuple(HABITS)), help="Only this habit.")
def main(game: str, games: int, turns: int, seed: int, habits: Sequence[str]) -> None:
    """Count false accusations in legal games of GAME that are told with careless habits."""
    click.echo("| habit | games accused / told | false findings | clauses |\n| --- | --- | --- | --- |")
    wrong = 0
    for habit in habits or HABITS:
        try:
            each = [false_accusations(game, one, turns, habit) for one in range(seed, seed + games)]
        except BadInput as error:
            click.echo(error, err=True)
            sys.exit(2)
        told = [found for found in each if found is not None]
        clauses = Counter(clause for found in told for clause in found)
        wrong += clauses.total()
        named = ", ".join(f"{clause} {count}" for clause, count in clauses.most_common())
        accused = sum(map(bool, told))
        click.echo(f"| {HABITS[habit]} | {accused}/{len(told)} | {clauses.total()} | {named} |")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
