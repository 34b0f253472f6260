"""Hostile files: valid ones changed at random in sensitive places, and what the referee does with them.

    python3 tools/fuzz.py KIND... [--from SEED] [--cases N] [--keep FILE] [--stop-after SECONDS]

KIND is `audits` or `long-audits`, or one of `streams`, `zips`, `builds`, `records`, `data`, `papers`.
Each seed is one case, the same every time; a hundred of them are changed from the same. An *undeclared
error* is any exception but a refusal, anything that an audit could not judge because a rule or a reader
failed, and a process that dies. With ``--keep`` each hundred that is finished is kept in FILE, a line of
JSON each, and a run that was stopped goes on from there. What is printed counts what is in FILE. Of
several kinds as many seeds are tried of each, in turn. Exit code 0: no undeclared errors, and nothing
took too much; 1: something did.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from attrs import asdict, frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.fuzzing import audits, files
from tools.fuzzing.trials import Outcome, Trial, tried, tried_apart
from tools.keeping import keep, kept
from vassalgen.commandline import Command

SLOW, LONG = 5.0, 60.0
"""The CPU time in seconds that a small file, and any file, may take."""
LARGE = 500
"""The memory in MB that no small file may use."""
PART = 100
"""How many seeds change the same file."""
KINDS: dict[str, Callable[[int], Trial]] = {
    "audits": audits.audits,
    "long-audits": audits.long_audits,
    "streams": files.streams_,
    "zips": files.zips,
    "builds": files.builds,
    "records": files.records,
    "data": files.data,
    "papers": files.papers,
}
"""Creates the trial of the cases from a seed on."""
APART = ("audits", "long-audits")
"""Kinds whose cases each run in a process of their own."""


@frozen
class Part:
    """The outcome of some seeds of a kind."""

    kind: str
    first: int
    cases: int
    read: int
    refused: int
    slowest: float
    most: int = 0
    errors: tuple[str, ...] = ()

    @property
    def is_too_much(self) -> bool:
        """Whether a case took more time or memory than allowed."""
        return self.slowest > (LONG if self.kind.startswith("long") else SLOW) or self.most > LARGE


def case(kind: str, seed: int) -> Outcome:
    """Try one case."""
    return _tried(kind, KINDS[kind](seed // PART * PART), seed)


def _tried(kind: str, trial: Trial, seed: int) -> Outcome:
    return (tried_apart if kind in APART else tried)(trial, kind, seed)


def part(kind: str, first: int, cases: int) -> Part:
    """Try some of the seeds, all of the same hundred."""
    trial = KINDS[kind](first // PART * PART)
    if kind in APART:
        gc.collect()
        gc.freeze()  # so that the processes share what is read
    outcomes = [_tried(kind, trial, seed) for seed in range(first, first + cases)]
    if kind in APART:
        gc.unfreeze()
    errors = tuple(one.error for one in outcomes if one.error)
    slowest = max(outcomes, key=lambda one: one.seconds).seconds
    most = max(outcomes, key=lambda one: one.memory).memory
    refused = sum(one.refused for one in outcomes)
    read = cases - refused - len(errors)
    return Part(kind, first, cases, read, refused, round(slowest, 2), most, errors)


def _kept(file: Path | None) -> list[Part]:
    values = kept(file) if file is not None else []
    return [Part(**{**one, "errors": tuple(one["errors"])}) for one in values]


def summary(parts: Sequence[Part]) -> list[str]:
    """The table of what was tried and found."""
    lines = [
        "| what | cases | read | refused | undeclared errors | slowest | most memory |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for kind in KINDS:
        own = [one for one in parts if one.kind == kind]
        if own:
            counts = (sum(getattr(one, name) for one in own) for name in ("cases", "read", "refused"))
            errors, slowest = sum(len(one.errors) for one in own), max(one.slowest for one in own)
            numbers = " | ".join(f"{count:,}" for count in counts)
            most = max(one.most for one in own)
            lines.append(f"| {kind} | {numbers} | {errors:,} | {slowest:.1f} s | {most} MB |")
    return lines


@click.command(cls=Command)
@click.argument("kinds", nargs=-1, required=True, type=click.Choice(tuple(KINDS)))
@click.option("--from", "first", default=0, help="The first seed.")
@click.option("--cases", default=PART, help="How many seeds of each kind.")
@click.option("--keep", "file", type=click.Path(dir_okay=False, path_type=Path), help="Where parts are kept.")
@click.option("--stop-after", type=float, help="Begin no further part after so many seconds.")
@click.pass_context
def main(
    ctx: click.Context,
    kinds: Sequence[str],
    first: int,
    cases: int,
    file: Path | None,
    stop_after: float | None,
) -> None:
    """Try changed files of each KIND."""
    gc.set_threshold(100_000)
    started, found = time.monotonic(), _kept(file)
    done = {(one.kind, one.first, one.cases) for one in found}
    for start in range(first, first + cases, PART):
        count = min(PART, first + cases - start)
        for kind in kinds:
            if (kind, start, count) in done:
                continue
            if stop_after is not None and time.monotonic() - started > stop_after:
                break
            one = part(kind, start, count)
            found.append(one)
            for error in one.errors:
                click.echo(f"{kind} {error}", err=True)
            if one.is_too_much:
                click.echo(f"{kind} {start}: {one.slowest} s, {one.most} MB", err=True)
            if file is not None:
                keep(file, asdict(one))
    click.echo("\n".join(summary(found)))
    ctx.exit(int(any(one.errors or one.is_too_much for one in found)))


if __name__ == "__main__":
    main()
