"""Count the errors of a referee: play games at random, audit them, break their rules, audit that.

    python3 tools/prove.py GAME [--scenario S] [--games N] [--mutations N] [--changes N] [--seed N] [--jobs N]
                           [--habits [--whole N] [--only HABIT ...]] [--keep FILE]

Each game is written as a log in VASSAL's shape, replayed, read and judged: whatever is not found legal is
counted, and the record that was read is compared with the one that was played. Then each clause is broken a
number of times, at single steps of the same games and of short ones from openings in which it comes up, and
each broken game goes through the same chain; and so do games in which a counter is changed with nothing
that calls for it. What is printed is `docs/proof/GAME.md`. With ``--habits`` games are played as careless
people play instead, and in some of them a rule is broken: `docs/proof/GAME-habits.md`. With ``--keep`` what
is finished is kept in FILE, a line of JSON each, and a run that was stopped goes on from there; FILE
belongs to one state of the project. Exit code 0: nobody was accused falsely and no game stuck; 1: somebody
was, or one did; 2: no such game or mutators.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.games import find_rules
from tools.keeping import keep, kept
from tools.proof import habit_report
from tools.proof.breakers import find_breaker
from tools.proof.carelessness import WHOLE, break_habits, try_habits, turns_of
from tools.proof.habits import HABITS
from tools.proof.proving import WANTED, break_clause, change_game, prove_game, to_break
from tools.proof.reporting import report
from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.game.finding import open_game

Found: TypeAlias = "dict[str, Any]"


Task: TypeAlias = "tuple[str, str, int]"
"""A game, ("game", "", seed), the breaking of a clause, ("broken", clause, seed of the first game), or a game
with unexplained changes, ("changed", "", seed). With careless habits: a short game, a whole one, or one in
which rules are broken, ("habits", "", seed), ("habits, whole", "", seed) or ("careless", "", seed)."""


def work(name: str, scenario: str, mutations: int, only: Sequence[str], task: Task) -> Found:
    """Do one task, one about careless habits with ``only`` some of them if any are named."""
    kind, clause, seed = task
    if kind == "game":
        found = prove_game(name, scenario, seed)
    elif kind == "changed":
        found = change_game(name, scenario, seed)
    elif kind in ("habits", "habits, whole"):
        found = try_habits(name, seed, turns_of(seed) if kind == "habits" else WHOLE, only)
    elif kind == "careless":
        found = break_habits(name, seed, only)
    else:
        found = break_clause(name, scenario, clause, seed, mutations)
    return {"kind": kind, "clause": clause, "seed": seed, **found}


def run(tasks: Iterable[Task], do: Callable[[Task], Found], jobs: int, file: Path | None) -> list[Found]:
    """Do tasks in several processes, going on from those in a file; in their order."""
    done: dict[Task, Found] = {}
    if file is not None:
        done = {_task_of(found): found for found in kept(file)}
    wanted = list(tasks)
    waiting = [task for task in wanted if task not in done]
    with ProcessPoolExecutor(jobs, initializer=_collect_seldom) as pool:
        futures = [pool.submit(do, task) for task in waiting]
        for count, future in enumerate(as_completed(futures), 1):
            found = future.result()
            done[_task_of(found)] = found
            if file is not None:
                keep(file, found)
            if sys.stderr.isatty():
                click.echo(f"\r{count} of {len(waiting)}", nl=False, err=True)
    return [done[task] for task in wanted]


def _collect_seldom() -> None:
    """Let Python look for unused cycles less often: frozen values make few of them, and this saves a sixth of
    the time.
    """
    gc.set_threshold(50_000, 20, 20)


def _task_of(found: Found) -> Task:
    return found["kind"], found["clause"], found["seed"]


@click.command(cls=Command)
@click.argument("name", metavar="GAME")
@click.option("--scenario", default="", help="Which scenario; all in turn if none is named.")
@click.option("--games", default=500, show_default=True, help="How many games are played.")
@click.option("--mutations", default=WANTED, show_default=True, help="How often each clause is broken.")
@click.option("--changes", default=24, show_default=True, help="In how many games counters are changed.")
@click.option("--habits", is_flag=True, help="Play games with careless habits, and break rules in some.")
@click.option("--whole", default=10, show_default=True, help="How many whole games are played with habits.")
@click.option(
    "--only",
    type=click.Choice([*HABITS]),
    multiple=True,
    metavar="HABIT",
    help="Only some habits, each alone.",
)
@click.option("--seed", default=1, show_default=True, help="The seed of the first; the others follow.")
@click.option("--jobs", default=2, show_default=True, help="How many processes.")
@click.option(
    "--keep", "file", type=click.Path(dir_okay=False, path_type=Path), help="Where what is finished is kept."
)
@click.pass_context
def main(
    ctx: click.Context,
    name: str,
    scenario: str,
    games: int,
    mutations: int,
    changes: int,
    habits: bool,
    whole: int,
    only: tuple[str, ...],
    seed: int,
    jobs: int,
    file: Path | None,
) -> None:
    """Count the errors of the referee of GAME over random games and broken ones."""
    with refusing(ctx):
        game = open_game(name)
        find_rules(game).world(game, scenario)
        breaker = find_breaker(name)
    if habits:
        kinds = {"habits": games, "habits, whole": whole, "careless": mutations}
        tasks = [(kind, "", seed + place) for kind, count in kinds.items() for place in range(count)]
        found = run(tasks, partial(work, name, scenario, mutations, only), jobs, file)
        for line in habit_report.report(game, found):
            click.echo(line)
        ctx.exit(1 if any(one.get("wrong") for one in found) else 0)
    tasks = [("game", "", seed + place) for place in range(games)]
    tasks += [("broken", clause, seed) for clause in to_break(game, breaker) if mutations]
    tasks += [("changed", "", seed + place) for place in range(changes)]
    found = run(tasks, partial(work, name, scenario, mutations, only), jobs, file)
    for line in report(game, breaker, found):
        click.echo(line)
    rulings, seconds = (sum(one.get(key, 0) for one in found) for key in ("rulings", "seconds"))
    if seconds:
        pace = f"{rulings / seconds:.0f} rulings a second"
        click.echo(f"{rulings} actions ruled on while playing in {seconds:.0f} s of CPU: {pace}", err=True)
    ctx.exit(1 if any(each.get("wrong") or each.get("stuck") for each in found) else 0)


if __name__ == "__main__":
    main()
