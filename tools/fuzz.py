"""Files as a stranger would send them: changed where it hurts, and what the referee makes of them.

    python3 tools/fuzz.py KIND [--from SEED] [--cases N] [--part N] [--keep FILE] [--stop-after SECONDS]

KIND is `audits`, or one of `streams`, `zips`, `builds`, `records`, `data`. Each seed is one case, the same
every time. An *undeclared error* is any exception but a refusal, and anything that an audit could not judge
because a rule or a reader failed. With ``--keep`` each part of the seeds that is finished is kept in FILE, a
line of JSON each, and a run that was stopped goes on from there. What is printed counts what is in FILE.
Exit code 0: no undeclared errors and nothing slow; 1: there were.
"""

from __future__ import annotations

import gc
import html
import io
import json
import random
import sys
import time
import traceback
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from attrs import evolve, field, frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.audit import audit
from referee.engine.position import World
from referee.games import find_rules
from referee.judge import judge_record
from referee.record import parse
from referee.report.as_json import report_json
from referee.report.text import text_report
from referee.table import EMPTY_MODULE, Log, ModulePlan, Replay
from referee.table.snapshot import things
from tools.proof.logs.opening import opening_of
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.inspection.command import facts_of
from vassalgen.inspection.facts import as_json
from vassalgen.inspection.sources import opened
from vassalgen.problems import BadInput
from vassalgen.vassal import streams
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.savedgame import read_saved_game, read_stream
from vassalgen.vassal.streams import Node

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "tests" / "data"
CASES = ROOT / "tests" / "cases"
MODULE = LOGS / "skirmish" / "skirmish.vmod"
SMALL = 10_000
"""Bytes that are packed in little time."""
SLOW = 5.0
"""Seconds of a processor that no small file may take."""
STEPS = 25
"""How many steps of a log at most are audited: a case must be short for there to be many."""
NUMBERS = ("0", "-1", "1", "2", "7", "99", "2147483648", "9" * 30, "1.5", "NaN", "²", "")
TEXTS = (
    "",
    "null",
    "\\",
    "'",
    "''",
    ";",
    "|",
    ",",
    "\t",
    "x" * 3000,
    "\u202e",
    "\ud800",
    "$x$",
    "{x}",
    "()",
    "[]",
)


@frozen
class Outcome:
    """What came of a case: read, or refused, or the undeclared errors; and how long it took."""

    refused: bool = False
    errors: tuple[str, ...] = ()
    seconds: float = 0.0


@frozen
class Part:
    """What came of a part of the seeds of a kind."""

    kind: str
    first: int
    cases: int
    read: int
    refused: int
    slowest: float
    errors: tuple[str, ...] = field(factory=tuple)


# What is changed


def changed_text(rng: random.Random, text: str) -> str:
    """A text with one field of one of VASSAL's lists changed: that is where meaning sits."""
    delimiter = rng.choice("\t/;|,: ()[]+")
    fields = text.split(delimiter)
    place = rng.randrange(len(fields))
    match rng.randrange(7):
        case 0:
            del fields[place]
        case 1:
            fields.insert(place, fields[place])
        case 2:
            other = rng.randrange(len(fields))
            fields[place], fields[other] = fields[other], fields[place]
        case 3:
            fields[place] = rng.choice(NUMBERS)
        case 4:
            fields[place] = rng.choice(TEXTS)
        case 5:
            words = fields[place].split(" ")
            del words[rng.randrange(len(words))]
            fields[place] = " ".join(words)
        case _:
            digits = [at for at, letter in enumerate(fields[place]) if letter.isdigit()]
            if digits:
                at = rng.choice(digits)
                fields[place] = fields[place][:at] + rng.choice(NUMBERS) + fields[place][at + 1 :]
    return delimiter.join(fields)


def changed_node(rng: random.Random, node: Node) -> Node:
    """A command, or one that belongs to it, changed, doubled or gone."""
    children = list(node.children)
    if children and rng.random() < 0.7:
        place = rng.randrange(len(children))
        match rng.randrange(4):
            case 0:
                del children[place]
            case 1:
                children.insert(place, children[place])
            case _:
                children[place] = changed_node(rng, children[place])
        return evolve(node, children=tuple(children))
    prefix = streams.LOG if node.logged else ""
    return evolve(node, text=prefix + changed_text(rng, node.bare).replace(streams.ESC, ""))


