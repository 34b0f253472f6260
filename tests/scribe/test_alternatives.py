"""What players may have done without a trace in the log is no proof: the other ways to read it are tried."""

from __future__ import annotations

from referee.audit import Report
from tests.scribe.playing import Playing, accused, found

FIELD = {
    "blade": "C2", "hart": "C5", "superga": "C3", "pz10": "B5", "uk78": "allied-north",
    "lw-afrika": "axis-air", "meaaf": "allied-air",
}  # fmt: skip


def doubted(report: Report) -> list[str]:
    """The clauses of what is not proved."""
    return [clause for _, grade, clause in found(report) if grade == "unproven"]


def fought() -> Playing:
    """In the Allied combat of turn 1 Blade Force attacked Superga and is Disrupted by the result."""
    game = Playing(FIELD, stop="Allied Combat").attack(1, "C3", "blade")
    return game.resolve(1, 2, 3, "1:2", 3, "AD")


def test_a_marker_that_comes_off_before_the_track_passes_over_recovery_was_perhaps_there() -> None:
    game = fought().state("blade").state("blade", on=False).turn(to="Axis Movement")
    report = game.move("pz10", "B6").audited()
    assert accused(report) == []
    assert doubted(report) == ["crt.3"]


def test_a_marker_that_comes_off_before_the_next_attack_of_the_phase_was_a_correction() -> None:
    game = fought().state("blade").state("blade", on=False)
    game = game.attack(2, "B5", "hart").resolve(2, 2, 3, "1:2", 5, "D").state("pz10").turn()
    assert "crt.3" in accused(game.audited())


def test_a_result_that_nobody_carries_out_is_found_though_phases_are_passed_over() -> None:
    report = fought().turn(to="Axis Movement").move("pz10", "B6").audited()
    assert accused(report) == ["crt.3"]


def test_both_sides_may_move_before_the_track_is_advanced_to_the_next_turn() -> None:
    game = Playing(FIELD, stop="Allied Movement").move("hart", "D5").move("pz10", "B6")
    report = game.move("superga", "C4").turn(to="Reinforcements").audited()
    assert accused(report) == []
