"""``referee watch``: logs that arrive in a folder, audited one after the other, with a page for each."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from attrs import define, field

from referee.commands import FOLDER, Choice, reveal_option, source_options, write_file
from referee.report.page import page
from referee.report.plain import report_json
from vassalgen.problems import BadInput

PATTERN = "*.vlog"
EVERY = 5.0

Stamp = tuple[int, int]
"""The size of a file and when it was written: what differs while it still arrives."""


@define
class Watched:
    """A folder that is watched.

    A log counts as arrived when it looks the same twice in a row. ``done`` are the stamps of what was dealt
    with, by path, ``known`` what it held: a log that comes again under another name is passed over.
    """

    folder: Path
    seen: dict[Path, Stamp] = field(factory=dict)
    done: dict[Path, Stamp] = field(factory=dict)
    known: dict[bytes, Path] = field(factory=dict)

    def arrived(self, *, at_once: bool = False) -> Iterator[Path]:
        """The logs that have arrived since the last time, in the order of their names."""
        for path in sorted(self.folder.glob(PATTERN)):
            try:
                facts = path.stat()
            except OSError:
                continue
            stamp = facts.st_size, facts.st_mtime_ns
            settled = at_once or self.seen.get(path) == stamp
            self.seen[path] = stamp
            if settled and facts.st_size and self.done.get(path) != stamp:
                self.done[path] = stamp
                yield path

    def is_new(self, path: Path, page_file: Path) -> bool:
        """Tell whether a log is neither a copy of another nor older than its page."""
        content = hashlib.sha256(path.read_bytes()).digest()
        first = self.known.setdefault(content, path)
        if first != path and first.exists():
            return False
        return not page_file.exists() or page_file.stat().st_mtime_ns < path.stat().st_mtime_ns


@click.command()
@click.argument("folder", type=FOLDER, metavar="DIR")
@source_options
@reveal_option
@click.option("--pages", type=FOLDER, metavar="DIR", help="Where the pages go; else beside the logs.")
@click.option(
    "--every", type=click.FloatRange(0.1), default=EVERY, show_default=True, help="Seconds between looks."
)
@click.option("--once", is_flag=True, help="Look once, and end.")
def watch(
    folder: Path,
    choice: Choice,
    reveal: bool,
    pages: Path | None,
    every: float,
    once: bool,
) -> None:
    """Audit the logs in DIR as they arrive, and write a page for each: NAME.vlog becomes NAME.html.

    A line is told for each log; what cannot be read is told once and passed over. Ctrl-C ends it. A log whose
    page is newer was dealt with before.
    """
    watched = Watched(folder)

    def deal_with(path: Path) -> None:
        target = (pages or folder) / f"{path.stem}.html"
        if not watched.is_new(path, target):
            return
        report = choice.audit(path)
        told = report_json(report, reveal=reveal)
        write_file(target, page(told, report.world.game))
        found = ", ".join(f"{count} {grade}" for grade, count in told["summary"].items() if count)
        click.echo(f"{path.name}: {found or 'nothing found'}; {target}")

    try:
        look(watched, deal_with, at_once=once)
        while not once:
            time.sleep(every)
            look(watched, deal_with)
    except KeyboardInterrupt:
        return


def look(watched: Watched, deal_with: Callable[[Path], None], *, at_once: bool = False) -> None:
    """Deal with every log that has arrived; what cannot be read is told, and the others go on."""
    for path in watched.arrived(at_once=at_once):
        try:
            deal_with(path)
        except BadInput as error:
            for problem in error.problems:
                click.echo(problem, err=True)
        except OSError as error:
            click.echo(f"{error.filename or path}: {error.strerror or error}", err=True)
