"""How fast the project is, compared with other programs and with its goals.

    python3 tools/dev.py setup && .venv/bin/python tools/bench.py [LOG] [--python PYTHON3.12]
    .venv/bin/python tools/bench.py archive [--games N] [--distinct N] [--cluster] [--keep FOLDER]

LOG is the log to measure with: by default the largest of the public logs beside the project, else the one
that ships with it. Comparisons are ratios measured in one run, as machines differ and are seldom idle.
pywargame, which needs Python 3.12 or later, is installed into an environment of its own for the occasion.
Exit code 1: a bar was missed; those of rulings and audits are in bars.toml.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from referee.record import Record
    from tools.proof.logs.loggable import Habits
    from tools.proof.playing import Played

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
PUBLIC = ROOT.parent / "shared" / "corpus" / "vlog" / "uckelman__tld-mod__0607-4.log"
OWN = ROOT / "tests" / "data" / "skirmish" / "skirmish.vlog"
ROUNDS = 5
SEED = 1
STEPS = 3000
"""How many steps the audited logs have."""
AUDIT = 2.0
"""The goal for the audit of such a log, in seconds of CPU time."""
RULINGS = 10_000
"""The goal: how many actions are judged in a second."""
BARS = tomllib.loads((ROOT / "tools" / "bars.toml").read_text(encoding="utf-8"))
"""The required figures of each game; for a game without them, the goals."""

OURS = """
import sys, time
from pathlib import Path
from vassalgen.vassal.savedgame import read_saved_game
best = 1e9
for _ in range(5):
    begun = time.perf_counter()
    read_saved_game(Path(sys.argv[1]))
    best = min(best, time.perf_counter() - begun)
print(best)
"""
THEIRS = """
import sys, time
from pywargame.vassal.save import SaveIO
best = 1e9
for _ in range(3):
    begun = time.perf_counter()
    with open(sys.argv[1], "rb") as stream:
        SaveIO.readSave(stream)
    best = min(best, time.perf_counter() - begun)
