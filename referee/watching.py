"""``referee watch``: audits logs that arrive in a folder, one after the other, and writes a page for each."""

from __future__ import annotations

import hashlib
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
from attrs import define, evolve, field

from referee.commands import FOLDER, Choice, exit_code, notes_option, source_options, viewer_options
from referee.mapping.art import artwork_of
from referee.module_fit import WrongModule
from referee.notes import file_of_notes
from referee.report.as_json import report_json
from referee.report.page import log_of_page, page
from referee.report.visibility import Viewer
from vassalgen.commandline import UNREADABLE, show_failure, write_file
from vassalgen.problems import BadInput, Failure, Problem
from vassalgen.vassal.limits import Limits

LOG = ".vlog"
EVERY = 5.0
_CHUNK = 2**20

Stamp = tuple[int, ...]
"""The size and modification time of a log, and of its notes: they change while it is still arriving."""


@define
class Watched:
    """A folder that is watched, with its pages in ``pages`` or beside the logs, and ``notes`` about them.

    A log counts as arrived when it looks the same twice in a row. ``done`` are the stamps of finished files,
    by path, ``known`` the hashes of their contents: a log that arrives again under another name is skipped.
    ``said`` is the last message about each, so that a repeated failure is reported once.
    """

    folder: Path
    pages: Path | None = None
    notes: Path | None = None
    seen: dict[Path, Stamp] = field(factory=dict)
    done: dict[Path, Stamp] = field(factory=dict)
    known: dict[Path, str] = field(factory=dict)
    said: dict[Path, str] = field(factory=dict)

    def arrived(self, *, at_once: bool = False) -> Iterator[Path]:
        """The files that have arrived since the last time, by name; logs that have a page come first."""
        for path in sorted(self._candidates(), key=lambda path: (not self.page_of(path).exists(), path)):
            try:
                stamp = tuple(number for file in self._files(path) for number in _stamp(file))
            except OSError:
                if not path.is_symlink():
                    continue  # it may be being moved
                stamp = ()
            settled = at_once or self.seen.get(path) == stamp
            self.seen[path] = stamp
            if settled and self.done.get(path) != stamp:
                self.done[path] = stamp
                yield path

    def _candidates(self) -> Iterator[Path]:
        """Logs, and folders that contain logs."""
        for path in self.folder.iterdir():
            if _is_log(path) or (path.is_dir() and path != self.pages and any(map(_is_log, path.glob("*")))):
                yield path

    def _files(self, path: Path) -> list[Path]:
        """A log with the notes about it."""
        notes = file_of_notes(self.notes, [path])
        return [path, notes] if notes else [path]

    def page_of(self, path: Path) -> Path:
        """The path of the page of a log."""
        return (self.pages or self.folder) / f"{path.stem}.html"

    def digest(self, path: Path, limits: Limits) -> str:
        """Return a hash of the content of a log; BadInput if it is not a log, or is too large."""
        if path.is_symlink() and not path.exists():
            raise BadInput(Problem(str(path), "", "is a broken link", "a log"))
        facts = path.stat()
        if stat.S_ISDIR(facts.st_mode):
            right = f"referee watch {path}"
            raise BadInput(Problem(str(path), "", "is a folder; the logs in it are not audited", right))
        if not stat.S_ISREG(facts.st_mode):
            raise BadInput(Problem(str(path), "", "is not a regular file", "a log"))
        if not facts.st_size:
            raise BadInput(Problem(str(path), "", "the file is empty", "a log; copy it again"))
        limits.allow_file(facts.st_size, str(path))
        with path.open("rb") as stream:
            digest = hashlib.sha256()
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def original(self, path: Path, digest: str) -> Path:
        """The first log with this content: this one, or the one of which it is a copy."""
        self.known[path] = digest
        alike = (one for one, held in self.known.items() if held == digest)
        return next(one for one in alike if one == path or one.exists())

    def is_done(self, path: Path, digest: str) -> bool:
        """Return whether the page of a log belongs to this content, and is newer."""
        page_file = self.page_of(path)
        if not page_file.exists():
            return False
        made_of = log_of_page(page_file)
        if made_of is None:
            wrong = "exists and is not a page written by this command"
            raise BadInput(Problem(str(page_file), "", wrong, f"move it, or rename {path.name}"))
        written = page_file.stat().st_mtime_ns
        return made_of == digest and all(written >= file.stat().st_mtime_ns for file in self._files(path))

    def say_once(self, path: Path, words: str) -> None:
        """Print on stderr what is wrong with a log or the folder, unless that was its last message."""
        if self.said.get(path) != words:
            click.echo(words, err=True)
            self.said[path] = words


