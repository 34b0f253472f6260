"""``vassalgen inspect``: what is in a module, extension, save or log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import attrs
import click

from vassalgen.commandline import FINDINGS, STDOUT, json_option, keep_apart, limit_option, write_file
from vassalgen.inspection.facts import Facts, as_json
from vassalgen.inspection.sources import Source, opened, split
from vassalgen.problems import FormatError
from vassalgen.vassal.limits import Limits

_LINES_AT_A_TIME = 1000


@click.command()
@click.argument("file")
@click.option(
    "--entry", metavar="NAME", default="", help="Inspect this set-up inside FILE instead of FILE itself."
)
@click.option("--all", "everything", is_flag=True, help="Show long lists in full.")
@json_option("the report")
@click.option(
    "--text", "as_text", is_flag=True, help="Print the whole content as text that diff can compare."
)
@limit_option
@click.pass_context
def inspect(
    context: click.Context,
    file: str,
    entry: str,
    everything: bool,
    json_file: Path | None,
    as_text: bool,
    limit: Limits,
) -> None:
    """Show what is in FILE: any module, extension, save or log of VASSAL, of any age.

    FILE may also be a set-up inside a module: MODULE.vmod!setup.vsav.

    Exit code 0: nothing is wrong with the file; 1: something is, such as a missing image or prototype, or two
    pieces with the same id; 2: the file cannot be read. With --text it is 0 or 2.
    """
    if json_file and as_text:
        raise click.UsageError("--json and --text cannot be used together")
    path, inner = split(file)
    keep_apart([json_file] if json_file else [], [path])
    try:
        with opened(path, entry or inner, limit) as source:
            if as_text:
                _print(_listing(source))
                return
            facts = facts_of(source)
    except FormatError as error:
        raise error.within(file=error.problem.file or str(path)) from None
    if json_file:
        write_file(json_file, _json(facts))
    if json_file != STDOUT:
        _print(_words(facts, everything))
    if any(finding.serious for finding in facts.findings):
        context.exit(FINDINGS)


def _print(lines: Iterator[str]) -> None:
    """Print many lines at a time, because there may be a million."""
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


def _json(facts: Facts) -> str:
    import json  # noqa: PLC0415 - each way needs little of all this

    return json.dumps(as_json(facts), ensure_ascii=False, indent=2) + "\n"


def _words(facts: Facts, everything: bool) -> Iterator[str]:
    from vassalgen.inspection.report import report  # noqa: PLC0415 - each way needs little of all this

    yield from report(facts, everything)
