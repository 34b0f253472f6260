"""A run of the archive: finding files, reading their facts, sorting them into games, and
judging the games.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import click
from attrs import define, evolve, field, frozen

from referee.archive.corrections import NAME, Corrections, read_corrections
from referee.archive.database import Database, GameRow
from referee.archive.file_facts import LOG, FileFacts
from referee.archive.files import Found, find_files
from referee.archive.game_tasks import GameTasks
from referee.archive.site import PUBLIC, begin_site, names_of, page_name, write_site
from referee.archive.sorting import numbered, sort_logs
from referee.archive.tables import instead_of
from referee.archive.tasks import AuditTask, FactsTask, Source, Task
from referee.archive.workers import Limit, Outcome
from referee.mapping.finding import PATTERN
from referee.mapping.modulemap import ModuleMap, read_map
from referee.versions import program_version
from vassalgen.commandline import show_progress, write_file
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.limits import Limits

LEASE = 120.0
"""How many seconds longer than its time limit a task stays claimed."""
_PATIENCE = 0.5
"""The interval, in seconds, for checking whether another run has finished what it claimed."""
AHEAD = 2
"""The number of tasks submitted for each worker, so that no worker waits for the next one."""


class Workers(Protocol):
    """Carries out tasks: processes of this machine, or a cluster."""

    @property
    def size(self) -> int:
        """The number of tasks carried out at once."""

    def submit(self, task: Task) -> Future[Outcome]:
        """Submit a task."""

    def end(self) -> None:
        """Stop; unfinished tasks are lost."""


@frozen
class Options:
    """The options of a run."""

    folders: tuple[Path, ...]
    site: Path
    limits: Limits
    limit: Limit
    reveal: bool = False
    again: bool = False
    redact: bool = False
    all_pages: bool = False
    pages: tuple[int, ...] = ()


@define
class Progress:
    """The progress of a run: one line that is updated on a terminal, or a line now and then elsewhere."""

    EVERY = 10.0

    is_terminal: bool = field()
    _words: str = ""
    _total: int = 0
    _done: int = 0
    _begun: float = 0.0
    _shown: float = 0.0

    @is_terminal.default
    def _see_terminal(self) -> bool:
        return sys.stderr.isatty()

    def begin(self, words: str, total: int) -> None:
        """Begin a stage with a number of parts."""
        self._words, self._total, self._done = words, total, 0
        self._begun = self._shown = time.monotonic()

    def advance(self) -> None:
        """One part is finished."""
        self._done += 1
        now = time.monotonic()
        if now - self._shown >= (0.2 if self.is_terminal else self.EVERY):
            self._shown = now
            self._show(self.line(now - self._begun))

    def line(self, seconds: float) -> str:
        """The line: parts done of all, parts per hour, and the remaining time."""
        rate = self._done / seconds if seconds else 0.0
        left = (self._total - self._done) / rate if rate else 0.0
        minutes, rest = divmod(round(left), 60)
        hours, minutes = divmod(minutes, 60)
        clock = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
        return f"{self._words} {self._done} of {self._total}, {3600 * rate:.0f} an hour, {clock} left"

    def say(self, line: str) -> None:
        """Print a separate line."""
        show_progress("")
        click.echo(line, err=True)

    def end(self) -> None:
        """End the current stage."""
        show_progress("")

    def _show(self, line: str) -> None:
        if self.is_terminal:
            show_progress(line)
        else:
            click.echo(line, err=True)


@frozen
class Summary:
    """What a run did: games sorted, judged in it, reused, failed, or without a rulebook; and files that
    cannot be read.
    """

    games: int = 0
    judged: int = 0
    reused: int = 0
    failed: int = 0
    unreadable: int = 0
    without: int = 0


@define
class Run:
    """A run: from folders to verdicts in the database."""

    options: Options
    database: Database
    make_workers: Callable[[], Workers]
    progress: Progress = field(factory=Progress)
    number: int = 0
    corrections: Corrections = Corrections()
    _workers: Workers | None = None
    _claimed: set[str] = field(factory=set)
    _done: set[str] = field(factory=set)
    _failed: int = 0

    def go(self) -> Summary:
        """Do everything; finished work is kept, whatever interrupts the run."""
        corrections = self.corrections = read_corrections(self.options.folders)
        self.number = self.database.begin_run(program_version())
        try:
            found = self._find(corrections)
            file_facts = self._read_facts(found)
            games, tasks = self._sort(found, file_facts, corrections)
            begin_site(self.options.site, self.database, self.options.redact)
            tasks = self._with_pages(tasks) if self.options.all_pages else tasks
            summary = self._judge(games, tasks)
            with self._alone():
                self._make_pages(tasks)
                self._write_site(games)
            return summary
        finally:
            if self._workers is not None:
                self._workers.end()
            self.progress.end()
            self.database.release(self._claimed)
            self.database.end_run(self.number)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Only one run at a time writes the site: two would overwrite each other's files."""
        while not self.database.claim(PUBLIC, LEASE):
            time.sleep(_PATIENCE)
        self._claimed.add(PUBLIC)
        yield
        self.database.release([PUBLIC])

    @property
    def workers(self) -> Workers:
        """The workers for the tasks, started when there is a task."""
        if self._workers is None:
            self._workers = self.make_workers()
        return self._workers

    def _find(self, corrections: Corrections) -> dict[str, list[Found]]:
        """The files by their hashes, in the order in which they are found."""
        before = self.database.seen()
        now = find_files(self.options.folders, before, self.options.limits, [self.options.site])
        self.database.write_seen(now, before)
        found: dict[str, list[Found]] = defaultdict(list)
        for seen in now.values():
            for one in seen.files:
                if one.digest and not corrections.ignores(one.place.posix):
                    found[one.digest].append(one)
                elif one.wrong and before.get(one.place.path) != seen:
                    self.progress.say(f"{one.place}: {one.wrong}")
        return dict(found)

    def _read_facts(self, found: Mapping[str, Sequence[Found]]) -> dict[str, FileFacts]:
        """The facts of the files; those that cannot be read are reported and left out."""
        known = self.database.file_facts()
        tasks = {
            digest: FactsTask(Source(places[0].place, digest), self.options.limits)
            for digest, places in found.items()
            if digest not in known
        }
        for digest, outcome in self._carried_out("Read", tasks):
            if outcome.wrong:
                self.progress.say(_line(tasks[digest].name, outcome.wrong))
            if not outcome.passing:
                known[digest] = outcome.wrong or outcome.value
                self.database.write_file_facts(digest, known[digest])
        return {digest: one for digest in found if isinstance(one := known.get(digest), FileFacts)}

    def _sort(
        self,
        found: Mapping[str, Sequence[Found]],
        file_facts: Mapping[str, FileFacts],
        corrections: Corrections,
    ) -> tuple[list[GameRow], dict[int, AuditTask]]:
        """The games, stored in the database, and the task for each that can be judged."""
        logs = {digest: one for digest, one in file_facts.items() if one.kind == LOG}
        by_place = {one.place.posix: digest for digest, places in found.items() for one in places}
        _check_given(corrections, by_place)
        sorted_ = sort_logs(logs, corrections, lambda place: by_place.get(place, ""))
        numbers = numbered(sorted_.lines, self.database.logs_of_games())
        judge = GameTasks(
            self.options.limits, self.options.reveal, found, file_facts, corrections, self._maps()
        )
        owner = {line.logs[line.shared]: number for line, number in zip(sorted_.lines, numbers, strict=True)}
        games, tasks = [], {}
        for line, number in zip(sorted_.lines, numbers, strict=True):
            row, task = judge.row(line, number, owner.get(line.logs[0]) if line.shared else None)
            games.append(row)
            if task is not None:
                tasks[number] = task
        aside = [(one.log, one.why, one.of) for one in sorted_.aside]
        self.database.write_games(games, aside)
        return games, tasks

    def _with_pages(self, tasks: Mapping[int, AuditTask]) -> dict[int, AuditTask]:
        """The tasks, each changed to make its page as well."""
        names = names_of(self.database, self.corrections, self.options.redact)
        return {
            game: evolve(
                task,
                page=True,
                redacted=names.redacts,
                instead=tuple(instead_of(self.database, names, game).items()) if names.redacts else (),
            )
            for game, task in tasks.items()
        }

    def _make_pages(self, tasks: Mapping[int, AuditTask]) -> None:
        """Make the requested pages, and remake those of games with a new verdict."""
        missing = [str(game) for game in self.options.pages if game not in tasks]
        if missing:
            raise BadInput(
                Problem(
                    "--page", "", f"no game {', '.join(missing)} is judged", "the overview has the numbers"
                )
            )
        made, failed = self.database.pages(), self.database.failed()
        wanted = {*made, *self.options.pages, *(tasks if self.options.all_pages else ())}
        home = self.options.site / PUBLIC
        due = {
            game: tasks[game]
            for game in sorted(wanted & set(tasks))
            if tasks[game].fingerprint not in failed
            and (made.get(game) != tasks[game].fingerprint or not (home / page_name(game)).exists())
        }
        for gone in set(made) - set(tasks):
            (home / page_name(gone)).unlink(missing_ok=True)
        due = self._with_pages(due)
        for game, outcome in self._carried_out("Page", {str(game): task for game, task in due.items()}):
            if outcome.wrong:
                self.progress.say(_line(due[int(game)].name, outcome.wrong))
            else:
                self._keep_page(int(game), due[int(game)].fingerprint, outcome.value["page"])

    def _keep_page(self, game: int, fingerprint: str, text: str) -> None:
        path = self.options.site / PUBLIC / page_name(game)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text)
        self.database.keep_page(game, fingerprint)

    def _write_site(self, games: Sequence[GameRow]) -> None:
        """Write the tables if anything in them has changed."""
        state = hashlib.sha256(
            repr(
                (self.database.shown(), games, self.corrections, self.options.redact, program_version())
            ).encode()
        ).hexdigest()
        index = self.options.site / PUBLIC / "index.html"
        if index.exists() and self.database.note("written") == state:
            return
        names = names_of(self.database, self.corrections, self.options.redact)
        command = f"referee archive -o {self.options.site.resolve().name} --page NUMBER"
        write_site(self.options.site, self.database, names, self.options.folders, command)
        self.database.remember("written", state)

    def _maps(self) -> list[ModuleMap]:
        """The maps of modules in the folders; problems with them are reported."""
        found = []
        for folder in self.options.folders:
            for path in sorted(folder.resolve().rglob(PATTERN)):
                try:
                    found.append(read_map(path))
                except BadInput as error:
                    self.progress.say(str(error.problems[0]))
        return found

    def _judge(self, games: Sequence[GameRow], tasks: Mapping[int, AuditTask]) -> Summary:
        known = self.database.verdicts()
        have = self.database.verdicts_of_games()
        prints = {one.number: one.fingerprint for one in games if one.number in tasks}
        reused = {
            game: fingerprint
            for game, fingerprint in prints.items()
            if fingerprint in known and not (self.options.again and known[fingerprint][1])
        }
        new = {fp: tasks[game] for game, fp in prints.items() if game not in reused}
        changed = [(game, fp) for game, fp in reused.items() if have.get(game) != known[fp][0]]
        if changed:
            self.database.adopt(self.number, changed)
        if self.options.again:
            self.database.forget_failures(new)
        judged, waiting = 0, dict(new)
        while waiting:
            judged += self._judge_claimed(waiting, prints)
            waiting = {
                one: task
                for one, task in waiting.items()
                if one not in self._done and not self.database.has_verdict(one)
            }
            if waiting:  # another run has claimed them; if it dies this run takes over
                time.sleep(_PATIENCE)
        self.database.prune()
        return Summary(
            games=len(games),
            judged=judged,
            reused=len(tasks) - judged - self._failed,
            failed=self.database.count_failed(),
            unreadable=self.database.count_unreadable(),
            without=len(games) - len(tasks),
        )

    def _judge_claimed(self, tasks: Mapping[str, AuditTask], prints: Mapping[int, str]) -> int:
        """Judge the games that no other run has claimed, and return their number."""
        seconds = (self.options.limit.seconds or 24 * 3600) + LEASE

        def claimed(fingerprint: str) -> bool:
            is_ours = self.database.claim(fingerprint, seconds)
            if is_ours:
                self._claimed.add(fingerprint)
            return is_ours

        judged = 0
        for fingerprint, outcome in self._carried_out("Judged", tasks, claimed):
            if outcome.wrong:
                self._failed += 1
                self.progress.say(_line(tasks[fingerprint].name, outcome.wrong))
            self._done.add(fingerprint)
            if outcome.passing:
                continue
            text = outcome.value.pop("page", "") if outcome.value else ""
            basis = tasks[fingerprint].basis
            self.database.write_verdict(self.number, fingerprint, basis, outcome.value, outcome.wrong)
            self._claimed.discard(fingerprint)
            judged += not outcome.wrong
            for game, one in prints.items() if text else ():
                if one == fingerprint:
                    self._keep_page(game, fingerprint, text)
        return judged

    def _carried_out(
        self, words: str, tasks: Mapping[str, Task], wanted: Callable[[str], bool] = lambda _: True
    ) -> Iterator[tuple[str, Outcome]]:
        """Submit tasks, a few ahead of the workers, and yield the outcomes as they arrive."""
        if not tasks:
            return
        self.progress.begin(words, len(tasks))
        workers = self.workers
        running: dict[Future[Outcome], str] = {}
        left = iter(tasks.items())
        is_left = True
        while is_left or running:
            while is_left and len(running) < AHEAD * workers.size:
                key, task = next(left, (None, None))
                if key is None or task is None:
                    is_left = False
                elif wanted(key):
                    running[workers.submit(task)] = key
                else:
                    self.progress.advance()
            done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), _outcome(future)
                self.progress.advance()
        self.progress.end()


def _outcome(future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except CancelledError:
        return Outcome(wrong="was not carried out", passing=True)
    except BadInput as error:
        return Outcome(wrong=str(error), passing=True)
    except Exception as error:
        return Outcome(wrong=f"{type(error).__name__}: {error}", passing=True)


def _line(name: str, wrong: str) -> str:
    """What went wrong, in one line, with the name of the file only once."""
    first = wrong.splitlines()[0] if wrong else ""
    return first if first.startswith(name) else f"{name}: {first}"


def _check_given(corrections: Corrections, by_place: Mapping[str, str]) -> None:
    """Raise BadInput if logs of a corrected game do not exist."""
    problems = [
        Problem(NAME, given.title, f"the log {place} is not there", "its path from the folder of this file")
        for given in corrections.games
        for place in given.logs
        if place not in by_place
    ]
    if problems:
        raise BadInput(problems)
