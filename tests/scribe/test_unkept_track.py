"""A turn track that is repeatedly advanced late does not prove in which phase anything was done."""

from __future__ import annotations

import pytest

from referee.engine.clock import Clock
from referee.engine.rulings import Grade
from referee.scribe import facts
from referee.scribe.facts import Condition, Standing
from referee.scribe.unkept_track import NOT_KEPT
from tests.scribe.playing import Playing, accused
from tests.scribe.small_logs import dragged, found, read, turned

FIELD = {"hart": "D5", "blade": "E5", "pz10": "B5", "superga": "A4"}


def played(late: bool, turns: int) -> Playing:
    """Turns in which both sides move a unit; the Axis, if late, before the track shows its player turn."""
    game = Playing(FIELD, stop="Allied Movement")
    for turn in range(turns):
        there = turn % 2 == 0
        game = game.move("hart", "E4" if there else "D5")
        game = game if late else game.turn(to="Axis Movement")
        game = game.move("pz10", "B6" if there else "B5").turn(to="Allied Movement")
    return game


def moved_out_of_turn(game: Playing, *places: str) -> Playing:
    """An Axis unit moves between two Allied ones; then the track goes on phase by phase."""
    game = game.move("hart", "D4").move("superga", *places).move("blade", "E6")
    game = game.turn().state("hart", "lent").turn().state("hart", "lent", on=False).turn().move("pz10", "C6")
    return game.turn(3)


def test_a_move_in_the_player_turn_of_the_enemy_is_proved_by_a_track_that_was_kept() -> None:
    report = moved_out_of_turn(played(False, 4), "B4").audited()
    assert accused(report) == ["seq.2"]


def test_a_move_in_the_player_turn_of_the_enemy_is_not_proved_by_a_track_that_was_always_late() -> None:
    report = moved_out_of_turn(played(True, 4), "B4").audited()
    assert accused(report) == []
    doubts = [(one.clause, one.breach.facts["unless"]) for one in report.findings]
    assert ("seq.2", NOT_KEPT) in doubts


def test_a_move_that_is_too_long_in_every_phase_is_proved_all_the_same() -> None:
    assert accused(moved_out_of_turn(played(True, 4), "F5").audited()) == ["move.1"]


def test_a_track_that_was_late_in_one_player_turn_alone_proves_what_comes_later() -> None:
    game = played(False, 1).move("hart", "D5").move("pz10", "B5").turn(to="Allied Movement")
    assert accused(moved_out_of_turn(game, "B4").audited()) == ["seq.2"]


@pytest.mark.parametrize(("rallied_before", "grade"), [(True, Grade.unproven), (False, Grade.illegal)])
def test_what_a_phase_left_undone_is_not_proved_if_the_track_only_catches_up(
    rallied_before: bool, grade: Grade
) -> None:
    shaken = {"disordered": Condition(1)}
    field = {
        "ac1": Standing("D4", steps=3),
        "fc1": Standing("D3", steps=3, states=shaken),
        "f3": Standing("B6", steps=5, states=shaken),
    }
    rally = [
        facts.Declared(step=0, counter="f3", declaration="rally", faces=(5,)),
        facts.Changed(step=0, counter="f3", state="disordered", old=1, new=0),
    ]
    past, ends = [turned(1, stop) for stop in range(1, 4)], [turned(1, stop) for stop in range(4, 8)]
    happened = [*rally, *past] if rallied_before else [*past, *rally]
    moved = [turned(2, 0), *dragged("f3", "B6", "B5")]
    draft = read("tests/clubs/grauwald", field, Clock(1, 0), *happened, *ends, *moved)
    assert (len(happened) + len(ends), grade, "7.2") in found(draft)
