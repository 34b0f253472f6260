"""The command ``new``: writes a folder with a small game to play and to change."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from vassalgen.folders import check_free, write_folder

STARTERS = Path(__file__).resolve().parent / "starters"
WHOLE, BARE = "alder", "bare"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--bare", is_flag=True, help="Only the skeleton: two counters, one scenario, the shortest rules."
)
def new(folder: Path, bare: bool) -> None:
    """Write a small complete game into FOLDER: data, charts, scenarios, rules, help and cases.

    It can be built and refereed as it is; change it into your own.
    Exit code 0: the game was written; 2: the folder is not empty or cannot be written.
    """
    click.echo(f"{folder}: {write_game(folder, BARE if bare else WHOLE)} files")
    named = shlex.quote(str(folder))
    click.echo(f"next: vassalgen check {named}, vassalgen build {named}")


def write_game(folder: Path, starter: str = WHOLE) -> int:
    """Copy a starter game into a new or empty folder, and return the number of its files. BadInput if that
    fails.
    """
    check_free(folder)
    home = STARTERS / starter
    files = {
        path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*") if path.is_file()
    }
    write_folder(folder, files)
    return len(files)
