"""Files of every kind that the referee reads, changed.

What a hundred cases change is small: a few components of a module, a few pieces and steps of a log, a case of
a record.
"""

from __future__ import annotations

import io
import random
import warnings
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.archive.corrections import NAME, read_corrections
from referee.engine.position import World
from referee.games import find_idiom, find_rules
from referee.judge import judge_record
from referee.mapping.checking import check_map
from referee.mapping.modulemap import ModuleMap, read_map, wrong_names
from referee.mapping.proposing import propose
from referee.mapping.survey import survey
from referee.mapping.writing import write_map
from referee.notes import read_notes
from referee.record import parse
from referee.table import EMPTY_MODULE, Log, Replay
from referee.table.snapshot import things
from tools.fuzzing.audits import BY_DATA, CLUBS, LOGS, ROOT, Base, entries_of, opened
from tools.fuzzing.changing import (
    changed_bytes,
    changed_lines,
    changed_tag,
    changed_text,
    changed_tree,
    changed_values,
)
from tools.fuzzing.trials import Trial, UnjudgedError
from vassalgen.adopting.adopting import adopted
from vassalgen.game.finding import open_game, shipped_games
from vassalgen.inspection.command import facts_of
from vassalgen.inspection.facts import as_json
from vassalgen.inspection.sources import opened as source_of
from vassalgen.vassal import streams
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.savedgame import SavedGame, read_stream
from vassalgen.vassal.streams import Node

CASES = ROOT / "tests" / "cases"
OWN_CASES = ROOT / "tests" / "clubs"
SMALL = 10_000
"""A size in bytes that is compressed quickly."""
PIECES, STEPS, BRANCHES = 6, 4, 2
"""How many pieces and steps of a log, and components of each kind of a module, a small file has."""
NOTES = """\
# what we agreed
step 54: die for C3 -- Ada
step 61-63: taken back -- both
step 70: phase Allied recovery -- Ben
log 2, step 5: die for nothing -- Ada
turn 4, Allied supply: agreed supply.1 -- umpire
"""
CLUB = """\
[players]
"Ben N." = "Ben"

[seasons]
"1998" = ["1998/*", "old/*.vlog"]

[ignore]
logs = ["tries/*"]

[rules.postcard1943]
rulings = ["pursuit=units"]
data = ["corrections"]

[[game]]
logs = ["first.vlog", "second.vlog"]
title = "The final"
season = "1999"
game = "postcard1943"
scenario = "campaign"
module = "module.vmod"
map = "club.map.toml"
notes = "final.notes"
"""


def _random(name: str, first: int) -> random.Random:
    return random.Random(f"{name} {first}")  # noqa: S311 - the same every time


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


def _written(name: str, content: bytes) -> Path:
    """A file in the folder of this process."""
    path = Path(_folder().name) / name
    path.write_bytes(content)
    return path


def _small_log(rng: random.Random) -> tuple[str, tuple[Node, ...], int]:
    """Some steps of a log after a set-up of few pieces, mostly those that the steps involve."""
    found = _small_base(rng.randrange(11))
    steps = list(found.entries[found.setup :])
    first = rng.randrange(max(1, len(steps) - STEPS))
    steps = steps[first : first + rng.randrange(1, STEPS + 1)]
    said = "".join(node.text for step in steps for node in step.walk())
    setup = [_pruned(rng, entry, said) for entry in found.entries[: found.setup]]
    return found.name, (*setup, *steps), len(setup)


@cache
def _small_base(number: int) -> Base:
    ours = [path for game in sorted(shipped_games()) for path in (LOGS / game).glob("everything-1.vlog")]
    path = [*ours, *sorted(CLUBS.glob("*-clean.vlog")), *sorted((LOGS / "skirmish").glob("*.vlog"))][number]
    entries, setup = entries_of(path)
    return Base(path.name, opened("postcard1943"), entries, setup, EMPTY_MODULE)


