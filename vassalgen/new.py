"""The command ``new``: a folder with a game to play, and to change."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from vassalgen.problems import BadInput, Problem

STARTERS = Path(__file__).resolve().parent / "starters"
WHOLE, BARE = "alder", "bare"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--bare", is_flag=True, help="Only the skeleton: two counters, one scenario, the shortest rules."
)
def new(folder: Path, bare: bool) -> None:
    """Write a small complete game into FOLDER: data, charts, scenarios, rules, help and cases.

    It builds, checks clean and is refereed as it stands; change it into your own.
    Exit code 0: the game was written; 2: the folder is not empty or cannot be written.
    """
    files = write_game(folder, BARE if bare else WHOLE)
    click.echo(f"{folder}: {len(files)} files")
    click.echo(f"next: vassalgen check {folder}, vassalgen build {folder}")


def write_game(folder: Path, starter: str = WHOLE) -> list[Path]:
    """Copy a starter into a folder that is not there or empty, and return its files; else BadInput."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        wrong = "is not empty" if folder.is_dir() else "is a file"
        raise BadInput(Problem(str(folder), "", wrong, "name a new folder, or an empty one"))
    shutil.copytree(STARTERS / starter, folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
    return sorted(path for path in folder.rglob("*") if path.is_file())
