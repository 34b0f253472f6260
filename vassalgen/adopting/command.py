"""The command ``adopt``."""

from __future__ import annotations

from pathlib import Path

import click

from vassalgen.commandline import limit_option
from vassalgen.folders import check_free, write_folder
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
@click.option("--pictures", is_flag=True, help="Keep the module's pictures of counters and board.")
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
