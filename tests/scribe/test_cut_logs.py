"""Logs that begin or end in the middle of a phase: events outside the log lead to no accusation."""

from __future__ import annotations

from tests.scribe.playing import Playing, accused, found

FIELD = {"hart": "C2", "superga": "C3", "pz10": "B4", "blade": "E1"}


def beaten() -> Playing:
    """An attack on C3 that eliminates the unit there."""
    game = Playing({"blade": "C3", "pz10": "B4", "broich": "B4"}, stop="Axis Combat")
    return game.attack(1, "C3", "pz10", "broich").resolve(1, 6, 2, "3:1", 6, "DE")


def test_a_casualty_may_be_of_a_battle_before_the_log_began() -> None:
    game = Playing(FIELD, stop="Allied Combat").attack(1, "C3", "hart").resolve(1, 1, 3, "1:3", 4, "AD")
    game = game.state("hart").turn().eliminate("pz10").turn()
    assert accused(game.audited()) == []


def test_a_player_turn_later_a_casualty_is_doubtful() -> None:
    game = Playing(FIELD, stop="Allied Combat").attack(1, "C3", "hart").resolve(1, 1, 3, "1:3", 4, "AD")
    game = game.state("hart").turn().turn().move("pz10", "B5").turn().eliminate("pz10").turn()
    assert (9, "unproven", "crt.1") in found(game.audited())


def test_the_beaten_may_be_removed_after_the_log_has_ended() -> None:
    game = beaten().declare("pz10", "advance", 1).move("pz10", "C3")
    assert {grade for _, grade, _ in found(game.audited())} == {"unproven"}


def test_once_the_track_is_advanced_they_should_have_been() -> None:
    game = beaten().declare("pz10", "advance", 1).move("pz10", "C3").turn().move("blade", "C2").turn()
    assert accused(game.audited()) != []
