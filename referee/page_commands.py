"""``referee page`` and ``referee shot``: a game shown as it was played, without an audit."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from referee.audit import logged_facts
from referee.commands import (
    FILE,
    Choice,
    Sources,
    notes_option,
    show_failures,
    source_options,
    viewer_options,
)
from referee.games import find_rules
from referee.mapping.art import artwork_of
from referee.report.as_json import timeline_json
from referee.report.page import page
from referee.report.shot import shot
from referee.report.visibility import Viewer
from referee.scribe.noted import check
from vassalgen.commandline import OUTPUT, STDOUT, UNREADABLE, keep_apart, write_file
from vassalgen.problems import BadInput, Failure, Problem

COLOURS = 256
"""This many colours are sufficient for boards and counters, and make a picture a third as large."""


@click.command(name="page")
@click.argument("logs", nargs=-1, required=True, type=FILE, metavar="SAVE|LOG...")
@source_options
@notes_option
@viewer_options
@click.option(
    "-o", "--output", type=OUTPUT, metavar="FILE", help="Where to write it. [default: beside the last log]"
)
@click.pass_context
def page_of_logs(
    ctx: click.Context,
    logs: Sequence[Path],
    choice: Choice,
    viewer: Viewer,
    output: Path | None,
) -> None:
    """Write a web page that replays LOG, or shows the position in SAVE, without an audit.

    Several logs, in order, are one game. Notes are shown beside the steps that they are about.

    Exit code 0: the page was written; 2: a file cannot be read, or some of its steps could not be replayed.
    """
    target = output or logs[-1].with_suffix(".html")
    keep_apart([target], choice.inputs(*logs))
    sources, values, failures = _report_values(choice, logs, viewer)
    write_file(
        target, page(values, sources.game, artwork=artwork_of(sources.module, sources.game, choice.limit))
    )
    if target != STDOUT:
        click.echo(target)
    ctx.exit(UNREADABLE if show_failures(ctx, values, failures) else 0)


@click.command(name="shot")
@click.argument("log", type=FILE, metavar="SAVE|LOG")
@source_options
@viewer_options
@click.option(
    "--step",
    type=click.IntRange(min=0),
    metavar="N",
    help="The step after which to show the board. [default: the last]",
)
@click.option(
    "--scale",
    type=click.FloatRange(0.1, 2),
    default=0.5,
    show_default=True,
    metavar="NUMBER",
    help="1 is the size in VASSAL at 100 % zoom.",
)
@click.option(
    "-o", "--output", type=OUTPUT, metavar="PNG", help="Where to write it. [default: beside the log]"
)
@click.pass_context
def shot_of_log(
    ctx: click.Context,
    log: Path,
    choice: Choice,
    viewer: Viewer,
    step: int | None,
    scale: float,
    output: Path | None,
) -> None:
    """Write a picture of the board after a step of LOG, or of SAVE, with arrows for the moves of that step.

    Exit code 0: the picture was written; 2: the file or the step cannot be shown.
    """
    keep_apart([output] if output else [], choice.inputs(log))
    sources, values, failures = _report_values(choice, (log,), viewer)
    last = len(values["steps"]) - 1
    if step is not None and step > last:
        raise BadInput(Problem(str(log), "", f"there is no step {step}", f"the last step is {last}"))
    at = last if step is None else step
    stream = BytesIO()
    artwork = artwork_of(sources.module, sources.game, choice.limit)
    shot(values, sources.game, at, scale, artwork).quantize(COLOURS).save(stream, "PNG", optimize=True)
    target = output or log.with_name(f"{log.stem}-{at}.png")
    write_file(target, stream.getvalue())
    if target != STDOUT:
        click.echo(target)
    ctx.exit(UNREADABLE if show_failures(ctx, values, failures) else 0)


def _report_values(
    choice: Choice, logs: Sequence[Path], viewer: Viewer
) -> tuple[Sources, dict[str, Any], tuple[Failure, ...]]:
    sources = choice.open(*logs)
    for remark in sources.remarks:
        click.echo(remark, err=True)
    scenario, seen = logged_facts(sources.logs, sources.game, sources.module, sources.scenario)
    failures = tuple(failure for log in seen for _, failure in log.failures)
    notes = choice.notes_on(*logs)
    if notes.notes:
        check(seen, notes, find_rules(sources.game).world(sources.game, scenario.id))
    return sources, timeline_json(sources.game, scenario, seen, viewer, notes), failures