print(best)
"""


@frozen
class Figure:
    """A measured figure, in words, and whether it meets its bar."""

    says: str
    keeps: bool = True

    def __str__(self) -> str:
        return self.says if self.keeps else f"{self.says} MISSED"


def at_least(bar: float, value: float, says: str) -> Figure:
    """Return a figure that must not fall below its bar."""
    return Figure(f"{says} (bar: {bar:g})", value >= bar)


def at_most(bar: float, value: float, says: str) -> Figure:
    """Return a figure that must not rise above its bar."""
    return Figure(f"{says} (bar: {bar:g})", value <= bar)


def best_of(
    act: Callable[[], object], rounds: int = ROUNDS, clock: Callable[[], float] = time.process_time
) -> float:
    """The least CPU time of several tries, in seconds."""
    best = float("inf")
    for _ in range(rounds):
        begun = clock()
        act()
        best = min(best, clock() - begun)
    return best


def decoding(log: Path, python: str | None) -> Iterator[Figure]:
    """Unwrapping a log, against pywargame."""
    seconds = float(output(sys.executable, "-c", OURS, str(log)))
    size = text_size(log)
    yield Figure(f"decode: {size / 1e6 / seconds:.0f} MB/s of text")
    found = python or newer_python()
    if found is None:
        yield Figure(
            "decode against pywargame: skipped, no Python 3.12 or later was found (--python names one)"
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        venv_python = install_pywargame(found, Path(folder))
        if venv_python is None:
            yield Figure("decode against pywargame: skipped, it could not be installed")
            return
        theirs = float(output(venv_python, "-c", THEIRS, str(log)))
    times = theirs / seconds
    yield at_least(30, times, f"decode against pywargame 0.8.0: {times:.0f} times as fast")


def newer_python() -> str | None:
    """A Python that pywargame can be imported with."""
    for name in ("python3.12", "python3.13", "python3.14"):
        path = shutil.which(name)
        if path and subprocess.run([path, "-c", ""], check=False, capture_output=True).returncode == 0:
            return path
    return None


def install_pywargame(python: str, folder: Path) -> str | None:
    """Create an environment with pywargame; return its Python, or None if that fails."""
    home = folder / "pywargame"
    bin_ = "Scripts" if os.name == "nt" else "bin"
    steps = (
        [python, "-m", "venv", str(home)],
        [str(home / bin_ / "python"), "-m", "pip", "install", "-q", "pywargame==0.8.0"],
    )
    for step in steps:
        if subprocess.run(step, check=False, capture_output=True).returncode:
            return None
    return str(home / bin_ / "python")


def parsing(log: Path) -> Iterator[Figure]:
    """Reading text as commands, all of them parsed."""
    from vassalgen.vassal import streams
    from vassalgen.vassal.savedgame import read_saved_game

    text = read_saved_game(log).text

    def read() -> int:
        return sum(node.command is not None for node in streams.decode(text).root.walk())

    pace = text_size(log) / 1e6 / best_of(read)
    yield at_least(5, pace, f"stream to commands: {pace:.1f} MB/s of text")


def replaying(log: Path) -> Iterator[Figure]:
    """A whole replay, from a cold start and within one process."""
    from referee.table import Replay, read_log

    command = [sys.executable, "-m", "referee", "replay", str(log)]
    spent = spent_on(command)
    cold = f"replay {log.name}, cold: {spent:.2f} s of CPU"
    yield at_most(1.5, spent, cold) if log == PUBLIC else Figure(cold)
    whole = read_log(log)
    inside = best_of(lambda: [step.number for step in Replay(whole).steps()], 3)
    yield Figure(f"replay: {whole.length / inside:.0f} steps/s")
    if os.name != "nt":
        used = peak(command) - peak([*command[:-1], "--help"])
        times = used / text_size(log)
        yield at_most(7.5, times, f"replay, peak memory beyond the program: {times:.1f} times its text")


def peak(command: list[str]) -> int:
    """The most memory that a command uses, in bytes."""
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(output(sys.executable, "-c", script, *command)) * unit


def empty_stacks() -> Iterator[Figure]:
    """The time for a save full of empty stacks is proportional to their number."""
    from referee.table import Log, Replay
    from vassalgen.vassal import streams

    def seconds(count: int) -> float:
        stacks = [f"+/{number}/stack/Main Map;0;0;@@1" for number in range(count)]
        stream = streams.decode("\x1b".join(["begin_save", *stacks, "end_save"]))
        return best_of(lambda: Replay(Log("empty", stream)), 3)

    half, whole = seconds(38_500), seconds(77_000)
    times = whole / half
    yield at_most(3, times, f"77,000 empty stacks: {whole:.2f} s, {times:.1f} times as long as half of them")


def building() -> Iterator[Figure]:
    """A whole module, from a cold start."""
    from vassalgen.game.finding import shipped_games

    with tempfile.TemporaryDirectory() as folder:
        for game in sorted(shipped_games()):
            command = [sys.executable, "-m", "vassalgen", "build", game, "-o", f"{folder}/{game}.vmod"]
            spent = spent_on(command)
            yield at_most(3, spent, f"build {game}, cold: {spent:.2f} s of CPU")


def weighing() -> Iterator[Figure]:
    """The size of the modules' counters in VASSAL."""
    from tools.weights import weights_of
    from vassalgen.game.finding import shipped_games

    for game in sorted(shipped_games()):
        found = weights_of(game)
        for bar, value, says in (
            (45, found.traits, "traits, the median"),
            (60, found.most_traits, "traits at most"),
            (16, found.writers, "properties and layers"),
            (7_500, max(found.unit, found.pressed_unit), "characters of a unit"),
            (2_500, max(found.change, found.pressed), "characters of a change"),
            (120_000, found.setup, "bytes of the largest set-up"),
        ):
            yield at_most(bar, value, f"{game}: {value:g} {says}")


def auditing() -> Iterator[Figure]:
    """Random games played by the rules: their rulings, and from a cold start the audit of long logs."""
    from tools.proof.logs.loggable import HABITS, PLAIN, UnloggableError
    from vassalgen.problems import BadInput

    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(path.name for path in (ROOT / "tests" / "cases").iterdir()):
            try:
                game = RandomGame.of(name)
                pace = game.rulings()
                bars = BARS.get(name, {"rulings": RULINGS, "audit": AUDIT})
                says = f"rulings on a random game of {name}: {pace:.0f} a second, aim {RULINGS:g}"
                yield at_least(bars["rulings"], pace, says)
                long = game.prolonged(Path(folder) / name)
                for kind, habits in (("an orderly", PLAIN), ("a dense", HABITS)):
                    log = Path(folder) / f"{name}.vlog"
                    steps = long.write(log, habits)
                    spent = long.audit(log)
                    says = f"audit of {kind} log of {name}, {steps} steps, cold: {spent:.2f} s of CPU"
                    yield at_most(bars["audit"], spent, f"{says}, aim {AUDIT:g}")
                if "pressed" in bars:
                    spent = long.audit(ROOT / "tests" / "data" / name / "everything.vlog")
                    says = f"audit of the log of {name} with every command pressed: {spent:.2f} s of CPU"
                    yield at_most(bars["pressed"], spent, says)
            except (UnloggableError, LookupError, BadInput) as error:
                yield Figure(f"audit of {name}: skipped, no random game of it can be logged ({error})")


