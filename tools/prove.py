"""Count the errors of a referee: play games at random, audit them, break their rules, audit that.

    python3 tools/prove.py GAME [--scenario S] [--games N] [--seed N] [--jobs N] [--keep FILE] > docs/proof.md

Each game is told as a log in VASSAL's shape, replayed, read and judged: whatever is not found legal is
counted, and the record that was read is compared with the one that was played. Then mutators break a rule
at single steps of the same games, and of short games from openings in which rare rules come up, and each
broken game goes through the same chain. With ``--keep`` what is finished is kept in FILE, a line of JSON
each, and a run that was stopped goes on from there; FILE belongs to one state of the project. Exit code 0:
nobody was accused falsely and no game stuck; 1: somebody was, or one did; 2: no such game or mutators.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.games import find_rules
from tools.proof.breaking import find_breaker
from tools.proof.proving import break_game, prove_game
from tools.proof.reporting import report
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

Found: TypeAlias = "dict[str, Any]"


def work(name: str, scenario: str, task: tuple[str, int]) -> Found:
    """Do one task: a game, or the breaking of one."""
    kind, seed = task
    found = prove_game(name, scenario, seed) if kind == "game" else break_game(name, scenario, seed)
    return {"kind": kind, "seed": seed, **found}


def run(
    tasks: Iterable[tuple[str, int]], do: Callable[[tuple[str, int]], Found], jobs: int, keep: Path | None
) -> list[Found]:
    """Do tasks in several processes, going on from those that are kept; in their order."""
    done: dict[tuple[str, int], Found] = {}
    if keep is not None and keep.exists():
        kept = map(json.loads, keep.read_text(encoding="utf-8").splitlines())
        done = {(found["kind"], found["seed"]): found for found in kept}
    wanted = list(tasks)
    waiting = [task for task in wanted if task not in done]
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(do, task) for task in waiting]
        for count, future in enumerate(as_completed(futures), 1):
            found = future.result()
            done[found["kind"], found["seed"]] = found
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found) + "\n")
            if sys.stderr.isatty():
                click.echo(f"\r{count} of {len(waiting)}", nl=False, err=True)
    return [done[task] for task in wanted]


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--scenario", default="", help="Which scenario; the first if none is named.")
@click.option("--games", default=500, show_default=True, help="How many games are played.")
@click.option("--broken", default=-1, help="In how many of them rules are broken; in all if not said.")
@click.option("--seed", default=1, show_default=True, help="The seed of the first; the others follow.")
@click.option("--jobs", default=2, show_default=True, help="How many processes.")
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path), help="Where what is finished is kept."
)
@click.pass_context
def main(
    ctx: click.Context,
    name: str,
    scenario: str,
    games: int,
    broken: int,
    seed: int,
    jobs: int,
    keep: Path | None,
) -> None:
    """Count the errors of the referee of GAME over random games and broken ones."""
    try:
        game = open_game(name)
        find_rules(game.id).world(game, scenario)
        find_breaker(game.id)
    except (BadInput, LookupError) as error:
        for problem in error.problems if isinstance(error, BadInput) else (error,):
            click.echo(problem, err=True)
        ctx.exit(2)
    tasks = [("game", seed + place) for place in range(games)]
    tasks += [("broken", seed + place) for place in range(games if broken < 0 else broken)]
    found = run(tasks, partial(work, name, scenario), jobs, keep)
    for line in report(game, found):
        click.echo(line)
    ctx.exit(1 if any(each.get("wrong") or each.get("stuck") for each in found) else 0)


if __name__ == "__main__":
    main()
