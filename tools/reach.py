"""Count what can be done in set positions, and keep the counts beside their records.

    python3 tools/reach.py RECORD...

For the position at the end of each case of a record it counts the hexes within reach of each piece and the
legal actions one and two deep. The counts are written beside the record, as NAME.reach, where the tests find
them; what changed is reported. Exit code 0: nothing changed; 1: something did; 2: a record cannot be read.
"""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.record import read
from tools.proof.reaching import beside, describe
from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.vassal.archives import replace_file


@click.command(cls=Command)
@click.argument(
    "records", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.pass_context
def main(ctx: click.Context, records: tuple[Path, ...]) -> None:
    """Count what can be done in the positions of RECORDS, and keep the counts beside them."""
    changed = False
    for path in records:
        with refusing(ctx):
            now = describe(read(path))
        kept = beside(path)
        before = kept.read_text(encoding="utf-8") if kept.exists() else ""
        lines = list(unified_diff(before.splitlines(), now.splitlines(), lineterm="", n=0))
        for line in lines[2:] if before else [f"new: {kept}"] if lines else []:
            click.echo(line)
        changed |= bool(lines)
        replace_file(kept, now.encode())
    ctx.exit(1 if changed else 0)


if __name__ == "__main__":
    main()
