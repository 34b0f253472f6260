"""Break rules of a legal record, one at a time, and write each broken record.

    python3 tools/mutate.py RECORD DIR [--seed N] [--clause CLAUSE]

Each file in DIR is the record with one step replaced. The last of what replaces it carries the ruling it gets
as its expectation, and the rest of the record follows as it was: after a breach the table wins.
Exit code 0: written; 2: no record, or no mutators for its game.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import click
from attrs import evolve

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.engine.actions import Action
from referee.judge import judge_case
from referee.record import Case, Statement, read, write
from tools.proof.breaking import find_breaker, mutations
from tools.proof.playing import Step
from vassalgen.problems import BadInput


@click.command()
@click.argument("path", metavar="RECORD", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--seed", default=1, show_default=True)
@click.option("--clause", default="", help="Break this clause only.")
@click.pass_context
def main(ctx: click.Context, path: Path, folder: Path, seed: int, clause: str) -> None:
    """Write RECORD into DIR with a rule broken, a file for each breach."""
    try:
        record = read(path)
        assert record.world is not None
        breaker = find_breaker(record.world.game.id)
    except (BadInput, LookupError) as error:
        for problem in error.problems if isinstance(error, BadInput) else (error,):
            click.echo(problem, err=True)
        ctx.exit(2)
    steps, places = [], []
    for place, each in enumerate(judge_case(record, Case(statements=record.main))):
        if each.ruling is not None and isinstance(each.statement.deed, Action):
            steps.append(Step(each.statement.deed, each.before, each.after, each.ruling))
            places.append(place)
    folder.mkdir(parents=True, exist_ok=True)
    for number, mutation in enumerate(mutations(steps, breaker, Random(seed), most=1)):  # noqa: S311 - no secret
        if clause in ("", mutation.clause):
            place = places[mutation.place]
            *led, last = mutation.actions
            broken = (*map(Statement, led), Statement(last, mutation.ruling.verdict, mutation.how))
            main = (*record.main[:place], *broken, *record.main[place + 1 :])
            file = folder / f"{number:03}-{mutation.clause}.record"
            beside = file.with_name(f"{file.name}.part")
            beside.write_text(write(evolve(record, main=main)), encoding="utf-8")
            beside.replace(file)


if __name__ == "__main__":
    main()