def changed_tree(rng: random.Random, entries: Sequence[Node], setup: int, times: int) -> list[Node]:
    """The entries of a stream with some changes, most of them in what players did after the set-up."""
    found = list(entries)
    for _ in range(times):
        low = 0 if rng.random() < 0.3 else min(setup, len(found) - 1)
        place = rng.randrange(low, len(found))
        match rng.randrange(8):
            case 0:
                del found[place]
            case 1:
                found.insert(rng.randrange(low, len(found) + 1), found[place])
            case 2:
                other = rng.randrange(low, len(found))
                found[place], found[other] = found[other], found[place]
            case _:
                found[place] = changed_node(rng, found[place])
        if not found:
            return list(entries[:1])
    return found


def changed_bytes(rng: random.Random, data: bytes) -> bytes:
    """Bytes with some of them changed, cut out or doubled."""
    found = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(found) or 1)
        match rng.randrange(4):
            case 0:
                found[place : place + 1] = bytes([rng.randrange(256)])
            case 1:
                del found[place : place + rng.randrange(1, 200)]
            case 2:
                found[place:place] = found[place : place + rng.randrange(1, 200)]
            case _:
                found[place : place + 4] = rng.choice((b"\0" * 4, b"\xff" * 4, b"\xff\xff\xff\x7f"))
    return bytes(found)


def changed_lines(rng: random.Random, text: str, times: int) -> str:
    """A text of lines with some changed, doubled, moved or gone."""
    lines = text.splitlines() or [""]
    for _ in range(times):
        place = rng.randrange(len(lines))
        match rng.randrange(7):
            case 0:
                del lines[place]
            case 1:
                lines.insert(place, rng.choice(lines))
            case 2:
                words = lines[place].split(" ")
                words[rng.randrange(len(words))] = rng.choice(
                    (*NUMBERS, *TEXTS, *rng.choice(lines).split(" "))
                )
                lines[place] = " ".join(words)
            case _:
                lines[place] = changed_text(rng, lines[place])
        lines = lines or [""]
    return "\n".join(lines)


# What is read


@cache
def logs_of(game: str) -> tuple[tuple[str, tuple[Node, ...], int], ...]:
    """The logs of a game: name, the entries of each, and how many of them are its set-up."""
    found = []
    for path in sorted((LOGS / game).glob("*.vlog")):
        entries = streams.decode(read_saved_game(path).text).root.children
        setup = next((place for place, one in enumerate(entries) if streams.is_step(one)), len(entries))
        found.append((path.name, entries, setup))
    return tuple(found)


@cache
def module_of(game: str) -> ModulePlan:
    """The compiled module of a game."""
    return opening_of(game).module


def audits(rng: random.Random) -> None:
    """Audit a log of one of the games, with its module or without."""
    game = rng.choice(tuple(shipped_games()))
    name, entries, setup = rng.choice(logs_of(game))
    first = rng.randrange(setup, max(setup + 1, len(entries) - STEPS)) if rng.random() < 0.2 else setup
    steps = entries[first : first + rng.randrange(3, STEPS)]
    changed = changed_tree(rng, [*entries[:setup], *steps], setup, rng.randrange(1, 5))
    text = streams.encode(Node("begin_save", tuple(changed)))
    module = module_of(game) if rng.random() < 0.5 else EMPTY_MODULE
    report = audit([Log(name, streams.decode(text))], open_cached(game), module)
    values = report_json(report, whole=rng.random() < 0.1)
    for _ in text_report(values):
        pass
    if report.unjudged:
        raise _UnjudgedError(report.unjudged[0].failure.trace)
    if values["unjudged"]:
        raise _UnjudgedError(values["unjudged"][0]["error"])


class _UnjudgedError(Exception):
    """Something could not be judged."""


@cache
def open_cached(game: str) -> Any:
    """A game, opened once."""
    return open_game(game)


