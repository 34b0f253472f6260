"""The command ``adopt``."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

from vassalgen.commandline import limit_option
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.limits import Limits


@click.command()
@click.argument("module", type=click.Path(path_type=Path), metavar="MODULE")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="The folder to write, a new or an empty one.",
)
@click.option("--pictures", is_flag=True, help="Take over the module's pictures of counters and board.")
@limit_option
def adopt(module: Path, output: Path, pictures: bool, limit: Limits) -> None:
    """Turn MODULE, a module of any hex game, into game data in FOLDER.

    Exit code 0: the folder was written; 2: the module is not of a hex game, or a file cannot be used.
    """
    from vassalgen.adopting.adopting import adopted  # noqa: PLC0415 - slow to import

    check_free(output)
    found = adopted(module, limit, with_pictures=pictures)
    write_folder(output, found.files)
    click.echo(f"{output}: {found.summary}")
    for remark in found.remarks:
        click.echo(f"  left to do: {remark}")
    click.echo(f"next: vassalgen check {output}")


def check_free(folder: Path) -> None:
    """BadInput if a folder is there and not empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        wrong = "is not empty" if folder.is_dir() else "is a file"
        raise BadInput(Problem(str(folder), "", wrong, "name a new folder, or an empty one"))


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder, which appears whole or not at all. BadInput if it cannot be written."""
    made: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        for name, content in files.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        made.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadInput(Problem(str(folder), "", f"cannot be written ({reason})")) from None
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
