"""Large files, just within the default limits: what each command takes for them.

    python3 tools/large.py [NAME…] [--folder FOLDER]

Each file is written to FOLDER (a temporary one unless it is named), read by the commands that would be given
such a file, each in a process of its own, and reported as a row of a table: exit code, seconds of CPU time
and megabytes. Nothing within the default limits may take more than a minute and 2 GB. Exit code 0: nothing
did; 1: something did. Not on Windows, which does not report what a process took.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.hostile.bombs import add, log, module, of_the_game, packed, root
from tests.hostile.test_small_files import taken
from vassalgen.commandline import Command
from vassalgen.vassal.limits import USUAL
from vassalgen.vassal.streams import ESC

SECONDS, MEGABYTES = 60, 2048
"""The most CPU time and memory that a file within the default limits may take."""
COMMANDS = USUAL.commands - 100
ROOM = USUAL.total - 2**20
"""How many bytes may be unpacked."""


def letters(count: int, seed: object = 0) -> str:
    """Letters that cannot be compressed well, so that the file is not refused for its ratio."""
    return random.Random(f"{seed}").randbytes(count // 2 + 1).hex()[:count]  # noqa: S311 - the same every time


def pieces(traits: int, count: int = COMMANDS) -> Iterator[str]:
    """Pieces that fill the allowed size, each with a number of markers of its own."""
    each = ROOM // count // traits // 2 - traits
    for number in range(count):
        type_ = [f"mark;a{letters(max(each, 4), (number, n))}" for n in range(traits)]
        yield add(str(number), [*type_, f"piece;;;;Unit {number}"])


def moves_of_stacks(stack: int) -> Iterator[str]:
    """As many moves of one stack as a file may contain."""
    yield from (f"+/{n}/piece;;;;Unit/Main Map;0;0;0;0" for n in range(stack))
    yield "+/s/stack/Main Map;0;0;" + ";".join(map(str, range(stack))) + ";@@0"
    for n in range((USUAL.events - 10 * stack) // stack):
        yield f"M/s/Main Map/{n + 1}/9/null/Main Map/{n}/9/null/ada"


def many_moves() -> bytes:
    """A real game with as many moves as a log may contain."""
    there = "M/id-blade/Main Map/216/90/null/Main Map/72/90/null/ada"
    back = "M/id-blade/Main Map/72/90/null/Main Map/216/90/null/ada"
    return of_the_game(*[there, back] * (COMMANDS // 2 - 100))


def elements() -> bytes:
    """A build file of as many elements as allowed, which fill the allowed size."""
    each = ROOM // 99_000 // 4 - 20
    return module(root("".join(f'<a b="{letters(each, n)}">{letters(each, -n)}</a>' for n in range(99_000))))


def in_hex() -> bytes:
    """A saved game as VASSAL obfuscates it."""
    text = f"begin_save{ESC}CHAT{letters(ROOM // 2 - 99)}"
    return packed([("savedGame", b"!VCSK00" + text.encode().hex().encode())])


def turn(number: int) -> str:
    """The turn track, advanced a number of times."""
    return f"TURNTurnTracker{number}\t0|{number};0;false;-1;3\\;0\\;0"


def set_up() -> bytes:
    """A module with a set-up of as many commands as all set-ups together may have."""
    one = '<VASSAL.build.module.PredefinedSetup name="Large" file="large.vsav" useFile="true"/>'
    return module(root(one), ("large.vsav", log(*pieces(5, COMMANDS // 2))))


FILES: dict[str, Callable[[], bytes]] = {
    "pieces of one trait.vlog": lambda: log(*pieces(1)),
    "pieces of 20 traits.vlog": lambda: log(*pieces(20)),
    "pieces of 50 traits.vlog": lambda: log(*pieces(50)),
    "300 pieces of 900 traits.vlog": lambda: log(*pieces(400, 300)),
    "one piece.vlog": lambda: log(*pieces(1, 1)),
    "chat.vlog": lambda: log(*(f"CHAT<Ada> - {letters(ROOM // COMMANDS - 20, n)}" for n in range(COMMANDS))),
    "one chat.vlog": lambda: log("CHAT<Ada> - " + letters(ROOM - 1000)),
    "one announcement.vlog": lambda: log("CHAT* Battle 1: " + letters(ROOM - 1000)),
    "announcements.vlog": lambda: of_the_game(*["CHAT* Battle 1: attack on B2 (Allies)"] * (COMMANDS - 200)),
    "stacks of 1000.vlog": lambda: log(*moves_of_stacks(1000)),
    "stacks of 10000.vlog": lambda: log(*moves_of_stacks(10_000)),
    "moves of a game.vlog": many_moves,
    "letters in hex.vlog": in_hex,
    "turns.vlog": lambda: of_the_game(*(turn(n) for n in range(COMMANDS - 200))),
    "elements.vmod": elements,
    "entries.vmod": lambda: module(
        root(""), *((f"{n}.png", letters(4000, n).encode()) for n in range(49_000))
    ),
    "one text.vmod": lambda: module(root(f"<a>{letters(ROOM - 1000)}</a>")),
    "set-up.vmod": set_up,
}


def commands(path: Path) -> list[list[str | Path]]:
    """The commands for such a file."""
    inspect: list[str | Path] = ["vassalgen", "inspect", path]
    if path.suffix == ".vmod":
        return [inspect]
    audit: list[str | Path] = ["referee", "audit", "--game", "postcard1943", path]
    return [inspect, ["referee", "replay", path], audit]


@click.command(cls=Command)
@click.argument("names", nargs=-1, type=click.Choice(tuple(FILES)))
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the files are kept.")
@click.pass_context
def main(ctx: click.Context, names: tuple[str, ...], folder: Path | None) -> None:
    """Time the commands on large files."""
    with TemporaryDirectory() as made:
        folder = folder or Path(made)
        folder.mkdir(exist_ok=True)
        click.echo("| file | size | command | exit code | seconds | MB |")
        click.echo("| --- | --- | --- | --- | --- | --- |")
        worst = [_row(name, folder) for name in names or FILES]
    ctx.exit(int(any(worst)))


def _row(name: str, folder: Path) -> bool:
    """Report what one file takes; return whether it is too much."""
    path = folder / name
    if not path.exists():
        path.write_bytes(FILES[name]())
    too_much = False
    for command in commands(path):
        code, seconds, megabytes, output = taken(*command)
        size = path.stat().st_size / 2**20
        words = " ".join(map(str, command[:2]))
        click.echo(f"| {name} | {size:.0f} MB | {words} | {code} | {seconds:.1f} | {megabytes:.0f} |")
        if "internal error" in output or code not in (0, 1, 2):
            click.echo(output[-2000:], err=True)
        too_much |= seconds > SECONDS or megabytes > MEGABYTES or code not in (0, 1, 2)
    return too_much


if __name__ == "__main__":
    main()
