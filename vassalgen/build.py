"""The commands ``build``, ``check`` and ``list``."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from vassalgen.commandline import complete_games, data_option, keep_apart, show_progress


@click.command()
@click.argument("game", metavar="GAME|DIR", shell_complete=complete_games)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The module file to write. [default: GAME.vmod]",
)
@data_option
def build(game: str, output: Path | None, data: tuple[Path, ...]) -> None:
    """Build the VASSAL module of GAME, the name of an installed game or a folder of game data.

    Exit code 0: the module was written; 2: the game or the output file cannot be used.
    """
    with _no_collecting():
        from vassalgen.caching import Cache, usual_folder  # noqa: PLC0415
        from vassalgen.compile import compile_game  # noqa: PLC0415 - slow to import
        from vassalgen.game.finding import open_game  # noqa: PLC0415
        from vassalgen.parts.versions import version_of  # noqa: PLC0415
        from vassalgen.problems import BadInput, Problem  # noqa: PLC0415

        opened = open_game(game, data)
        path = output or Path(f"{opened.id}.vmod")
        keep_apart([path], [file for folder in opened.folders for file in folder.rglob("*")])
        if path.suffix.lower() != ".vmod":  # it might be a log or a file of somebody's work
            raise BadInput(Problem(str(path), "", "is not the name of a module", "it ends in .vmod"))
        cache = Cache(usual_folder())
        try:
            compiled = compile_game(opened, lambda what: show_progress(f"{what} …"), cache)
        finally:
            show_progress("")
        compiled.write(path)
        cache.prune()
    if compiled.ids.added:
        click.echo(f"{len(compiled.ids.added)} new counters were given numbers in ids.toml", err=True)
    click.echo(f"{path}: {opened.title} {version_of(opened)}")


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Switch garbage collection off: nearly everything that a build creates is needed until its end."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@click.command()
@click.argument("game", metavar="GAME|DIR", shell_complete=complete_games)
@data_option
def check(game: str, data: tuple[Path, ...]) -> None:
    """Check the data of GAME and report every mistake, with its file and line.

    Exit code 0: no mistakes; 1: mistakes were found; 2: there is no such game, or a file cannot be read.
    """
    from vassalgen.game.commands import run  # noqa: PLC0415 - slow to import

    sys.exit(run(game, data, click.echo))


@click.command(name="list")
def list_games() -> None:
    """List the games that come with vassalgen or are installed, with their scenarios.

    Exit code 0: the games were listed; 2: the data of a game cannot be read.
    """
    from vassalgen.game.finding import game_names, open_game  # noqa: PLC0415 - slow to import
    from vassalgen.problems import BadInput  # noqa: PLC0415

    names = game_names()
    width = max(map(len, names), default=0)
    unreadable = []
    for name in names:
        try:
            game = open_game(name)
        except BadInput as error:
            unreadable.append(error)
            continue
        click.echo(f"{name:{width}}  {game.title}, version {game.version}")
        for scenario in game.scenarios.values():
            click.echo(f"{'':{width}}    {scenario.id}: {scenario.title}")
    if unreadable:
        raise BadInput(problem for error in unreadable for problem in error.problems)
