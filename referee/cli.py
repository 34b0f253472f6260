"""The command ``referee``."""

from __future__ import annotations

import click

from vassalgen.commandline import LazyGroup, use_utf8

COMMANDS = {
    "audit": ("referee.commands:audit_logs", "Report which moves in a log broke which rule."),
    "watch": ("referee.watching:watch", "Audit new logs in a folder, with a page for each."),
    "archive": (
        "referee.archive.command:archive",
        "Judge all logs of a club, and make a web site of them.",
    ),
    "replay": ("referee.replay:replay", "Show what happened in a log, step by step."),
    "page": ("referee.page_commands:page_of_logs", "Write a web page that replays a log, without an audit."),
    "shot": ("referee.page_commands:shot_of_log", "Write a picture of the board after a step of a log."),
    "record": ("referee.commands:record_logs", "Write the game in a log as a record, a text file."),
    "judge": ("referee.judge_command:judge", "Judge the actions in game records."),
    "moves": ("referee.commands:moves", "List where a unit may move in a saved game, and what stops it."),
    "odds": ("referee.commands:odds", "Calculate the odds of an attack in a saved game."),
    "map": ("referee.mapping.commands:map_module", "Map the names of another module to those of a game."),
    "rules": ("referee.lookup:rules", "Show the rules of a game, clause by clause."),
    "rulings": (
        "referee.lookup:rulings",
        "List the open rules questions of a game and their interpretations.",
    ),
    "verbs": ("referee.lookup:verbs", "List the statements of a game record, with examples."),
    "hex": ("referee.lookup:show_hex", "Show what is in a hex of a game's map."),
}


@click.command(cls=LazyGroup, commands_at=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vassalgen")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Replay VASSAL logs and judge the moves in them by the rules of the game."""
    use_utf8(ctx)
