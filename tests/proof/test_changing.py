"""Unexplained changes on the table: what is done there, and that an audit sees it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.engine.rulings import Grade
from tools.proof.breakers import find_breaker
from tools.proof.changing import (
    MOVED,
    REBOXED,
    REMOVED,
    ChangedGame,
    audit_changed,
    changed_games,
    kinds_of_change,
)
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Played
from tools.proof.proving import change_game, world_of
from vassalgen.new import BARE, write_game

GAME = "postcard1943"


@pytest.fixture(scope="module")
def played() -> Played:
    return play_for_log(world_of(GAME, ""), 2)


@pytest.fixture(scope="module")
def changed(played: Played) -> list[ChangedGame]:
    return list(changed_games(played.steps, find_breaker(GAME), Random(1)))


def test_a_counter_is_changed_in_every_phase_and_in_every_way_that_it_can(
    played: Played, changed: list[ChangedGame]
) -> None:
    assert {one.phase for one in changed} == {step.before.phase for step in played.steps}
    assert {REMOVED, MOVED, "gets Disrupted"} <= {one.change.kind for one in changed}
    assert {one.change.kind for one in changed} <= set(kinds_of_change(played.world.game))


def test_the_counter_had_no_part_in_a_battle_of_the_phase(changed: list[ChangedGame]) -> None:
    for one in changed:
        fighting = {name for battle in one.position.battles for name in battle.attackers}
        attacked = {battle.target for battle in one.position.battles}
        assert one.change.piece.id not in fighting
        assert one.position.pieces[one.change.piece.id].where not in attacked


def test_nothing_but_the_one_counter_is_changed(changed: list[ChangedGame]) -> None:
    for one in changed:
        if one.after:
            there = one.after[0].before.pieces
            assert [name for name, piece in one.position.pieces.items() if there[name] != piece] == [
                one.change.piece.id
            ]


def test_a_counter_that_is_disrupted_without_a_battle_is_found(changed: list[ChangedGame]) -> None:
    """In the combat phase it may be the result of an undeclared battle."""
    disrupted = [one for one in changed if one.change.kind == "gets Disrupted"]
    grades = {one.phase: audit_changed(opening_of(GAME), one, 2).grade for one in disrupted}
    assert grades.pop("combat") in (Grade.unproven, Grade.illegal)
    assert set(grades.values()) == {Grade.illegal}


def test_a_counter_that_goes_from_one_box_to_another_is_found(changed: list[ChangedGame]) -> None:
    put = [one for one in changed if one.change.kind == REBOXED and one.change.piece.counter.kind == "unit"]
    assert put
    assert None not in {audit_changed(opening_of(GAME), one, 2).grade for one in put}


def test_a_game_without_boxes_is_changed_too(tmp_path: Path) -> None:
    folder = tmp_path / "border"
    write_game(folder, BARE)
    for seed in (1, 2, 3):
        assert change_game(str(folder), "", seed)["wrong"] == []
