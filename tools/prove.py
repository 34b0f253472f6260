"""Count the errors of a referee: play games at random, judge them, break their rules, judge that.

    python3 tools/prove.py GAME [--scenario S] [--games N] [--seed N] [--jobs N] [--keep FILE] > docs/proof.md

Each game is written as a record, read back and judged: whatever is not found legal is a false accusation.
Then mutators break a rule at single steps of it. All at the level of records. With ``--keep`` finished games
are kept in FILE, a line of JSON each, and a run that was stopped goes on from there; FILE belongs to one
state of the project. Exit code 0: no false accusation, no dead end; 1: some; 2: no such game or mutators.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.games import find_rules
from referee.judge import judge_record
from referee.record import Vocabulary, parse, say_verdict, write
from tools.proof.breaking import consulted, find_breaker, mutations
from tools.proof.playing import play
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

COUNTS = ("mutations", "very clause", "found otherwise", "missed")

WHAT = """
Written by `tools/prove.py {name}`. It is at the level of records: what becomes of a log on its way to a
record is not in it.

The games are made by the same rules that judge them. That nothing in them is found illegal shows that a
record is read as it was written, and that an action told with less detail (dragged, or without the number of
its battle) is still legal. It cannot show that a rule is too lenient or too strict. For that, mutations ask
slow literal readings of movement, zones and supply, and what lies on the table.
"""


def prove_game(name: str, scenario: str, seed: int) -> dict[str, Any]:
    """Play, judge and break one game; return the counts and whatever went wrong, as values for JSON."""
    game = open_game(name)
    world = find_rules(game.id).world(game, scenario)
    words, played = Vocabulary(world), play(world, seed)
    wrong: list[list[str]] = []
    for each in played.accusations:
        for breach in each.ruling.breaches:
            wrong.append([breach.clause, f"seed {seed}: {words.say(each.said)}: {breach.says}"])
    for _, statements in judge_record(parse(write(played.record))):
        for judged in statements:
            for breach in judged.ruling.breaches if judged.ruling and not played.stuck else ():
                line = judged.statement.line
                wrong.append([breach.clause, f"seed {seed}, line {line}: {breach.says}"])
    broken: dict[str, list[int]] = {}
    missed: list[str] = []
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    for mutation in mutations(played.steps, find_breaker(game.id), rng):
        counts = broken.setdefault(mutation.clause, [0] * len(COUNTS))
        counts[0] += 1
        counts[1 if mutation.is_exact else 2 if mutation.is_found else 3] += 1
        if not mutation.is_exact:
            said = "; ".join(words.say(action) for action in mutation.actions)
            verdict = ", ".join(say_verdict(mutation.ruling.verdict))
            missed.append(
                f"{mutation.clause} ({mutation.how}), seed {seed}, after {mutation.place} actions: "
                f"`{said}`: {verdict}"
            )
    return {
        "seed": seed,
        "actions": len(played.steps),
        "stuck": played.stuck,
        "legal": consulted(played.steps),
        "wrong": wrong,
        "broken": broken,
        "missed": missed,
    }


def prove(
    seeds: Iterable[int], work: Callable[[int], dict[str, Any]], jobs: int, keep: Path | None
) -> list[dict[str, Any]]:
    """Prove games in several processes, going on from those that are kept; in the order of their seeds."""
    done: dict[int, dict[str, Any]] = {}
    if keep is not None and keep.exists():
        lines = keep.read_text(encoding="utf-8").splitlines()
        done = {found["seed"]: found for found in map(json.loads, lines)}
    wanted = list(seeds)
    waiting = [seed for seed in wanted if seed not in done]
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(work, seed) for seed in waiting]
        for count, future in enumerate(as_completed(futures), 1):
            found = future.result()
            done[found["seed"]] = found
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found) + "\n")
            if sys.stderr.isatty():
                click.echo(f"\r{count} of {len(waiting)} games", nl=False, err=True)
    return [done[seed] for seed in wanted]


def report(name: str, games: list[dict[str, Any]], clauses: Iterable[str]) -> Iterable[str]:
    """Tell what was counted, as Markdown."""
    actions = sum(game["actions"] for game in games)
    seeds = f"{games[0]['seed']} to {games[-1]['seed']}"
    wrong = [each for game in games for each in game["wrong"]]
    stuck = [f"seed {game['seed']}: {game['stuck']}" for game in games if game["stuck"]]
    yield f"# Proof of the referee for {name}"
    yield ""
    yield from (line.format(name=name) for line in WHAT.strip().splitlines())
    yield ""
    yield f"{len(games)} random games (seeds {seeds}): {actions} legal actions,"
    yield f"{len(wrong)} false accusations, {len(stuck)} games stuck."
    yield ""
    head = ["clause", "legal actions judged", "false accusations", *COUNTS]
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    total = [0] * len(COUNTS)
    for clause in clauses:
        legal = sum(game["legal"].get(clause, 0) for game in games)
        accused = sum(each[0] == clause for each in wrong)
        counts = [sum(game["broken"].get(clause, [0] * 4)[place] for game in games) for place in range(4)]
        total = [before + more for before, more in zip(total, counts, strict=True)]
        yield f"| {' | '.join(map(str, [clause, legal, accused, *counts]))} |"
    yield f"| all | {actions} | {len(wrong)} | {' | '.join(map(str, total))} |"
    missed = [each for game in games for each in game["missed"]]
    for title, lines in (
        ("False accusations", [text for _, text in wrong]),
        ("Stuck", stuck),
        ("Mutations that were missed or laid to another clause", missed),
    ):
        if lines:
            yield ""
            yield f"## {title}"
            yield ""
            yield from (f"- {line}" for line in lines[:200])


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--scenario", default="", help="Which scenario; the first if none is named.")
@click.option("--games", default=500, show_default=True, help="How many games.")
@click.option("--seed", default=1, show_default=True, help="The seed of the first; the others follow.")
@click.option("--jobs", default=2, show_default=True, help="How many processes.")
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path), help="Where finished games are kept."
)
@click.pass_context
def main(
    ctx: click.Context, name: str, scenario: str, games: int, seed: int, jobs: int, keep: Path | None
) -> None:
    """Count the errors of the referee of GAME over random games and broken ones."""
    try:
        game = open_game(name)
        rulebook = find_rules(game.id)
        rulebook.world(game, scenario)
        find_breaker(game.id)
    except (BadInput, LookupError) as error:
        for problem in error.problems if isinstance(error, BadInput) else (error,):
            click.echo(problem, err=True)
        ctx.exit(2)
    judged = [clause.id for clause in game.clauses.values() if clause.judged in ("enforced", "scored")]
    found = prove(range(seed, seed + games), partial(prove_game, name, scenario), jobs, keep)
    for line in report(name, found, judged):
        click.echo(line)
    ctx.exit(1 if any(each["wrong"] or each["stuck"] for each in found) else 0)


if __name__ == "__main__":
    main()