def _is_log(path: Path) -> bool:
    return path.suffix.casefold() == LOG


def _stamp(path: Path) -> Stamp:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns


@click.command()
@click.argument("folder", type=FOLDER, metavar="DIR")
@source_options
@notes_option
@viewer_options
@click.option("--pages", type=FOLDER, metavar="DIR", help="Where to write the pages. [default: DIR]")
@click.option(
    "--every",
    type=click.FloatRange(0.1),
    default=EVERY,
    show_default=True,
    metavar="SECONDS",
    help="How often to check the folder.",
)
@click.option("--once", is_flag=True, help="Check the folder once and exit.")
@click.pass_context
def watch(
    ctx: click.Context,
    folder: Path,
    choice: Choice,
    viewer: Viewer,
    pages: Path | None,
    every: float,
    once: bool,
) -> None:
    """Audit the logs in DIR as they arrive, and write a page for each: NAME.vlog becomes NAME.html.

    Prints a line for each log. Logs that already have a newer page are skipped. A file that cannot be read is
    reported once, and tried again when it changes or when the cause, such as a full disk, may be gone. Press
    Ctrl-C to stop.

    Exit code with --once: 0: nothing illegal; 1: something illegal; 2: a log cannot be read, or an action
    could not be judged.
    """
    watched = Watched(folder, pages, choice.notes)
    deal_with = partial(audit_log, watched, choice, viewer)
    try:
        code = check_folder(watched, deal_with, at_once=once)
        while not once:
            time.sleep(every)
            check_folder(watched, deal_with)
    except KeyboardInterrupt:
        return
    ctx.exit(code)


def audit_log(watched: Watched, choice: Choice, viewer: Viewer, path: Path) -> int:
    """Write the page of a log and print a line about it, unless there is one already; return the exit code.

    BadInput if the log cannot be read or its page not be written.
    """
    digest = watched.digest(path, choice.limit)
    first = watched.original(path, digest)
    if first != path:
        click.echo(f"{path.name}: a copy of {first.name}; {watched.page_of(first)}")
        return 0
    if watched.is_done(path, digest):
        return 0
    without = ""
    try:
        report = choice.audit(path)
    except WrongModule as error:
        report = evolve(choice, module=None).audit(path)
        without = f" (without a module: {error})"
    values = report_json(report, viewer)
    target = watched.page_of(path)
    artwork = artwork_of(report.module, report.world.game, choice.limit)
    write_file(target, page(values, report.world.game, digest, artwork=artwork))
    click.echo(f"{path.name}: {_outcome(values)}{without}; {target}")
    return exit_code(click.get_current_context(), report, values)


def _outcome(values: Mapping[str, Any]) -> str:
    """What an audit found, in a few words: ``2 illegal, 1 slip, 3 withheld``."""
    found = [str(values["judged"]["warning"]).rstrip(".")] if values["judged"]["warning"] else []
    plural = {"slip": "slips"}
    found += [
        f"{count} {plural.get(grade, grade) if count > 1 else grade}"
        for grade, count in values["summary"].items()
        if count
    ]
    found += [f"{values['withheld']} withheld"] if values["withheld"] else []
    found += [f"{len(values['unjudged'])} not judged"] if values["unjudged"] else []
    return ", ".join(found) or "nothing found"


def check_folder(watched: Watched, deal_with: Callable[[Path], int | None], *, at_once: bool = False) -> int:
    """Deal with every log that has arrived, and return the highest exit code.

    Unreadable files are reported, and the others are processed; the same applies if the referee itself fails
    at a log. A folder that cannot be reached, such as a network folder, is reported too.
    """
    codes = [0]
    try:
        for path in watched.arrived(at_once=at_once):
            codes.append(_dealt_with(watched, path, deal_with))
        watched.said.pop(watched.folder, None)
    except OSError as error:
        codes.append(UNREADABLE)
        watched.say_once(watched.folder, f"{error.filename or watched.folder}: {error.strerror or error}")
    return max(codes)


def _dealt_with(watched: Watched, path: Path, deal_with: Callable[[Path], int | None]) -> int:
    """The exit code of one log; it is tried again later if the reason for its failure may be temporary."""
    try:
        code = deal_with(path) or 0
        watched.said.pop(path, None)
        return code
    except BadInput as error:
        words, passing = str(error), error.passing
    except OSError as error:
        words, passing = f"{error.filename or path}: {error.strerror or error}", True
    except MemoryError:
        words, passing = f"{path}: not enough memory", True
    except Exception as error:
        show_failure(click.get_current_context(), Failure.of(error), str(path))
        return UNREADABLE
    if passing:
        del watched.done[path]
    watched.say_once(path, words)
    return UNREADABLE