@frozen
class RandomGame:
    """A random game, and the folders of corrections with which it is played."""

    played: Played
    data: tuple[Path, ...] = ()

    @classmethod
    def of(cls, name: str, *data: Path) -> RandomGame:
        """Play a game to its end."""
        from referee.games import find_rules
        from tools.proof.logs.loggable import play_for_log
        from vassalgen.game.finding import open_game

        return cls(play_for_log(find_rules(name).world(open_game(name, data)), SEED), data)

    def prolonged(self, data: Path) -> RandomGame:
        """Return a game with enough turns for a log of :data:`STEPS` steps; the same game if turns do not
        matter.
        """
        from tools.proof.logs.loggable import PLAIN

        world = self.played.world
        pace = self.write(data.with_suffix(".vlog"), PLAIN) / world.calendar.last_turn
        turns = range(1, round(3 * STEPS / pace))
        labels = "".join(f'{turn} = {{ label = "Turn {turn}" }}\n' for turn in turns)
        scenario = data / "scenarios" / f"{world.scenario.id}.toml"
        scenario.parent.mkdir(parents=True)
        scenario.write_text(f"last_turn = {turns[-1]}\n[turns]\n{labels}", encoding="utf-8")
        long = RandomGame.of(world.game.id, data)
        try:
            long.write(data.with_suffix(".vlog"), PLAIN)
        except LookupError:
            return self
        return long

    def rulings(self) -> float:
        """How many of its actions are judged in a second; as in commands, garbage is rarely collected."""
        gc.set_threshold(1_000_000)
        record = self.played.record
        return judge_all([record]) / best_of(partial(judge_all, [record]), 3)

    def write(self, log: Path, habits: Habits) -> int:
        """Write its log, with at most :data:`STEPS` steps; return their number."""
        from tools.proof.logs.game_logger import log_game
        from tools.proof.logs.opening import opening_of

        opening, steps = opening_of(self.played.record.game), self.played.steps
        lines = log_game(opening, steps, SEED, habits).lines
        logger = log_game(opening, steps[: sum(line.stop <= STEPS + 1 for line in lines)], SEED, habits)
        log.write_bytes(opening.to_bytes(logger.writer))
        return logger.writer.number

    def audit(self, log: Path) -> float:
        """The CPU time of the audit of a log from a cold start, in seconds."""
        data = [word for folder in self.data for word in ("--data", str(folder))]
        return spent_on([sys.executable, "-m", "referee", "audit", str(log), *data])


def spent_on(command: list[str]) -> float:
    """The least CPU time of a command in several tries, in seconds.

    As when it is installed, its imports are compiled after the first try. It finds no pictures of earlier
    builds: each try has its own folder for them.
    """

    def run() -> None:
        with tempfile.TemporaryDirectory() as kept:
            folders = {"XDG_CACHE_HOME": kept, "LOCALAPPDATA": kept}
            environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **folders}
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=environment)

    return best_of(run, clock=_of_children)


def _of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def ruling() -> Iterator[Figure]:
    """Every action of the rule cases, judged and carried out."""
    from referee.record import read

    for folder in sorted((ROOT / "tests" / "cases").iterdir()):
        records = [read(path) for path in sorted(folder.glob("*.record"))]
        count, seconds = judge_all(records), best_of(partial(judge_all, records), 3)
        pace = count / seconds
        yield Figure(f"rulings on the cases of {folder.name}: {pace:.0f} a second, with their set-ups")


def judge_all(records: Sequence[Record]) -> int:
    """Judge records; the number of actions ruled on."""
    from referee.judge import judge_record

    judged = (one for record in records for _, steps in judge_record(record) for one in steps)
    return sum(one.ruling is not None for one in judged)


def starting() -> Iterator[Figure]:
    """How long the help takes."""
    command = [sys.executable, "-m", "vassalgen", "--help"]
    spent = spent_on(command)
    yield at_most(0.15, spent, f"vassalgen --help: {spent:.3f} s of CPU")


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def text_size(log: Path) -> int:
    """The size of a log's stream in bytes of UTF-8."""
    from vassalgen.vassal.savedgame import read_saved_game

    return len(read_saved_game(log).text.encode("utf-8", "surrogateescape"))


def main() -> None:
    """Measure everything and print it, or the archive."""
    if sys.argv[1:2] == ["archive"]:
        from tools import archive_bench

        archive_bench.main(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("log", nargs="?", type=Path, default=PUBLIC if PUBLIC.is_file() else OWN)
    parser.add_argument("--python", help="a Python 3.12 or later for pywargame")
    given = parser.parse_args()
    if not given.log.is_file():
        parser.error(f"{given.log}: there is no such log")
    print(
        f"with {given.log.name}, {text_size(given.log) / 1e6:.2f} MB of text, Python {sys.version.split()[0]}"
    )
    measures = (
        decoding(given.log, given.python),
        parsing(given.log),
        replaying(given.log),
        empty_stacks(),
        building(),
        weighing(),
        ruling(),
    )
    missed = 0
    for measure in (*measures, *([] if os.name == "nt" else [auditing(), starting()])):
        for figure in measure:
            print(figure, flush=True)
            missed += not figure.keeps
    if missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
