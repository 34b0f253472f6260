"""Compare the rules of a game with slow literal readings of them, on random positions.

    python3 tools/differ.py GAME [--scenario S] [--positions N] [--seed N] [--jobs N] [-o FOLDER]
    python3 tools/differ.py GAME --record FILE

Of each comparison it prints how many answers were compared and how many differ. A position in which something
differs is written to FOLDER as a record, with the differences as comments; with ``--record`` the positions at
the end of a record's cases are compared, so that it can be gone into. Exit code 0: all is the same; 1:
something differs; 2: no such game, or nobody has read its rules literally.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import click
from attrs import evolve, frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.engine.position import World
from referee.games import find_rules
from referee.record import Statement, read, write
from tools.oracles.comparing import Compared, Oracle, compare_record, find_oracle, scattered
from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.game.finding import open_game
from vassalgen.vassal.archives import replace_file

SHOWN = 5
"""How many differences of one position are reported; the others are only counted."""


@frozen
class Found:
    """The outcome of one position: counts of answers and of differences; a record if there are any."""

    name: str
    counts: Counter[str]
    differing: Counter[str]
    shown: tuple[str, ...]
    record: str = ""


@cache
def opened(name: str, scenario: str) -> tuple[World, Oracle]:
    """Return the world of a game and its literal reading, created once in each process."""
    game = open_game(name)
    return find_rules(game).world(game, scenario), find_oracle(game.id)


def differ(name: str, scenario: str, seed: int) -> Found:
    """Compare one random position."""
    world, oracle = opened(name, scenario)
    record = scattered(world, oracle, seed)
    found = _found(f"seed {seed}", next(compare_record(oracle, record)))
    if not found.shown:
        return found
    comments = tuple(Statement(comment=line) for line in found.shown)
    return evolve(found, record=write(evolve(record, main=(*record.main, *comments))))


def _found(name: str, compared: Compared) -> Found:
    counts, differences = Counter(compared.counts), compared.differences
    differing = Counter(difference.comparison.name for difference in differences)
    shown = [" ".join(str(difference).split()) for difference in differences[:SHOWN]]
    if len(differences) > SHOWN:
        shown.append(f"and {len(differences) - SHOWN} more")
    return Found(name, counts, differing, tuple(shown))


def searched(name: str, scenario: str, seeds: range, jobs: int, folder: Path | None) -> Iterator[Found]:
    """Compare random positions in several processes, and keep the records of those that differ."""
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(partial(differ, name, scenario), seeds, chunksize=10)
        for count, each in enumerate(found, 1):
            if each.record and folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                replace_file(folder / f"{each.name.replace(' ', '-')}.record", each.record.encode())
            if sys.stderr.isatty():
                click.echo(f"\r{count} of {len(seeds)} positions", nl=False, err=True)
            yield each


def report(oracle: Oracle, results: Iterable[Found]) -> tuple[list[str], bool]:
    """Return what was compared and what differs, and whether anything does."""
    counts: Counter[str] = Counter()
    differing: Counter[str] = Counter()
    lines, positions = [], 0
    for found in results:
        positions += 1
        counts.update(found.counts)
        differing.update(found.differing)
        lines += [f"{found.name}: {shown}" for shown in found.shown]
    lines.append(f"{positions} positions")
    for comparison in oracle.comparisons:
        asked, wrong = counts[comparison.name], differing[comparison.name]
        lines.append(f"{asked:9} answers, {wrong} differ: {comparison.name} [{comparison.clauses}]")
    return lines, bool(differing)


@click.command(cls=Command)
@click.argument("name", metavar="GAME")
@click.option("--scenario", default="", help="Which scenario; the first if none is named.")
@click.option("--positions", default=2000, show_default=True, help="How many random positions.")
@click.option("--seed", default=1, show_default=True, help="The seed of the first; the others follow.")
@click.option("--jobs", default=2, show_default=True, help="How many processes.")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Where records go.")
@click.option(
    "--record", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Compare its positions."
)
@click.pass_context
def main(
    ctx: click.Context,
    name: str,
    scenario: str,
    positions: int,
    seed: int,
    jobs: int,
    output: Path | None,
    record: Path | None,
) -> None:
    """Compare the rules of GAME with slow literal readings of them, on random positions."""
    with refusing(ctx):
        _, oracle = opened(name, scenario)
        shown = read(record) if record is not None else None
    if shown is not None:
        compared = enumerate(compare_record(oracle, shown), 1)
        lines, differs = report(oracle, [_found(f"{record}, {place}", each) for place, each in compared])
    else:
        seeds = range(seed, seed + positions)
        lines, differs = report(oracle, searched(name, scenario, seeds, jobs, output))
    for line in lines:
        click.echo(line)
    ctx.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
