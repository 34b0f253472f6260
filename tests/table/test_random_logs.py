"""Logs of random but possible play: after each step everything is where it is in VASSAL."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from referee.table import ModulePlan, Replay, read_log, snapshot
from tests.table.games import battlefield
from tests.table.truth import by_contents

DATA = Path(__file__).parent / "data"
MAPS = ("Main Map", "Reserves")
SHOWN = ("kind", "map", "x", "y", "stack", "stackIndex", "contents")
DIGESTS: dict[str, list[str]] = json.loads((DATA / "random.json").read_text(encoding="utf-8"))
"""For each log what VASSAL 3.7.26 showed on loading and after each step: see :func:`digest`."""


def digest(things: Mapping[str, dict[str, Any]]) -> str:
    """A short hash of the place of everything, with stacks named by their contents."""
    shown = {key: [thing.get(field) for field in SHOWN] for key, thing in by_contents(dict(things)).items()}
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:12]


def module(kind: str) -> ModulePlan:
    """A module with the maps of these games, of which the first is the special one."""
    layers = ("Kind", ("Unit", "Marker")) if kind == "layered" else None
    first = battlefield(stacking=kind != "unstacked", layers=layers).maps[0]
    maps = zip((first, battlefield().maps[1]), MAPS, strict=True)
    return ModulePlan(known=True, maps=tuple(attrs.evolve(one, name=name) for one, name in maps))


@pytest.mark.parametrize("name", DIGESTS)
def test_random_play_leaves_everything_where_vassal_has_it(name: str) -> None:
    replay = Replay(read_log(DATA / f"random-{name}.vlog"), module(name.partition("-")[0]))
    seen = [digest({one["id"]: one for one in snapshot.things(replay.table)})]
    for _ in replay.steps():
        seen.append(digest({one["id"]: one for one in snapshot.things(replay.table)}))
    first = next(
        (step for step, pair in enumerate(zip(seen, DIGESTS[name], strict=True)) if len(set(pair)) > 1), None
    )
    assert first is None, f"step {first} leaves another table than in VASSAL"
