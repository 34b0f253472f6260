"""``vassalgen inspect``: what is in a module, extension, save or log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import attrs
import click

from vassalgen.commandline import FINDINGS, limit_option
from vassalgen.inspection.facts import Facts, as_json
from vassalgen.inspection.sources import Source, opened, split
from vassalgen.problems import FormatError
from vassalgen.vassal.limits import Limits

_LINES_AT_A_TIME = 1000


@click.command()
@click.argument("file")
@click.option("--entry", metavar="NAME", default="", help="A set-up inside FILE, instead of FILE itself.")
@click.option("--all", "everything", is_flag=True, help="Cut no list short.")
@click.option("--json", "as_object", is_flag=True, help="The same facts as one object of JSON.")
@click.option("--text", "as_text", is_flag=True, help="The whole content as text that can be compared.")
@limit_option
@click.pass_context
def inspect(
    context: click.Context,
    file: str,
    entry: str,
    everything: bool,
    as_object: bool,
    as_text: bool,
    limit: Limits,
) -> None:
    """Show what is in FILE: any module, extension, save or log of VASSAL, of any age.

    FILE may also be a set-up inside a module: MODULE.vmod!setup.vsav.

    The exit code is 0 if all is well, 1 if something is wrong with the file (an image or a prototype is
    missing, two pieces have one id), and 2 if it cannot be read. With --text it is 0 or 2.
    """
    if as_object and as_text:
        raise click.UsageError("--json and --text cannot go together")
    path, inner = split(file)
    try:
        with opened(path, entry or inner, limit) as source:
            if as_text:
                _print(_listing(source))
                return
            facts = facts_of(source)
    except FormatError as error:
        raise error.within(file=error.problem.file or str(path)) from None
    _print(_json(facts) if as_object else _words(facts, everything))
    if any(finding.serious for finding in facts.findings):
        context.exit(FINDINGS)


def _print(lines: Iterator[str]) -> None:
    """Print many lines at a time, for there may be a million."""
    while some := list(islice(lines, _LINES_AT_A_TIME)):
        click.echo("\n".join(some))


def facts_of(source: Source) -> Facts:
    """The facts of an open file."""
    facts: Facts
    if source.archive is not None:
        from vassalgen.inspection.modules import module_facts  # noqa: PLC0415 - each way needs little of all this

        facts = module_facts(source.archive)
    elif source.game is not None:
        from vassalgen.inspection.games import game_facts  # noqa: PLC0415 - each way needs little of all this

        facts, _ = game_facts(source.game)
    return attrs.evolve(facts, file=source.file, entry=source.entry)


def _listing(source: Source) -> Iterator[str]:
    from vassalgen.inspection.listing import listing  # noqa: PLC0415 - each way needs little of all this

    yield from listing(source)


def _json(facts: Facts) -> Iterator[str]:
    import json  # noqa: PLC0415 - each way needs little of all this

    yield json.dumps(as_json(facts), ensure_ascii=False, indent=2)


def _words(facts: Facts, everything: bool) -> Iterator[str]:
    from vassalgen.inspection.report import report  # noqa: PLC0415 - each way needs little of all this

    yield from report(facts, everything)
