"""The command ``referee``."""

from __future__ import annotations

import click

from vassalgen.commandline import LazyGroup, use_utf8

COMMANDS = {
    "replay": ("referee.replay:replay", "Tell what happened in a log, step by step."),
    "audit": ("referee.commands:audit_logs", "Say which moves in a log broke which rule."),
    "page": ("referee.showing:page_of_logs", "Show the game in a log on a page, without an audit."),
    "shot": ("referee.showing:shot_of_log", "Draw the board as it lay after a step of a log."),
    "watch": ("referee.watching:watch", "Audit the logs that arrive in a folder, with a page for each."),
    "record": ("referee.commands:record_logs", "Write the game in a log as a record."),
    "moves": ("referee.commands:moves", "Say where a unit may go in a saved game, and what stops it."),
    "odds": ("referee.commands:odds", "Reckon the odds of an attack in a saved game."),
    "judge": ("referee.judge:judge", "Rule on the actions in game records."),
}


@click.command(cls=LazyGroup, commands_at=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vassalgen")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Replay VASSAL logs and rule on the moves in them."""
    use_utf8(ctx)
