"""Break rules of a legal log, one at a time, and write each broken log.

    python3 tools/mutate.py LOG DIR [--seed N] [--clause CLAUSE]

LOG is read as an audit reads it, with the same options, and what was done in it is done again with one rule
broken at one step; from there on goes what is still legal. A log begins with the turn in which the rule is
broken. DIR gets each as a log, and for each a line in ``mutations.tsv``: the file, the clause, how it was
broken, the steps in which that shows, and whether an audit found it there. Exit code 0: written; 1: an audit
missed one or laid it to another clause; 2: no log, no legal one, or no mutators for its game.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.commands import Choice, source_options
from referee.engine.rulings import Grade
from tools.proof.breakers import find_breaker
from tools.proof.breaking import broken_games
from tools.proof.comparing import steps_read
from tools.proof.judging import EXACT, audit_broken
from tools.proof.logs.loggable import UnloggableError
from tools.proof.logs.opening import opening_of
from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.archives import replace_file

COLUMNS = ("file", "clause", "how", "first step", "last step", "outcome")


@click.command(cls=Command)
@click.argument("path", metavar="LOG", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@source_options
@click.option("--seed", default=1, show_default=True, help="The same seed breaks the same rules.")
@click.option("--clause", default="", help="Break this clause only.")
@click.pass_context
def main(ctx: click.Context, path: Path, folder: Path, choice: Choice, seed: int, clause: str) -> None:
    """Write LOG into DIR with a rule broken, a log for each breach."""
    with refusing(ctx):
        report = choice.audit(path)
        game = report.world.game
        name = str(game.folders[0]) if game.families else game.id
        breaker = find_breaker(name)
        if report.count(Grade.illegal):
            raise BadInput(Problem(str(path), "", "is not a legal log", "a log without findings"))
    opening = opening_of(name, report.world.scenario.id)
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["\t".join(COLUMNS)]
    missed = False
    steps = list(steps_read(report.readings))
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    for number, broken in enumerate(broken_games(steps, breaker, rng, clauses=[clause] if clause else ())):
        try:
            verdict = audit_broken(opening, broken, seed)
        except UnloggableError:
            continue
        how = broken.mutator.name
        file = f"{number:03}-{broken.clause}.vlog"
        replace_file(folder / file, opening.to_bytes(verdict.logger.writer, f"{broken.clause}: {how}"))
        rows.append("\t".join((file, broken.clause, how, *map(str, verdict.steps), verdict.outcome)))
        missed |= verdict.outcome != EXACT
    replace_file(folder / "mutations.tsv", "".join(f"{line}\n" for line in rows).encode())
    ctx.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
