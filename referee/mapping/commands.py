"""``referee map``: proposes and checks the map from the names of another module to those of a game."""

from __future__ import annotations

from pathlib import Path

import click

from referee.commands import FILE
from referee.mapping.checking import check_map
from referee.mapping.modulemap import game_of_map, read_map
from referee.mapping.proposing import propose
from referee.mapping.survey import survey
from referee.mapping.writing import write_map
from vassalgen.commandline import (
    FINDINGS,
    OUTPUT,
    STDOUT,
    complete_games,
    data_option,
    keep_apart,
    limit_option,
    write_file,
)
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.limits import Limits

FEW = 0.3
"""A module in which fewer of a game's counters are identified with certainty may belong to another game."""


@click.command(name="map")
@click.argument("module", type=FILE, metavar="MODULE")
@click.option(
    "--game", metavar="GAME|DIR", shell_complete=complete_games, help="The game that MODULE is for."
)
@data_option
@click.option(
    "--like", type=FILE, metavar="MAP", help="Keep the entries of this map of another version that fit."
)
@click.option(
    "--check",
    "checked",
    type=FILE,
    metavar="MAP",
    help="List what is missing in this map, and what an audit will lack.",
)
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    default="-",
    metavar="FILE",
    help="Where to write it. [default: standard output]",
)
@limit_option
@click.pass_context
def map_module(
    ctx: click.Context,
    module: Path,
    game: str | None,
    data: tuple[Path, ...],
    like: Path | None,
    checked: Path | None,
    output: Path,
    limit: Limits,
) -> None:
    """Match the pieces, places, phases and dice of MODULE to those of a game.

    An uncertain entry has a question mark and lists the candidates: correct it in an editor. Use the file as
    --map to audit logs of MODULE. docs/map.md explains it.

    Exit code 0: the map was written, or nothing is missing; 1: --check found something missing; 2: a file
    cannot be read.
    """
    file = checked or like
    known = read_map(file) if file else None
    if not game and known is None:
        raise BadInput(Problem(str(module), "", "the game is not named", "name it with --game"))
    found = open_game(game or (game_of_map(known) if known else ""), data)
    seen = survey(module, limit)
    if checked and known is not None:
        result = check_map(known, found, seen)
        for title, lines in (("Missing", result.missing), ("An audit will not know", result.unknowable)):
            if lines:
                click.echo(f"{title}:")
                for line in lines:
                    click.echo(f"  {line}")
        if not result.missing:
            click.echo("Nothing is missing.")
        ctx.exit(FINDINGS if result.missing else 0)
    keep_apart([output], [module, *([like] if like else [])])
    proposal = propose(found, seen, known)
    write_file(output, write_map(proposal))
    if output != STDOUT:
        sure = sum(line.is_sure for line in proposal.counters)
        count = f"{sure} of {len(proposal.counters)} pieces are sure"
        click.echo(f"{output}: {count}; to be checked: {proposal.unsure}")
        if len(proposal.found) < FEW * sum(
            not found.kinds[one.kind].marker for one in found.counters.values()
        ):
            few = f"only {len(proposal.found)}" if proposal.found else "none"
            what = f"{few} of the counters of {found.title} are surely among them"
            click.echo(f"{module.name}: {what}: is it a module of that game?")
