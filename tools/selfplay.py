"""Play a random game by the rules, and write its record, or record and log.

    python3 tools/selfplay.py GAME [--scenario S] [--seed N] [--turns T] [-o FILE]

What can be done comes from the rulebook's own listing of actions, so there is nothing of any game in here.
The record goes to FILE; if that is a ``.vlog``, it is a log of the same game as VASSAL would write it, and
the record goes beside it. Where play cannot go on, be it a dead end or an error, the record up to there is
written and says why in its last line. Exit code 0: played to the end; 1: it stuck, or an action said with
less detail was not legal any more; 2: no such game.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.games import find_rules
from referee.record import Vocabulary, say_verdict, write
from tools.proof.logs.game_logger import log_game
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import play
from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.game.finding import open_game
from vassalgen.vassal.archives import replace_file

LOG = ".vlog"


@click.command(cls=Command)
@click.argument("name", metavar="GAME")
@click.option("--scenario", default="", help="Which scenario; the first if none is named.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same game.")
@click.option("--turns", default=0, help="How many turns; all if none are named.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write to.")
@click.pass_context
def main(ctx: click.Context, name: str, scenario: str, seed: int, turns: int, output: Path | None) -> None:
    """Play a random game of GAME by its rules, and write its record."""
    with refusing(ctx):
        game = open_game(name)
        world = find_rules(game).world(game, scenario)
    with_log = output is not None and output.suffix == LOG
    played = play_for_log(world, seed, turns) if with_log else play(world, seed, turns)
    text = write(played.record)
    if output is None:
        click.echo(text, nl=False)
    elif with_log:
        opening = opening_of(name, scenario)
        logger = log_game(opening, played.steps, seed)
        replace_file(output, opening.to_bytes(logger.writer, f"A random game, seed {seed}"))
        replace_file(output.with_suffix(".record"), text.encode())
    else:
        replace_file(output, text.encode())
    words = Vocabulary(world)
    if played.stuck:
        click.echo(f"stuck after {len(played.steps)} actions: {played.stuck}", err=True)
    for found in played.accusations:
        verdict = ", ".join(say_verdict(found.ruling.verdict))
        click.echo(
            f"turn {found.before.turn}, {found.before.phase}: legal: {words.say(found.legal)}", err=True
        )
        click.echo(f"  but {words.say(found.said)}: {verdict}", err=True)
    ctx.exit(1 if played.stuck or played.accusations else 0)


if __name__ == "__main__":
    main()
