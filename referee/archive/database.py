"""The archive's SQLite database: files, their facts, games, verdicts and changes.

Every change is a transaction, so that a run that is killed loses only what it was doing. Several runs may use
a database at once: each claims a task before carrying it out.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from referee.archive.changes import Change
from referee.archive.file_facts import VERSION, FileFacts
from referee.archive.files import Found, Place, Seen
from vassalgen.problems import BadInput, Problem

SCHEMA = 3
_WAIT = 60.0
_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE runs (number INTEGER PRIMARY KEY, begun REAL, ended REAL, program TEXT, judged INTEGER);
CREATE TABLE paths (path TEXT PRIMARY KEY, size INTEGER, modified INTEGER) WITHOUT ROWID;
CREATE TABLE files (
    path TEXT, inside TEXT, sha256 TEXT, wrong TEXT, PRIMARY KEY (path, inside)
) WITHOUT ROWID;
CREATE INDEX files_by_hash ON files (sha256);
CREATE TABLE file_facts (
    sha256 TEXT PRIMARY KEY, version INTEGER, wrong TEXT, kind TEXT, module TEXT, module_version TEXT,
    players TEXT, steps INTEGER, saved INTEGER, comment TEXT, stream TEXT, chain BLOB,
    opening BLOB, ending BLOB
);
CREATE TABLE verdicts (
    id INTEGER PRIMARY KEY, fingerprint TEXT UNIQUE, judged REAL, run INTEGER, wrong TEXT, basis TEXT,
    game TEXT, scenario TEXT, report BLOB
);
CREATE TABLE findings (
    verdict INTEGER, place INTEGER, id TEXT, grade TEXT, clause TEXT, log INTEGER, step INTEGER, turn INTEGER,
    phase TEXT, player TEXT, side TEXT, says TEXT, finding TEXT, PRIMARY KEY (verdict, place)
) WITHOUT ROWID;
CREATE TABLE actions (
    verdict INTEGER, place INTEGER, log INTEGER, step INTEGER, turn INTEGER, player TEXT, side TEXT,
    says TEXT, read TEXT, grade TEXT, PRIMARY KEY (verdict, place)
) WITHOUT ROWID;
CREATE TABLE dice (
    verdict INTEGER, player TEXT, sides INTEGER, counts TEXT, PRIMARY KEY (verdict, player, sides)
) WITHOUT ROWID;
CREATE TABLE games (
    number INTEGER PRIMARY KEY, title TEXT, season TEXT, module TEXT, module_version TEXT, branch_of INTEGER,
    shared INTEGER, moved TEXT, status TEXT, fingerprint TEXT, verdict INTEGER, before INTEGER, gone INTEGER
);
CREATE INDEX games_by_verdict ON games (verdict);
CREATE INDEX games_by_fingerprint ON games (fingerprint);
CREATE TABLE game_logs (
    game INTEGER, place INTEGER, sha256 TEXT, PRIMARY KEY (game, place)
) WITHOUT ROWID;
CREATE TABLE aside (sha256 TEXT PRIMARY KEY, why TEXT, of TEXT) WITHOUT ROWID;
CREATE TABLE claims (fingerprint TEXT PRIMARY KEY, host TEXT, process INTEGER, until REAL) WITHOUT ROWID;
CREATE TABLE changes (
    run INTEGER, game INTEGER, place INTEGER, kind TEXT, why TEXT, old TEXT, new TEXT,
    PRIMARY KEY (run, game, place)
) WITHOUT ROWID;
CREATE TABLE pages (game INTEGER PRIMARY KEY, fingerprint TEXT);
CREATE TABLE pseudonyms (name TEXT PRIMARY KEY, number INTEGER UNIQUE) WITHOUT ROWID;
"""
UNJUDGED, JUDGED, FAILED = "not judged", "judged", "failed"


