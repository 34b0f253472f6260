"""The module and the logs that ship with the project: every field of every piece, as VASSAL showed it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.table import Replay, read_log, read_module, snapshot
from referee.table.continuity import differences
from tests.data.skirmish.truth import read_truth

FOLDER = Path(__file__).resolve().parents[1] / "data" / "skirmish"
MODULE = FOLDER / "skirmish.vmod"


def by_members(pieces: list[dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    """Pieces by id, stacks by their contents, because their ids may come from a clock."""
    stacks = {piece["id"]: tuple(piece["contents"]) for piece in pieces if piece["kind"] == "stack"}
    found: dict[Any, dict[str, Any]] = {}
    for piece in pieces:
        named = {**piece, "id": stacks.get(piece["id"], piece["id"])}
        if "stack" in piece:
            named["stack"] = stacks.get(piece["stack"], piece["stack"])
        found[named["id"]] = named
    return found


@pytest.mark.parametrize("name", ["skirmish.vlog", "skirmish-2.vlog"])
def test_the_table_is_what_vassal_showed_after_every_step(name: str) -> None:
    game = Replay(read_log(FOLDER / name), read_module(MODULE))
    steps = game.steps()
    for truth in read_truth(FOLDER / name):
        step = next(steps) if truth["step"] else game.opening
        assert step.number == truth["step"]
        assert list(step.chat) == truth["chat"]
        wanted = by_members(truth["pieces"])
        found = by_members(list(snapshot.things(game.table)))
        assert found.keys() == wanted.keys(), f"step {step.number}"
        for piece_id, piece in wanted.items():
            ours = {field: found[piece_id].get(field) for field in piece}
            assert ours == piece, f"step {step.number}, {piece['name']}"
        assert snapshot.globals_of(game.table) == truth["globals"]
        assert snapshot.turns_of(game.table) == truth["turns"]
    assert next(steps, None) is None


def test_the_second_log_begins_as_the_first_ended() -> None:
    module = read_module(MODULE)
    first = Replay(read_log(FOLDER / "skirmish.vlog"), module)
    for _ in first.steps():
        pass
    second = Replay(read_log(FOLDER / "skirmish-2.vlog"), module)
    assert differences(first.table, second.table) == ()
