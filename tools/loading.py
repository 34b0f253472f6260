"""How long VASSAL takes to load each set-up of modules, measured in VASSAL itself, in one run.

    python3 tools/loading.py VASSAL_FOLDER MODULE.vmod...

VASSAL_FOLDER is where VASSAL is installed, or an unpacked release: the folder with lib/Vengine.jar (on macOS
the application, VASSAL.app). It needs a Java with a compiler (a JDK, 11 or later) and a display; on a server
put ``xvfb-run -a`` before the command. Each module is opened in a VASSAL of its own, which leaves your
preferences alone. Each set-up is loaded four times: the first time is called cold, of the other three the
least counts. The table has wall time and CPU time in seconds, the latter of all threads of VASSAL
together. A piece's share is what a set-up takes beyond the one with the fewest pieces, for each piece more.
Exit code 0: measured; 2: it could not be.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from attrs import field, frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.archives import Archive, Kind

PROGRAM = Path(__file__).with_name("Loading.java")
"""The program that runs inside VASSAL."""
ENGINE = "Vengine.jar"
FOLDERS = ("lib", "Contents/Resources/Java", ".")
"""Where the jars are in the folder of a release: of Linux and Windows, of macOS, the jars themselves."""
NO_DISPLAY = "no display"
"""What the program prints if windows cannot be opened."""
LONGEST = 600
"""Seconds after which a module is given up."""
HEAD = (
    "| module | set-up | pieces | cold, s | warm, s | cold, CPU s | warm, CPU s "
    "| per piece, ms | per piece, CPU ms |"
)


@frozen
class Load:
    """A set-up as it was loaded once."""

    setup: str
    pieces: int = field(converter=int)
    wall: float = field(converter=float)
    """Wall time in seconds."""
    cpu: float = field(converter=float)
    """CPU time in seconds."""


@frozen
class Loaded:
    """A set-up that was loaded several times: the first time, and the least of the other times."""

    cold: Load
    warm: Load

    @classmethod
    def of(cls, loads: Sequence[Load]) -> Loaded:
        """Combine several loads of one set-up."""
        cold, *others = loads
        wall, cpu = (min(getattr(one, what) for one in others) for what in ("wall", "cpu"))
        return cls(cold, Load(cold.setup, others[-1].pieces, wall, cpu))


def jars(folder: Path) -> Path:
    """The folder of VASSAL's jars."""
    if not folder.is_dir():
        raise BadInput(Problem(str(folder), "", "there is no such folder"))
    for name in FOLDERS:
        if (folder / name / ENGINE).is_file():
            return (folder / name).resolve()
    raise BadInput(Problem(str(folder), "", f"VASSAL is not in this folder: there is no lib/{ENGINE}"))


def java() -> str:
    """The command of a Java that runs a source file."""
    command = shutil.which("java")
    if command:
        listed = subprocess.run([command, "--list-modules"], capture_output=True, text=True, check=False)
        if "jdk.compiler" in listed.stdout:
            return command
    raise BadInput(Problem("java", "", "there is no Java with a compiler (a JDK, 11 or later) on the PATH"))


def check_module(path: Path) -> None:
    """Refuse a file that is not a module before VASSAL is started."""
    with Archive.open(path) as archive:
        if archive.kind is not Kind.MODULE:
            raise BadInput(Problem(str(path), "", f"a {archive.kind.value}, not a module"))


def measure(command: str, folder: Path, module: Path) -> tuple[str, list[Loaded]]:
    """Load every set-up of a module in VASSAL; return the module's name and version, and the times."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as own:
        settings = (
            f"-D{name}={own}" for name in ("user.home", "java.io.tmpdir", "VASSAL.conf", "VASSAL.cache")
        )
        run = [
            *(command, "-Xmx1024m", *settings, "--add-exports", "java.desktop/sun.java2d.cmm=ALL-UNNAMED"),
            *("-cp", f"{folder}/*", str(PROGRAM), str(module.resolve())),
        ]
        try:
            ended = subprocess.run(
                run,
                cwd=own,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            reason = f"VASSAL did not load all set-ups in {LONGEST} seconds"
            raise BadInput(Problem(str(module), "", reason)) from None
    said = [line.split("\t") for line in ended.stdout.splitlines()]
    if refused := [words[1] for words in said if words[0] == "refused"]:
        if refused == [NO_DISPLAY]:
            raise BadInput(
                Problem("VASSAL", "", "it needs a display and there is none", "on a server: xvfb-run -a")
            )
        raise BadInput(Problem(str(module), "", f"VASSAL cannot open it: {refused[0]}"))
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]
        raise BadInput(Problem(str(module), "", f"VASSAL ended before all set-ups were loaded: {last}"))
    name = next(words[1] for words in said if words[0] == "module")
    loads = [Load(*words[1:]) for words in said if words[0] == "load"]
    return name, [Loaded.of(list(ones)) for _, ones in groupby(loads, key=lambda one: one.setup)]


def rows(module: str, setups: Sequence[Loaded]) -> Iterator[str]:
    """A row of the table for each set-up."""
    empty = min((one.warm for one in setups), key=lambda one: one.pieces, default=None)
    for one in setups:
        cold, warm = one.cold, one.warm
        seconds = (f"{number:.2f}" for number in (cold.wall, warm.wall, cold.cpu, warm.cpu))
        shares = ("", "") if empty is None else _shares(warm, empty)
        yield f"| {' | '.join((module, warm.setup, str(warm.pieces), *seconds, *shares))} |"


def _shares(load: Load, empty: Load) -> tuple[str, str]:
    """The time per piece in milliseconds, wall and CPU; empty if there are no additional pieces."""
    more = load.pieces - empty.pieces
    if not more:
        return "", ""
    return f"{(load.wall - empty.wall) / more * 1000:.1f}", f"{(load.cpu - empty.cpu) / more * 1000:.1f}"


@click.command(cls=Command)
@click.argument("vassal_folder", type=click.Path(path_type=Path))
@click.argument("modules", metavar="MODULE.vmod...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.pass_context
def main(ctx: click.Context, vassal_folder: Path, modules: tuple[Path, ...]) -> None:
    """Time how long VASSAL takes to load each set-up of modules."""
    with refusing(ctx):
        folder = jars(vassal_folder)
        for module in modules:
            check_module(module)
        command = java()
        for number, module in enumerate(modules):
            name, setups = measure(command, folder, module)
            if not number:
                click.echo(HEAD)
                click.echo("| --- " * HEAD.count(" | ") + "| --- |")
            for row in rows(name, setups):
                click.echo(row)


if __name__ == "__main__":
    main()