@frozen
class GameRow:
    """A game after sorting. ``status`` says why it is not judged, if it cannot be."""

    number: int
    logs: tuple[str, ...]
    shared: int = 0
    title: str = ""
    season: str = ""
    module: str = ""
    module_version: str = ""
    branch_of: int | None = None
    moved: tuple[int, ...] = ()
    status: str = UNJUDGED
    fingerprint: str = ""


@define
class Database:
    """An open archive. Use it in a ``with``."""

    path: Path
    _connection: sqlite3.Connection = field(repr=False)

    @classmethod
    def open(cls, path: Path) -> Database:
        """Open an archive, or create one; BadInput if the file is not an archive, or was made by a newer
        version.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
        except sqlite3.Error as error:
            raise _unreadable(path, error) from None
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            found = cls(path, connection)
            with found.writing():
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                if version == 0:
                    for statement in _TABLES.split(";\n"):
                        connection.execute(statement)
                elif version == 2:  # since then only the name of a table has changed
                    connection.execute("ALTER TABLE looks RENAME TO file_facts")
                if version in (0, 2):
                    connection.execute(f"PRAGMA user_version={SCHEMA}")
                    version = SCHEMA
        except sqlite3.DatabaseError as error:
            connection.close()
            raise _unreadable(path, error) from None
        if version != SCHEMA:
            connection.close()
            wrong = f"was written by another version of the program (form {version}, not {SCHEMA})"
            raise BadInput(Problem(str(path), "", wrong, "use that version, or choose another folder"))
        return found

    def __enter__(self) -> Database:
        """Enter a ``with``."""
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Close it; an error of the database, such as a full disk, becomes BadInput with its file."""
        self._connection.close()
        if isinstance(error, sqlite3.Error):
            raise BadInput(Problem(str(self.path), "", f"cannot be used: {error}"), passing=True) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: everything is written, or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:  # SQLite ends it by itself if the disk is full
                self._connection.execute("ROLLBACK")

    def rows(self, query: str, *values: object) -> sqlite3.Cursor:
        """The rows returned by a query."""
        return self._connection.execute(query, values)

    def one(self, query: str, *values: object) -> Any:
        """The only value of a query, None if there is none."""
        row = self._connection.execute(query, values).fetchone()
        return row[0] if row else None

    def note(self, name: str) -> str:
        """The value stored under a name, empty if there is none."""
        return self.one("SELECT value FROM meta WHERE name = ?", name) or ""

    def remember(self, name: str, value: str) -> None:
        """Store a value under a name."""
        with self.writing() as to:
            to.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    # Runs and claims

    def begin_run(self, program: str) -> int:
        """Return the number of a new run."""
        with self.writing() as to:
            cursor = to.execute(
                "INSERT INTO runs (begun, program, judged) VALUES (?, ?, 0)", (time.time(), program)
            )
            return cursor.lastrowid or 0

    def end_run(self, run: int) -> None:
        """Record that a run has ended."""
        with self.writing() as to:
            to.execute("UPDATE runs SET ended = ? WHERE number = ?", (time.time(), run))

    def claim(self, fingerprint: str, seconds: float) -> bool:
        """Claim a task; False if another live run has claimed it, or has done it."""
        host, process, now = socket.gethostname(), os.getpid(), time.time()
        with self.writing() as to:
            row = to.execute("SELECT host, process, until FROM claims WHERE fingerprint = ?", (fingerprint,))
            held = row.fetchone()
            if held and held[2] > now and not (held[0] == host and not _lives(held[1])):
                return bool(held[0] == host and held[1] == process)
            if to.execute("SELECT 1 FROM verdicts WHERE fingerprint = ?", (fingerprint,)).fetchone():
                return False
            to.execute(
                "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)",
                (fingerprint, host, process, now + seconds),
            )
        return True

    def release(self, fingerprints: Iterable[str]) -> None:
        """Release claims."""
        with self.writing() as to:
            to.executemany("DELETE FROM claims WHERE fingerprint = ?", ((one,) for one in fingerprints))

    # Files

    def seen(self) -> dict[str, Seen]:
        """The contents of each path when it was last read."""
        files: dict[str, list[Found]] = defaultdict(list)
        for path, inside, digest, wrong in self.rows("SELECT path, inside, sha256, wrong FROM files"):
            files[path].append(Found(Place(path, inside), digest, wrong))
        paths = self.rows("SELECT path, size, modified FROM paths")
        return {path: Seen((size, modified), tuple(files[path])) for path, size, modified in paths}

    def write_seen(self, now: Mapping[str, Seen], before: Mapping[str, Seen]) -> None:
        """Store the current contents of the paths."""
        gone = [(path,) for path in before if path not in now]
        new = {path: seen for path, seen in now.items() if before.get(path) != seen}
        if not gone and not new:
            return
        with self.writing() as to:
            for table in ("paths", "files"):
                to.executemany(f"DELETE FROM {table} WHERE path = ?", [*gone, *((path,) for path in new)])  # noqa: S608
            to.executemany(
                "INSERT INTO paths VALUES (?, ?, ?)", ((path, *one.stamp) for path, one in new.items())
            )
            to.executemany(
                "INSERT INTO files VALUES (?, ?, ?, ?)",
                (
                    (one.place.path, one.place.inside, one.digest, one.wrong)
                    for seen in new.values()
                    for one in seen.files
                ),
            )

    def file_facts(self) -> dict[str, FileFacts | str]:
        """The facts of each file, by its hash; or why a file could not be read."""
        query = (
            "SELECT sha256, wrong, kind, module, module_version, players, steps, saved, comment, stream,"
            " chain, opening, ending FROM file_facts WHERE version = ?"
        )
        found: dict[str, FileFacts | str] = {}
        for digest, wrong, kind, module, version, players, *rest in self.rows(query, VERSION):
            seats = tuple((name, side) for name, side in json.loads(players))
            found[digest] = wrong or FileFacts(kind, module, version, seats, *rest)
        return found

    def write_file_facts(self, digest: str, found: FileFacts | str) -> None:
        """Store the facts of a file, or why it could not be read."""
        wrong, one = (found, FileFacts("")) if isinstance(found, str) else ("", found)
        values = (
            *(digest, VERSION, wrong, one.kind, one.module, one.version, json.dumps(one.players), one.steps),
            *(one.saved, one.comment, one.stream, one.chain, one.opening, one.ending),
        )
        with self.writing() as to:
            marks = ", ".join("?" * len(values))
            to.execute(f"INSERT OR REPLACE INTO file_facts VALUES ({marks})", values)  # noqa: S608

    # Games

    def logs_of_games(self) -> dict[int, tuple[str, ...]]:
        """The logs counted with each game, including games that no longer exist."""
        found: dict[int, list[str]] = defaultdict(list)
        query = (
            "SELECT game, sha256 FROM game_logs JOIN games ON number = game WHERE place >= shared"
            " ORDER BY game, place"
        )
        for number, digest in self.rows(query):
            found[number].append(digest)
        return {number: tuple(logs) for number, logs in found.items()}

    def write_games(self, games: Sequence[GameRow], aside: Iterable[tuple[str, str, str]]) -> None:
        """Store the sorting of logs. A game with a verdict keeps it until it gets another one."""
        with self.writing() as to:
            old = {
                row[0]: row
                for row in to.execute(
                    "SELECT number, title, season, module, module_version, branch_of, shared, moved,"
                    " fingerprint, status, gone FROM games"
                )
            }
            logs: dict[int, list[str]] = defaultdict(list)
            for number, digest in to.execute("SELECT game, sha256 FROM game_logs ORDER BY game, place"):
                logs[number].append(digest)
            numbers = {one.number for one in games}
            to.executemany(
                "UPDATE games SET gone = 1 WHERE number = ?", ((one,) for one in old if one not in numbers)
            )
            for one in games:
                values = (
                    *(one.number, one.title, one.season, one.module, one.module_version, one.branch_of),
                    *(one.shared, json.dumps(one.moved), one.fingerprint),
                )
                row = old.get(one.number)
                if row is None:
                    to.execute(
                        "INSERT INTO games (number, title, season, module, module_version, branch_of, shared,"
                        " moved, fingerprint, status, gone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                        (*values, one.status),
                    )
                elif row[:9] != values or row[10] or (not one.fingerprint and row[9] != one.status):
                    status = one.status if row[8] != one.fingerprint or not one.fingerprint else row[9]
                    to.execute(
                        "UPDATE games SET title = ?, season = ?, module = ?, module_version = ?,"
                        " branch_of = ?, shared = ?, moved = ?, fingerprint = ?, status = ?, gone = 0"
                        " WHERE number = ?",
                        (*values[1:], status, one.number),
                    )
                if tuple(logs.get(one.number, ())) != one.logs:
                    to.execute("DELETE FROM game_logs WHERE game = ?", (one.number,))
                    to.executemany(
                        "INSERT INTO game_logs VALUES (?, ?, ?)",
                        ((one.number, place, digest) for place, digest in enumerate(one.logs)),
                    )
            to.execute("DELETE FROM aside")
            to.executemany("INSERT INTO aside VALUES (?, ?, ?)", aside)

    def verdicts(self) -> dict[str, tuple[int, str]]:
        """The known verdicts by fingerprint: their numbers, and what went wrong."""
        rows = self.rows("SELECT fingerprint, id, wrong FROM verdicts")
        return {fingerprint: (number, wrong) for fingerprint, number, wrong in rows}

    def has_verdict(self, fingerprint: str) -> bool:
        """Whether there is a verdict, or the reason why there is none."""
        return bool(self.one("SELECT 1 FROM verdicts WHERE fingerprint = ?", fingerprint))

    def write_verdict(
        self,
        run: int,
        fingerprint: str,
        basis: Mapping[str, Any],
        verdict: Mapping[str, Any] | None,
        wrong: str,
    ) -> None:
        """Store a verdict, or why there is none, and assign it to the games that wait for it."""
        with self.writing() as to:
            known = to.execute("SELECT id FROM verdicts WHERE fingerprint = ?", (fingerprint,)).fetchone()
            if known:
                _forget(to, known[0])
            number = _write(to, run, fingerprint, basis, verdict, wrong)
            to.execute("DELETE FROM claims WHERE fingerprint = ?", (fingerprint,))
            to.execute("UPDATE runs SET judged = judged + 1 WHERE number = ?", (run,))
            games = to.execute("SELECT number FROM games WHERE fingerprint = ?", (fingerprint,)).fetchall()
            for (game,) in games:
                self._adopt(to, run, game, number, wrong)

    def adopt(self, run: int, pairs: Iterable[tuple[int, str]]) -> None:
        """Assign known verdicts to games, by fingerprint."""
        with self.writing() as to:
            for game, fingerprint in pairs:
                row = to.execute("SELECT id, wrong FROM verdicts WHERE fingerprint = ?", (fingerprint,))
                number, wrong = row.fetchone()
                self._adopt(to, run, game, number, wrong)

    def _adopt(self, to: sqlite3.Connection, run: int, game: int, verdict: int, wrong: str) -> None:
        """Assign a verdict to a game, and store the changes from its previous one."""
        from referee.archive.changes import compare  # noqa: PLC0415 - only where a verdict is new

        (before,) = to.execute("SELECT verdict FROM games WHERE number = ?", (game,)).fetchone()
        to.execute(
            "UPDATE games SET verdict = ?, before = CASE WHEN verdict = ? THEN before ELSE verdict END,"
            " status = ? WHERE number = ?",
            (verdict, verdict, FAILED if wrong else JUDGED, game),
        )
        if before is None or before == verdict:
            return
        changes = compare(self.findings_of(before), self.findings_of(verdict))
        if not changes:
            return
        to.execute("DELETE FROM changes WHERE run = ? AND game = ?", (run, game))
        to.executemany(
            "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (run, game, place, one.kind, one.why, _dumped(one.old), _dumped(one.new))
                for place, one in enumerate(changes)
            ),
        )

    def findings_of(self, verdict: int) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
        """What went wrong with a verdict, its basis and its findings, in the form of an audit's JSON."""
        wrong, basis = self.rows("SELECT wrong, basis FROM verdicts WHERE id = ?", verdict).fetchone()
        rows = self.rows("SELECT finding FROM findings WHERE verdict = ? ORDER BY place", verdict)
        return wrong, json.loads(basis), [json.loads(finding) for (finding,) in rows]

    def verdicts_of_games(self) -> dict[int, int | None]:
        """The number of each game's verdict, None for a game without one."""
        return dict(self.rows("SELECT number, verdict FROM games").fetchall())

    def failed(self) -> set[str]:
        """The fingerprints of games that could not be judged."""
        return {one for (one,) in self.rows("SELECT fingerprint FROM verdicts WHERE wrong != ''")}

    def forget_failures(self, fingerprints: Iterable[str]) -> None:
        """Clear the failures of games that could not be judged."""
        with self.writing() as to:
            to.executemany(
                "DELETE FROM verdicts WHERE wrong != '' AND fingerprint = ?",
                ((one,) for one in fingerprints),
            )

    def count_failed(self) -> int:
        """The number of games that could not be judged."""
        return int(self.one("SELECT count(*) FROM games WHERE gone = 0 AND status = ?", FAILED))

    def count_unreadable(self) -> int:
        """The number of files that cannot be read."""
        query = (
            "SELECT count(*) FROM files LEFT JOIN file_facts USING (sha256)"
            " WHERE files.wrong != '' OR file_facts.wrong != ''"
        )
        return int(self.one(query))

    def prune(self) -> None:
        """Delete verdicts that are neither the current nor the previous one of a game."""
        with self.writing() as to:
            rows = to.execute(
                "SELECT id FROM verdicts WHERE NOT EXISTS (SELECT 1 FROM games WHERE verdict = verdicts.id)"
                " AND id NOT IN (SELECT before FROM games WHERE before IS NOT NULL)"
            ).fetchall()
            for (number,) in rows:
                _forget(to, number)

    # The site

    def pages(self) -> dict[int, str]:
        """The games that have a page, with the fingerprint of its contents."""
        return dict(self.rows("SELECT game, fingerprint FROM pages ORDER BY game").fetchall())

    def keep_page(self, game: int, fingerprint: str) -> None:
        """Record that the page of a game was written."""
        with self.writing() as to:
            to.execute("INSERT OR REPLACE INTO pages VALUES (?, ?)", (game, fingerprint))

    def forget_pages(self) -> None:
        """Record that the pages of all games are gone."""
        with self.writing() as to:
            to.execute("DELETE FROM pages")

    def shown(self) -> list[list[Any]]:
        """Everything shown on the site as plain values, to be compared with what was shown before."""
        queries = (
            "SELECT number, verdict, status FROM games WHERE gone = 0 ORDER BY number",
            "SELECT path, inside, sha256 FROM files ORDER BY path, inside",
            "SELECT * FROM pages ORDER BY game",
        )
        return [self.rows(query).fetchall() for query in queries]

    def title(self, game: int) -> str:
        """The title of a game, empty if it has none."""
        return self.one("SELECT title FROM games WHERE number = ?", game) or ""

    def players(self) -> set[str]:
        """All players named in a file or a verdict."""
        rows = self.rows("SELECT DISTINCT players FROM file_facts")
        found = {name for (players,) in rows for name, _ in json.loads(players)}
        for table in ("actions", "findings", "dice"):
            found |= {name for (name,) in self.rows(f"SELECT DISTINCT player FROM {table}") if name}  # noqa: S608
        return found

    # What changed

    def last_change(self) -> tuple[int, float] | None:
        """The last run that changed a verdict and when it began, in seconds since 1970; None if
        no run did.
        """
        query = "SELECT number, begun FROM runs WHERE number = (SELECT max(run) FROM changes)"
        found: tuple[int, float] | None = self.rows(query).fetchone()
        return found

    def changes(self, run: int) -> dict[int, list[Change]]:
        """What a run changed, game by game."""
        found: dict[int, list[Change]] = defaultdict(list)
        query = "SELECT game, kind, why, old, new FROM changes WHERE run = ? ORDER BY game, place"
        for game, kind, why, old, new in self.rows(query, run):
            found[game].append(Change(kind, why, json.loads(old), json.loads(new)))
        return dict(found)

    def pseudonyms(self, names: Iterable[str]) -> dict[str, str]:
        """The pseudonyms of players. They are assigned in random order and never change."""
        known = dict(self.rows("SELECT name, number FROM pseudonyms").fetchall())
        new = sorted(set(names) - set(known), key=lambda name: os.urandom(8))
        if new:
            with self.writing() as to:
                last = to.execute("SELECT max(number) FROM pseudonyms").fetchone()[0] or 0
                rows = [(name, last + place) for place, name in enumerate(new, 1)]
                to.executemany("INSERT OR IGNORE INTO pseudonyms VALUES (?, ?)", rows)
            known = dict(self.rows("SELECT name, number FROM pseudonyms").fetchall())
        return {name: f"Player {number}" for name, number in known.items()}


