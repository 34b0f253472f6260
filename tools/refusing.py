"""How tools end when their input cannot be used: with a line for each reason, and exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from vassalgen.problems import BadInput


@contextmanager
def refusing(ctx: click.Context) -> Iterator[None]:
    """End a command with what was wrong with its input, if anything is."""
    try:
        yield
    except (BadInput, LookupError) as error:
        for problem in error.problems if isinstance(error, BadInput) else (error,):
            click.echo(problem, err=True)
        ctx.exit(2)