def streams_(rng: random.Random) -> None:
    """Replay a changed stream, and inspect it."""
    game = rng.choice((*shipped_games(), "skirmish"))
    name, entries, setup = rng.choice(logs_of(game))
    changed = changed_tree(rng, entries[: setup + rng.randrange(1, STEPS)], setup // 2, rng.randrange(1, 30))
    text = streams.encode(Node("begin_save", tuple(changed)))
    if rng.random() < 0.3:
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(("\x1b", "\\\x1b", "'", "\\")) * rng.randrange(1, 50) + text[place:]
    replay = Replay(Log(name, streams.decode(text)))
    for _ in replay.steps():
        pass
    list(things(replay.table))
    if replay.failures:
        raise _UnjudgedError(replay.failures[0][1].trace)


@cache
def _zips() -> tuple[tuple[str, bytes], ...]:
    paths = [MODULE, *(path for game in shipped_games() for path in sorted((LOGS / game).glob("*.vlog"))[:2])]
    return tuple((path.name, path.read_bytes()) for path in paths)


def _repacked(rng: random.Random, data: bytes) -> bytes:
    """A zip that is whole, with an entry gone, doubled, renamed, or of changed content."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            chance, content = rng.random(), old.read(name)
            if chance < 0.1:
                continue
            if chance < 0.5:
                content = changed_bytes(rng, content)
            elif chance < 0.6:
                name = changed_text(rng, name).replace("\ud800", "") or "x"  # noqa: PLW2901
            how = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
            how = how if len(content) < SMALL else zipfile.ZIP_STORED
            if name not in new.namelist() or chance < 0.05:
                new.writestr(name, content, how)
    return stream.getvalue()


def zips(rng: random.Random) -> None:
    """Read a changed zip: a module, or a log."""
    name, data = rng.choice(_zips())
    data = _repacked(rng, data) if rng.random() < 0.5 else changed_bytes(rng, data)
    if name.endswith(".vmod"):
        with Archive.open(data, file=name) as archive:
            for entry in archive.names:
                archive.read(entry)
            assert archive.kind
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        read_stream(path)


@cache
def _build_file() -> tuple[str, tuple[tuple[str, bytes], ...]]:
    with zipfile.ZipFile(MODULE) as archive:
        names = [name for name in archive.namelist() if name.endswith((".vsav", "data"))]
        others = tuple((name, archive.read(name)) for name in names)
        return archive.read("buildFile.xml").decode(), others


def _with_value(rng: random.Random, tag: str) -> str:
    """A tag, and the text after it, with one attribute changed or the text: still well-formed."""
    head, end, text = tag.partition(">")
    parts = head.split('"')
    if text.strip() and (len(parts) < 3 or rng.random() < 0.3):
        return f"{head}{end}{_escaped(changed_text(rng, html.unescape(text)))}"
    if len(parts) > 2:
        place = rng.randrange(1, len(parts) - 1, 2)
        parts[place] = _escaped(changed_text(rng, html.unescape(parts[place])))
    return '"'.join(parts) + end + text


def _escaped(text: str) -> str:
    plain = "".join(letter for letter in text if letter >= " " and not "\ud800" <= letter <= "\udfff")
    return html.escape(plain)


def builds(rng: random.Random) -> None:
    """Inspect a module with a changed build file."""
    text, others = _build_file()
    pieces = text.split("<")
    for _ in range(rng.randrange(1, 8)):
        place = rng.randrange(2, len(pieces))
        match rng.randrange(12):
            case 0:
                pieces[place] = changed_text(rng, pieces[place])
            case 1:
                pieces.insert(place, pieces[place])
            case _:
                pieces[place] = _with_value(rng, pieces[place])
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("buildFile.xml", "<".join(pieces).encode("utf-8", "replace"))
        for name, content in others:
            archive.writestr(name, content)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "module.vmod"
        path.write_bytes(stream.getvalue())
        with opened(path, "", Limits()) as source:
            as_json(facts_of(source))


@cache
def _records() -> tuple[tuple[World, str], ...]:
    found = []
    for game in shipped_games():
        world = find_rules(game).world(open_cached(game))
        found += [
            (world, path.read_text(encoding="utf-8")) for path in sorted((CASES / game).rglob("*.record"))
        ]
    return tuple(found)


def records(rng: random.Random) -> None:
    """Judge some cases of a record, changed."""
    world, text = rng.choice(_records())
    head, *cases = text.split("\ncase ")
    some = rng.sample(cases, min(len(cases), 3))
    changed = changed_lines(rng, "\ncase ".join(["", *some]), rng.randrange(1, 5))
    record = parse(f"{head}\n{changed}\n", "fuzzed", known=[world])
    for _, judged in judge_record(record):
        for one in judged:
            if one.ruling is not None and one.ruling.failure:
                raise _UnjudgedError(one.ruling.failure.trace)


def data(rng: random.Random) -> None:
    """Read a game with a changed file laid in place of its own."""
    folder = shipped_games()[rng.choice(tuple(shipped_games()))]
    files = [path for path in sorted(folder.iterdir()) if path.suffix in (".toml", ".csv")]
    with TemporaryDirectory() as made:
        for path in folder.iterdir():
            (Path(made) / path.name).symlink_to(path)
        path = rng.choice(files)
        target = Path(made) / path.name
        target.unlink()
        text = changed_lines(rng, path.read_text(encoding="utf-8"), rng.randrange(1, 6))
        target.write_text(text, encoding="utf-8", errors="replace")
        open_game(Path(made))


KINDS: dict[str, Callable[[random.Random], None]] = {
    "audits": audits, "streams": streams_, "zips": zips, "builds": builds, "records": records, "data": data,
}  # fmt: skip


# What is counted


def case(kind: str, seed: int) -> Outcome:
    """Try one case."""
    rng = random.Random(f"{kind} {seed}")  # noqa: S311 - the same cases every time
    started = time.process_time()
    refused, errors = False, []
    try:
        KINDS[kind](rng)
    except BadInput:
        refused = True
    except _UnjudgedError as error:
        errors.append(f"{seed}: {_last(str(error))}")
    except Exception as error:
        errors.append(f"{seed}: {_last(''.join(traceback.format_exception(error)))}")
    return Outcome(refused, tuple(errors), time.process_time() - started)


def _last(trace: str) -> str:
    """Where an error was raised, and what it is."""
    lines = [line.strip() for line in trace.strip().splitlines()]
    where = [line for line in lines if line.startswith("File ")]
    return f"{lines[-1][:200]} ({where[-1][:200] if where else 'nowhere'})"


def part(kind: str, first: int, cases: int) -> Part:
    """Try a part of the seeds."""
    for game in shipped_games() if kind == "audits" else ():
        module_of(game)  # compiling it is no part of any case
    outcomes = [case(kind, seed) for seed in range(first, first + cases)]
    errors = [error for one in outcomes for error in one.errors]
    slowest = max(outcomes, key=lambda one: one.seconds).seconds
    refused = sum(one.refused for one in outcomes)
    return Part(kind, first, cases, cases - refused - len(errors), refused, round(slowest, 2), tuple(errors))


def _kept(path: Path | None) -> list[Part]:
    if path is None or not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Part(**{**json.loads(line), "errors": tuple(json.loads(line)["errors"])}) for line in lines]


def summary(parts: Sequence[Part]) -> list[str]:
    """The table of what was tried and found."""
    lines = [
        "| what | cases | read | refused | undeclared errors | slowest |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for kind in KINDS:
        own = [one for one in parts if one.kind == kind]
        if own:
            counts = (sum(getattr(one, name) for one in own) for name in ("cases", "read", "refused"))
            errors, slowest = sum(len(one.errors) for one in own), max(one.slowest for one in own)
            numbers = " | ".join(f"{count:,}" for count in counts)
            lines.append(f"| {kind} | {numbers} | {errors:,} | {slowest:.1f} s |")
    return lines


@click.command()
@click.argument("kind", type=click.Choice(tuple(KINDS)))
@click.option("--from", "first", default=0, help="The first seed.")
@click.option("--cases", default=100, help="How many seeds.")
@click.option("--part", "size", default=100, help="How many seeds a part has.")
@click.option("--keep", type=click.Path(dir_okay=False, path_type=Path), help="Where parts are kept.")
@click.option("--stop-after", type=float, help="Begin no further part after so many seconds.")
@click.pass_context
def main(
    ctx: click.Context,
    kind: str,
    first: int,
    cases: int,
    size: int,
    keep: Path | None,
    stop_after: float | None,
) -> None:
    """Try changed files of a KIND."""
    gc.set_threshold(100_000)
    started, found = time.monotonic(), _kept(keep)
    done = {(one.kind, one.first, one.cases) for one in found}
    for start in range(first, first + cases, size):
        if stop_after is not None and time.monotonic() - started > stop_after:
            break
        count = min(size, first + cases - start)
        if (kind, start, count) in done:
            continue
        found.append(part(kind, start, count))
        for error in found[-1].errors:
            click.echo(f"{kind} {error}", err=True)
        if keep is not None:
            one = {
                name: getattr(found[-1], name)
                for name in ("kind", "first", "cases", "read", "refused", "slowest")
            }
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**one, "errors": list(found[-1].errors)}) + "\n")
    click.echo("\n".join(summary(found)))
    ctx.exit(int(any(one.errors or one.slowest > SLOW for one in found)))


if __name__ == "__main__":
    main()