def _unreadable(path: Path, error: sqlite3.Error) -> BadInput:
    return BadInput(Problem(str(path), "", f"cannot be read as an archive: {error}", "choose another folder"))


def _write(
    to: sqlite3.Connection,
    run: int,
    fingerprint: str,
    basis: Mapping[str, Any],
    verdict: Mapping[str, Any] | None,
    wrong: str,
) -> int:
    kept = {
        name: value for name, value in (verdict or {}).items() if name not in ("findings", "actions", "dice")
    }
    cursor = to.execute(
        "INSERT INTO verdicts (fingerprint, judged, run, wrong, basis, game, scenario, report)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(fingerprint, time.time(), run, wrong, _dumped(basis)),
            *(kept.get("game", ""), kept.get("scenario", ""), packed(kept)),
        ),
    )
    number = cursor.lastrowid or 0
    if verdict is None:
        return number
    to.executemany(
        "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                *(number, place, one["id"], one["grade"], one["clause"], one["number"], one["steps"][-1]),
                *(one["turn"], one["phase"], one["player"], one["side"], one["says"], _dumped(one)),
            )
            for place, one in enumerate(verdict["findings"])
        ),
    )
    names = ("log", "step", "turn", "player", "side", "says", "read", "grade")
    to.executemany(
        "INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((number, place, *(one[name] for name in names)) for place, one in enumerate(verdict["actions"])),
    )
    to.executemany(
        "INSERT INTO dice VALUES (?, ?, ?, ?)",
        ((number, one["player"], one["sides"], _dumped(one["counts"])) for one in verdict["dice"]),
    )
    return number


def _forget(to: sqlite3.Connection, verdict: int) -> None:
    for table in ("findings", "actions", "dice"):
        to.execute(f"DELETE FROM {table} WHERE verdict = ?", (verdict,))  # noqa: S608
    to.execute("DELETE FROM verdicts WHERE id = ?", (verdict,))
    to.execute("UPDATE games SET before = NULL WHERE before = ?", (verdict,))


def packed(value: object) -> bytes:
    """A plain value in its stored form."""
    return zlib.compress(_dumped(value).encode(), 6)


def unpacked(data: bytes) -> Any:
    """A stored plain value."""
    return json.loads(zlib.decompress(data))


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _lives(process: int) -> bool:
    """Whether a process is running on this machine."""
    if os.name == "nt":
        return True  # claims expire
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
