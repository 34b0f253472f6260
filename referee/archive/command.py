"""The command ``referee archive``."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

import click

from referee.archive.changes import in_words
from referee.archive.database import Database
from referee.archive.running import Options, Progress, Run, Summary, Workers
from referee.archive.site import PUBLIC
from referee.archive.workers import Limit, LocalWorkers, usable_cores
from referee.commands import FOLDER
from referee.engine.wording import counted
from vassalgen.commandline import FINDINGS, INTERRUPTED, limit_option
from vassalgen.problems import BadInput, FormatError, Problem
from vassalgen.vassal.limits import Limits, parse_size

FILE = "archive.db"


class _Memory(click.ParamType[int]):
    name = "SIZE"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return parse_size(str(value))
        except FormatError as error:
            self.fail(str(error), param, ctx)


@click.command()
@click.argument("folders", nargs=-1, type=FOLDER, metavar="[FOLDER]...")
@click.option(
    "-o",
    "--output",
    "site",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("archive"),
    metavar="SITE",
    help="Where the archive and its site are. [default: archive]",
)
@click.option("--changes", is_flag=True, help="List what the last update changed, without judging.")
@click.option(
    "--page",
    "pages",
    multiple=True,
    type=int,
    metavar="GAME",
    help="Write the page of the game with this number.",
)
@click.option("--pages", "all_pages", is_flag=True, help="Write the pages of all games.")
@click.option("--redact", is_flag=True, help="Give players pseudonyms everywhere on the site.")
@click.option("--reveal", is_flag=True, help="Show hidden units of unfinished games too.")
@click.option("--again", is_flag=True, help="Retry games that could not be judged.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="How many processes. [default: all cores]")
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a game may take; 0: no limit.",
)
@click.option(
    "--memory",
    type=_Memory(),
    default=2 * 2**30,
    metavar="SIZE",
    help="How much memory a process may take. [default: 2GB]",
)
@click.option("--scheduler", default="", metavar="ADDRESS", help="Judge on a Dask cluster: tcp://HOST:PORT.")
@limit_option
@click.pass_context
def archive(
    ctx: click.Context,
    folders: Sequence[Path],
    site: Path,
    changes: bool,
    pages: tuple[int, ...],
    all_pages: bool,
    redact: bool,
    reveal: bool,
    again: bool,
    jobs: int | None,
    seconds: float,
    memory: int,
    scheduler: str,
    limit: Limits,
) -> None:
    """Sort the logs in FOLDER into games, judge each game once, and make a web site of them.

    Logs may be in zip files. Verdicts are kept in SITE: a game is judged again only if its logs, the module,
    the rules or the data have changed. Without FOLDER, the folders of the last run are used. Publish only
    SITE/www. docs/archive.md explains the site and how to correct the sorting.

    Exit code 0: all games were judged; 1: a game could not be judged, or a file not read; 2: the archive
    cannot be used; 130: interrupted; run the same command to continue.
    """
    path = site / FILE
    if changes and (folders or pages or all_pages):
        raise click.UsageError("--changes lists what the last update changed and does nothing else")
    if not folders and not path.is_file():
        if changes:
            raise BadInput(Problem(str(path), "", "no archive was found here", "name its folder with -o"))
        raise click.UsageError("name the folders with the logs")
    limits = Limit(seconds, memory)

    def workers() -> Workers:
        if scheduler:
            from referee.archive.cluster import Cluster  # noqa: PLC0415 - an extra

            return Cluster.at(scheduler, limits)
        return LocalWorkers(jobs or usable_cores(), limits)

    with Database.open(path) as database:
        if changes:
            for line in changed_lines(database):
                click.echo(line)
            return
        known = json.loads(database.note("folders") or "[]")
        chosen = tuple(folders) or tuple(map(Path, known))
        gone = [str(one) for one in chosen if not one.is_dir()]
        if gone:
            raise BadInput(
                [Problem(one, "", "there is no such folder", "a folder with logs") for one in gone]
            )
        database.remember("folders", json.dumps([str(one.resolve()) for one in chosen]))
        options = Options(
            folders=chosen,
            site=site,
            limits=limit,
            limit=limits,
            reveal=reveal,
            again=again,
            redact=redact,
            all_pages=all_pages,
            pages=pages,
        )
        run = Run(options, database, workers, Progress())
        before = signal.signal(signal.SIGTERM, _interrupt)
        try:
            summary = run.go()
        except KeyboardInterrupt:
            click.echo("Interrupted. Finished games are kept; run the same command to continue.", err=True)
            ctx.exit(INTERRUPTED)
        finally:
            signal.signal(signal.SIGTERM, before)
        click.echo(f"{in_words_of(summary)}; {site / PUBLIC / 'index.html'}")
        changed = sum(map(len, database.changes(run.number).values()))
        if changed:
            verb = "verdict has" if changed == 1 else "verdicts have"
            click.echo(f"{changed} {verb} changed; --changes lists them.")
        ctx.exit(FINDINGS if summary.failed or summary.unreadable else 0)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def in_words_of(summary: Summary) -> str:
    """What a run did, in one line."""
    parts = [
        counted(summary.games, "game"),
        f"{summary.judged} judged",
        f"{summary.reused} as before" if summary.reused else "",
        f"{summary.without} without a rulebook" if summary.without else "",
        f"{summary.failed} could not be judged" if summary.failed else "",
        f"{counted(summary.unreadable, 'file')} cannot be read" if summary.unreadable else "",
    ]
    return ", ".join(filter(None, parts))


def changed_lines(database: Database) -> Iterator[str]:
    """What the last update that changed any verdict changed, game by game."""
    last = database.last_change()
    if last is None:
        yield "No verdict has changed since the archive was begun."
        return
    run, begun = last
    changes = database.changes(run)
    found = sum(map(len, changes.values()))
    when = datetime.fromtimestamp(begun, UTC).strftime("%d %B %Y, %H:%M UTC")
    yield f"Update of {when}: {counted(found, 'change')} in {counted(len(changes), 'game')}."
    for number, mine in changes.items():
        title = database.title(number)
        yield ""
        yield f"Game {number}: {title}" if title else f"Game {number}"
        for why in sorted({one.why for one in mine}):
            yield f"  what differs: {why}"
        for change in mine:
            for line in in_words(change):
                yield f"  {line}"
