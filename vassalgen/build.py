"""The commands ``build`` and ``check``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click


@click.command()
@click.argument("game", metavar="GAME|DIR")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file to write; NAME.vmod if not said."
)
@click.option(
    "--data", multiple=True, metavar="DIR", help="A folder of corrections laid over the game's data."
)
def build(game: str, output: Path | None, data: tuple[str, ...]) -> None:
    """Build the VASSAL module of a game: one that is known by name, or a folder of data."""
    from vassalgen.compile import compile_game  # noqa: PLC0415 - slow to import
    from vassalgen.game.finding import open_game  # noqa: PLC0415

    opened = open_game(game, data)
    compiled = compile_game(opened, _progress())
    path = output or Path(f"{opened.id}.vmod")
    compiled.write(path)
    if compiled.ids.added:
        click.echo(f"{len(compiled.ids.added)} new counters were given numbers in ids.toml", err=True)
    click.echo(f"{path}: {opened.title} {opened.version}")


def _progress() -> Callable[[str], None]:
    def tell(what: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\033[K{what} …", nl=False, err=True)

    return tell


@click.command()
@click.argument("game", metavar="GAME|DIR")
@click.option(
    "--data", multiple=True, metavar="DIR", help="A folder of corrections laid over the game's data."
)
def check(game: str, data: tuple[str, ...]) -> None:
    """Check the data of a game and say everything that is wrong with them."""
    from vassalgen.game.commands import run  # noqa: PLC0415 - slow to import

    sys.exit(run(game, data, click.echo))
