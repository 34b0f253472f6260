"""The command ``vassalgen``."""

from __future__ import annotations

import click

from vassalgen.commandline import LazyGroup, use_utf8

COMMANDS = {
    "new": ("vassalgen.new:new", "Write a small complete game to play and to change."),
    "adopt": ("vassalgen.adopting.command:adopt", "Turn a module of any hex game into game data."),
    "build": ("vassalgen.build:build", "Build the VASSAL module of a game."),
    "check": ("vassalgen.build:check", "Check the data of a game for mistakes."),
    "list": ("vassalgen.build:list_games", "List the games that are installed."),
    "migrate": ("vassalgen.migration:migrate", "Convert a game to another version of its module."),
    "inspect": ("vassalgen.inspection.command:inspect", "Show what is in a module, extension, save or log."),
}


@click.command(cls=LazyGroup, commands_at=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vassalgen")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Build VASSAL modules from text files, and inspect the files that VASSAL writes."""
    use_utf8(ctx)
