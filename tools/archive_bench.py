"""How fast the archive is: an archive of random games, with the time and memory that judging it takes.

python3 tools/bench.py archive [--games N] [--distinct N] [--cluster] [--keep FOLDER]

The distinct games are short ones of Postcard Tunisia by random play, logged with the habits of players; in
every third a rule is broken. The others are the same games with other players: other files, other hashes,
other verdicts. Machines differ and are seldom idle: CPU time and ratios within one run say more than wall
time. The memory of the parent is read from /proc, so on Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from attrs import frozen

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
GAME, TURNS = "postcard1943", 2
BROKEN = 3
"""In one game of so many a rule is broken."""
PLAYERS = 400
_NAMES = re.compile(r"\b(?:Ada|Ben|Player\d+)\b")


def make_archive(folder: Path, games: int, distinct: int) -> float:
    """Write the logs of an archive that do not exist yet; return the seconds it took."""
    begun = time.process_time()
    folder.mkdir(parents=True, exist_ok=True)
    made = list(distinct_games(folder, min(distinct, games)))
    for number in range(len(made), games):
        path = folder / f"{number:05}.vlog"
        if not path.exists():
            path.write_bytes(renamed(made[number % len(made)].read_bytes(), number))
    return time.process_time() - begun


def distinct_games(folder: Path, count: int) -> Iterator[Path]:
    """Write random games, some of them broken, and return their paths."""
    from tools.proof.breakers import find_breaker
    from tools.proof.breaking import broken_games
    from tools.proof.judging import seats_of
    from tools.proof.logs.game_logger import log_game
    from tools.proof.logs.loggable import HABITS, UnloggableError, play_for_log
    from tools.proof.logs.opening import opening_of
    from tools.proof.proving import world_of
    from vassalgen.game.finding import open_game

    scenario = next(iter(open_game(GAME).scenarios))
    world, opening, breaker = world_of(GAME, scenario), opening_of(GAME, scenario), find_breaker(GAME)
    number, seed = 0, 0
    while number < count:
        seed += 1
        path = folder / f"{number:05}.vlog"
        if path.exists():
            yield path
            number += 1
            continue
        steps = play_for_log(world, seed, TURNS).steps
        rng = Random(seed)  # noqa: S311 - a game, not a secret
        broken = next(broken_games(steps, breaker, rng, most=1), None) if seed % BROKEN == 0 else None
        try:
            logger = log_game(
                opening,
                broken.steps if broken else steps,
                seed,
                HABITS,
                seats_of(world.game, seed, apart=True),
            )
        except UnloggableError:
            continue
        path.write_bytes(renamed(opening.to_bytes(logger.writer, f"Random game {seed}"), number))
        yield path
        number += 1


def renamed(data: bytes, number: int) -> bytes:
    """The same log with other players; they are the same in every archive."""
    from attrs import evolve

    from vassalgen.vassal.savedgame import read_saved_game

    rng = Random(number)  # noqa: S311 - a game, not a secret
    ada, ben = rng.sample(range(PLAYERS), 2)
    game = read_saved_game(data)
    names: dict[str, str] = {}

    def other(found: re.Match[str]) -> str:
        return names.setdefault(found[0], f"Player{(ada, ben)[len(names) % 2]}")

    return evolve(game, text=_NAMES.sub(other, game.text)).to_bytes()


@frozen
class Ran:
    """A run: wall time and CPU time in seconds, the peak memory of the parent, its output."""

    seconds: float
    spent: float
    memory: int
    said: str


def run(*words: str | Path, jobs: int = 0) -> Ran:
    """Run the archive."""
    process = start(*words, jobs=jobs)
    before, begun = _of_children(), time.monotonic()
    memory = 0
    while process.poll() is None:
        memory = max(memory, _memory_of(process.pid))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
    said = process.stdout.read() if process.stdout else ""
    return Ran(time.monotonic() - begun, _of_children() - before, memory, said.strip())


def start(*words: str | Path, jobs: int = 0) -> subprocess.Popen[str]:
    """Start the archive."""
    command = [sys.executable, "-m", "referee", "archive", *map(str, words)]
    command += ["--jobs", str(jobs)] if jobs else []
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory_of(process: int) -> int:
    with contextlib.suppress(OSError, IndexError, ValueError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text("ascii"))
        return int(found[1]) * 1024 if found else 0
    return 0


def verdicts(site: Path) -> list[tuple[object, ...]]:
    """What was found in which logs."""
    connection = sqlite3.connect(site / "archive.db")
    query = (
        "SELECT sha256, findings.id, findings.grade, findings.says FROM games"
        " JOIN game_logs ON game_logs.game = games.number"
        " LEFT JOIN findings ON findings.verdict = games.verdict"
        " WHERE gone = 0 AND games.status = 'judged' ORDER BY 1, 2, 3, 4"
    )
    found: list[tuple[object, ...]] = connection.execute(query).fetchall()
    connection.close()
    return found


def part_of(folder: Path, parts: Path, count: int) -> Path:
    """A folder with the first logs of another."""
    part = parts / str(count)
    part.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob("*.vlog"))[:count]:
        if not (part / path.name).exists():
            os.link(path, part / path.name)
    return part


def measure(home: Path, games: int, distinct: int, *, cluster: bool) -> Iterator[str]:
    """Make an archive and measure it."""
    logs, sites = home / "logs", home / "sites"
    shutil.rmtree(sites, ignore_errors=True)
    spent = make_archive(logs, games, distinct)
    size = sum(path.stat().st_size for path in logs.glob("*.vlog"))
    yield f"{games} games, {min(distinct, games)} distinct, {size / 1e6:.0f} MB; made in {spent:.0f} s of CPU"
    some = max(20, games // 10)
    part = part_of(logs, home / "parts", some)
    one, two = (run(part, "-o", sites / f"jobs{jobs}", jobs=jobs) for jobs in (1, 2))
    rates = [round(3600 * some / each.seconds) for each in (one, two)]
    costs = [each.spent / some for each in (one, two)]
    yield (
        f"{some} games: {rates[0]} an hour with one process, {rates[1]} with two,"
        f" {one.seconds / two.seconds:.2f} times as many (bar: 1.8);"
        f" {costs[0]:.3f} and {costs[1]:.3f} s of CPU a game"
    )
    site = sites / "whole"
    whole = run(logs, "-o", site)
    cost = whole.spent / games
    yield (
        f"{games} games: {3600 * games / whole.seconds:.0f} an hour; {cost:.3f} s of CPU a game,"
        f" {cost / costs[1]:.2f} times that of {some} (linear: 1, bar: 1.1)"
    )
    yield f"memory of the parent: {whole.memory / 1e6:.0f} MB (bar: 300)"
    database = (site / "archive.db").stat().st_size
    yield f"database: {database / games / 1000:.1f} kB a game; {whole.said}"
    again = run(logs, "-o", site)
    yield f"again, nothing changed: {again.seconds:.1f} s (bar: 10), {again.spent:.1f} s of CPU"
    other = renamed((logs / "00001.vlog").read_bytes(), games)
    (logs / "00000.vlog").unlink()  # it is linked in the part too
    (logs / "00000.vlog").write_bytes(other)
    changed = run(logs, "-o", site)
    yield f"one game changed: {changed.seconds:.1f} s (bar: 15), {changed.spent:.1f} s of CPU; {changed.said}"
    if cluster:
        yield from on_a_cluster(logs, sites, games)
    (logs / "00000.vlog").unlink()  # made again in the same form the next time


def on_a_cluster(logs: Path, sites: Path, games: int) -> Iterator[str]:
    """The same games by two workers of a local Dask cluster, one of which is killed in the middle."""
    address = "tcp://127.0.0.1:8786"
    quiet = subprocess.DEVNULL
    commands = [
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--no-dashboard"],
        *(
            [
                *(sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1"),
                *("--no-nanny", "--no-dashboard", "--local-directory", str(sites / f"dask{number}")),
            ]
            for number in range(2)
        ),
    ]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=quiet, stderr=quiet) for command in commands]
    try:
        site = sites / "cluster"
        process = start(logs, "-o", site, "--scheduler", address)
        begun = time.monotonic()
        while process.poll() is None and _count(site) < games // 2:
            time.sleep(0.1)
        started[1].send_signal(signal.SIGKILL)
        at = _count(site)
        process.wait()
        same = verdicts(site) == verdicts(sites / "whole")
        yield (
            f"two workers of Dask, one killed after {at} of {games} games: {time.monotonic() - begun:.0f} s,"
            f" {_count(site)} games judged, {'the same verdicts' if same else 'OTHER VERDICTS'}"
        )
    finally:
        for one in started:
            one.kill()
            one.wait()


def _count(site: Path) -> int:
    with contextlib.suppress(sqlite3.OperationalError):
        connection = sqlite3.connect(f"file:{site / 'archive.db'}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM verdicts WHERE wrong = ''").fetchone()[0])
        finally:
            connection.close()
    return 0


def main(words: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="tools/bench.py archive",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--distinct", type=int, default=2_000)
    parser.add_argument("--cluster", action="store_true", help="with a local Dask cluster as well")
    parser.add_argument("--keep", type=Path, help="where the archive is made, and found the next time")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        for line in measure(given.keep or Path(folder), given.games, given.distinct, cluster=given.cluster):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
