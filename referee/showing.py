"""``referee page`` and ``referee shot``: a game shown as it was played, without a judgement."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from referee.audit import witnessed
from referee.commands import (
    FILE,
    NEW,
    Choice,
    keep_apart,
    onlooker_options,
    show_failures,
    source_options,
    write_file,
)
from referee.report.page import page
from referee.report.plain import chronicle_json
from referee.report.shot import shot
from referee.report.veil import Onlooker
from vassalgen.commandline import UNREADABLE
from vassalgen.game.game import Game
from vassalgen.problems import BadInput, Failure, Problem

COLOURS = 256
"""So many colours do for boards and counters, and a picture of them is a third as large."""


@click.command(name="page")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="SAVE|LOG...")
@source_options
@onlooker_options
@click.option("-o", "--output", type=NEW, metavar="FILE", help="Where to write it; else beside the last log.")
@click.pass_context
def page_of_logs(
    ctx: click.Context,
    logs: Sequence[Path],
    choice: Choice,
    onlooker: Onlooker,
    output: Path | None,
) -> None:
    """Show the game in LOG, or the position in SAVE, on a page; several logs, in order, are one game."""
    target = output or logs[-1].with_suffix(".html")
    keep_apart([target], choice.inputs(*logs))
    found, told, failures = _told(choice, logs, onlooker)
    write_file(target, page(told, found))
    click.echo(target)
    ctx.exit(UNREADABLE if show_failures(ctx, told, failures) else 0)


@click.command(name="shot")
@click.argument("log", type=FILE, metavar="SAVE|LOG")
@source_options
@onlooker_options
@click.option("--step", type=click.IntRange(min=0), help="After which step; else after the last.")
@click.option(
    "--scale",
    type=click.FloatRange(0.1, 2),
    default=0.5,
    show_default=True,
    help="1 is as in VASSAL at 100 %.",
)
@click.option("-o", "--output", type=NEW, metavar="PNG", help="Where to write it; else beside the log.")
@click.pass_context
def shot_of_log(
    ctx: click.Context,
    log: Path,
    choice: Choice,
    onlooker: Onlooker,
    step: int | None,
    scale: float,
    output: Path | None,
) -> None:
    """Draw the board as it lay after a step of LOG, or in SAVE, with the moves of the step."""
    keep_apart([output] if output else [], choice.inputs(log))
    found, told, failures = _told(choice, (log,), onlooker)
    last = len(told["steps"]) - 1
    if step is not None and step > last:
        raise BadInput(Problem(str(log), "", f"there is no step {step}", f"it has {last} steps"))
    at = last if step is None else step
    stream = BytesIO()
    shot(told, found, at, scale).quantize(COLOURS).save(stream, "PNG", optimize=True)
    target = output or log.with_name(f"{log.stem}-{at}.png")
    write_file(target, stream.getvalue())
    click.echo(target)
    ctx.exit(UNREADABLE if show_failures(ctx, told, failures) else 0)


def _told(
    choice: Choice, logs: Sequence[Path], onlooker: Onlooker
) -> tuple[Game, dict[str, Any], tuple[Failure, ...]]:
    sources = choice.open(*logs)
    scenario, seen = witnessed(sources.logs, sources.game, sources.module, sources.scenario)
    failures = tuple(failure for log in seen for _, failure in log.failures)
    return sources.game, chronicle_json(sources.game, scenario, seen, onlooker), failures
