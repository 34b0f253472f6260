"""The table beside what the real engine showed, step by step and field by field."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.table import Replay, read_log, read_module, snapshot
from referee.table.things import Piece

Thing = dict[str, Any]

FIELDS = (
    *("kind", "name", "basicName", "gpid", "map", "x", "y", "location", "board", "zone"),
    *("stack", "stackIndex", "contents", "faceDown"),
    *("moved", "layers", "dynamic", "markers", "rotation", "labels"),
)
"""What is compared of every piece, deck and stack."""
OF_A_LAYER = ("name", "level", "active", "levelName")


def differences(log: Path, module: Path, truth: Path) -> Iterator[str]:
    """Every difference between the replay of a log and what the engine showed."""
    replay = Replay(read_log(log), read_module(module))
    steps = replay.steps()
    engine: dict[str, Thing] = {}
    for line in lines(truth):
        if line["event"] not in ("load", "step"):
            continue
        step = next(steps) if line["event"] == "step" else replay.opening
        engine = _shown(line, engine)
        ours = {thing["id"]: thing for thing in snapshot.things(replay.table)}
        for what, theirs, own in (
            ("chat", line["chat"], list(step.chat)),
            ("globals", line["globals"], snapshot.globals_of(replay.table)),
            ("turns", [_turn(turn) for turn in line["turns"]], snapshot.turns_of(replay.table)),
            *_compared(by_contents(engine), by_contents(ours)),
        ):
            if theirs != own:
                yield f"step {step.number}, {what}: {theirs!r} in VASSAL, {own!r} here"
    yield from (f"step {step.number} is not in VASSAL" for step in steps)


def properties(log: Path, module: Path, truth: Path) -> Iterator[tuple[str, str, str | None, str | None]]:
    """Each property of each piece after each step: the piece, the name, VASSAL's value and ours."""
    replay = Replay(read_log(log), read_module(module))
    steps = replay.steps()
    for line in lines(truth):
        if line["event"] == "step":
            next(steps)
        for thing in line.get("pieces", ()):
            piece = replay.table.things[thing["id"]]
            if isinstance(piece, Piece):
                for name, value in thing["props"].items():
                    yield thing["name"], name, value, replay.table.sight.property(piece, name)


def last_places(truth: Path) -> dict[str, tuple[str, str, int, int]]:
    """Name, map and place of each piece at the end."""
    *_, last = (line for line in lines(truth) if line["event"] == "step")
    pieces = (thing for thing in last["pieces"] if thing["kind"] == "piece")
    return {one["id"]: (one["name"], one["map"], one["x"], one["y"]) for one in pieces}


def lines(truth: Path) -> Iterator[dict[str, Any]]:
    text = truth.read_bytes()
    if truth.suffix == ".xz":
        text = lzma.decompress(text)
    yield from map(json.loads, text.splitlines())


def _shown(line: dict[str, Any], before: dict[str, Thing]) -> dict[str, Thing]:
    if "pieces" in line:
        return {thing["id"]: thing for thing in line["pieces"]}
    now = before | {thing["id"]: thing for thing in line["changed"]}
    for gone in line["removed"]:
        del now[gone]
    return now


def _turn(turn: dict[str, Any]) -> dict[str, Any]:
    return {key: turn[key] for key in ("name", "id", "state", "text")}


def by_contents(things: dict[str, Thing]) -> dict[str, Thing]:
    """The things, with each stack named by its contents: VASSAL names its own stacks by the clock."""
    stacks = (one for one in things.values() if one["kind"] == "stack")
    names = {one["id"]: f"stack of {' '.join(one['contents'])}" for one in stacks}
    found = {}
    for thing_id, thing in things.items():
        shown = {key: thing.get(key) for key in FIELDS}
        shown["stack"] = names.get(shown["stack"], shown["stack"])
        if shown["layers"]:
            shown["layers"] = [{key: layer[key] for key in OF_A_LAYER} for layer in shown["layers"]]
        found[names.get(thing_id, thing_id)] = shown
    return found


def _compared(engine: dict[str, Thing], ours: dict[str, Thing]) -> Iterator[tuple[str, Any, Any]]:
    for thing_id in sorted(engine.keys() | ours.keys()):
        theirs, own = engine.get(thing_id, {}), ours.get(thing_id, {})
        if theirs != own:
            for key in FIELDS:
                yield f"{thing_id}, {key}", theirs.get(key), own.get(key)