def _pruned(rng: random.Random, entry: Node, said: str) -> Node:
    """A branch of a set-up with few of its pieces."""
    if len(entry.children) <= PIECES:
        return entry
    named = [node for node in entry.children if _is_named(node, said)]
    others = rng.sample(entry.children, PIECES // 2)
    kept = [*rng.sample(named, min(len(named), PIECES)), *others]
    return Node(entry.text, tuple(kept))


def _is_named(node: Node, said: str) -> bool:
    """Whether the id of the piece that a command adds is in a text."""
    parts = node.bare.split("/", 2)
    return len(parts) == 3 and len(parts[1]) > 3 and parts[1] in said


def streams_(first: int) -> Trial:
    """Replays of changed streams."""
    name, entries, setup = _small_log(_random("stream", first))

    def one(rng: random.Random) -> None:
        changed = changed_tree(rng, entries, setup // 2, rng.randrange(1, 12))
        text = streams.encode(Node("begin_save", tuple(changed)))
        if rng.random() < 0.3:
            place = rng.randrange(len(text))
            text = (
                text[:place] + rng.choice(("\x1b", "\\\x1b", "'", "\\")) * rng.randrange(1, 50) + text[place:]
            )
        _replay(Log(name, streams.decode(text)))

    return one


def _replay(log: Log) -> None:
    replay = Replay(log)
    for _ in replay.steps():
        pass
    list(things(replay.table))
    if replay.failures:
        raise UnjudgedError(replay.failures[0][1].trace)


def zips(first: int) -> Trial:
    """Changed zips read: modules, and logs."""
    rng = _random("zip", first)
    if rng.random() < 0.4:
        return _archives(_small_module(rng))
    name, entries, _ = _small_log(rng)
    described = SaveData(version="1.2", vassal_version="3.7.26", date_saved=0, description="a game")
    module = ModuleData(
        version="1.2", vassal_version="3.7.26", date_saved=0, name="The Game", extra1="", extra2=""
    )
    text = streams.encode(Node("begin_save", entries))
    content = SavedGame.new(text, described, module).to_bytes()

    def one(rng: random.Random) -> None:
        read_stream(_written(name, _changed_zip(rng, content)))

    return one


def _archives(content: bytes) -> Trial:
    def one(rng: random.Random) -> None:
        with Archive.open(_changed_zip(rng, content), file="module.vmod") as archive:
            for entry in archive.names:
                archive.read(entry)
            assert archive.kind

    return one


def _changed_zip(rng: random.Random, data: bytes) -> bytes:
    return _repacked(rng, data) if rng.random() < 0.8 else changed_bytes(rng, data)


def _repacked(rng: random.Random, data: bytes) -> bytes:
    """A valid zip with one or two of its entries removed, doubled, renamed, or with changed content."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        names = old.namelist()
        chosen = rng.choices(names, k=rng.randrange(1, 3))
        for name in names:
            content = old.read(name)
            kept, times = name, 1
            if name in chosen:
                match rng.randrange(8):
                    case 0:
                        times = 0
                    case 1:
                        times = 2
                    case 2:
                        kept = changed_text(rng, name).replace("\ud800", "") or "x"
                    case _:
                        content = _changed_entry(rng, content)
            how = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
            how = how if len(content) < SMALL else zipfile.ZIP_STORED
            how = zipfile.ZIP_BZIP2 if rng.random() < 0.01 else how
            with warnings.catch_warnings(action="ignore"):  # of names that occur twice
                for _ in range(times):
                    new.writestr(kept, content, how)
    return stream.getvalue()


def _changed_entry(rng: random.Random, content: bytes) -> bytes:
    """XML with a tag changed, usually; other files with changed bytes."""
    if not content.startswith(b"<") or rng.random() < 0.2:
        return changed_bytes(rng, content)
    return _changed_build(rng, content.decode("utf-8", "replace")).encode("utf-8", "replace")


@cache
def _modules() -> tuple[Path, ...]:
    return (LOGS / "skirmish" / "skirmish.vmod", *sorted(CLUBS.glob("*.vmod")))


@cache
def _tree(path: Path) -> tuple[bytes, tuple[tuple[str, bytes], ...]]:
    """The build file of a module, and its small entries."""
    with zipfile.ZipFile(path) as archive:
        names = [one for one in archive.infolist() if not one.filename.startswith("buildFile")]
        others = tuple((one.filename, archive.read(one)) for one in names if one.file_size < SMALL // 4)
        build = next(one for one in archive.namelist() if one.startswith("buildFile"))
        return archive.read(build), others


def _small_parts(rng: random.Random) -> tuple[str, list[tuple[str, bytes]]]:
    """A build file with few components of each kind, and a few of the module's other entries."""
    text, others = _tree(rng.choice(_modules()))
    root = ET.fromstring(text)  # noqa: S314 - a file of our own
    for element in list(root.iter()):
        by_tag: dict[str, list[ET.Element]] = {}
        for child in element:
            by_tag.setdefault(child.tag, []).append(child)
        for children in by_tag.values():
            for child in rng.sample(children, max(0, len(children) - BRANCHES)):
                element.remove(child)
    chosen = [one for one in others if one[0] == "moduledata" or rng.random() < 0.2]
    return ET.tostring(root, encoding="unicode"), chosen


def _module(build: str, others: Sequence[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("buildFile.xml", build.encode("utf-8", "replace"))
        for name, content in others:
            archive.writestr(name, content)
    return stream.getvalue()


def _small_module(rng: random.Random) -> bytes:
    return _module(*_small_parts(rng))


def _changed_build(rng: random.Random, text: str) -> str:
    """A build file with some attributes and texts changed; sometimes no longer well-formed."""
    pieces = text.split("<")
    for _ in range(rng.randrange(1, 8)):
        place = rng.randrange(2, len(pieces))
        match rng.randrange(12):
            case 0:
                pieces[place] = changed_text(rng, pieces[place])
            case 1:
                pieces.insert(place, pieces[place])
            case _:
                pieces[place] = changed_tag(rng, pieces[place])
    return "<".join(pieces)


def builds(first: int) -> Trial:
    """Modules with changed build files: inspected, and some of them adopted or mapped to a game."""
    text, others = _small_parts(_random("build", first))

    def one(rng: random.Random) -> None:
        path = _written("module.vmod", _module(_changed_build(rng, text), others))
        chance = rng.random()
        if chance < 0.05:
            adopted(path)
        elif chance < 0.1:
            game = opened(rng.choice(sorted(shipped_games())))
            seen = survey(path)
            if rng.random() < 0.3:
                write_map(propose(game, seen))
                check_map(ModuleMap(game.id), game, seen)
        else:
            with source_of(path, "", Limits()) as source:
                as_json(facts_of(source))

    return one


@cache
def _records() -> tuple[tuple[World, str], ...]:
    found = []
    for game in shipped_games():
        world = find_rules(game).world(opened(game))
        found += [
            (world, path.read_text(encoding="utf-8")) for path in sorted((CASES / game).rglob("*.record"))
        ]
    for game, folder in BY_DATA.items():
        world = find_rules(opened(game)).world(opened(game))
        found.append((world, (folder / "cases.record").read_text(encoding="utf-8")))
    return tuple(found)


def records(first: int) -> Trial:
    """Changed cases of records, judged."""
    world, text = _random("record", first).choice(_records())
    head, *cases = text.split("\ncase ")

    def one(rng: random.Random) -> None:
        some = rng.sample(cases, min(len(cases), 1 if rng.random() < 0.8 else 3))
        changed = changed_lines(rng, "\ncase ".join(["", *some]), rng.randrange(1, 5))
        record = parse(f"{head}\n{changed}\n", "fuzzed", known=[world])
        for _, judged in judge_record(record):
            for found in judged:
                if found.ruling is not None and found.ruling.failure:
                    raise UnjudgedError(found.ruling.failure.trace)

    return one


def _games() -> list[Path]:
    starters = ROOT / "vassalgen" / "starters"
    return [
        starters / "bare",
        starters / "alder",
        *(OWN_CASES / name for name in ("orsa", "grauwald", "dalia")),
    ]


def data(first: int) -> Trial:
    """Games read with a changed file in place of their own, together with their rules."""
    rng = _random("data", first)
    by_data = rng.random() < 0.9
    folder = rng.choice(_games() if by_data else sorted(shipped_games().values()))
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".toml", ".csv"))
    chosen = rng.choice(files)
    text = chosen.read_text(encoding="utf-8")
    made = Path(_folder().name) / f"game{first}"
    for path in sorted(folder.rglob("*")):
        target = made / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            target.write_bytes(path.read_bytes())
    changing = made / chosen.relative_to(folder)

    def one(rng: random.Random) -> None:
        if rng.random() < 0.3:
            changed = changed_lines(rng, text, rng.randrange(1, 6))
        else:
            changed = changed_values(rng, text, rng.randrange(1, 4))
        changing.write_text(changed, encoding="utf-8", errors="replace")
        game = open_game(made)
        if by_data:
            find_idiom(game)
            find_rules(game, trusted=False).world(game)

    return one


@cache
def _papers() -> tuple[tuple[str, str], ...]:
    maps = tuple((path.name, path.read_text(encoding="utf-8")) for path in sorted(CLUBS.glob("*.map.toml")))
    return (*maps, (NAME, CLUB), ("game.notes", NOTES))


def papers(first: int) -> Trial:
    """Changed files that clubs write beside their logs: maps of modules, notes, corrections of an archive."""
    name, text = _random("paper", first).choice(_papers())

    def one(rng: random.Random) -> None:
        changed = changed_lines(rng, text, rng.randrange(1, 6)).encode("utf-8", "replace")
        path = _written(name, changed if rng.random() < 0.9 else changed_bytes(rng, changed))
        if name == NAME:
            read_corrections([path.parent])
        elif name.endswith(".notes"):
            read_notes(path)
        else:
            found = read_map(path)
            list(wrong_names(found, opened(found.game)))

    return one
