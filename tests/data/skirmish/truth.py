"""What VASSAL itself showed after each step of a log, as the tests read it and as it was made.

    STATES | python tests/data/skirmish/truth.py skirmish.vlog

reduces what VASSAL shows, given as a line of JSON for the load and for each step, to the fields below, and
writes them to ``skirmish.truth.jsonl.xz`` beside the log.
"""

from __future__ import annotations

import io
import json
import lzma
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LINE_FIELDS = ("event", "step", "chat", "pieces", "turns", "globals")
PIECE_FIELDS = (
    "id",
    "kind",
    "name",
    "map",
    "x",
    "y",
    "location",
    "board",
    "zone",
    "contents",
    "stack",
    "stackIndex",
    "layers",
    "dynamic",
    "markers",
    "moved",
    "rotation",
    "labels",
)
LAYER_FIELDS = ("name", "level", "active", "levelName")


def truth_path(log: Path) -> Path:
    """The path of the file with the truth about a log."""
    return log.with_suffix(".truth.jsonl.xz")


def read_truth(log: Path) -> Iterator[dict[str, Any]]:
    """The lines about a log: the load, which is step 0, and each step."""
    with lzma.open(truth_path(log), "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_truth(log: Path, reported: Iterable[str]) -> None:
    """Reduce what an engine reported of a log, and write it beside the log."""
    from vassalgen.vassal.savedgame import read_saved_game

    reduced = _reduced(read_saved_game(log).text, map(json.loads, reported))
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in reduced)
    truth_path(log).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def _reduced(stream: str, reported: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Only the fields that count. Stacks the engine made by itself get ids that no clock has a hand in."""
    local: dict[str, str] = {}

    def stable(piece_id: str) -> str:
        return piece_id if piece_id in stream else local.setdefault(piece_id, f"~{len(local) + 1}")

    for line in reported:
        if line["event"] not in ("load", "step"):
            continue
        for piece in line["pieces"]:
            piece["id"] = stable(piece["id"])
            if piece.get("stack") is not None:
                piece["stack"] = stable(piece["stack"])
            if "moved" in piece:
                piece["moved"] = _moved(piece["traits"])
            if "layers" in piece:
                piece["layers"] = [_only(layer, LAYER_FIELDS) for layer in piece["layers"]]
        line["pieces"] = [_only(piece, PIECE_FIELDS) for piece in line["pieces"]]
        yield _only(line, LINE_FIELDS)


def _moved(traits: Iterable[tuple[str, str]]) -> bool:
    """Whether the piece is marked as moved; the engine's own trail is a mark too, which never says so."""
    return any(trait == "MovementMarkable" and state == "true" for trait, state in traits)


def _only(whole: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: whole[name] for name in names if name in whole}


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2]))
    write_truth(HERE / sys.argv[1], io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8"))
